/** How much longer work takes that is watched, by the pace that was seen. */

import { type Accessor, createMemo } from 'solid-js'

/** Sooner, one slow job or one quick one would be taken for the rule. */
const MIN_SEEN_MS = 10_000
const MIN_SEEN_JOBS = 5

interface Work {
  /** Jobs. */
  done: Accessor<number>
  left: Accessor<number>
  /** It stands still for now. */
  isHalted: Accessor<boolean>
}

interface Sighting {
  atMs: number
  done: number
}

/** Seconds; undefined while too little was seen, and of work that is halted or done. */
export const createPace = ({ done, left, isHalted }: Work, now: () => number = () => performance.now()): Accessor<number | undefined> => {
  const seen = createMemo<{ first: Sighting; last: Sighting } | undefined>((before) => {
    const last = { atMs: now(), done: done() }
    return isHalted() ? undefined : { first: before?.first ?? last, last }
  })
  return () => {
    const known = seen()
    if (!known || left() === 0) return undefined
    const tookMs = known.last.atMs - known.first.atMs
    const jobs = known.last.done - known.first.done
    return tookMs < MIN_SEEN_MS || jobs < MIN_SEEN_JOBS ? undefined : (tookMs * left()) / jobs / 1000
  }
}
