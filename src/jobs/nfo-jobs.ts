/**
 * Works off the refreshes of whole libraries, one item after the other. The jobs are rows, so that a restart goes on
 * where it was; two processes on one remote database may both take a job up, which changes nothing but the time it takes.
 */

import { eq } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import { nfoJobs } from '../db/schema/nfo-jobs.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { type RefreshTarget, refreshItem } from '../services/nfo-refresh.ts'
import { createWakeable, type Wakeable } from './wakeable.ts'

/** Items that are read at a time, and after which viewers hear of it. */
const BATCH = 50

type JobDeps = Pick<Deps, 'db' | 'write' | 'log' | 'events'>

type Outcome = 'refreshed' | 'without' | 'failed'

export const createNfoJobs = (deps: JobDeps): Wakeable => {
  const listJobs = () =>
    deps.db
      .select({ item: mediaItems, library: libraries, requestedAt: nfoJobs.requestedAt })
      .from(nfoJobs)
      .innerJoin(mediaItems, eq(mediaItems.id, nfoJobs.itemId))
      .innerJoin(libraries, eq(libraries.id, mediaItems.libraryId))
      .orderBy(nfoJobs.itemId)
      .limit(BATCH)

  const refresh = async (target: RefreshTarget): Promise<Outcome> => {
    try {
      await refreshItem(deps, target, 'background')
      return 'refreshed'
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal_error'
      if (code === 'nfo_not_found') return 'without'
      deps.log.warn('nfo_not_applied', { itemKey: target.item.itemKey, code, error })
      return 'failed'
    }
  }

  /** A job that was asked for again meanwhile stays. What a crash leaves here is done once more, to the same end. */
  const finish = (done: readonly (readonly [itemId: number, requestedAt: number])[]) =>
    deps.write.batch(
      [
        {
          sql: 'DELETE FROM nfo_jobs WHERE (item_id, requested_at) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))',
          args: [JSON.stringify(done)],
        },
      ],
      'background',
    )

  const work = async (isStopped: () => boolean): Promise<void> => {
    const counts: Record<Outcome, number> = { refreshed: 0, without: 0, failed: 0 }
    for (let jobs = await listJobs(); jobs.length > 0 && !isStopped(); jobs = await listJobs()) {
      const done: [number, number][] = []
      for (const { requestedAt, ...target } of jobs) {
        if (isStopped()) break
        counts[await refresh(target)] += 1
        done.push([target.item.id, requestedAt])
      }
      await finish(done)
      for (const libraryId of new Set(jobs.map(({ library }) => library.id))) deps.events.emit({ type: 'library', libraryId })
    }
    if (counts.refreshed + counts.without + counts.failed > 0) deps.log.info('nfo_refresh_finished', counts)
  }

  return createWakeable({ work, onError: (error) => deps.log.error('nfo_refresh_failed', { error }) })
}
