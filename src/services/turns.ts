/** Long work a piece at a time. */

import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long others wait for their turn. */
const LONGEST_MS = 10

/**
 * To be awaited between two pieces, however small they are: gives the others their turn once these have taken long together.
 * Throws the reason of the signal by which nobody waits for the work any more.
 */
export const createTurns = (signal?: AbortSignal): (() => Promise<void>) => {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < LONGEST_MS) return
    await nextTurn()
    signal?.throwIfAborted()
    begun = performance.now()
  }
}
