/**
 * How fast jobs of the AI queue end now. With an endpoint that answers at once it is the transactions that take the time:
 * so much is claimed ahead as ends meanwhile, and what ends is gathered for the next one. With one that takes seconds
 * there is nothing to gain, and a job ahead is a job that another server could have begun with.
 */

/** The pace is measured over no less: three jobs that end together are no pace of three a millisecond. */
const MEASURED_MS = 120
/** The jobs of so many milliseconds are claimed ahead: more than end while some are gathered and written, also beside a slow disk. */
const AHEAD_MS = 250
const MAX_AHEAD = 1500
/** So long what ends is gathered for a transaction: with a fifth of it there are more of them, and a fifth less is done. */
const GATHER_MS = 20
/** A job that ends within so many milliseconds is one of a model that answers at once. */
const QUICK_MS = 50
/** The share of the last measurement in the mean. */
const WEIGHT = 0.7
/** Fewer ends than this are not worth waiting for. */
const WORTHWHILE = 2

interface AiPace {
  /** A job has ended, so long after it was begun or given to the thread that has some ahead. */
  ended(tookMs: number): void
  /**
   * A transaction begins: what has ended until now is taken into the pace, if that is long enough to tell. `isShort`: nothing is
   * ahead now. Until there is a pace, twice as much is claimed ahead then as has ended at once so far.
   */
  turned(isShort: boolean): void
  /** Jobs to claim on top of those that may be under way. */
  ahead(): number
  /** Milliseconds after which the next transaction is due. `isFull`: as much has ended by now as one writes. */
  restMs(isFull: boolean): number
}

export const createAiPace = (now: () => number = () => performance.now()): AiPace => {
  let perMs = 0
  let ends = 0
  let quick = 0
  let spurt = 0
  let since = now()

  const measure = (passed: number): void => {
    perMs += WEIGHT * (ends / passed - perMs)
    ends = 0
    quick = 0
    spurt = 0
    since = now()
  }

  return {
    ended: (tookMs) => {
      ends += 1
      if (tookMs < QUICK_MS) quick += 1
    },
    turned: (isShort) => {
      const passed = now() - since
      if (passed >= MEASURED_MS) measure(passed)
      else if (isShort && quick > spurt) spurt = 2 * quick
    },
    ahead: () => Math.min(MAX_AHEAD, Math.max(spurt, Math.floor(perMs * AHEAD_MS))),
    restMs: (isFull) => (isFull || perMs * GATHER_MS < WORTHWHILE ? 0 : GATHER_MS),
  }
}
