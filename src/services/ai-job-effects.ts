/**
 * What finished jobs change, in the same transaction as their end: a job whose owner died, lost its lease or was
 * cancelled changes nothing, whatever its thread answers later. Each statement takes any number of jobs, because at
 * thousands of jobs a second it is the number of statements that costs.
 *
 * `ai_jobs.effect` keeps what was there before, for undoing: `{"before": …, "stale": …, "edited": …}`, and of tags, by their
 * ids in order, what is there since: `{"before": […], "after": […], "taggedAt": …}`.
 */

import type { InStatement } from '@libsql/client'
import type { AiJobResult } from '../domain/ai-job.ts'
import { nameKey } from '../domain/name-key.ts'

export interface FinishedJob {
  id: number
  result: AiJobResult
}

type ResultOf<Activity extends AiJobResult['activity']> = Extract<AiJobResult, { activity: Activity }>
type Row = [job: number, ...values: unknown[]]

/**
 * `?1`: the rows, `?2`: the owner. A row whose job is not ours any more drops out here. `CROSS JOIN` and `+`: from each row to
 * its job, and not from each running job to its row. `LIMIT`: what is joined to it is looked up from it; SQLite would go
 * through all items otherwise, and look for the job of each.
 */
const OWN = `SELECT j.id AS job, j.item_id AS item, j.text_version AS version, row.value AS value
  FROM json_each(?1) AS row CROSS JOIN ai_jobs j ON j.id = row.value ->> 0 AND +j.owner = ?2 AND +j.status = 'running' LIMIT -1`

/** `?1`: ids alone, where no more is wanted of the rows: it costs more to take them out of rows than to look the jobs up. */
const IS_OWN = `id IN (SELECT value FROM json_each(?1)) AND +owner = ?2 AND +status = 'running'`

interface Write {
  rows: readonly Row[]
  owner: string
  now: number
}

const statement = (sql: string, { rows, owner }: Write, more: (string | number)[] = []): InStatement => ({
  sql,
  args: [JSON.stringify(rows), owner, ...more],
})

const idsStatement = (sql: string, { rows, owner }: Write, more: (string | number)[] = []): InStatement => ({
  sql,
  args: [JSON.stringify(rows.map(([job]) => job)), owner, ...more],
})

const keepBefore = (column: string, write: Write): InStatement =>
  idsStatement(
    `UPDATE ai_jobs SET effect = (SELECT json_object('before', ${column}, 'stale', translation_stale, 'edited', text_edited)
      FROM media_items WHERE id = ai_jobs.item_id) WHERE ${IS_OWN}`,
    write,
  )

/** Last of its jobs' statements: from here on they are nobody's. */
const finish = (write: Write): InStatement =>
  idsStatement(
    `UPDATE ai_jobs SET status = 'done', finished_at = ?3, error = NULL, owner = NULL, lease_until = NULL WHERE ${IS_OWN}`,
    write,
    [write.now],
  )

const describeItems = (results: readonly [number, ResultOf<'description'>][], base: Omit<Write, 'rows'>): InStatement[] => {
  const write = { ...base, rows: results.map(([id, { text }]): Row => [id, text]) }
  return [
    keepBefore('description', write),
    statement(`UPDATE media_items SET description = own.value ->> 1 FROM (${OWN}) AS own WHERE media_items.id = own.item`, write),
    finish(write),
  ]
}

/** A translation of a text that has changed meanwhile is better than none, and says that it is stale. */
const translateItems = (results: readonly [number, ResultOf<'translation'>][], base: Omit<Write, 'rows'>): InStatement[] => {
  const write = { ...base, rows: results.map(([id, { text, source }]): Row => [id, text, source]) }
  return [
    keepBefore('translation', write),
    statement(
      `UPDATE media_items SET translation = own.value ->> 1, translation_stale = extracted_text IS NOT own.value ->> 2
        FROM (${OWN}) AS own WHERE media_items.id = own.item`,
      write,
    ),
    finish(write),
  ]
}

/** What such a job says when it is put away. */
export const WAS_EDITED = 'The text was edited meanwhile, and was kept as it is.'

const IS_UNEDITED = 'text_version = (SELECT m.text_version FROM media_items m WHERE m.id = ai_jobs.item_id)'

/** A text that a person has edited since the job was asked for is theirs. */
const extractItems = (results: readonly [number, ResultOf<'extraction'>][], base: Omit<Write, 'rows'>): InStatement[] => {
  const write = { ...base, rows: results.map(([id, { text }]): Row => [id, text]) }
  return [
    keepBefore('extracted_text', write),
    statement(
      `UPDATE media_items SET extracted_text = own.value ->> 1, text_edited = false,
          translation_stale = CASE WHEN extracted_text IS own.value ->> 1 THEN translation_stale ELSE translation IS NOT NULL END
        FROM (${OWN}) AS own WHERE media_items.id = own.item AND media_items.text_version = own.version`,
      write,
    ),
    // Where there is a new text, the pages of earlier extractions belong to one that is gone.
    statement(
      `DELETE FROM ai_job_pages WHERE job_id IN (SELECT older.id FROM (${OWN}) AS own
          JOIN media_items m ON m.id = own.item AND m.text_version = own.version
          JOIN ai_jobs older ON older.item_id = own.item AND older.activity = 'extraction' AND older.id <> own.job)`,
      write,
    ),
    statement(
      `INSERT INTO ai_jobs (item_id, activity, status, priority, created_at, run_id, text_version)
        SELECT j.item_id, 'translation', 'queued', j.priority, ?3, j.run_id, j.text_version FROM (${OWN}) AS own JOIN ai_jobs j ON j.id = own.job
        WHERE j.payload ->> 'thenTranslate' AND own.value ->> 1 <> '' ON CONFLICT DO NOTHING`,
      write,
      [base.now],
    ),
    idsStatement(
      `UPDATE ai_jobs SET status = CASE WHEN ${IS_UNEDITED} THEN 'done' ELSE 'cancelled' END, finished_at = ?3, owner = NULL, lease_until = NULL,
          error = CASE WHEN ${IS_UNEDITED} THEN NULL ELSE '${WAS_EDITED}' END
        WHERE ${IS_OWN}`,
      write,
      [base.now],
    ),
  ]
}

/** What a result chose, as far as it exists now: by id, or by the name that a merge left as a mapping. */
const CHOSEN_TAG = `coalesce((SELECT id FROM tags WHERE id = tag.value),
  (SELECT tag_id FROM tag_mappings WHERE source_key = row.value ->> ('$[2][' || tag.key || ']')))`

const TAGS_BEFORE = `(SELECT json_group_array(tag_id) FROM
  (SELECT tag_id FROM item_tags WHERE item_id = ai_jobs.item_id AND source = 'ai' ORDER BY tag_id))`

/** Without what a person took off the item, and what it carries already, but from the AI. */
const CHECKED_TAGS = `(SELECT json_group_array(chosen) FROM (SELECT DISTINCT ${CHOSEN_TAG} AS chosen FROM json_each(row.value, '$[1]') AS tag
  WHERE chosen IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tag_refusals r WHERE r.item_id = ai_jobs.item_id AND r.tag_id = chosen)
    AND NOT EXISTS (SELECT 1 FROM item_tags o WHERE o.item_id = ai_jobs.item_id AND o.tag_id = chosen AND o.source <> 'ai') ORDER BY chosen))`

/**
 * `?4`: all tags that these results chose. Nearly always they are all there still, and nobody has put a tag on the item or taken one
 * off: then they are what was chosen, and each need not be looked at.
 */
const TAGS_AFTER = `CASE WHEN (SELECT count(*) FROM tags WHERE id IN (SELECT value FROM json_each(?4))) = json_array_length(?4)
    AND NOT EXISTS (SELECT 1 FROM tag_refusals r WHERE r.item_id = ai_jobs.item_id)
    AND NOT EXISTS (SELECT 1 FROM item_tags o WHERE o.item_id = ai_jobs.item_id AND o.source <> 'ai')
  THEN row.value ->> 1 ELSE ${CHECKED_TAGS} END`

/** `?1`: ids, `?2`: when they ended. What is no more as it was before, of those that have ended with the tags of `effect`. */
const RETAGGED = `json_each(?1) AS row CROSS JOIN ai_jobs j ON j.id = row.value AND +j.finished_at = ?2 AND +j.status = 'done'
  AND j.effect ->> 'before' <> j.effect ->> 'after'`

/** Replaces only what the AI assigned itself. Most of what is tagged again gets the tags that it has: then no row of them is touched. */
const tagItems = (results: readonly [number, ResultOf<'tagging'>][], { owner, now }: Omit<Write, 'rows'>): InStatement[] => {
  const rows = results.map(([id, { tags, suggestions }]): Row => {
    const inOrder = tags.toSorted((a, b) => a.id - b.id)
    return [id, inOrder.map((tag) => tag.id), inOrder.map((tag) => nameKey(tag.name)), suggestions]
  })
  const chosen = new Set(results.flatMap(([, { tags }]) => tags.map((tag) => tag.id)))
  const ofEnded = (sql: string): InStatement => ({ sql, args: [JSON.stringify(results.map(([id]) => id)), now] })
  return [
    statement(
      `UPDATE ai_jobs SET status = 'done', finished_at = ?3, error = NULL, owner = NULL, lease_until = NULL, suggestions = row.value ->> 3,
          effect = '{"before":' || ${TAGS_BEFORE} || ',"after":' || ${TAGS_AFTER}
            || ',"taggedAt":' || coalesce((SELECT ai_tagged_at FROM media_items WHERE id = ai_jobs.item_id), 'null') || '}'
        FROM json_each(?1) AS row WHERE ai_jobs.id = row.value ->> 0 AND +ai_jobs.owner = ?2 AND +ai_jobs.status = 'running'`,
      { rows, owner, now },
      [now, JSON.stringify([...chosen])],
    ),
    ofEnded(
      `DELETE FROM item_tags WHERE (tag_id, item_id) IN (SELECT before.value, j.item_id FROM ${RETAGGED} CROSS JOIN json_each(j.effect, '$.before') AS before
        WHERE before.value NOT IN (SELECT value FROM json_each(j.effect, '$.after')))`,
    ),
    ofEnded(
      `INSERT INTO item_tags (tag_id, item_id, source, created_at) SELECT after.value, j.item_id, 'ai', ?2
        FROM ${RETAGGED} CROSS JOIN json_each(j.effect, '$.after') AS after WHERE true ON CONFLICT DO NOTHING`,
    ),
    ofEnded(
      `UPDATE media_items SET ai_tagged_at = ?2
        WHERE id IN (SELECT item_id FROM ai_jobs WHERE id IN (SELECT value FROM json_each(?1)) AND +finished_at = ?2 AND +status = 'done')`,
    ),
  ]
}

const only = <Activity extends AiJobResult['activity']>(jobs: readonly FinishedJob[], activity: Activity): [number, ResultOf<Activity>][] =>
  jobs.flatMap(({ id, result }): [number, ResultOf<Activity>][] => (isOf(result, activity) ? [[id, result]] : []))

const isOf = <Activity extends AiJobResult['activity']>(result: AiJobResult, activity: Activity): result is ResultOf<Activity> =>
  result.activity === activity

/** The statements that apply the results of these jobs and end them, for one transaction. */
export const effectStatements = (jobs: readonly FinishedJob[], base: { owner: string; now: number }): InStatement[] => {
  const [tagging, descriptions] = [only(jobs, 'tagging'), only(jobs, 'description')]
  const [extractions, translations] = [only(jobs, 'extraction'), only(jobs, 'translation')]
  return [
    ...(tagging.length > 0 ? tagItems(tagging, base) : []),
    ...(descriptions.length > 0 ? describeItems(descriptions, base) : []),
    ...(extractions.length > 0 ? extractItems(extractions, base) : []),
    ...(translations.length > 0 ? translateItems(translations, base) : []),
  ]
}
