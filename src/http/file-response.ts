/**
 * A file as an HTTP answer: ranges, validators, and headers that keep a user's file from ever running in our origin.
 */

import { AppError, type ErrorCode } from '../errors.ts'
import { isNotModified, isOtherVersion, isRangeOfThis, parseRange } from './byte-range.ts'
import { contentDisposition } from './content-disposition.ts'
import { inlineTypeOf } from './content-type.ts'
import { createFileBodies, PIECE_BYTES, type SentFile } from './file-body.ts'
import { privateCache } from './private-cache.ts'
import { problemBody } from './problem.ts'

interface FileResponseOptions {
  /** Whom it is for. */
  userId: number
  /** What the file is called; decides its type, and its name when it is saved. */
  name: string
  isDownload?: boolean
  /**
   * Whoever asks for a part asks on by themselves, and gets no more than a piece of what lies on a remote disk: a film that was handed
   * over to Bun would hold up everybody where that hangs in the middle.
   */
  inPieces?: boolean
  /** The URL carries the version of this very content, so that it may be kept for ever. */
  isImmutable?: boolean
}

/** A file that is opened by itself may show its own picture, in an origin of its own, without scripts. */
const USER_FILE_CSP = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"
/** The browser's own player loads the film once more, and may not from another origin; scripts stay forbidden. */
const PLAYED_FILE_CSP = `${USER_FILE_CSP} allow-same-origin`

const headersOf = (file: SentFile, etag: string, { name, isDownload, isImmutable }: FileResponseOptions): Headers => {
  const type = inlineTypeOf(name)
  return new Headers({
    'Accept-Ranges': 'bytes',
    'Cache-Control': privateCache(isImmutable),
    'Content-Disposition': contentDisposition(isDownload || type === null ? 'attachment' : 'inline', name),
    'Content-Security-Policy': type !== null && /^(?:audio|video)\//.test(type) ? PLAYED_FILE_CSP : USER_FILE_CSP,
    'Content-Type': type ?? 'application/octet-stream',
    ETag: etag,
    'Last-Modified': new Date(file.modifiedAtMs).toUTCString(),
  })
}

const withoutBody = async (file: SentFile, status: number, headers: Headers): Promise<Response> => {
  await file.handle.close()
  return new Response(null, { status, headers })
}

/** Answered and not thrown, as an `AppError` brings no headers of its own. */
const refusal = (request: Request, code: ErrorCode, more: Record<string, string>): Response => {
  const problem = problemBody(new AppError(code))
  const body = JSON.stringify(problem)
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Length': String(body.length),
    'Content-Type': 'application/problem+json',
    ...more,
  }
  return new Response(request.method === 'HEAD' ? null : body, { status: problem.status, headers })
}

/** The range that is asked for lies outside a file of `size` bytes. */
const outsideResponse = (request: Request, size: number): Response =>
  refusal(request, 'range_not_satisfiable', { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${size}` })

/** A file of our own, that no user put there. Bun sends it by its path, and ranges of it, but does not refuse a range outside of it. */
export const ownFileResponse = (request: Request, file: Bun.BunFile, headers: Record<string, string>): Response => {
  const range = request.headers.get('Range')
  if (range !== null && parseRange(range, file.size) === 'unsatisfiable') return outsideResponse(request, file.size)
  if (request.method === 'HEAD') return new Response(null, { headers: { ...headers, 'Content-Length': String(file.size) } })
  return new Response(file, { headers })
}

/** Takes over the opened file, and closes it, also where it throws. */
export type SendFile = (request: Request, file: SentFile, options: FileResponseOptions) => Promise<Response>

export const createFileSender = (): SendFile => {
  const bodyOf = createFileBodies()
  return async (request, file, options) => {
    const etag = `"${file.version}"`
    const validators = { etag, modifiedAtMs: file.modifiedAtMs }
    if (isOtherVersion(request.headers, validators)) {
      await file.handle.close()
      return refusal(request, 'precondition_failed', { ETag: etag })
    }
    const headers = headersOf(file, etag, options)
    if (isNotModified(request.headers, validators)) return withoutBody(file, 304, headers)
    const isRangeIgnored = !isRangeOfThis(request.headers, validators)
    const wanted = isRangeIgnored ? 'whole' : parseRange(request.headers.get('Range'), file.size)
    if (wanted === 'unsatisfiable') {
      await file.handle.close()
      return outsideResponse(request, file.size)
    }
    const isCut = options.inPieces && file.isRemote && wanted !== 'whole'
    const range = isCut ? { ...wanted, end: Math.min(wanted.end, wanted.start + PIECE_BYTES - 1) } : wanted
    if (range !== 'whole') headers.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)
    const status = range === 'whole' ? 200 : 206
    if (request.method === 'HEAD') {
      headers.set('Content-Length', String(range === 'whole' ? file.size : range.end - range.start + 1))
      return withoutBody(file, status, headers)
    }
    return new Response(await bodyOf(request, file, { userId: options.userId, range, isRangeIgnored }), { status, headers })
  }
}
