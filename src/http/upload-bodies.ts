/** Takes in the bodies of uploads, which are held in memory: few at once, and only from people who may upload. */

import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createGate } from '../domain/gate.ts'
import { can, type Permission, type Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import { createRequestLimit } from './request-limit.ts'

/** SECURITY, 3.7. */
export const MAX_UPLOAD_BYTES = 32 * 1024 * 1024
const MAX_PER_MINUTE = 60
const MAX_AT_ONCE = 2
const MAX_WAITING = 100
/** Whoever sends slower gives up the place to the next one: little of the body is there by then. */
const LONGEST_TURN_MS = 60_000
const RETRY_AFTER_SECONDS = 10

const tooMany = (): AppError =>
  new AppError('unavailable', 'Too many uploads at once; try again soon.', { retryAfterSeconds: RETRY_AFTER_SECONDS })

/**
 * Bun reads no more of a body than is asked for, so that a request which waits for its turn here takes no memory. The
 * guard of the route refuses those who are let through without a turn: whoever lacks the permission that it asks for.
 */
export const uploadBodies = (permission: Permission): MiddlewareHandler<AppEnv> => {
  const inTurn = createGate(MAX_AT_ONCE, { maxWaiting: MAX_WAITING, refusal: tooMany })
  const perPerson = createRequestLimit(MAX_PER_MINUTE)
  const limit = bodyLimit({ maxSize: MAX_UPLOAD_BYTES, onError: () => Promise.reject(new AppError('too_large')) })
  return async (c, next) => {
    // Hono types variables as always set.
    const viewer: Viewer | undefined = c.get('viewer')
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (isRead || !viewer || !can(viewer, permission)) return next()
    await perPerson.count(viewer)
    // A turn may end before its work does.
    const { work } = await inTurn(async () => {
      const timer = Promise.withResolvers<void>()
      const deadline = setTimeout(timer.resolve, LONGEST_TURN_MS)
      const work = limit(c, next)
      await Promise.race([work, timer.promise]).finally(() => clearTimeout(deadline))
      return { work }
    })
    return work
  }
}
