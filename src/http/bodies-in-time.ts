/** Takes a body in before anything is done with it, and waits only so long: whoever sends a byte now and then keeps a socket open. */

import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createGateOfEach } from '../domain/gate.ts'
import type { Viewer } from '../domain/permissions.ts'
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

/** Up to this much is no burden, however many there are: nearly all of what is sent. */
const SMALL_BYTES = 16 * 1024
/** Of one person. */
const LARGE_AT_ONCE = 10
/** Of each Bun 1.4.5 has read up to a megabyte by itself, and no more. */
const MAX_WAITING = 50
const RETRY_AFTER_SECONDS = 10

const tooMany = (): AppError =>
  new AppError('rate_limited', 'You send too much at once; try again soon.', { retryAfterSeconds: RETRY_AFTER_SECONDS })

/** One whose length is not told may be of any. */
const isLarge = (headers: Headers): boolean => Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY) > SMALL_BYTES

/**
 * As `bodiesInTime`, from people who have signed in: each has a few large bodies in memory, from their first byte until there is an
 * answer. Throws `rate_limited` while too many of theirs wait.
 */
export const bodiesInTurn = (limits: BodyLimits): MiddlewareHandler<AppEnv> => {
  const takeIn = bodiesInTime(limits)
  const inOwnTurn = createGateOfEach<number>(LARGE_AT_ONCE, { maxWaiting: MAX_WAITING, refusal: tooMany })
  return (c, next) => {
    // Hono types variables as always set. Whoever has not signed in is refused before anything is read.
    const viewer: Viewer | undefined = c.get('viewer')
    if (!viewer) return next()
    const isFree = c.req.raw.body === null || !isLarge(c.req.raw.headers)
    return isFree ? takeIn(c, next) : inOwnTurn(viewer.userId)(() => takeIn(c, next), c.req.raw.signal)
  }
}
