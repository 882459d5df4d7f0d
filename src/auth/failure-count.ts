import { currentRecord, RateLimiterMemory } from './rate-limiter.ts'

/** Ten at once, of which one comes back every minute and the rest when the hour is over. */
const AT_ONCE = 9
const AT_ONCE_SECONDS = 3600
const STEADY = 1
const STEADY_SECONDS = 60

/** Failed tries by key, in memory: the library's bursty limiter, but one whose points can be read and given back. */
export interface FailureCount {
  /** Milliseconds until one more try is allowed; 0 where it is allowed now. */
  fullForMs(key: string): Promise<number>
  failures(key: string): Promise<number>
  add(key: string): Promise<void>
  takeBack(key: string, failures: number): Promise<void>
}

export const createFailureCount = (): FailureCount => {
  const steady = new RateLimiterMemory({ points: STEADY, duration: STEADY_SECONDS })
  const atOnce = new RateLimiterMemory({ points: AT_ONCE, duration: AT_ONCE_SECONDS })
  const read = async (key: string) => {
    const [slow, fast] = await Promise.all([currentRecord(steady, key), currentRecord(atOnce, key)])
    return { slow: slow?.consumedPoints ?? 0, fast: fast?.consumedPoints ?? 0, slowMs: slow?.msBeforeNext ?? 0 }
  }
  return {
    fullForMs: async (key) => {
      const { slow, fast, slowMs } = await read(key)
      return slow >= STEADY && fast >= AT_ONCE ? slowMs : 0
    },
    failures: async (key) => {
      const { slow, fast } = await read(key)
      return slow + fast
    },
    add: async (key) => {
      const { slow } = await read(key)
      await (slow < STEADY ? steady : atOnce).penalty(key)
    },
    takeBack: async (key, failures) => {
      const { slow, fast } = await read(key)
      const fromFast = Math.min(fast, failures)
      // A reward without a record would become credit for later failures.
      if (fromFast > 0) await atOnce.reward(key, fromFast)
      if (slow > 0 && failures > fromFast) await steady.delete(key)
    },
  }
}
