/** Removes the files of what was deleted, in the background, and lets go of what has been in the trash long enough. */

import type { Removals } from '../deps.ts'
import type { DeletionDeps } from '../services/deletion-journal.ts'
import { expireTrash, listRemovals, recoverDeletion, removeDeleted } from '../services/deletion-recovery.ts'
import type { ClockWatch } from './clock-watch.ts'
import { createWakeable } from './wakeable.ts'

/** How often the trash is looked through, and a removal that failed is tried again. */
const INTERVAL_MS = 15 * 60 * 1000
/** How soon a deletion that failed half way is looked at again: until then its folder can be neither deleted nor restored. */
const SETTLE_INTERVAL_MS = 5000

export const createRemovals = (
  deps: DeletionDeps,
  /** `unsettled`: deletions that were cut off and whose disk was away at the start. */
  { clock, unsettled: left }: { clock: ClockWatch; unsettled: readonly number[] },
): Removals & { stop(): Promise<void> } => {
  /** Of this process: those of another one may well be under way. */
  const unsettled = new Set<number>()
  const settle = async (id: number): Promise<void> => {
    const isSettled = await recoverDeletion(deps, id).catch((error: unknown) => {
      deps.log.warn('deletion_not_settled', { id, error })
      return false
    })
    if (isSettled) unsettled.delete(id)
    else unsettled.add(id)
  }
  const leftAtStart = new Set(left)
  const job = createWakeable({
    work: async (isStopped) => {
      for (const id of leftAtStart) if (await recoverDeletion(deps, id).catch(() => false)) leftAtStart.delete(id)
      if (clock.isSettled()) await expireTrash(deps, Date.now())
      for (const row of await listRemovals(deps)) {
        if (isStopped()) return
        await removeDeleted(deps, row).catch((error: unknown) => deps.log.warn('files_not_removed', { itemKey: row.itemKey, error }))
      }
    },
    onError: (error) => deps.log.error('removals_failed', { error }),
  })
  const timer = setInterval(job.wake, INTERVAL_MS)
  timer.unref()
  const settling = setInterval(() => {
    for (const id of unsettled) void settle(id)
  }, SETTLE_INTERVAL_MS)
  settling.unref()
  return {
    wake: job.wake,
    settle,
    stop: async () => {
      clearInterval(timer)
      clearInterval(settling)
      await job.stop()
    },
  }
}
