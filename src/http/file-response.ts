/**
 * A file as an HTTP answer: ranges, validators, and headers that keep a user's file from ever running in our origin.
 * Ranges follow RFC 9110, section 14; validators section 13.
 */

import { inlineTypeOf } from './content-type.ts'

/** An opened file, as `media/inside.ts` gives it out. */
export interface SentFile {
  handle: { close(): Promise<void> }
  /** Bytes. */
  size: number
  modifiedAtMs: number
  inode: number
  /** A path that leads to this very file while `handle` is open. */
  stablePath: string
}

export interface FileResponseOptions {
  /** What the file is called; decides its type, and its name when it is saved. */
  name: string
  isDownload?: boolean
  /** The URL carries the version of the content, so that it may be kept for ever. */
  isImmutable?: boolean
}

/** `Bun.serve` opens the body's path when it starts to send, after the handler; until then our descriptor has to stay. */
const HANDOVER_MS = 250

const USER_FILE_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const toHex = (value: number): string => Math.floor(value).toString(16)

const strongEtag = (file: SentFile): string => `"${toHex(file.inode)}-${toHex(file.size)}-${toHex(file.modifiedAtMs * 1000)}"`

const httpDate = (ms: number): string => new Date(ms).toUTCString()

/** RFC 6266: an ASCII name for old clients, and the true one (RFC 8187). Control characters and quotes are dropped. */
const contentDisposition = (kind: 'inline' | 'attachment', name: string): string => {
  const clean = [...name].filter((c) => c >= ' ' && c !== '\u007f').join('')
  const ascii = clean.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(clean.toWellFormed()).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

interface ByteRange {
  /** First and last byte, both included. */
  start: number
  end: number
}

/** One satisfiable range; `whole` for none, several, or an unknown form; `unsatisfiable` for one that lies outside. */
const parseRange = (header: string | null, size: number): ByteRange | 'whole' | 'unsatisfiable' => {
  const match = header === null ? null : /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header)
  if (!match) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end }
}

const matchesEtag = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)

const secondsOf = (date: string): number => Math.floor(Date.parse(date) / 1000)

const isNotModified = (headers: Headers, etag: string, modifiedAtMs: number): boolean => {
  const ifNoneMatch = headers.get('If-None-Match')
  if (ifNoneMatch !== null) return matchesEtag(ifNoneMatch, etag)
  const since = headers.get('If-Modified-Since')
  return since !== null && Math.floor(modifiedAtMs / 1000) <= secondsOf(since)
}

/** A range may only be answered in part when it belongs to this very version (`If-Range`). */
const isRangeOfThis = (headers: Headers, etag: string, modifiedAtMs: number): boolean => {
  const condition = headers.get('If-Range')
  if (condition === null) return true
  return condition.startsWith('"')
    ? condition === etag
    : !condition.startsWith('W/') && secondsOf(condition) === Math.floor(modifiedAtMs / 1000)
}

const headersOf = (file: SentFile, etag: string, { name, isDownload, isImmutable }: FileResponseOptions): Headers => {
  const type = inlineTypeOf(name)
  return new Headers({
    'Accept-Ranges': 'bytes',
    'Cache-Control': isImmutable ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    'Content-Disposition': contentDisposition(isDownload || type === null ? 'attachment' : 'inline', name),
    'Content-Security-Policy': USER_FILE_CSP,
    'Content-Type': type ?? 'application/octet-stream',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ETag: etag,
    'Last-Modified': httpDate(file.modifiedAtMs),
    'X-Content-Type-Options': 'nosniff',
  })
}

/** Takes over the opened file: its descriptor is closed once the server has its own. */
export const fileResponse = (request: Request, file: SentFile, options: FileResponseOptions): Response => {
  setTimeout(() => void file.handle.close(), HANDOVER_MS)
  const etag = strongEtag(file)
  const headers = headersOf(file, etag, options)
  if (isNotModified(request.headers, etag, file.modifiedAtMs)) return new Response(null, { status: 304, headers })
  const range = isRangeOfThis(request.headers, etag, file.modifiedAtMs) ? parseRange(request.headers.get('Range'), file.size) : 'whole'
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${file.size}`)
    return new Response(null, { status: 416, headers })
  }
  const length = range === 'whole' ? file.size : range.end - range.start + 1
  if (range !== 'whole') headers.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)
  const status = range === 'whole' ? 200 : 206
  if (request.method === 'HEAD') {
    headers.set('Content-Length', String(length))
    return new Response(null, { status, headers })
  }
  // An empty file has nothing to hand over, and Bun would leave out its length.
  if (length === 0) return new Response('', { status, headers })
  const body = Bun.file(file.stablePath)
  return new Response(range === 'whole' ? body : body.slice(range.start, range.end + 1), { status, headers })
}
