/**
 * The rows of the AI queue as its runner sees them (jobs/ai-queue.ts): claiming by lease, heartbeats, ends. Every change
 * names its owner, so that two server processes on one database share the queue, and what a dead one leaves is taken up
 * again once its lease has run out.
 */

import type { InStatement } from '@libsql/client'
import { z } from 'zod'
import type { DonePage } from '../ai/ai-task.ts'
import type { Answer } from '../db/threaded-connection.ts'
import type { Deps } from '../deps.ts'
import { AI_ACTIVITIES, type AiActivity } from '../domain/ai-activity.ts'
import { type AiJobPayload, MAX_AI_ATTEMPTS } from '../domain/ai-job.ts'
import { type AiItemRow, aiItem, aiItemRow } from './ai-job-item.ts'

/** A job that was claimed. */
export interface ClaimedJob {
  id: number
  itemId: number
  activity: AiActivity
  priority: number
  attempts: number
  crashes: number
  payload: AiJobPayload
  /** A scan has found the item changed since the job last began: what was read for it may be of another file. */
  hasItemChanged: boolean
}

/** With its item, as it was in that moment. */
export interface ClaimedItem {
  job: ClaimedJob
  item: AiItemRow
}

const claimedSchema = z.object({
  id: z.number(),
  itemId: z.number(),
  activity: z.enum(AI_ACTIVITIES),
  priority: z.number(),
  attempts: z.number(),
  crashes: z.number(),
  payload: z.string(),
  hasItemChanged: z.number().transform(Boolean),
  item: aiItemRow,
})

const payloadSchema: z.ZodType<AiJobPayload> = z.object({
  ocrLanguages: z.string().optional(),
  sourceLanguage: z.string().optional(),
  targetLanguage: z.string().optional(),
  thenTranslate: z.boolean().optional(),
})

/** Rows of older databases may say anything; then nothing is asked for on top of the settings. */
export const parsePayload = (text: string): AiJobPayload => {
  try {
    return payloadSchema.parse(JSON.parse(text))
  } catch {
    return {}
  }
}

/** From what `ClaimStatements.read` answered. */
export const claimedItems = ({ rows }: Answer): ClaimedItem[] => {
  const text = rows[0]?.jobs ?? null
  if (text === null) return []
  return z
    .array(claimedSchema)
    .parse(JSON.parse(String(text)))
    .map(({ payload, item, ...job }) => ({ job: { ...job, payload: parsePayload(payload) }, item }))
}

/** Characters: of a whole volume, that much tells what it is about, and hundreds of jobs are one text. To be translated it is whole. */
const MUCH_TEXT = 200 * 1024

const TEXT = `iif(j.activity = 'translation', m.extracted_text, substr(m.extracted_text, 1, ${MUCH_TEXT}))`

/**
 * Jobs `j` as they are once they are claimed, at `?2`. A change that is still to come was written by a clock that was ahead:
 * it would be new at each start.
 */
const CLAIMED = `json_object('id', j.id, 'itemId', j.item_id, 'activity', j.activity, 'priority', j.priority, 'attempts', j.attempts + 1,
  'crashes', j.crashes, 'payload', j.payload, 'hasItemChanged', coalesce(m.updated_at BETWEEN j.started_at AND ?2, 0), 'item', ${aiItem(TEXT)})`

/** Who claims, for how long, which libraries have their pictures read by a model alone, and which have no model asked at all. */
export interface Claim {
  owner: string
  now: number
  leaseMs: number
  modelOnlyLibraries: readonly number[]
  modelOffLibraries: readonly number[]
}

/** `recognition`: extraction that starts with offline recognition; `model`: everything else, none of which goes without a model. */
export type AiLane = 'recognition' | 'model'

const LIBRARY = '(SELECT library_id FROM media_items WHERE id = j.item_id)'
const IS_RECOGNITION = `(j.activity = 'extraction' AND ${LIBRARY} NOT IN (SELECT value FROM json_each(?4)))`
/** What needs a model waits where none may be asked. Nearly always there is no such library, and no job's library is looked up. */
const IS_OF_MODEL = `(NOT ${IS_RECOGNITION} AND (?5 = '[]' OR ${LIBRARY} NOT IN (SELECT value FROM json_each(?5))))`

const IS_DUE = `j.status = 'queued' AND (j.not_before IS NULL OR j.not_before <= ?2)`

/** Jobs that a server ended with are few; SQLite would look for them among all of their status. */
const suspects = (alias: string): string => `ai_jobs ${alias} INDEXED BY ai_jobs_suspect`
const isSuspect = (alias: string): string => `${alias}.crashes > 0 AND ${alias}.status IN ('queued', 'running')`

const claimArgs = ({ owner, now, leaseMs, modelOnlyLibraries, modelOffLibraries }: Claim) => [
  owner,
  now,
  leaseMs,
  JSON.stringify(modelOnlyLibraries),
  JSON.stringify(modelOffLibraries),
]

interface WantedJobs {
  lane: AiLane
  limit: number
  /** Less urgent ones are left. */
  minPriority: number
}

/** For one transaction, one after the other. `read` answers what `take` takes (`claimedItems`). */
export interface ClaimStatements {
  read: InStatement
  take: InStatement
}

/**
 * Reads jobs `j`, all of them as one text, and takes them for `?1` from `?2` on, for `?3` milliseconds. It is rows that
 * cost, where thousands are claimed a second; both find the same ones, since nothing comes between the statements of a transaction.
 */
const claimOf = ({ table, found }: { table: string; found: string }, args: (string | number)[]): ClaimStatements => ({
  read: {
    sql: `SELECT '[' || group_concat(job) || ']' AS jobs FROM (SELECT ${CLAIMED} AS job
      FROM ${table} CROSS JOIN media_items m ON m.id = j.item_id CROSS JOIN libraries l ON l.id = m.library_id ${found})`,
    args,
  },
  take: {
    sql: `UPDATE ai_jobs SET status = 'running', owner = ?1, lease_until = ?2 + ?3, started_at = ?2, not_before = NULL, error = NULL,
      attempts = attempts + 1 WHERE id IN (SELECT j.id FROM ${table} ${found})`,
    args,
  },
})

/** The most urgent jobs of a lane, in the order of the index `ai_jobs_next`. Jobs that a server ended with wait for their own turn. */
export const claimStatements = (claim: Claim, { lane, limit, minPriority }: WantedJobs): ClaimStatements =>
  claimOf(
    {
      table: 'ai_jobs j',
      found: `WHERE ${IS_DUE} AND j.crashes = 0 AND j.priority >= ?6 AND ${lane === 'recognition' ? IS_RECOGNITION : IS_OF_MODEL}
        ORDER BY j.priority DESC, j.id LIMIT ?7`,
    },
    [...claimArgs(claim), minPriority, limit],
  )

/** One job that a server ended with, while no other such job runs anywhere: so the one that does it is found out. */
export const claimSuspectStatements = (claim: Claim, isModelReady: boolean): ClaimStatements =>
  claimOf(
    {
      table: suspects('j'),
      found: `WHERE ${isSuspect('j')} AND ${IS_DUE} AND (${IS_RECOGNITION} OR (?6 AND ${IS_OF_MODEL}))
        AND NOT EXISTS (SELECT 1 FROM ${suspects('other')} WHERE ${isSuspect('other')} AND other.status = 'running')
        ORDER BY j.priority DESC, j.id LIMIT 1`,
    },
    [...claimArgs(claim), isModelReady ? 1 : 0],
  )

/** Whether there is anything that could be started, without taking the write lock. */
export const hasDueJobs = async (deps: Pick<Deps, 'db'>, now: number): Promise<boolean> => {
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT 1 FROM ai_jobs j WHERE j.status = 'queued' AND (j.not_before IS NULL OR j.not_before <= ?) LIMIT 1`,
    args: [now],
  })
  return rows.length > 0
}

/** Renews the leases of these jobs; answers those that are still ours and wanted. */
export const heartbeat = async (
  deps: Pick<Deps, 'write'>,
  { owner, ids, leaseUntil }: { owner: string; ids: readonly number[]; leaseUntil: number },
): Promise<Set<number>> => {
  const [result] = await deps.write.batch([
    {
      sql: `UPDATE ai_jobs SET lease_until = ? WHERE id IN (SELECT value FROM json_each(?)) AND owner = ? AND status = 'running' RETURNING id`,
      args: [leaseUntil, JSON.stringify(ids), owner],
    },
  ])
  return new Set(result?.rows.map(({ id }) => Number(id)))
}

const HAS_RUN_OUT = 'lease_until IS NULL OR lease_until NOT BETWEEN ?2 AND ?3'

/**
 * Takes up what nobody works on any more: jobs whose lease has run out, and at the start of a database that is ours alone
 * every running one. Whoever has ended three servers is given up. A lease later than `latest` is that of a clock that was
 * ahead, and has run out as well. Answers how many it took up.
 */
export const reclaim = async (
  deps: Pick<Deps, 'db' | 'write'>,
  { now, latest, running, isOurs }: { now: number; latest: number; running: readonly number[]; isOurs: boolean },
): Promise<number> => {
  const others = JSON.stringify(running)
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT 1 FROM ai_jobs WHERE status = 'running' AND (?1 OR ${HAS_RUN_OUT})
      AND id NOT IN (SELECT value FROM json_each(?4)) LIMIT 1`,
    args: [isOurs ? 1 : 0, now, latest, others],
  })
  // Nearly always: then nobody's write has to wait for this one.
  if (rows.length === 0) return 0
  const [result] = await deps.write.batch([
    {
      sql: `UPDATE ai_jobs SET crashes = crashes + 1, owner = NULL, lease_until = NULL,
          status = CASE WHEN attempts >= ?5 THEN 'failed' ELSE 'queued' END,
          finished_at = CASE WHEN attempts >= ?5 THEN ?2 END,
          error = CASE WHEN attempts >= ?5 THEN 'The server ended three times while it worked on this.' ELSE error END
        WHERE status = 'running' AND (?1 OR ${HAS_RUN_OUT}) AND id NOT IN (SELECT value FROM json_each(?4))`,
      args: [isOurs ? 1 : 0, now, latest, others, MAX_AI_ATTEMPTS],
    },
  ])
  return result?.rowsAffected ?? 0
}

/** When the next delay of a queued job ends (milliseconds since the epoch); null where none waits. */
export const nextDelayEnd = async (deps: Pick<Deps, 'db'>, now: number): Promise<number | null> => {
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT min(not_before) AS next FROM ai_jobs WHERE status = 'queued' AND not_before > ?`,
    args: [now],
  })
  const next = rows[0]?.next ?? null
  return next === null ? null : Number(next)
}

/** What waits for an endpoint that refused it is due now. */
export const endDelays = async (deps: Pick<Deps, 'write'>): Promise<void> => {
  await deps.write.batch([`UPDATE ai_jobs SET not_before = NULL WHERE status = 'queued' AND not_before IS NOT NULL`])
}

/** What becomes of a job that has no result. `isUncounted`: the start is taken off its attempts again. */
export interface UnfinishedJob {
  id: number
  status: 'queued' | 'failed'
  error: string | null
  notBefore: number | null
  isUncounted: boolean
}

export const unfinishedStatement = (jobs: readonly UnfinishedJob[], { owner, now }: { owner: string; now: number }): InStatement => ({
  sql: `UPDATE ai_jobs SET status = row.value ->> 1, error = row.value ->> 2, not_before = row.value ->> 3,
      attempts = max(0, attempts - (row.value ->> 4)), owner = NULL, lease_until = NULL,
      finished_at = CASE WHEN row.value ->> 1 = 'failed' THEN ?3 END
    FROM json_each(?1) AS row WHERE ai_jobs.id = row.value ->> 0 AND +ai_jobs.owner = ?2 AND +ai_jobs.status = 'running'`,
  args: [
    JSON.stringify(jobs.map(({ id, status, error, notBefore, isUncounted }) => [id, status, error, notBefore, isUncounted ? 1 : 0])),
    owner,
    now,
  ],
})

/** Jobs `j` of the rows that are ours and whose items a scan has moved since they were claimed. */
const MOVED = `json_each(?1) AS row CROSS JOIN ai_jobs j ON j.id = row.value ->> 0 AND +j.owner = ?2 AND +j.status = 'running'
  AND row.value ->> 1 <> (SELECT m.item_key FROM media_items m WHERE m.id = j.item_id)`

/** `hasPages`: whether anything may have been read for it, page by page. */
interface MovedJob {
  id: number
  itemKey: string
  hasPages: boolean
}

/** Puts back jobs whose items were moved, and what was read for them: what lay in the old place by then may be another's. */
export const movedStatements = (jobs: readonly MovedJob[], owner: string): InStatement[] => {
  const args = [JSON.stringify(jobs.map(({ id, itemKey }) => [id, itemKey])), owner]
  return [
    ...(jobs.some(({ hasPages }) => hasPages)
      ? [{ sql: `DELETE FROM ai_job_pages WHERE job_id IN (SELECT j.id FROM ${MOVED})`, args }]
      : []),
    {
      sql: `UPDATE ai_jobs SET status = 'queued', attempts = max(0, attempts - 1), owner = NULL, lease_until = NULL
        WHERE id IN (SELECT j.id FROM ${MOVED})`,
      args,
    },
  ]
}

/** What has become of these jobs: last of the statements that end them. Their rows as one text (`statusesOf`). */
export const statusStatement = (ids: readonly number[]): InStatement => ({
  sql: `SELECT json_group_array(json_array(id, status)) AS statuses FROM ai_jobs WHERE id IN (SELECT value FROM json_each(?))`,
  args: [JSON.stringify(ids)],
})

const statuses = z.array(z.tuple([z.number(), z.string()]))

/** From what `statusStatement` answered; without jobs that are gone with their items. */
export const statusesOf = ({ rows }: Answer): [id: number, status: string][] =>
  statuses.parse(JSON.parse(String(rows[0]?.statuses ?? '[]')))

export interface FinishedPage extends DonePage {
  jobId: number
}

/** Pages that are done, while their jobs are ours. */
export const pagesStatement = (pages: readonly FinishedPage[], owner: string): InStatement => ({
  sql: `INSERT INTO ai_job_pages (job_id, page, text, source, confidence, rejected)
    SELECT row.value ->> 0, row.value ->> 1, row.value ->> 2, row.value ->> 3, row.value ->> 4, row.value ->> 5 FROM json_each(?1) AS row
    WHERE EXISTS (SELECT 1 FROM ai_jobs j WHERE j.id = row.value ->> 0 AND j.owner = ?2 AND j.status = 'running')
    ON CONFLICT (job_id, page) DO UPDATE SET text = excluded.text, source = excluded.source, confidence = excluded.confidence,
      rejected = excluded.rejected`,
  args: [JSON.stringify(pages.map((page) => [page.jobId, page.page, page.text, page.source, page.confidence, page.rejected])), owner],
})

/** Kept for as long as anybody asks what became of a job, and for undoing runs. */
const KEPT_MS = 90 * 24 * 3600 * 1000
/** A transaction. */
const FORGET_BATCH = 500

/** The jobs that ended before a time, `NOT IN` since the index of what is next would otherwise have every ended job read. */
export const forgetStatement = (endedBefore: number): InStatement => ({
  sql: `DELETE FROM ai_jobs WHERE id IN (SELECT id FROM ai_jobs WHERE finished_at < ? AND status NOT IN ('queued', 'running') LIMIT ?)`,
  args: [endedBefore, FORGET_BATCH],
})

/** Forgets jobs that ended long ago, a few a transaction. Answers how many. */
export const forgetOldJobs = async (deps: Pick<Deps, 'write'>, now: number): Promise<number> => {
  let forgotten = 0
  for (let some = FORGET_BATCH; some === FORGET_BATCH; forgotten += some) {
    const [result] = await deps.write.batch([forgetStatement(now - KEPT_MS)], 'background')
    some = result?.rowsAffected ?? 0
  }
  return forgotten
}
