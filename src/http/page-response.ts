/** A page as an HTTP answer: a picture out of somebody's archive, which must never be anything else in our origin. */

import { listsEtag } from './if-none-match.ts'

export interface SentPage {
  bytes: Uint8Array
  mediaType: string
  /** Changes with the bytes. */
  version: string
}

/** Pages have some megabytes: only what threads share would have to be copied. */
const viewOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes)

export const pageResponse = (
  request: Request,
  { bytes, mediaType, version }: SentPage,
  { isImmutable }: { isImmutable: boolean },
): Response => {
  const etag = `"${version}"`
  const headers = {
    'Cache-Control': isImmutable ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    'Content-Disposition': 'inline',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Content-Type': mediaType,
    ETag: etag,
  }
  if (listsEtag(request.headers.get('If-None-Match'), etag)) return new Response(null, { status: 304, headers })
  return new Response(viewOf(bytes), { headers: { ...headers, 'Content-Length': String(bytes.byteLength) } })
}
