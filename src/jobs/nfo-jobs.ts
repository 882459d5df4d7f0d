/**
 * Works off the refreshes of whole libraries, one item after the other. The jobs are rows, so that a restart goes on
 * where it was; two processes on one remote database may both take a job up, which changes nothing but the time it takes.
 */

import { eq, notInArray } from 'drizzle-orm'
import { isAway } from '../db/busy.ts'
import { libraries } from '../db/schema/libraries.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import { nfoJobs } from '../db/schema/nfo-jobs.ts'
import type { Deps, NfoJobs, NfoOutcome } from '../deps.ts'
import { AppError } from '../errors.ts'
import { isOfLibraryAway, type RefreshTarget, refreshItem } from '../services/nfo-refresh.ts'
import { createWakeable, RETRY_MS, type Wakeable } from './wakeable.ts'

/** Items that are read at a time, and after which viewers hear of it. */
const BATCH = 50
/** More are counted, and logged, but not told one by one. */
const MAX_FAILURES = 100

type JobDeps = Pick<Deps, 'db' | 'write' | 'log' | 'events'>

type Outcome = 'refreshed' | 'without' | 'failed'

const nothingYet = (): NfoOutcome => ({ refreshed: 0, without: 0, failed: 0, failures: [] })

export const createNfoJobs = (deps: JobDeps, { retryMs = RETRY_MS } = {}): NfoJobs & Wakeable => {
  /** By library; in memory, because the next start has nothing to tell of it that the index does not show. */
  const outcomes = new Map<number, NfoOutcome>()
  const outcomeOf = (libraryId: number): NfoOutcome => outcomes.getOrInsertComputed(libraryId, nothingYet)

  const listJobs = (away: ReadonlySet<number>) =>
    deps.db
      .select({ itemId: nfoJobs.itemId, libraryId: libraries.id, requestedAt: nfoJobs.requestedAt })
      .from(nfoJobs)
      .innerJoin(mediaItems, eq(mediaItems.id, nfoJobs.itemId))
      .innerJoin(libraries, eq(libraries.id, mediaItems.libraryId))
      .where(notInArray(libraries.id, [...away]))
      .orderBy(nfoJobs.itemId)
      .limit(BATCH)

  /** As it is now: a scan may have moved it since its batch was listed. */
  const readTarget = async (itemId: number): Promise<RefreshTarget | undefined> => {
    const [target] = await deps.db
      .select({ item: mediaItems, library: libraries })
      .from(mediaItems)
      .innerJoin(libraries, eq(libraries.id, mediaItems.libraryId))
      .where(eq(mediaItems.id, itemId))
    return target
  }

  /** `later`: its job stays. */
  const refresh = async (target: RefreshTarget): Promise<Outcome | 'away' | 'later'> => {
    try {
      await refreshItem(deps, target, 'background')
      return 'refreshed'
    } catch (error) {
      // That the database is away says nothing of the file. What a disk says is an `AppError`.
      if (!(error instanceof AppError) && isAway(error)) throw error
      const told = error instanceof AppError ? error : new AppError('internal_error', undefined, { cause: error })
      if (told.code === 'nfo_not_found') return 'without'
      if (isOfLibraryAway(told)) return 'away'
      if (told.code === 'conflict') return 'later'
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

  let later: ReturnType<typeof setTimeout> | undefined

  const work = async (isStopped: () => boolean): Promise<void> => {
    clearTimeout(later)
    const counts: Record<Outcome, number> = { refreshed: 0, without: 0, failed: 0 }
    /** Libraries whose folders are away: their jobs stay. */
    const away = new Set<number>()
    for (let jobs = await listJobs(away); jobs.length > 0 && !isStopped(); jobs = await listJobs(away)) {
      const done: [number, number][] = []
      const told = new Set<number>()
      for (const { itemId, libraryId, requestedAt } of jobs) {
        if (isStopped()) break
        const target = away.has(libraryId) ? undefined : await readTarget(itemId)
        const outcome = target ? await refresh(target) : 'later'
        if (outcome === 'away') away.add(libraryId)
        if (outcome === 'away' || outcome === 'later') continue
        counts[outcome] += 1
        outcomeOf(libraryId)[outcome] += 1
        done.push([itemId, requestedAt])
        told.add(libraryId)
      }
      if (done.length > 0) await finish(done)
      for (const libraryId of told) deps.events.emit({ type: 'library', libraryId })
    }
    if (away.size > 0 && !isStopped()) later = setTimeout(background.wake, retryMs).unref()
    if (counts.refreshed + counts.without + counts.failed > 0) deps.log.info('nfo_refresh_finished', counts)
    await forgetGone()
  }

  const background = createWakeable({ work, onError: (error) => deps.log.error('nfo_refresh_failed', { error }), retryMs })

  return {
    wake: background.wake,
    stop: () => {
      clearTimeout(later)
      return background.stop()
    },
    begin: (libraryId) => void outcomes.delete(libraryId),
    outcome: (libraryId) => outcomes.get(libraryId) ?? nothingYet(),
  }
}
