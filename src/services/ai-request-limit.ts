/// <reference path="../auth/rate-limiter-files.d.ts" />
/** How much AI work one person may ask for: 120 jobs a minute (SECURITY, 3.7). Administrators have batches anyway. */

import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'

const limiter = new RateLimiterMemory({ points: 120, duration: 60 })

/** Throws `rate_limited`. */
export const countAiRequest = async (viewer: Viewer): Promise<void> => {
  if (viewer.role === 'admin') return
  try {
    await limiter.consume(String(viewer.userId))
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw new AppError('rate_limited', undefined, { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) })
  }
}
