/**
 * Reads what an answer has left of its request, where the connection is closed after it. A close with bytes unread is a reset (RFC 9112,
 * 9.6), and nginx, which sends HTTP/1.0 unless it is told otherwise, makes of that a 502 in place of the refusal. On a connection that
 * stays open Bun sees to the rest by itself.
 */

import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './app-env.ts'

/** Proxies have all of a body before they send any of it. */
const LONGEST_MS = 5000

const readToEnd = async (body: ReadableStream<Uint8Array>): Promise<void> => {
  const reader = body.getReader()
  const deadline = setTimeout(() => void reader.cancel().catch(() => undefined), LONGEST_MS)
  try {
    while (!(await reader.read()).done);
  } catch {
    // Whoever sent it has gone.
  } finally {
    clearTimeout(deadline)
  }
}

const readRest = async ({ body, bodyUsed }: Request): Promise<void> => {
  if (body !== null && !bodyUsed && !body.locked) await readToEnd(body)
}

const isClosed = (headers: Headers): boolean => /(?:^|,)\s*close\s*(?:,|$)/i.test(headers.get('connection') ?? '')

export const readUnreadBodies = (): MiddlewareHandler<AppEnv> => (c, next) => {
  // What limits a body puts another request in the place of this one.
  const request = c.req.raw
  const mayBeLeft = request.method !== 'GET' && request.method !== 'HEAD' && isClosed(request.headers)
  return mayBeLeft ? next().then(() => readRest(request)) : next()
}
