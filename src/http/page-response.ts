/** A page as an HTTP answer: a picture out of somebody's archive, which must never be anything else in our origin. */

import { listsEtag } from './if-none-match.ts'
import { privateCache } from './private-cache.ts'
import { createStreamPlaces } from './stream-places.ts'

interface SentPage {
  bytes: Uint8Array
  mediaType: string
  /** Changes with the bytes. */
  version: string
  /** The URL carries the version of this very page, so that it may be kept for ever. */
  isImmutable: boolean
}

/** Smaller ones are handed over whole: nobody hears when they are sent. */
const STREAMED_BYTES = 256 * 1024
/** In pieces of this size a page is sent as quickly as whole. */
const CHUNK_BYTES = 512 * 1024
/** A page has some megabytes, of which a stream keeps all. More than the six connections of a browser that has gone without a word. */
const LIMITS = { each: 8, all: 80 }

/** Pages have some megabytes: only what threads share would have to be copied. */
const viewOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes)

/** Handed over only as fast as the client takes it. */
const streamOf = (bytes: Uint8Array, onEnd: () => void): ReadableStream<Uint8Array> => {
  let sent = 0
  return new ReadableStream(
    {
      pull: (controller) => {
        controller.enqueue(bytes.subarray(sent, sent + CHUNK_BYTES))
        sent += CHUNK_BYTES
        if (sent < bytes.length) return
        onEnd()
        controller.close()
      },
      cancel: onEnd,
    },
    { highWaterMark: 0 },
  )
}

/** `leave` gives the place of a stream back. */
export const pageResponse = (
  request: Request,
  { bytes, mediaType, version, isImmutable }: SentPage,
  leave: () => void = () => undefined,
): Response => {
  const etag = `"${version}"`
  const headers = {
    'Cache-Control': privateCache(isImmutable),
    'Content-Disposition': 'inline',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Content-Type': mediaType,
    ETag: etag,
  }
  const isKnown = listsEtag(request.headers.get('If-None-Match'), etag)
  if (!isKnown && request.method !== 'HEAD' && bytes.length > STREAMED_BYTES) return new Response(streamOf(bytes, leave), { headers })
  leave()
  if (isKnown) return new Response(null, { status: 304, headers })
  return new Response(viewOf(bytes), { headers: { ...headers, 'Content-Length': String(bytes.byteLength) } })
}

/**
 * A place is taken before the page is read, so that whoever waits has none in memory. `read` may answer what else is to be sent,
 * for which it takes none.
 */
export type SendPage = (request: Request, userId: number, read: () => Promise<SentPage | (() => Promise<Response>)>) => Promise<Response>

export const createPageSender = (): SendPage => {
  const takePlace = createStreamPlaces(LIMITS)
  return async (request, userId, read) => {
    const leave = await takePlace({ userId, signal: request.signal })
    try {
      const page = await read()
      if (typeof page !== 'function') return pageResponse(request, page, leave)
      leave()
      return await page()
    } catch (error) {
      leave()
      throw error
    }
  }
}
