/**
 * Watches the disk of the data folder. While it is nearly full, what nobody waits for stops — thumbnails and pieces of
 * videos ahead of time, AI jobs — so that what people do can still be kept.
 */

import { statfs } from 'node:fs/promises'
import type { Deps } from '../deps.ts'
import { DISK_RESERVE_BYTES } from '../domain/disk-reserve.ts'

const INTERVAL_MS = 5_000

interface DiskWatch {
  isNearlyFull(): boolean
  stop(): void
}

interface DiskWatchOptions {
  /** There is room again. */
  onRoom: () => void
  reserveBytes?: number
}

/** Knows from the beginning. A disk that cannot be asked counts as it did before. */
export const createDiskWatch = async (
  { config, log }: Pick<Deps, 'config' | 'log'>,
  { onRoom, reserveBytes = DISK_RESERVE_BYTES }: DiskWatchOptions,
): Promise<DiskWatch> => {
  let isNearlyFull = false
  let isLooking = false

  const look = async (): Promise<void> => {
    // A disk that hangs is asked once.
    if (isLooking) return
    isLooking = true
    try {
      const { bavail, bsize } = await statfs(config.dataDir)
      const freeBytes = bavail * bsize
      const wasNearlyFull = isNearlyFull
      isNearlyFull = freeBytes < reserveBytes
      if (isNearlyFull && !wasNearlyFull) log.warn('disk_nearly_full', { freeBytes, reserveBytes })
      if (wasNearlyFull && !isNearlyFull) {
        log.info('disk_has_room', { freeBytes })
        onRoom()
      }
    } catch (error) {
      log.warn('disk_not_asked', { error })
    } finally {
      isLooking = false
    }
  }

  await look()
  const timer = setInterval(() => void look(), INTERVAL_MS)
  timer.unref()
  return { isNearlyFull: () => isNearlyFull, stop: () => clearInterval(timer) }
}
