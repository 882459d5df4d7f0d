/** Removes the files of what was deleted, in the background, and lets go of what has been in the trash long enough. */

import type { Removals } from '../deps.ts'
import type { DeletionDeps } from '../services/deletion-journal.ts'
import { expireTrash, listRemovals, removeDeleted } from '../services/deletion-recovery.ts'

/** How often the trash is looked through, and a removal that failed is tried again. */
const INTERVAL_MS = 15 * 60 * 1000

export const createRemovals = (deps: DeletionDeps): Removals & { stop(): Promise<void> } => {
  let isStopped = false
  let again = false
  let running: Promise<void> | undefined

  const work = async (): Promise<void> => {
    await expireTrash(deps, Date.now())
    for (const row of await listRemovals(deps)) {
      if (isStopped) return
      await removeDeleted(deps, row).catch((error: unknown) => deps.log.warn('files_not_removed', { itemKey: row.itemKey, error }))
    }
  }

  const loop = async (): Promise<void> => {
    do {
      again = false
      await work()
    } while (again && !isStopped)
  }

  const wake = (): void => {
    again = true
    if (isStopped) return
    running ??= loop()
      .catch((error: unknown) => deps.log.error('removals_failed', { error }))
      .finally(() => {
        running = undefined
      })
  }

  const timer = setInterval(wake, INTERVAL_MS)
  timer.unref()
  return {
    wake,
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
