/**
 * HEAD says the length that GET would say (RFC 9110, 8.6): Hono leaves the body out, and Bun would call that 0 bytes. Files
 * and archives say theirs by themselves.
 */

import type { Context, MiddlewareHandler, Next } from 'hono'
import type { AppEnv } from './app-env.ts'

const tellLength = async (c: Context<AppEnv>, next: Next): Promise<void> => {
  await next()
  const { headers, body } = c.res
  if (body === null || headers.has('Content-Length')) return
  headers.set('Content-Length', String((await c.res.arrayBuffer()).byteLength))
}

/** Only for HEAD: to look at the body of an answer makes a stream of it, and every other answer would pay for that. */
export const headLength = (): MiddlewareHandler<AppEnv> => (c, next) => (c.req.method === 'HEAD' ? tellLength(c, next) : next())
