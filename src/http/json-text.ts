/** JSON answers that are text already, and answers that clients poll: both with an ETag. */

import type { Context, TypedResponse } from 'hono'
import { acceptsGzip } from './accept-encoding.ts'
import { listsEtag } from './if-none-match.ts'

/** As a text, or its UTF-8. */
type JsonText = string | Uint8Array<ArrayBuffer>

/** A weak validator over the bytes: two answers with the same text are the same answer. */
const etagOf = (text: JsonText): string => `W/"${Bun.hash.xxHash3(text).toString(36)}"`

/** Below this a compressed answer is hardly smaller, and takes as long to make. */
const MIN_GZIP_LENGTH = 1400
/** The fastest level: a page of a hundred entries shrinks to a tenth in a fifth of a millisecond. */
const GZIP_LEVEL = 1

const gzippedFor = (c: Context, text: JsonText): Uint8Array<ArrayBuffer> | null =>
  text.length >= MIN_GZIP_LENGTH && acceptsGzip(c.req.header('Accept-Encoding')) ? Bun.gzipSync(text, { level: GZIP_LEVEL }) : null

const isKnown = (c: Context, etag: string): boolean => listsEtag(c.req.header('If-None-Match'), etag)

/**
 * Answers JSON text as the shape `Body`, which its service promises; 304 where the caller has the same already.
 * `private, no-cache`: it may be kept by the browser, and is asked for again every time.
 */
export const jsonText = <Body>(c: Context, text: JsonText): Response & TypedResponse<Body, 200, 'json'> => {
  const etag = etagOf(text)
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding, Cookie, Authorization' }
  const known = isKnown(c, etag)
  const gzipped = known ? null : gzippedFor(c, text)
  const response: Response = known
    ? c.body(null, 304, headers)
    : c.body(gzipped ?? text, 200, { ...headers, 'Content-Type': 'application/json', ...(gzipped ? { 'Content-Encoding': 'gzip' } : {}) })
  return response as Response & TypedResponse<Body, 200, 'json'>
}

/** A JSON file that is too large to be made as one text; its service says when it changes. */
export const jsonStream = (c: Context, file: { version: string; stream: () => ReadableStream<Uint8Array> }, name: string): Response => {
  const etag = `W/"${file.version}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Cookie, Authorization' }
  if (isKnown(c, etag)) return c.body(null, 304, headers)
  return c.body(file.stream(), 200, {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="${name}"`,
  })
}

/** A small value as JSON with an ETag. */
export const jsonWithEtag = <Body>(c: Context, body: Body): Response & TypedResponse<Body, 200, 'json'> =>
  jsonText<Body>(c, JSON.stringify(body))
