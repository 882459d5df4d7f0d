/**
 * How often one person may ask for what costs much or cannot be undone (SECURITY, 3.7). Administrators own the machine
 * and the files, and are not counted.
 */

import type { MiddlewareHandler } from 'hono'
import { currentRecord, RateLimiterMemory, takeOrRefuse } from '../auth/rate-limiter.ts'
import type { Viewer } from '../domain/permissions.ts'
import type { AppEnv } from './app-env.ts'

const MINUTE_SECONDS = 60

interface RequestLimit {
  /** Throws `rate_limited`. */
  count(viewer: Viewer): Promise<void>
  /** For a request that came to nothing. */
  takeBack(viewer: Viewer): Promise<void>
}

export const createRequestLimit = (perMinute: number): RequestLimit => {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: MINUTE_SECONDS })
  return {
    count: async ({ role, userId }) => {
      if (role !== 'admin') await takeOrRefuse(limiter, String(userId))
    },
    takeBack: async ({ role, userId }) => {
      // Without a record it would become credit for the next minute.
      if (role !== 'admin' && (await currentRecord(limiter, String(userId))) !== null) await limiter.reward(String(userId))
    },
  }
}

export interface RequestLimits {
  /** Of one item each: batches are for administrators. */
  aiJobs: RequestLimit
  /** Of films and series, and of what lies in the trash. */
  deletions: RequestLimit
}

export const createRequestLimits = (): RequestLimits => ({ aiJobs: createRequestLimit(120), deletions: createRequestLimit(30) })

/** Stands after the route's guard. What is refused for another reason is not counted. */
export const limitRequests =
  (name: keyof RequestLimits): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { viewer, deps } = c.var
    const limit = deps.limits[name]
    await limit.count(viewer)
    await next()
    if (!c.res.ok) await limit.takeBack(viewer)
  }
