/** Takes in the bodies of uploads, which are held in memory: few at once, one of each person, and only from people who may upload. */

import type { MiddlewareHandler } from 'hono'
import { createGate, createGateOfEach } from '../domain/gate.ts'
import { can, type Permission, type Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import { bodiesInTime } from './bodies-in-time.ts'
import { createRequestLimit } from './request-limit.ts'

/** SECURITY, 3.7. */
export const MAX_UPLOAD_BYTES = 32 * 1024 * 1024
const MAX_PER_MINUTE = 60
const MAX_AT_ONCE = 2
const MAX_WAITING = 100
/** As many as one request may bring. */
const MAX_OWN_WAITING = 20
const RETRY_AFTER_SECONDS = 10

export interface UploadTimes {
  /** Whoever sends slower gives up the place to the next person, but not the own one: each has one such body in memory. */
  turnMs: number
  /** The largest one at 50 kB a second. */
  bodyMs: number
}

const TIMES: UploadTimes = { turnMs: 60_000, bodyMs: 10 * 60_000 }

const tooMany = (): AppError =>
  new AppError('unavailable', 'Too many uploads at once; try again soon.', { retryAfterSeconds: RETRY_AFTER_SECONDS })

/**
 * Bun reads no more of a body than is asked for, so that a request which waits for its turn here takes no memory; and it drops what
 * it has read of one that is answered before it is whole. The guard of the route refuses those who are let through without a turn:
 * whoever lacks the permission that it asks for.
 */
export const uploadBodies = (permission: Permission, { turnMs, bodyMs } = TIMES): MiddlewareHandler<AppEnv> => {
  const inTurn = createGate(MAX_AT_ONCE, { maxWaiting: MAX_WAITING, refusal: tooMany })
  const inOwnTurn = createGateOfEach<number>(1, { maxWaiting: MAX_OWN_WAITING, refusal: tooMany })
  const perPerson = createRequestLimit(MAX_PER_MINUTE)
  const takeIn = bodiesInTime({ maxBytes: MAX_UPLOAD_BYTES, maxMs: bodyMs })

  return async (c, next) => {
    // Hono types variables as always set.
    const viewer: Viewer | undefined = c.get('viewer')
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (isRead || !viewer || !can(viewer, permission)) return next()
    await perPerson.count(viewer)
    const { signal } = c.req.raw
    return inOwnTurn(viewer.userId)(async () => {
      // A turn may end before its work does.
      const { work } = await inTurn(async () => {
        const timer = Promise.withResolvers<void>()
        const turn = setTimeout(timer.resolve, turnMs)
        const work = takeIn(c, next)
        await Promise.race([work, timer.promise]).finally(() => clearTimeout(turn))
        return { work }
      }, signal)
      return work
    }, signal)
  }
}
