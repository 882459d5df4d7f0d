/**
 * Work that scans leave for later, done in small pieces while nothing else goes on: the indexes that find it, the kept browse
 * entries, the full-text tables, and the end of what has been signed of assignments; at last the sets of the tag index are
 * read, before somebody waits for them. Until a piece is done readers take the slower way; nothing is ever wrong meanwhile.
 */

import { indexSearchTexts } from '../db/search-index.ts'
import type { Deps, Upkeep } from '../deps.ts'
import { keepEntries } from '../services/browse-entries.ts'
import { settleNewItems } from '../services/new-items.ts'
import { dropTagChanges, warmTagIndex } from '../services/tag-index.ts'
import { createRepeated } from './repeated.ts'
import type { Wakeable } from './wakeable.ts'

const ENTRIES_BATCH = 200
const TEXTS_BATCH = 1000
const CHANGES_BATCH = 5000
const PAUSE_MS = 2
/** Who has missed entries is answered first, and whoever tags one item after the other has them kept together. */
const MISSED_MS = 100
/** People change texts and tags without a scan: a look at nothing costs less than a millisecond. */
const LOOK_EVERY_MS = 15_000
/** A start has other things to do than to read ahead, and reading takes memory for a while. */
const WARM_AFTER_MS = 10_000

export const createUpkeep = (
  deps: Pick<Deps, 'db' | 'write' | 'log'>,
  { isScanning }: { isScanning: () => boolean },
): Wakeable & Upkeep => {
  const oneRound = async (): Promise<number> => {
    if (await settleNewItems(deps)) return 1
    const entries = await keepEntries(deps, ENTRIES_BATCH)
    const texts = await indexSearchTexts(deps.write, TEXTS_BATCH)
    const changes = await dropTagChanges(deps, CHANGES_BATCH)
    return entries + texts + changes
  }

  const warmFrom = performance.now() + WARM_AFTER_MS
  let failedAt = Number.NEGATIVE_INFINITY
  const repeated = createRepeated({
    work: async (isStopped) => {
      const isIdle = () => !isStopped() && !isScanning()
      for (let done = 1; done > 0 && isIdle(); ) {
        done = await oneRound()
        await Bun.sleep(PAUSE_MS)
      }
      if (isIdle() && performance.now() >= warmFrom) await warmTagIndex(deps, isIdle)
    },
    onError: (error) => {
      failedAt = performance.now()
      deps.log.error('upkeep_failed', { error })
    },
    firstLookMs: LOOK_EVERY_MS,
    intervalMs: LOOK_EVERY_MS,
  })
  let isMissed = false
  return {
    ...repeated,
    entriesMissed: () => {
      // What could not be kept, as on a full disk, is missed by every page: the regular look tries again.
      if (isMissed || performance.now() - failedAt < LOOK_EVERY_MS) return
      isMissed = true
      setTimeout(() => {
        isMissed = false
        repeated.wake()
      }, MISSED_MS).unref()
    },
  }
}
