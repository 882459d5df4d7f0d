/** Takes a body in before anything is done with it, and waits only so long: whoever sends a byte now and then keeps a socket open. */

import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AppError } from '../errors.ts'
import type { AppEnv } from './app-env.ts'

export interface BodyLimits {
  maxBytes: number
  maxMs: number
}

/** No 408, upon which Chromium sends the same once more, and unasked. */
const tooSlow = (): AppError => new AppError('unavailable', 'The request took longer to arrive than the server waits for it.')

/** What is done with a body that has arrived takes as long as it takes. Bun drops the rest of one that has its answer. */
export const bodiesInTime = ({ maxBytes, maxMs }: BodyLimits): MiddlewareHandler<AppEnv> => {
  const limit = bodyLimit({ maxSize: maxBytes, onError: () => Promise.reject(new AppError('too_large')) })
  return (c, next) => {
    const late = Promise.withResolvers<never>()
    const deadline = setTimeout(() => {
      // What comes after the answer would keep it open for minutes. Whoever has signed in is to read why, which a reset may keep from them.
      if (!c.get('viewer')) c.header('Connection', 'close')
      late.reject(tooSlow())
    }, maxMs)
    const work = limit(c, async () => {
      await c.req.arrayBuffer()
      clearTimeout(deadline)
      await next()
    })
    return Promise.race([work, late.promise]).finally(() => clearTimeout(deadline))
  }
}
