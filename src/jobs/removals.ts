/** Removes the files of what was deleted, in the background, and lets go of what has been in the trash long enough. */

import type { Removals } from '../deps.ts'
import type { DeletionDeps } from '../services/deletion-journal.ts'
import { expireTrash, listRemovals, removeDeleted } from '../services/deletion-recovery.ts'
import { createWakeable } from './wakeable.ts'

/** How often the trash is looked through, and a removal that failed is tried again. */
const INTERVAL_MS = 15 * 60 * 1000

export const createRemovals = (deps: DeletionDeps): Removals & { stop(): Promise<void> } => {
  const job = createWakeable({
    work: async (isStopped) => {
      await expireTrash(deps, Date.now())
      for (const row of await listRemovals(deps)) {
        if (isStopped()) return
        await removeDeleted(deps, row).catch((error: unknown) => deps.log.warn('files_not_removed', { itemKey: row.itemKey, error }))
      }
    },
    onError: (error) => deps.log.error('removals_failed', { error }),
  })
  const timer = setInterval(job.wake, INTERVAL_MS)
  timer.unref()
  return {
    wake: job.wake,
    stop: async () => {
      clearInterval(timer)
      await job.stop()
    },
  }
}
