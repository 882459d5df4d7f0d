/** Takes in the bodies of uploads, which are held in memory: few at once, and only from people who may upload. */

import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
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

/** Lets `MAX_AT_ONCE` work at a time, the others in the order of their coming. */
const createTurns = () => {
  const waiting: (() => void)[] = []
  let running = 0
  const begin = async (): Promise<void> => {
    if (running < MAX_AT_ONCE) {
      running += 1
      return
    }
    if (waiting.length >= MAX_WAITING)
      throw new AppError('unavailable', 'Too many uploads at once; try again soon.', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const end = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  return { begin, end }
}

/**
 * Bun reads no more of a body than is asked for, so that a request which waits for its turn here takes no memory. The
 * guard of the route refuses those who are let through without a turn: whoever lacks the permission that it asks for.
 */
export const uploadBodies = (permission: Permission): MiddlewareHandler<AppEnv> => {
  const turns = createTurns()
  const perPerson = createRequestLimit(MAX_PER_MINUTE)
  const limit = bodyLimit({ maxSize: MAX_UPLOAD_BYTES, onError: () => Promise.reject(new AppError('too_large')) })
  return async (c, next) => {
    // Hono types variables as always set.
    const viewer: Viewer | undefined = c.get('viewer')
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (isRead || !viewer || !can(viewer, permission)) return next()
    await perPerson.count(viewer)
    await turns.begin()
    const timer = Promise.withResolvers<void>()
    const deadline = setTimeout(timer.resolve, LONGEST_TURN_MS)
    const work = limit(c, next)
    try {
      await Promise.race([work, timer.promise])
    } finally {
      clearTimeout(deadline)
      turns.end()
    }
    return work
  }
}
