/** Runs of the AI queue, and taking back what one of them did (API.md, 9). */

import type { InStatement } from '@libsql/client'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { AI_ACTIVITIES, type AiActivity } from '../domain/ai-activity.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { Viewer } from '../domain/permissions.ts'
import { slicesOf } from '../domain/slices.ts'
import { AppError } from '../errors.ts'
import type { JobCounts } from './ai-job-list.ts'
import { endedAfter } from './ai-job-order.ts'
import { decodeNumbers, encodeCursor, fingerprint } from './cursor.ts'
import { storedJson } from './stored-json.ts'
import { getVisibleLibrary } from './visible.ts'

interface AiRun {
  id: number
  libraryId: number
  activity: AiActivity
  trigger: 'batch' | 'scan'
  createdAt: string
  undoneAt: string | null
  /** Jobs, by what became of them. */
  counts: JobCounts
}

const count = z.number().default(0)
const runRow = z.object({
  id: z.int(),
  libraryId: z.int(),
  activity: z.enum(AI_ACTIVITIES),
  trigger: z.enum(['batch', 'scan']),
  createdAt: z.number().transform((ms) => new Date(ms).toISOString()),
  undoneAt: z.number().nullable().transform(isoTime),
  counts: storedJson(z.object({ queued: count, running: count, done: count, failed: count, cancelled: count })),
})

/** Newest first. Throws `not_found` for an unknown library. */
export const listAiRuns = async (
  deps: Deps,
  viewer: Viewer,
  { libraryId, limit, cursor }: { libraryId?: number | undefined; limit: number; cursor?: string | undefined },
): Promise<{ runs: AiRun[]; nextCursor: string | null }> => {
  if (libraryId !== undefined) await getVisibleLibrary(deps, viewer, libraryId)
  const print = fingerprint('ai-runs', [libraryId])
  const [before = null] = cursor === undefined ? [] : decodeNumbers(print, cursor, 1)
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT r.id AS id, r.library_id AS libraryId, r.activity AS activity, r."trigger" AS "trigger", r.created_at AS createdAt,
        nullif(r.undone_at, 0) AS undoneAt, (SELECT json_group_object(status, total) FROM
          (SELECT status, count(*) AS total FROM ai_jobs j WHERE j.run_id = r.id GROUP BY status)) AS counts
      FROM ai_runs r WHERE (?1 IS NULL OR r.library_id = ?1) AND (?2 IS NULL OR r.id < ?2) ORDER BY r.id DESC LIMIT ?3`,
    args: [libraryId ?? null, before, limit + 1],
  })
  const runs = rows.slice(0, limit).map((row) => runRow.parse({ ...row }))
  const last = runs.at(-1)
  return { runs, nextCursor: rows.length > limit && last ? encodeCursor(print, [last.id]) : null }
}

/** `?1`: the ids, `?2`: the time. A job is taken back while nothing later has changed the same: no later job, and no person. */
const TAKEN_BACK = `SELECT j.id AS job, j.item_id AS item, j.finished_at AS finished, j.effect AS effect FROM ai_jobs j JOIN media_items m ON m.id = j.item_id
  WHERE j.id IN (SELECT value FROM json_each(?1)) AND j.status = 'done' AND j.undone_at IS NULL AND j.effect IS NOT NULL
    AND (j.activity <> 'extraction' OR m.text_version = j.text_version)
    AND NOT EXISTS (SELECT 1 FROM ai_jobs later WHERE later.item_id = j.item_id AND later.activity = j.activity
      AND ${endedAfter('later', 'j')} AND later.status = 'done' AND later.undone_at IS NULL)`

const restore: Readonly<Record<AiActivity, readonly string[]>> = {
  tagging: [
    `DELETE FROM item_tags WHERE source = 'ai' AND (item_id, tag_id) IN
      (SELECT back.item, tag.value FROM (${TAKEN_BACK}) AS back, json_each(back.effect, '$.after') AS tag)`,
    // Merged into others since, by which the time of an assignment stays.
    `DELETE FROM item_tags WHERE (item_id, tag_id) IN (SELECT own.item_id, own.tag_id FROM (${TAKEN_BACK}) AS back
      CROSS JOIN item_tags own ON own.item_id = back.item AND own.source = 'ai' AND own.created_at = back.finished)`,
    `INSERT INTO item_tags (tag_id, item_id, source, created_at) SELECT own.id, back.item, 'ai', ?2
      FROM (${TAKEN_BACK}) AS back CROSS JOIN json_each(back.effect, '$.before') AS tag
        CROSS JOIN tags own ON own.id = coalesce((SELECT into_tag_id FROM merged_tags WHERE tag_id = tag.value), tag.value)
      WHERE NOT EXISTS (SELECT 1 FROM tag_refusals r WHERE r.item_id = back.item AND r.tag_id = own.id) ON CONFLICT DO NOTHING`,
    // A batch of everything has cleared it before: then the jobs before tell, which are all others.
    `UPDATE media_items SET ai_tagged_at = coalesce(back.effect ->> 'taggedAt', (SELECT max(older.finished_at) FROM ai_jobs older
        WHERE older.item_id = back.item AND older.activity = 'tagging' AND older.id <> back.job AND older.status = 'done' AND older.undone_at IS NULL))
      FROM (${TAKEN_BACK}) AS back WHERE media_items.id = back.item`,
  ],
  description: [
    `UPDATE media_items SET description = back.effect ->> 'before' FROM (${TAKEN_BACK}) AS back WHERE media_items.id = back.item`,
  ],
  extraction: [
    // Of another text is what was translated since; what was there before is of the text that comes back, as far as it was then. Where
    // a translation was taken back since, the one before it is there.
    `UPDATE media_items SET extracted_text = back.effect ->> 'before', text_edited = coalesce(back.effect ->> 'edited', text_edited),
        translation_stale = CASE WHEN extracted_text IS back.effect ->> 'before' THEN translation_stale ELSE translation IS NOT NULL
          AND (coalesce(back.effect ->> 'stale', 1) OR EXISTS (SELECT 1 FROM ai_jobs other WHERE other.item_id = back.item
            AND other.activity = 'translation' AND other.status = 'done'
            AND iif((coalesce(other.finished_at, 0), other.id) > (coalesce(back.finished, 0), back.job), other.undone_at IS NULL,
              other.undone_at >= coalesce(back.finished, 0) AND coalesce(other.effect ->> 'stale', 1)))) END
      FROM (${TAKEN_BACK}) AS back WHERE media_items.id = back.item`,
    `DELETE FROM ai_job_pages WHERE job_id IN (SELECT job FROM (${TAKEN_BACK}))`,
  ],
  translation: [
    // The text may have changed before the run, or since: then the translation that comes back is not of this text.
    `UPDATE media_items SET translation = back.effect ->> 'before',
        translation_stale = back.effect ->> 'before' IS NOT NULL AND (translation_stale OR coalesce(back.effect ->> 'stale', 0))
      FROM (${TAKEN_BACK}) AS back WHERE media_items.id = back.item`,
  ],
}

/** A statement is given only the values that it names. */
export const undoStatements = (activity: AiActivity, ids: readonly number[], now: number): InStatement[] => {
  const args = [JSON.stringify(ids), now]
  return [
    ...restore[activity].map((sql) => ({ sql, args: sql.includes('?2') ? args : args.slice(0, 1) })),
    { sql: `UPDATE ai_jobs SET undone_at = ?2 WHERE id IN (SELECT job FROM (${TAKEN_BACK}))`, args },
  ]
}

const SLICE = 500

/** A translation that a run has led to goes before the text that it is of. */
const IN_TURN: readonly AiActivity[] = ['translation', ...AI_ACTIVITIES.filter((activity) => activity !== 'translation')]

/**
 * Takes back what a run has done so far, and cancels what it has not: items get the texts and the AI's tags that they had
 * before. What a later job or a person has changed since stays as it is (`kept`). Doing it again changes nothing.
 */
export const undoAiRun = async (deps: Deps, runId: number): Promise<{ undone: number; kept: number; cancelled: number }> => {
  const { rows } = await deps.db.$client.execute({ sql: 'SELECT library_id AS libraryId FROM ai_runs WHERE id = ?', args: [runId] })
  const [row] = rows
  if (!row) throw new AppError('not_found')
  const now = Date.now()
  const [, stopped] = await deps.write.batch([
    { sql: 'UPDATE ai_runs SET undone_at = coalesce(undone_at, 0) WHERE id = ?', args: [runId] },
    {
      sql: `UPDATE ai_jobs SET status = 'cancelled', finished_at = ?, owner = NULL, lease_until = NULL WHERE run_id = ? AND status IN ('queued', 'running')`,
      args: [now, runId],
    },
  ])
  deps.aiQueue.cancelled()
  let done = 0
  let undone = 0
  for (const activity of IN_TURN) {
    const jobs = await deps.db.$client.execute({
      sql: `SELECT id FROM ai_jobs WHERE run_id = ? AND activity = ? AND status = 'done' AND undone_at IS NULL ORDER BY id`,
      args: [runId, activity],
    })
    const ids = jobs.rows.map(({ id }) => Number(id))
    done += ids.length
    for (const slice of slicesOf(ids, SLICE)) {
      const results = await deps.write.batch(undoStatements(activity, slice, now))
      undone += results.at(-1)?.rowsAffected ?? 0
    }
  }
  await deps.write.batch([{ sql: 'UPDATE ai_runs SET undone_at = ? WHERE id = ?', args: [now, runId] }])
  // Items may have moved to other libraries since.
  const placed = await deps.db.$client.execute({
    sql: 'SELECT DISTINCT m.library_id AS id FROM ai_jobs j JOIN media_items m ON m.id = j.item_id WHERE j.run_id = ?',
    args: [runId],
  })
  for (const id of new Set([Number(row.libraryId), ...placed.rows.map((row) => Number(row.id))]))
    deps.events.emit({ type: 'library', libraryId: id })
  return { undone, kept: done - undone, cancelled: stopped?.rowsAffected ?? 0 }
}
