/**
 * The jobs of the AI queue as administrators see them: listing, retrying, cancelling, pausing (API.md, 9). What is asked of an
 * unknown library throws `not_found`.
 */

import type { InStatement } from '@libsql/client'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { AI_ACTIVITIES, type AiActivity } from '../domain/ai-activity.ts'
import { AI_JOB_STATUSES, type AiJobPayload, type AiJobStatus } from '../domain/ai-job.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { Viewer } from '../domain/permissions.ts'
import { slicesOf } from '../domain/slices.ts'
import { AppError } from '../errors.ts'
import { parsePayload } from './ai-job-queue.ts'
import { decodeNumbers, encodeCursor, fingerprint } from './cursor.ts'
import { getVisibleLibrary } from './visible.ts'

/** The names that a model chose and that are no tags, as they are stored with its job. */
export const storedNames = z
  .string()
  .nullable()
  .transform((text) => z.array(z.string()).parse(JSON.parse(text ?? '[]')))

export interface AiJob {
  id: number
  itemKey: string
  title: string
  libraryId: number
  activity: AiActivity
  status: AiJobStatus
  attempts: number
  priority: number
  payload: AiJobPayload
  error: string | null
  /** Names that the model chose and that are no tags. */
  suggestions: string[]
  runId: number | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

export interface JobQuery {
  status?: AiJobStatus | undefined
  libraryId?: number | undefined
  activity?: AiActivity | undefined
  runId?: number | undefined
  limit: number
  cursor?: string | undefined
}

export type JobCounts = Record<AiJobStatus, number>

/** Of the queue as a whole. `waiting`: why models are not asked now, for people. */
export interface QueueState {
  paused: boolean
  waiting: string | null
}

const rowSchema = z.object({
  id: z.int(),
  itemKey: z.string(),
  title: z.string(),
  libraryId: z.int(),
  activity: z.enum(AI_ACTIVITIES),
  status: z.enum(AI_JOB_STATUSES),
  attempts: z.int(),
  priority: z.int(),
  payload: z.string().transform(parsePayload),
  error: z.string().nullable(),
  suggestions: storedNames,
  runId: z.int().nullable(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
})

const filterOf = ({
  status,
  libraryId,
  activity,
  runId,
}: Omit<JobQuery, 'limit' | 'cursor'>): { sql: string; args: (string | number)[] } => {
  // `+`: most jobs are done, so the newest of them are found by looking from the end on, and not by sorting all there are.
  const hasStatus = status === 'done' && runId === undefined ? '+j.status = ?' : 'j.status = ?'
  const conditions = [
    ...(status === undefined ? [] : [[hasStatus, status] as const]),
    ...(libraryId === undefined ? [] : [['m.library_id = ?', libraryId] as const]),
    ...(activity === undefined ? [] : [['j.activity = ?', activity] as const]),
    ...(runId === undefined ? [] : [['j.run_id = ?', runId] as const]),
  ]
  return { sql: conditions.map(([sql]) => ` AND ${sql}`).join(''), args: conditions.map(([, value]) => value) }
}

/** Of the jobs that the rest of the filter leaves, by status. */
const countJobs = async (deps: Deps, query: JobQuery): Promise<JobCounts> => {
  const filter = filterOf({ ...query, status: undefined })
  const needsItem = query.libraryId !== undefined
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT j.status AS status, count(*) AS total FROM ai_jobs j ${needsItem ? 'JOIN media_items m ON m.id = j.item_id' : ''}
      WHERE true${filter.sql} GROUP BY j.status`,
    args: filter.args,
  })
  const counts = Object.fromEntries(rows.map(({ status, total }) => [String(status), Number(total)]))
  return {
    queued: counts.queued ?? 0,
    running: counts.running ?? 0,
    done: counts.done ?? 0,
    failed: counts.failed ?? 0,
    cancelled: counts.cancelled ?? 0,
  }
}

/** What is still to be done: cheap however much has been done, since every administrator's screen asks every few seconds. */
export const getAiQueue = async (deps: Deps): Promise<QueueState & Pick<JobCounts, 'queued' | 'running'>> => {
  const { rows } = await deps.db.$client.execute(
    `SELECT count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status = 'running') AS running
      FROM ai_jobs WHERE status IN ('queued', 'running')`,
  )
  return { ...deps.aiQueue.state(), queued: Number(rows[0]?.queued), running: Number(rows[0]?.running) }
}

/**
 * Newest first. The page is chosen by what an index holds, and the rest looked up for the page alone: a run may have a hundred
 * thousand jobs, whose items nobody waits for.
 */
export const listStatement = (query: JobQuery, before: number | null): InStatement => {
  const filter = filterOf(query)
  const ofItem = query.libraryId === undefined ? '' : ' JOIN media_items m ON m.id = j.item_id'
  const older = before === null ? '' : ' AND j.id < ?'
  return {
    sql: `SELECT j.id AS id, m.item_key AS itemKey, m.title AS title, m.library_id AS libraryId, j.activity AS activity, j.status AS status,
        j.attempts AS attempts, j.priority AS priority, j.payload AS payload, j.error AS error, j.suggestions AS suggestions, j.run_id AS runId,
        j.created_at AS createdAt, j.started_at AS startedAt, j.finished_at AS finishedAt
      FROM ai_jobs j JOIN media_items m ON m.id = j.item_id
      WHERE j.id IN (SELECT j.id FROM ai_jobs j${ofItem} WHERE true${filter.sql}${older} ORDER BY j.id DESC LIMIT ?)
      ORDER BY j.id DESC`,
    args: [...filter.args, ...(before === null ? [] : [before]), query.limit + 1],
  }
}

/** What went wrong with a job, or why it waits. */
export const problemOf = (deps: Pick<Deps, 'aiQueue'>, job: Pick<AiJob, 'status' | 'error' | 'activity' | 'libraryId'>): string | null =>
  job.status === 'queued' && job.error === null ? deps.aiQueue.waitingFor(job) : job.error

export const listAiJobs = async (
  deps: Deps,
  viewer: Viewer,
  query: JobQuery,
): Promise<{ jobs: AiJob[]; counts: JobCounts; queue: QueueState; nextCursor: string | null }> => {
  const { status, libraryId, activity, runId, limit, cursor } = query
  if (libraryId !== undefined) await getVisibleLibrary(deps, viewer, libraryId)
  const print = fingerprint('ai-jobs', [status, libraryId, activity, runId])
  const [before = null] = cursor === undefined ? [] : decodeNumbers(print, cursor, 1)
  const { rows } = await deps.db.$client.execute(listStatement(query, before))
  const queue = deps.aiQueue.state()
  const jobs = rows.slice(0, limit).map((row): AiJob => {
    const job = rowSchema.parse({ ...row })
    return {
      ...job,
      error: problemOf(deps, job),
      createdAt: new Date(job.createdAt).toISOString(),
      startedAt: isoTime(job.startedAt),
      finishedAt: isoTime(job.finishedAt),
    }
  })
  const last = jobs.at(-1)
  return {
    jobs,
    counts: await countJobs(deps, query),
    queue,
    nextCursor: rows.length > limit && last ? encodeCursor(print, [last.id]) : null,
  }
}

const getJob = async (deps: Deps, jobId: number): Promise<{ status: AiJobStatus }> => {
  const { rows } = await deps.db.$client.execute({ sql: 'SELECT status FROM ai_jobs WHERE id = ?', args: [jobId] })
  const [row] = rows
  if (!row) throw new AppError('not_found')
  return z.object({ status: z.enum(AI_JOB_STATUSES) }).parse({ ...row })
}

/** What a fresh start of a job that ended looks like. Pages that were done under other settings are done again. */
const RETRY = `UPDATE ai_jobs SET status = 'queued', attempts = 0, crashes = 0, error = NULL, not_before = NULL, finished_at = NULL,
    started_at = NULL, suggestions = NULL, effect = NULL, text_version = (SELECT text_version FROM media_items WHERE id = ai_jobs.item_id)
  WHERE status IN ('failed', 'cancelled') AND NOT EXISTS (SELECT 1 FROM ai_jobs open
    WHERE open.item_id = ai_jobs.item_id AND open.activity = ai_jobs.activity AND open.status IN ('queued', 'running'))`

/** Starts a job that failed or was cancelled once more. Throws `conflict` for one that is not over, or has been done, or is queued anew. */
export const retryAiJob = async (deps: Deps, jobId: number): Promise<{ jobId: number; status: 'queued' }> => {
  const { status } = await getJob(deps, jobId)
  if (status !== 'failed' && status !== 'cancelled') throw new AppError('conflict', `This job is ${status}.`)
  const [, retried] = await deps.write.batch([
    { sql: 'DELETE FROM ai_job_pages WHERE job_id = ?', args: [jobId] },
    { sql: `${RETRY} AND id = ?`, args: [jobId] },
  ])
  if ((retried?.rowsAffected ?? 0) === 0) throw new AppError('conflict', 'The same work is queued for this item already.')
  deps.aiQueue.wake()
  return { jobId, status: 'queued' }
}

const SLICE = 500

const IN_LIBRARY = '(?1 IS NULL OR item_id IN (SELECT id FROM media_items WHERE library_id = ?1))'

/** A failed job after which the same was asked of the item again, and not taken back: what became of that counts. */
const PUT_AWAY_SUPERSEDED = `UPDATE ai_jobs SET status = 'cancelled' WHERE status = 'failed'
  AND EXISTS (SELECT 1 FROM ai_jobs later WHERE later.item_id = ai_jobs.item_id AND later.activity = ai_jobs.activity AND later.id > ai_jobs.id
    AND later.status <> 'cancelled')
  AND ${IN_LIBRARY}`

/** A text that a person has edited since is theirs: only asking for that very item replaces it (ai-batches.ts). */
const PUT_AWAY_EDITED = `UPDATE ai_jobs SET status = 'cancelled', error = 'The text was edited meanwhile, and was kept as it is.'
  WHERE status = 'failed' AND activity = 'extraction'
    AND text_version <> (SELECT m.text_version FROM media_items m WHERE m.id = ai_jobs.item_id) AND ${IN_LIBRARY}`

/** Every failed job, of one library or of all, unless the same was asked again since, or done by hand. */
export const retryFailedJobs = async (deps: Deps, viewer: Viewer, libraryId: number | undefined): Promise<{ queued: number }> => {
  if (libraryId !== undefined) await getVisibleLibrary(deps, viewer, libraryId)
  await deps.write.batch([PUT_AWAY_SUPERSEDED, PUT_AWAY_EDITED].map((sql) => ({ sql, args: [libraryId ?? null] })))
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT max(j.id) AS id FROM ai_jobs j JOIN media_items m ON m.id = j.item_id WHERE j.status = 'failed' AND (?1 IS NULL OR m.library_id = ?1)
      GROUP BY j.item_id, j.activity`,
    args: [libraryId ?? null],
  })
  let queued = 0
  for (const slice of slicesOf(rows, SLICE)) {
    const ids = JSON.stringify(slice.map(({ id }) => Number(id)))
    const [, retried] = await deps.write.batch([
      { sql: 'DELETE FROM ai_job_pages WHERE job_id IN (SELECT value FROM json_each(?))', args: [ids] },
      { sql: `${RETRY} AND id IN (SELECT value FROM json_each(?))`, args: [ids] },
    ])
    queued += retried?.rowsAffected ?? 0
  }
  deps.aiQueue.wake()
  return { queued }
}

/** Cancels a job that waits or runs, and puts one that has failed away. A job that is done stays what it is. */
export const cancelAiJob = async (deps: Deps, jobId: number): Promise<void> => {
  await getJob(deps, jobId)
  await deps.write.batch([
    {
      sql: `UPDATE ai_jobs SET status = 'cancelled', finished_at = coalesce(finished_at, ?), owner = NULL, lease_until = NULL
        WHERE id = ? AND status IN ('queued', 'running', 'failed')`,
      args: [Date.now(), jobId],
    },
  ])
  deps.aiQueue.cancelled()
}

interface ClearedJobs {
  status: 'failed' | 'queued'
  libraryId?: number | undefined
}

const clearRows = async (deps: Deps, { status, libraryId }: ClearedJobs): Promise<{ cleared: number }> => {
  let cleared = 0
  for (;;) {
    const [result] = await deps.write.batch([
      {
        sql: `UPDATE ai_jobs SET status = 'cancelled', finished_at = coalesce(finished_at, ?1) WHERE id IN (SELECT j.id FROM ai_jobs j
            JOIN media_items m ON m.id = j.item_id WHERE j.status = ?2 AND (?3 IS NULL OR m.library_id = ?3) LIMIT ?4)`,
        args: [Date.now(), status, libraryId ?? null, SLICE],
      },
    ])
    cleared += result?.rowsAffected ?? 0
    if ((result?.rowsAffected ?? 0) < SLICE) return { cleared }
  }
}

/** Puts away what failed, or cancels what waits, of one library or of all: also what this server has claimed and not begun. */
export const clearAiJobs = async (deps: Deps, viewer: Viewer, jobs: ClearedJobs): Promise<{ cleared: number }> => {
  if (jobs.libraryId !== undefined) await getVisibleLibrary(deps, viewer, jobs.libraryId)
  return jobs.status === 'failed' ? clearRows(deps, jobs) : deps.aiQueue.withNoneAhead(() => clearRows(deps, jobs))
}

/** Kept in the database: a queue that was paused stays so after a restart, and on every server. */
const PAUSED = 'aiQueuePaused'

export const isQueuePaused = async (deps: Pick<Deps, 'db'>): Promise<boolean> => {
  const { rows } = await deps.db.$client.execute({ sql: 'SELECT value FROM settings WHERE key = ?', args: [PAUSED] })
  return rows[0]?.value === 'true'
}

export const setQueuePaused = async (deps: Deps, paused: boolean): Promise<{ paused: boolean }> => {
  await deps.write.batch([
    {
      sql: 'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      args: [PAUSED, String(paused)],
    },
  ])
  await deps.aiQueue.reload()
  return { paused }
}
