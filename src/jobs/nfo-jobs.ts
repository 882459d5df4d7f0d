/**
 * Works off the refreshes of whole libraries, one item after the other. The jobs are rows, so that a restart goes on
 * where it was; two processes on one remote database may both take a job up, which changes nothing but the time it takes.
 */

import { eq } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import { nfoJobs } from '../db/schema/nfo-jobs.ts'
import type { Deps, NfoJobs, NfoOutcome } from '../deps.ts'
import { AppError } from '../errors.ts'
import { type RefreshTarget, refreshItem } from '../services/nfo-refresh.ts'
import { createWakeable, type Wakeable } from './wakeable.ts'

/** Items that are read at a time, and after which viewers hear of it. */
const BATCH = 50
/** More are counted, and logged, but not told one by one. */
const MAX_FAILURES = 100

type JobDeps = Pick<Deps, 'db' | 'write' | 'log' | 'events'>

type Outcome = 'refreshed' | 'without' | 'failed'

const nothingYet = (): NfoOutcome => ({ refreshed: 0, without: 0, failed: 0, failures: [] })

export const createNfoJobs = (deps: JobDeps): NfoJobs & Wakeable => {
  /** By library; in memory, because the next start has nothing to tell of it that the index does not show. */
  const outcomes = new Map<number, NfoOutcome>()
  const outcomeOf = (libraryId: number): NfoOutcome => {
    const known = outcomes.get(libraryId) ?? nothingYet()
    outcomes.set(libraryId, known)
    return known
  }

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
      const told = error instanceof AppError ? error : new AppError('internal_error', undefined, { cause: error })
      if (told.code === 'nfo_not_found') return 'without'
      const { itemKey, title, libraryId } = target.item
      deps.log.warn('nfo_not_applied', { itemKey, code: told.code, error })
      const { failures } = outcomeOf(libraryId)
      if (failures.length < MAX_FAILURES) failures.push({ itemKey, title, code: told.code, detail: told.message })
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

  /** Of libraries that are gone, there is nobody to tell. */
  const forgetGone = async (): Promise<void> => {
    if (outcomes.size === 0) return
    const left = new Set((await deps.db.select({ id: libraries.id }).from(libraries)).map(({ id }) => id))
    for (const libraryId of outcomes.keys()) if (!left.has(libraryId)) outcomes.delete(libraryId)
  }

  const work = async (isStopped: () => boolean): Promise<void> => {
    const counts: Record<Outcome, number> = { refreshed: 0, without: 0, failed: 0 }
    for (let jobs = await listJobs(); jobs.length > 0 && !isStopped(); jobs = await listJobs()) {
      const done: [number, number][] = []
      for (const { requestedAt, ...target } of jobs) {
        if (isStopped()) break
        const outcome = await refresh(target)
        counts[outcome] += 1
        outcomeOf(target.library.id)[outcome] += 1
        done.push([target.item.id, requestedAt])
      }
      await finish(done)
      for (const libraryId of new Set(jobs.map(({ library }) => library.id))) deps.events.emit({ type: 'library', libraryId })
    }
    if (counts.refreshed + counts.without + counts.failed > 0) deps.log.info('nfo_refresh_finished', counts)
    await forgetGone()
  }

  return {
    ...createWakeable({ work, onError: (error) => deps.log.error('nfo_refresh_failed', { error }) }),
    begin: (libraryId) => void outcomes.delete(libraryId),
    outcome: (libraryId) => outcomes.get(libraryId) ?? nothingYet(),
  }
}
