/**
 * How fast jobs of the AI queue end now. With an endpoint that answers at once it is the transactions that take the time:
 * so much is claimed ahead as ends meanwhile, and what ends is gathered for the next one. With one that takes seconds
 * there is nothing to gain, and a job ahead is a job that another server could have begun with.
 */

/** The pace is measured over no less: three jobs that end together are no pace of three a millisecond. */
const MEASURED_MS = 60
/** The jobs of so many milliseconds are claimed ahead: more than end while some are gathered and written, also beside a slow disk. */
const AHEAD_MS = 250
const MAX_AHEAD = 1500
/** So long what ends is gathered for a transaction: with a fifth of it there are more of them, and a fifth less is done. */
const GATHER_MS = 20
/** The share of the last measurement in the mean. */
const WEIGHT = 0.7
/** Fewer ends than this are not worth waiting for. */
const WORTHWHILE = 2

interface AiPace {
  ended(): void
  /** A transaction begins: what has ended until now is taken into the pace, if that is long enough to tell. */
  turned(): void
  /** Jobs to claim on top of those that may be under way. */
  ahead(): number
  /** Milliseconds after which the next transaction is due. `isFull`: as much has ended by now as one writes. */
  restMs(isFull: boolean): number
}

export const createAiPace = (now: () => number = () => performance.now()): AiPace => {
  let perMs = 0
  let ends = 0
  let since = now()
  return {
    ended: () => {
      ends += 1
    },
    turned: () => {
      const passed = now() - since
      if (passed < MEASURED_MS) return
      perMs += WEIGHT * (ends / passed - perMs)
      ends = 0
      since = now()
    },
    ahead: () => Math.min(MAX_AHEAD, Math.floor(perMs * AHEAD_MS)),
    restMs: (isFull) => (isFull || perMs * GATHER_MS < WORTHWHILE ? 0 : GATHER_MS),
  }
}
