/**
 * How fast jobs of the AI queue end now. With an endpoint that answers at once it is the transactions that take the time:
 * so much is claimed ahead as ends meanwhile, and what ends is gathered for the next one. With one that takes seconds
 * there is nothing to gain, and a job ahead is a job that another server could have begun with.
 */

/**
 * The jobs of so many milliseconds are claimed ahead. The pace is measured over no less: three that end together are no pace
 * of three a millisecond.
 */
const AHEAD_MS = 120
const GATHER_MS = 12
const MAX_AHEAD = 500
/** The share of the last measurement in the mean. */
const WEIGHT = 0.7
/** Fewer ends than this are not worth waiting for. */
const WORTHWHILE = 2
/**
 * After a transaction of the queue the main thread is left free for so many times as long as it took, however slow the disk:
 * on two cores that had nothing else to do, somebody who opened a page waited 1.1 to 1.5 times as long as in peace with 2, 1.1 times
 * with 3, and no longer with 4.
 */
const REST = 4
const MAX_REST_MS = 120

interface AiPace {
  /** A job has ended. */
  ended(): void
  /** A transaction begins: what has ended until now is taken into the pace, if that is long enough to tell. */
  turned(): void
  /** Jobs to claim on top of those that may be under way. */
  ahead(): number
  /** A transaction, and what there is to do after it, took so many milliseconds. */
  held(ms: number): void
  /** Milliseconds after which the next transaction is due. `isFull`: as much has ended by now as one writes. */
  restMs(isFull: boolean): number
}

export const createAiPace = (now: () => number = () => performance.now()): AiPace => {
  let perMs = 0
  let ends = 0
  let since = now()
  let heldMs = 0

  return {
    ended: () => {
      ends += 1
    },
    turned: () => {
      const passed = now() - since
      if (passed < AHEAD_MS) return
      perMs += WEIGHT * (ends / passed - perMs)
      ends = 0
      since = now()
    },
    ahead: () => Math.min(MAX_AHEAD, Math.floor(perMs * AHEAD_MS)),
    held: (ms) => {
      heldMs = ms
    },
    restMs: (isFull) => {
      if (perMs * GATHER_MS < WORTHWHILE) return 0
      return Math.max(isFull ? 0 : GATHER_MS, Math.min(MAX_REST_MS, REST * heldMs))
    },
  }
}
