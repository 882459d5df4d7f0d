/** Removes the files of what was deleted, in the background, and lets go of what has been in the trash long enough. */

import type { Removals } from '../deps.ts'
import { trashEnd } from '../domain/trash-end.ts'
import type { DeletionDeps } from '../services/deletion-journal.ts'
import { expireTrash, listRemovals, recoverDeletion, removeDeleted } from '../services/deletion-recovery.ts'
import type { ClockWatch } from './clock-watch.ts'
import { createWakeable } from './wakeable.ts'

/** How often the trash is looked through, and a removal that failed is tried again. */
const INTERVAL_MS = 15 * 60 * 1000
/** How soon a deletion that was cut off half way is looked at again: until then its folder can be neither deleted nor restored. */
const SETTLE_INTERVAL_MS = 5000
/** As long as whoever deletes something waits for its files to be gone. */
const WAITED_FOR_MS = 1000

export const createRemovals = (
  deps: DeletionDeps,
  /**
   * `unsettled`: deletions that were cut off before the start, and could not be settled then.
   * `isShared`: other servers may be at work on the same data.
   */
  {
    clock,
    unsettled: left,
    isShared,
    settleEveryMs = SETTLE_INTERVAL_MS,
  }: { clock: ClockWatch; unsettled: readonly number[]; isShared: boolean; settleEveryMs?: number },
): Removals & { stop(): Promise<void> } => {
  /** Those of another process may well be under way. */
  const unsettled = new Set(left)
  const look = async (id: number, mayBeTheirs: boolean): Promise<void> => {
    const isSettled = await recoverDeletion(deps, id, { isShared: mayBeTheirs }).catch((error: unknown) => {
      // Once: it is tried again and again.
      if (!unsettled.has(id)) deps.log.warn('deletion_not_settled', { id, error })
      return false
    })
    if (!isSettled) {
      unsettled.add(id)
      return
    }
    unsettled.delete(id)
    // It may have been deleted after all.
    remover.wake()
  }
  const settler = createWakeable({
    work: async (isStopped) => {
      for (const id of unsettled) if (!isStopped()) await look(id, isShared)
    },
    onError: (error) => deps.log.error('deletions_not_settled', { error }),
  })
  const remover = createWakeable({
    work: async (isStopped) => {
      if (clock.isSettled()) await expireTrash(deps, Date.now())
      for (const row of await listRemovals(deps)) {
        if (isStopped()) return
        await removeDeleted(deps, row).catch((error: unknown) => deps.log.warn('files_not_removed', { itemKey: row.itemKey, error }))
      }
    },
    onError: (error) => deps.log.error('removals_failed', { error }),
  })
  const timers = [setInterval(remover.wake, INTERVAL_MS), setInterval(settler.wake, settleEveryMs)]
  for (const timer of timers) timer.unref()
  const wake = (): void => {
    settler.wake()
    remover.wake()
  }
  return {
    wake,
    removed: async () => {
      wake()
      await Promise.race([remover.rest(), Bun.sleep(WAITED_FOR_MS)])
    },
    settle: (id) => look(id, false),
    trashEnd: (row) => trashEnd(row, clock.isSettled() ? Date.now() : null),
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      await Promise.all([settler.stop(), remover.stop()])
    },
  }
}
