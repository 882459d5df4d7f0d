/** AI work on a whole library: batches, and the new items of a scan (API.md, 9). */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import type { AiActivity } from '../domain/ai-activity.ts'
import { AI_JOB_PRIORITY, type AiJobPayload, isBatchItem, needsModel } from '../domain/ai-job.ts'
import { ITEM_TYPES } from '../domain/item-type.ts'
import type { Viewer } from '../domain/permissions.ts'
import { slicesOf } from '../domain/slices.ts'
import { AppError } from '../errors.ts'
import { isModelReady } from './ai-jobs.ts'
import { getEffectiveAiSettings, loadLibraryAiSettings } from './ai-settings.ts'
import type { Clause } from './clause.ts'
import { highestItemId, idsOf } from './ids-of.ts'
import { assertOcrLanguages } from './ocr-languages.ts'
import { getVisibleLibrary } from './visible.ts'

type BatchScope = 'untagged' | 'all'

interface BatchInput {
  libraryId: number
  activity: AiActivity
  scope: BatchScope
}

/** SECURITY, 3.7: more jobs do not wait at a time; the next batch takes up the rest. */
const MAX_QUEUED = 20_000
/** Rows a transaction, so that other writes get their turn. */
const SLICE = 1000

const BATCH_TYPES = JSON.stringify(ITEM_TYPES.filter(isBatchItem))

const HAS_PICTURE = `(thumbnail_kind IS NOT NULL OR coalesce(artwork, '[]') <> '[]')`

/** What can be done at all, and what has not been done. A text that a person has edited is theirs: only asking for that very item replaces it. */
const ELIGIBLE: Readonly<Record<AiActivity, { can: string; lacks: string }>> = {
  tagging: { can: 'true', lacks: 'ai_tagged_at IS NULL' },
  description: { can: 'true', lacks: `coalesce(description, '') = ''` },
  extraction: { can: `${HAS_PICTURE} AND NOT text_edited`, lacks: 'extracted_text IS NULL' },
  translation: { can: `coalesce(extracted_text, '') <> ''`, lacks: '(translation IS NULL OR translation_stale)' },
}

/** Ids a query, so that a large library is gone through while other requests get their turn. */
const WINDOW = 5000

/** Present items `m` of the library for which the condition holds. */
const listPresent = async (deps: Pick<Deps, 'db'>, libraryId: number, condition: Clause): Promise<number[]> => {
  const last = await highestItemId(deps)
  const ids: number[] = []
  for (let after = 0; after < last; after += WINDOW) {
    const window = await idsOf(deps, {
      sql: `SELECT m.id AS id FROM media_items m NOT INDEXED WHERE m.id > ? AND m.id <= ? AND m.library_id = ? AND m.missing_since IS NULL
          AND ${condition.sql} ORDER BY m.id`,
      args: [after, after + WINDOW, libraryId, ...condition.args],
    })
    ids.push(...window)
    await nextTurn()
  }
  return ids
}

/** Milliseconds since the epoch; the first of them is not in it. */
type Span = readonly [after: number, until: number]

const EVER: Span = [-1, Number.MAX_SAFE_INTEGER]

/** `added`: of what is new nothing is taken up twice, whatever became of its job. */
const listEligible = (deps: Pick<Deps, 'db'>, { libraryId, activity, scope }: BatchInput, added?: Span): Promise<number[]> => {
  const { can, lacks } = ELIGIBLE[activity]
  return listPresent(deps, libraryId, {
    sql: `m.added_at > ? AND m.added_at <= ? AND m.item_type IN (SELECT value FROM json_each(?)) AND ${can} ${scope === 'untagged' ? `AND ${lacks}` : ''}
          AND NOT EXISTS (SELECT 1 FROM ai_jobs j WHERE j.item_id = m.id AND j.activity = ? ${added ? '' : `AND j.status IN ('queued', 'running')`})`,
    args: [...(added ?? EVER), BATCH_TYPES, activity],
  })
}

const countQueued = async (deps: Pick<Deps, 'db'>): Promise<number> => {
  const { rows } = await deps.db.$client.execute(`SELECT count(*) AS total FROM ai_jobs WHERE status = 'queued'`)
  return Number(rows[0]?.total ?? 0)
}

interface RunInput {
  libraryId: number
  activity: AiActivity
  trigger: 'batch' | 'scan'
  createdBy: number | null
  payload: AiJobPayload
}

/**
 * One job for each of the items that has none open, in one run; in slices, which a crash may cut short: the next batch goes on.
 * Once the run is undone no more is queued. Wakes the queue.
 */
const queueRun = async (
  deps: Pick<Deps, 'write' | 'aiQueue'>,
  ids: readonly number[],
  run: RunInput,
): Promise<{ runId: number; queued: number }> => {
  const now = Date.now()
  const [created] = await deps.write.batch([
    {
      sql: 'INSERT INTO ai_runs (library_id, activity, "trigger", created_by, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id',
      args: [run.libraryId, run.activity, run.trigger, run.createdBy, now],
    },
  ])
  const runId = Number(created?.rows[0]?.id)
  let queued = 0
  for (const slice of slicesOf(ids, SLICE)) {
    const [, inserted] = await deps.write.batchOnThread([
      {
        sql: `INSERT INTO ai_jobs (item_id, activity, status, priority, payload, created_at, run_id, text_version)
          SELECT id, ?2, 'queued', ?3, ?4, ?5, ?6, text_version FROM media_items WHERE id IN (SELECT value FROM json_each(?1))
            AND EXISTS (SELECT 1 FROM ai_runs WHERE id = ?6 AND undone_at IS NULL) ORDER BY id
          ON CONFLICT DO NOTHING`,
        args: [JSON.stringify(slice), run.activity, AI_JOB_PRIORITY[run.trigger], JSON.stringify(run.payload), now, runId],
      },
      'SELECT changes() AS jobs',
    ])
    const isFirst = queued === 0
    queued += Number(inserted?.rows[0]?.jobs)
    // They are done while the others are queued.
    if (isFirst) deps.aiQueue.wake()
  }
  deps.aiQueue.wake()
  return { runId, queued }
}

/** How many items a batch would take up. */
export const countBatch = async (deps: Deps, viewer: Viewer, input: BatchInput): Promise<{ eligible: number }> => {
  await getVisibleLibrary(deps, viewer, input.libraryId)
  return { eligible: (await listEligible(deps, input)).length }
}

/** `all` with `tagging`: what was processed is eligible again, also if the queue cannot take it up now. */
const clearTagged = async (deps: Deps, libraryId: number): Promise<void> => {
  const last = await highestItemId(deps)
  for (let after = 0; after < last; after += WINDOW)
    await deps.write.batchOnThread([
      {
        sql: `UPDATE media_items NOT INDEXED SET ai_tagged_at = NULL
          WHERE id > ? AND id <= ? AND library_id = ? AND missing_since IS NULL AND ai_tagged_at IS NOT NULL`,
        args: [after, after + WINDOW, libraryId],
      },
    ])
}

/** Queues a batch. `left`: how many items did not fit into the queue. Throws `ai_disabled` and `unknown_ocr_language`. */
export const queueBatch = async (
  deps: Deps,
  viewer: Viewer,
  input: BatchInput,
): Promise<{ queued: number; left: number; runId: number | null }> => {
  await getVisibleLibrary(deps, viewer, input.libraryId)
  const settings = await getEffectiveAiSettings(deps, input.libraryId)
  if (needsModel(input.activity, settings.ocrMode) && !isModelReady(settings, input.activity)) throw new AppError('ai_disabled')
  if (input.activity === 'extraction' && settings.ocrMode !== 'llm-only') await assertOcrLanguages(deps, settings.ocrLanguages)
  if (input.activity === 'tagging' && input.scope === 'all') await clearTagged(deps, input.libraryId)
  const ids = await listEligible(deps, input)
  const room = Math.max(0, MAX_QUEUED - (await countQueued(deps)))
  if (ids.length === 0) return { queued: 0, left: 0, runId: null }
  if (room === 0) throw new AppError('conflict', 'The queue is full. Wait until some of its jobs are done.')
  const run = { libraryId: input.libraryId, activity: input.activity, trigger: 'batch', createdBy: viewer.userId, payload: {} } as const
  const { runId, queued } = await queueRun(deps, ids.slice(0, room), run)
  return { queued, left: Math.max(0, ids.length - room), runId }
}

/**
 * `?1`: the library, `?2`: now. A time that is still to come is of a clock that was once ahead: what the last scan has
 * found is new then. What such a clock has found itself was new while it went.
 */
const NEW_SINCE = `SELECT ai_on_scan AS activities,
    CASE WHEN ai_on_scan_since <= ?2 THEN ai_on_scan_since
      ELSE coalesce((SELECT max(started_at) FROM scans WHERE library_id = ?1 AND started_at <= ?2), ?2) - 1 END AS since,
    iif(ai_on_scan = '[]', NULL, (SELECT max(added_at) FROM media_items WHERE library_id = ?1 AND added_at <= ?2)) AS newest
  FROM libraries WHERE id = ?1`

/** What a scan has found for the first time is queued for what its library asks for. Answers how many jobs there are. */
export const queueNewItems = async (deps: Pick<Deps, 'db' | 'write' | 'aiQueue'>, libraryId: number): Promise<number> => {
  const now = Date.now()
  const { rows } = await deps.db.$client.execute({ sql: NEW_SINCE, args: [libraryId, now] })
  const [row] = rows
  const since = Number(row?.since ?? 0)
  const newest = Number(row?.newest ?? 0)
  const activities: unknown = JSON.parse(String(row?.activities ?? '[]'))
  if (!Array.isArray(activities) || activities.length === 0 || newest <= since) return 0
  const { overrides, effective } = await loadLibraryAiSettings(deps.db, libraryId)
  // What comes in while the library asks no model is not sent later unasked: then a batch takes it up.
  const isWanted = (activity: AiActivity): boolean =>
    activities.includes(activity) && !(overrides.enabled === false && needsModel(activity, effective.ocrMode))
  let queued = 0
  let isAll = true
  for (const activity of ['extraction', 'tagging', 'description'] as const) {
    if (!isWanted(activity)) continue
    const ids = await listEligible(deps, { libraryId, activity, scope: 'untagged' }, [since, newest])
    const room = Math.max(0, MAX_QUEUED - (await countQueued(deps)))
    // A text to translate is only there once it has been extracted.
    const payload = activity === 'extraction' && isWanted('translation') ? { thenTranslate: true } : {}
    isAll &&= ids.length <= room
    if (ids.length === 0 || room === 0) continue
    queued += (await queueRun(deps, ids.slice(0, room), { libraryId, activity, trigger: 'scan', createdBy: null, payload })).queued
  }
  // What the queue had no room for is new to the next scan too, and so is what a crash leaves unqueued: this comes last.
  if (!isAll) return queued
  await deps.write.batch([
    {
      sql: 'UPDATE libraries SET ai_on_scan_since = max(iif(ai_on_scan_since <= ?3, ai_on_scan_since, 0), ?2) WHERE id = ?1',
      args: [libraryId, newest, now],
    },
  ])
  return queued
}
