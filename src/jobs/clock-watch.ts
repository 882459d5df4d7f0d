/**
 * Whether the time of day can be believed by who destroys something because of it: a computer may start with a clock
 * that is years ahead, and only then ask what time it is.
 */

/** Nobody goes by a clock that was set forward by more than this … */
const LEAP_MS = 24 * 60 * 60 * 1000
/** … before it has gone on from there for so long. */
const SETTLED_MS = 60 * 60 * 1000

/** A lease that ends later than this after its length is of a clock that was ahead, and of nobody who could still renew it: servers that share a database agree better. */
export const MOST_SKEW_MS = 60 * 60 * 1000

export interface ClockWatch {
  /** Also looks whether the clock has leapt since the last call. */
  isSettled(): boolean
}

interface Clocks {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Milliseconds on the clock that nobody sets. */
  elapsed: () => number
}

const CLOCKS: Clocks = { now: () => Date.now(), elapsed: () => performance.now() }

/** `lastKnown`: when something is known to have happened last, before this start; null where nothing is. */
export const createClockWatch = (lastKnown: number | null, { now, elapsed }: Clocks = CLOCKS): ClockWatch => {
  const isContinued = lastKnown !== null && now() - lastKnown <= LEAP_MS
  let leaptAt = isContinued ? Number.NEGATIVE_INFINITY : elapsed()
  let offset = now() - elapsed()
  return {
    isSettled: () => {
      const before = offset
      offset = now() - elapsed()
      if (offset > before + LEAP_MS) leaptAt = elapsed()
      return elapsed() - leaptAt >= SETTLED_MS
    },
  }
}
