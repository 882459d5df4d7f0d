/**
 * What administrators do to the jobs of the AI queue: retrying, cancelling, clearing, pausing (API.md, 9). What is asked of an
 * unknown library throws `not_found`.
 */

import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { AiActivity } from '../domain/ai-activity.ts'
import { AI_JOB_STATUSES, type AiJobStatus } from '../domain/ai-job.ts'
import type { Viewer } from '../domain/permissions.ts'
import { slicesOf } from '../domain/slices.ts'
import { AppError } from '../errors.ts'
import { WAS_EDITED } from './ai-job-effects.ts'
import { endedAfter } from './ai-job-order.ts'
import { getVisibleLibrary } from './visible.ts'

const getJob = async (deps: Deps, jobId: number): Promise<{ status: AiJobStatus }> => {
  const { rows } = await deps.db.$client.execute({ sql: 'SELECT status FROM ai_jobs WHERE id = ?', args: [jobId] })
  const [row] = rows
  if (!row) throw new AppError('not_found')
  return z.object({ status: z.enum(AI_JOB_STATUSES) }).parse({ ...row })
}

/** Those of `?1` that can begin anew. `+`: they are looked up, and not looked for among all that failed. */
const RETRIED = `id IN (SELECT value FROM json_each(?1)) AND +status IN ('failed', 'cancelled') AND NOT EXISTS (SELECT 1 FROM ai_jobs open
    WHERE open.item_id = ai_jobs.item_id AND open.activity = ai_jobs.activity AND open.status IN ('queued', 'running'))`

/** Pages that were done under other settings are done again, but of what is not retried, or by somebody else already, they stay. */
const FORGET_PAGES = `DELETE FROM ai_job_pages WHERE job_id IN (SELECT id FROM ai_jobs WHERE ${RETRIED})`

/** What a fresh start of a job that ended looks like. */
const RETRY = `UPDATE ai_jobs SET status = 'queued', attempts = 0, crashes = 0, error = NULL, not_before = NULL, finished_at = NULL,
    started_at = NULL, suggestions = NULL, effect = NULL, text_version = (SELECT text_version FROM media_items WHERE id = ai_jobs.item_id)
  WHERE ${RETRIED}`

/** Answers how many of them begin anew. */
const retry = async (deps: Deps, jobIds: readonly number[]): Promise<number> => {
  const args = [JSON.stringify(jobIds)]
  const [, retried] = await deps.write.batch([FORGET_PAGES, RETRY].map((sql) => ({ sql, args })))
  return retried?.rowsAffected ?? 0
}

/** Starts a job that failed or was cancelled once more. Throws `conflict` for one that is not over, or has been done, or is queued anew. */
export const retryAiJob = async (deps: Deps, jobId: number): Promise<{ jobId: number; status: 'queued' }> => {
  const { status } = await getJob(deps, jobId)
  if (status !== 'failed' && status !== 'cancelled') throw new AppError('conflict', `This job is ${status}.`)
  if ((await retry(deps, [jobId])) === 0) throw new AppError('conflict', 'The same work is queued for this item already.')
  deps.aiQueue.wake()
  return { jobId, status: 'queued' }
}

const SLICE = 500

/** Those of one library or of all, of one activity or of each. */
interface JobsOf {
  libraryId?: number | undefined
  activity?: AiActivity | undefined
}

const ARE_OF = `(?1 IS NULL OR ?1 = (SELECT m.library_id FROM media_items m WHERE m.id = ai_jobs.item_id)) AND (?2 IS NULL OR activity = ?2)`

const argsOf = ({ libraryId, activity }: JobsOf) => [libraryId ?? null, activity ?? null]

/** A failed job after which the same was asked of the item again, and not taken back: what became of that counts. */
const PUT_AWAY_SUPERSEDED = `UPDATE ai_jobs SET status = 'cancelled' WHERE status = 'failed'
  AND EXISTS (SELECT 1 FROM ai_jobs later WHERE later.item_id = ai_jobs.item_id AND later.activity = ai_jobs.activity
    AND (later.status IN ('queued', 'running') OR (later.status IN ('done', 'failed') AND ${endedAfter('later', 'ai_jobs')})))
  AND ${ARE_OF}`

/** A text that a person has edited since is theirs: only asking for that very item replaces it (ai-batches.ts). */
const PUT_AWAY_EDITED = `UPDATE ai_jobs SET status = 'cancelled', error = '${WAS_EDITED}'
  WHERE status = 'failed' AND activity = 'extraction'
    AND text_version <> (SELECT m.text_version FROM media_items m WHERE m.id = ai_jobs.item_id) AND ${ARE_OF}`

/** Every failed job, unless the same was asked again since, or done by hand. */
export const retryFailedJobs = async (deps: Deps, viewer: Viewer, jobs: JobsOf): Promise<{ queued: number }> => {
  if (jobs.libraryId !== undefined) await getVisibleLibrary(deps, viewer, jobs.libraryId)
  const args = argsOf(jobs)
  await deps.write.batch([PUT_AWAY_SUPERSEDED, PUT_AWAY_EDITED].map((sql) => ({ sql, args })))
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT max(id) AS id FROM ai_jobs WHERE status = 'failed' AND ${ARE_OF} GROUP BY item_id, activity`,
    args,
  })
  let queued = 0
  const ids = rows.map(({ id }) => Number(id))
  for (const slice of slicesOf(ids, SLICE)) queued += await retry(deps, slice)
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

interface ClearedJobs extends JobsOf {
  status: 'failed' | 'queued'
}

const clearRows = async (deps: Deps, jobs: ClearedJobs): Promise<{ cleared: number }> => {
  let cleared = 0
  for (;;) {
    const [result] = await deps.write.batch([
      {
        sql: `UPDATE ai_jobs SET status = 'cancelled', finished_at = coalesce(finished_at, ?3)
          WHERE id IN (SELECT id FROM ai_jobs WHERE status = ?4 AND ${ARE_OF} LIMIT ?5)`,
        args: [...argsOf(jobs), Date.now(), jobs.status, SLICE],
      },
    ])
    cleared += result?.rowsAffected ?? 0
    if ((result?.rowsAffected ?? 0) < SLICE) return { cleared }
  }
}

/** Puts away what failed, or cancels what waits: also what this server has claimed and not begun. */
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
