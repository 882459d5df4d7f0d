/** The AI texts of an item, and what is under way for them: what clients poll (API.md, 9). */

import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { DESCRIBED } from '../ai/transcript.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { AI_ACTIVITIES } from '../domain/ai-activity.ts'
import { AI_JOB_STATUSES, maxTextCharacters } from '../domain/ai-job.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { problemOf, storedNames } from './ai-job-list.ts'
import { endedAfter, lastEndedFirst } from './ai-job-order.ts'
import { getKnownItem, getVisibleItem } from './visible.ts'

const jobRow = z.object({ id: z.int(), activity: z.enum(AI_ACTIVITIES), status: z.enum(AI_JOB_STATUSES), error: z.string().nullable() })

const placedJobRow = jobRow.extend({ libraryId: z.int() })

type FieldsJob = z.infer<typeof jobRow>

const taggingRow = z.object({ jobId: z.int(), added: z.int(), suggestions: storedNames })

/** What came of a tagging: how many tags that were not the AI's before, and which names that are no tags. */
type LastTagging = z.infer<typeof taggingRow>

interface AiFields {
  itemKey: string
  description: string | null
  extractedText: string | null
  /** By a person, and not replaced since: whoever has it extracted again must be allowed to edit it. */
  isTextEdited: boolean
  /** Pages, or other pictures, of which the last extraction could read nothing; 0 once a person has edited the text. */
  unreadPages: number
  translation: string | null
  /** The extracted text has changed since it was translated. */
  translationStale: boolean
  aiTaggedAt: string | null
  /** Null where the item has not been tagged by the AI, and once that was taken back or is too long ago. */
  lastTagging: LastTagging | null
  /** Unfinished jobs, and the last failed one of each activity unless a later one succeeded. */
  jobs: FieldsJob[]
  /** Of each activity the newest job, where that was cancelled. */
  cancelledJobIds: number[]
}

const listJobs = async (deps: Deps, itemKey: string): Promise<FieldsJob[]> => {
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT j.id, j.activity, j.status, j.error, m.library_id AS libraryId FROM media_items m JOIN ai_jobs j ON j.item_id = m.id
        WHERE m.item_key = ? AND (j.status IN ('queued', 'running') OR (j.status = 'failed'
        AND NOT EXISTS (SELECT 1 FROM ai_jobs later WHERE later.item_id = j.item_id AND later.activity = j.activity
          AND ${endedAfter('later', 'j')} AND later.status IN ('done', 'failed'))) OR (j.status = 'cancelled'
        AND j.id = (SELECT max(id) FROM ai_jobs newest WHERE newest.item_id = j.item_id AND newest.activity = j.activity))) ORDER BY j.id`,
    args: [itemKey],
  })
  return rows.map((row) => {
    const { libraryId, ...job } = placedJobRow.parse({ ...row })
    return { ...job, error: problemOf(deps, { ...job, libraryId }) }
  })
}

const findLastTagging = async ({ db }: Deps, itemKey: string): Promise<LastTagging | null> => {
  const { rows } = await db.$client.execute({
    sql: `SELECT j.id AS jobId, j.suggestions AS suggestions, (SELECT count(*) FROM json_each(j.effect, '$.after')
          WHERE value NOT IN (SELECT value FROM json_each(j.effect, '$.before'))) AS added
        FROM media_items m JOIN ai_jobs j ON j.item_id = m.id
        WHERE m.item_key = ? AND j.activity = 'tagging' AND j.status = 'done' AND j.undone_at IS NULL
        ORDER BY ${lastEndedFirst('j')} LIMIT 1`,
    args: [itemKey],
  })
  return rows[0] ? taggingRow.parse({ ...rows[0] }) : null
}

const LAST_EXTRACTION = `SELECT j.id FROM ai_jobs j WHERE j.item_id = ? AND j.activity = 'extraction' AND j.status = 'done'
  ORDER BY ${lastEndedFirst('j')} LIMIT 1`

/** Where a model has described a page, there was nothing to read in it. */
const countUnreadPages = async ({ db }: Deps, itemId: number): Promise<number> => {
  const { rows } = await db.$client.execute({
    sql: `SELECT count(*) FROM ai_job_pages WHERE job_id = (${LAST_EXTRACTION}) AND source = 'fallback' AND text = '' AND rejected <> ?`,
    args: [itemId, DESCRIBED],
  })
  return Number(rows[0]?.[0])
}

/** Throws `not_found` where there is no such item, or not for this person. */
export const getAiFields = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<AiFields> => {
  // In this order: a job that ends between the two is then said to run on with its text there already, and is asked about
  // again. The other way round it would have ended without a text, and nobody would ask again.
  const listed = await listJobs(deps, itemKey)
  const item = await getKnownItem(deps, viewer, itemKey)
  return {
    itemKey,
    description: item.description,
    extractedText: item.extractedText,
    isTextEdited: item.textEdited,
    unreadPages: item.textEdited ? 0 : await countUnreadPages(deps, item.id),
    translation: item.translation,
    translationStale: item.translationStale,
    aiTaggedAt: isoTime(item.aiTaggedAt),
    lastTagging: await findLastTagging(deps, itemKey),
    jobs: listed.filter(({ status }) => status !== 'cancelled'),
    cancelledJobIds: listed.filter(({ status }) => status === 'cancelled').map(({ id }) => id),
  }
}

/** Keeps a person's text (blanks alone are none): from now on no job that was asked for before touches it, and its translation is stale. */
export const saveExtractedText = async (
  deps: Deps,
  viewer: Viewer,
  { itemKey, extractedText: given }: { itemKey: string; extractedText: string },
): Promise<AiFields> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  const extractedText = given.trim() === '' ? '' : given
  if (extractedText.length > maxTextCharacters(item.itemType)) throw new AppError('too_large', 'The text is too long.')
  await deps.write.transaction(async (tx) => {
    const [present] = await tx.select().from(mediaItems).where(eq(mediaItems.id, item.id))
    if (!present || present.extractedText === extractedText) return
    await tx
      .update(mediaItems)
      .set({
        extractedText,
        textEdited: extractedText !== '',
        textVersion: present.textVersion + 1,
        translationStale: present.translation !== null,
      })
      .where(eq(mediaItems.id, item.id))
  })
  return getAiFields(deps, viewer, item.itemKey)
}

interface TextPage {
  /** From 0. */
  page: number
  text: string
}

/** The text of each page of the last extraction, for volumes and other items of several pictures; not what was edited since. */
export const listTextPages = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<{ pages: TextPage[] }> => {
  const item = await getKnownItem(deps, viewer, itemKey)
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT page, text FROM ai_job_pages WHERE job_id = (${LAST_EXTRACTION}) ORDER BY page`,
    args: [item.id],
  })
  return { pages: rows.map((row) => ({ page: Number(row.page), text: String(row.text) })) }
}
