/** How much of a library is left to do, and how much of it waits or runs: counted often only while something does. */

import { type Accessor, createEffect, createMemo, on } from 'solid-js'
import { type BatchInput, countBatch } from '../api/ai-batches.ts'
import { aiKeys } from '../api/ai-keys.ts'
import { countOpenAiJobs } from '../api/ai-tagging.ts'
import type { Library } from '../api/types.ts'
import { createQuery } from './create-query.ts'
import { isScanActive } from './libraries.ts'

const OPEN_POLL_MS = 2000
/** On a large library counting is a second of the server's work: the pause after it is so many times as long. */
const REST_PER_COUNT = 10

interface BatchCountsOptions {
  library: Accessor<Library | undefined>
  batch: Accessor<BatchInput>
  /** How many jobs of whatever kind wait or run, which is cheap to ask; undefined until somebody has asked. */
  queued: Accessor<number | undefined>
}

export const createBatchCounts = ({ library, batch, queued }: BatchCountsOptions) => {
  const query = createQuery(() => ({
    queryKey: aiKeys.eligible(batch()),
    queryFn: async () => {
      const start = performance.now()
      const [left, open] = await Promise.all([countBatch(batch()), countOpenAiJobs(batch())])
      return { left, open, tookMs: performance.now() - start }
    },
    enabled: library() !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.open ? Math.max(OPEN_POLL_MS, state.data.tookMs * REST_PER_COUNT) : false),
  }))
  const again = () => void query.refetch({ cancelRefetch: false })
  // Somebody else, or a scan, has asked for more.
  createEffect(on(queued, (now = 0, before) => before !== undefined && now > before && again()))
  const scanned = createMemo<string | undefined>((before) => {
    const known = library()
    return known && !isScanActive(known.lastScan) ? `${known.id} ${known.lastScan?.id} ${known.itemCount}` : before
  })
  // A scan has changed what there is to do.
  createEffect(on(scanned, (_, before) => before !== undefined && again()))
  return query
}
