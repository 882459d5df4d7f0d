/**
 * Work that scans leave for later, done in small pieces while nothing else goes on: the kept browse entries and the
 * full-text tables. Until a piece is done readers take the slower way; nothing is ever wrong meanwhile.
 */

import { indexSearchTexts } from '../db/search-index.ts'
import type { Deps } from '../deps.ts'
import { keepEntries } from '../services/browse-entries.ts'

const ENTRIES_BATCH = 200
const TEXTS_BATCH = 1000
const PAUSE_MS = 2

export interface Upkeep {
  wake(): void
  stop(): Promise<void>
}

export const createUpkeep = (deps: Pick<Deps, 'write' | 'log'>, { isScanning }: { isScanning: () => boolean }): Upkeep => {
  let isStopped = false
  let again = false
  let running: Promise<void> | undefined

  const oneRound = async (): Promise<number> => {
    const entries = await keepEntries(deps, ENTRIES_BATCH)
    const texts = await indexSearchTexts(deps.write, TEXTS_BATCH)
    return entries + texts
  }

  const loop = async (): Promise<void> => {
    do {
      again = false
      for (let done = 1; done > 0 && !isStopped && !isScanning(); ) {
        done = await oneRound()
        await Bun.sleep(PAUSE_MS)
      }
    } while (again && !isStopped && !isScanning())
  }

  return {
    wake: () => {
      again = true
      if (isStopped) return
      running ??= loop()
        .catch((error: unknown) => deps.log.error('upkeep_failed', { error }))
        .finally(() => {
          running = undefined
        })
    },
    stop: async () => {
      isStopped = true
      await running
    },
  }
}
