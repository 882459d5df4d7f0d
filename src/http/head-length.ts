/**
 * HEAD says the length that GET would say (RFC 9110, 8.6), where the answer is JSON: Hono leaves the body out, and Bun
 * would call that 0 bytes. Files say theirs by themselves.
 */

import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './app-env.ts'

const JSON_TYPE = /^application\/(?:problem\+)?json\b/

export const headLength = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  await next()
  // First: whoever asks an answer for its body gets a stream of it, which every other answer would pay for.
  if (c.req.method !== 'HEAD') return
  const { headers, body } = c.res
  if (body === null || !JSON_TYPE.test(headers.get('Content-Type') ?? '')) return
  headers.set('Content-Length', String((await c.res.arrayBuffer()).byteLength))
}
