/** JSON answers that are text already, and answers that clients poll: both with an ETag. */

import type { Context, TypedResponse } from 'hono'

/** A weak validator over the bytes: two answers with the same text are the same answer. */
const etagOf = (text: string): string => `W/"${Bun.hash(text).toString(36)}"`

/**
 * Answers JSON text as the shape `Body`, which its service promises; 304 where the caller has the same already.
 * `private, no-cache`: it may be kept by the browser, and is asked for again every time.
 */
export const jsonText = <Body>(c: Context, text: string): Response & TypedResponse<Body, 200, 'json'> => {
  const etag = etagOf(text)
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
  const isKnown = c.req
    .header('If-None-Match')
    ?.split(/\s*,\s*/)
    .some((known) => known === etag || known === etag.slice(2))
  const response = isKnown
    ? new Response(null, { status: 304, headers })
    : new Response(c.req.method === 'HEAD' ? null : text, { headers: { ...headers, 'Content-Type': 'application/json' } })
  for (const [name, value] of c.res.headers) if (!response.headers.has(name)) response.headers.set(name, value)
  return response as Response & TypedResponse<Body, 200, 'json'>
}

/** A small value as JSON with an ETag. */
export const jsonWithEtag = <Body>(c: Context, body: Body): Response & TypedResponse<Body, 200, 'json'> =>
  jsonText<Body>(c, JSON.stringify(body))
