/** The jobs of the AI queue as administrators see them (API.md, 9). What is asked of an unknown library throws `not_found`. */

import type { InStatement, Row } from '@libsql/client'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { AI_ACTIVITIES, type AiActivity } from '../domain/ai-activity.ts'
import { AI_JOB_STATUSES, type AiJobPayload, type AiJobStatus } from '../domain/ai-job.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { Viewer } from '../domain/permissions.ts'
import { parsePayload } from './ai-job-queue.ts'
import { all, type Clause, clause } from './clause.ts'
import { decodeNumbers, encodeCursor, fingerprint } from './cursor.ts'
import { storedJson } from './stored-json.ts'
import { getVisibleLibrary } from './visible.ts'

/** The names that a model chose and that are no tags, as they are stored with its job. */
export const storedNames = storedJson(z.array(z.string()))
  .nullable()
  .transform((names) => names ?? [])

interface AiJob {
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
interface QueueState {
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

const filterOf = ({ status, libraryId, activity, runId }: Omit<JobQuery, 'limit' | 'cursor'>): Clause => {
  // `+`: most jobs are done, so the newest of them are found by looking from the end on, and not by sorting all there are.
  const hasStatus = status === 'done' && runId === undefined ? '+j.status = ?' : 'j.status = ?'
  const conditions: Clause[] = []
  if (status !== undefined) conditions.push({ sql: hasStatus, args: [status] })
  if (libraryId !== undefined) conditions.push({ sql: 'm.library_id = ?', args: [libraryId] })
  if (activity !== undefined) conditions.push({ sql: 'j.activity = ?', args: [activity] })
  if (runId !== undefined) conditions.push({ sql: 'j.run_id = ?', args: [runId] })
  return all(conditions)
}

/** Only the library is a matter of the item. */
const ofItem = ({ libraryId }: JobQuery): string => (libraryId === undefined ? '' : 'JOIN media_items m ON m.id = j.item_id')

/** Of the jobs that the rest of the filter leaves, by status. */
const countJobs = async (deps: Deps, query: JobQuery): Promise<JobCounts> => {
  const filter = filterOf({ ...query, status: undefined })
  const { rows } = await deps.db.$client.execute(
    clause`SELECT j.status AS status, count(*) AS total FROM ai_jobs j ${ofItem(query)} WHERE ${filter} GROUP BY j.status`,
  )
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

const NOT_RUNNING = AI_JOB_STATUSES.filter((status) => status !== 'running')

/**
 * Ids of a page, and where they are of several statuses of a run, of as many pages: each is read from its end in the index of the run,
 * for it takes a millisecond to sort ten thousand jobs, which whoever looks on asks for again and again.
 */
const idsOfPage = (query: JobQuery, before: number | null): Clause => {
  const filter = filterOf(query)
  const older: Clause = before === null ? { sql: '', args: [] } : { sql: ' AND j.id < ?', args: [before] }
  const limit: Clause = { sql: '?', args: [query.limit + 1] }
  const newest = (rest: string): Clause =>
    clause`SELECT j.id AS id FROM ai_jobs j ${ofItem(query)} WHERE ${filter}${rest}${older} ORDER BY j.id DESC LIMIT ${limit}`
  if (query.status !== undefined) return newest('')
  if (query.runId === undefined) return newest(" AND +j.status <> 'running'")
  const each = NOT_RUNNING.map((status) => clause`SELECT id FROM (${newest(` AND j.status = '${status}'`)})`)
  return { sql: each.map(({ sql }) => sql).join(' UNION ALL '), args: each.flatMap(({ args }) => args) }
}

/**
 * Newest first; without a status, of what does not run. The page is chosen by what an index holds, and the rest looked up for the page
 * alone: a run may have a hundred thousand jobs, whose items nobody waits for.
 */
export const listStatement = (query: JobQuery, before: number | null): InStatement => {
  const ids = idsOfPage(query, before)
  return {
    sql: `SELECT j.id AS id, m.item_key AS itemKey, m.title AS title, m.library_id AS libraryId, j.activity AS activity, j.status AS status,
        j.attempts AS attempts, j.priority AS priority, j.payload AS payload, j.error AS error, j.suggestions AS suggestions, j.run_id AS runId,
        j.created_at AS createdAt, j.started_at AS startedAt, j.finished_at AS finishedAt
      FROM ai_jobs j JOIN media_items m ON m.id = j.item_id WHERE j.id IN (${ids.sql}) ORDER BY j.id DESC LIMIT ?`,
    args: [...ids.args, query.limit + 1],
  }
}

/** What went wrong with a job, or why it waits. */
export const problemOf = (deps: Pick<Deps, 'aiQueue'>, job: Pick<AiJob, 'status' | 'error' | 'activity' | 'libraryId'>): string | null =>
  job.status === 'queued' && job.error === null ? deps.aiQueue.waitingFor(job) : job.error

/** What runs comes first: it began long ago, and would stand below all that waits. `last`: the job that the page begins after. */
const pageOfJobs = async (deps: Deps, query: JobQuery, last: { isRunning: boolean; id: number } | undefined): Promise<Row[]> => {
  const rowsOf = async (of: JobQuery, before: number | null) => (await deps.db.$client.execute(listStatement(of, before))).rows
  if (query.status !== undefined) return rowsOf(query, last?.id ?? null)
  if (last?.isRunning === false) return rowsOf(query, last.id)
  const running = await rowsOf({ ...query, status: 'running' }, last?.id ?? null)
  // What has ended since is among the others by now.
  const known = new Set(running.map(({ id }) => id))
  return [...running, ...(await rowsOf(query, null)).filter(({ id }) => !known.has(id))]
}

export const listAiJobs = async (
  deps: Deps,
  viewer: Viewer,
  query: JobQuery,
): Promise<{ jobs: AiJob[]; counts: JobCounts; queue: QueueState; nextCursor: string | null }> => {
  const { status, libraryId, activity, runId, limit, cursor } = query
  if (libraryId !== undefined) await getVisibleLibrary(deps, viewer, libraryId)
  const print = fingerprint('ai-jobs', [status, libraryId, activity, runId])
  const [isRunning, id] = cursor === undefined ? [] : decodeNumbers(print, cursor, 2)
  const rows = await pageOfJobs(deps, query, id === undefined ? undefined : { isRunning: isRunning === 1, id })
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
    nextCursor: rows.length > limit && last ? encodeCursor(print, [last.status === 'running' ? 1 : 0, last.id]) : null,
  }
}
