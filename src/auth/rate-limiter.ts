/// <reference path="./rate-limiter-files.d.ts" />
// By its file: the index loads the clients of every database that the library knows, a quarter of the server's start.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
import { AppError } from '../errors.ts'

export { RateLimiterMemory }

/** Throws `rate_limited`. */
export const refuse = (milliseconds: number): never => {
  throw new AppError('rate_limited', undefined, { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) })
}

/** Takes one point, or says how many milliseconds are missing. */
export const take = async (limiter: RateLimiterMemory, key: string): Promise<number> => {
  try {
    await limiter.consume(key)
    return 0
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext)
    throw error
  }
}

/** Takes one point. Throws `rate_limited` where there is none. */
export const takeOrRefuse = async (limiter: RateLimiterMemory, key: string): Promise<void> => {
  const milliseconds = await take(limiter, key)
  if (milliseconds > 0) refuse(milliseconds)
}

/** What the key has consumed. The library keeps a record that is over until its timer rings, which a clock that is set comes before. */
export const currentRecord = async (limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes | null> => {
  const record = await limiter.get(key)
  return record !== null && record.msBeforeNext > 0 ? record : null
}
