/** Everything that a claimed job is done by, as plain data for its thread: read for all jobs of a claim at once. */

import { join } from 'node:path'
import { z } from 'zod'
import type { AiTask, DonePage } from '../ai/ai-task.ts'
import type { PromptItem } from '../ai/prompts.ts'
import type { VocabularyTag } from '../ai/vocabulary.ts'
import type { Deps } from '../deps.ts'
import { maxTextCharacters } from '../domain/ai-job.ts'
import { aiPictures } from '../domain/ai-picture.ts'
import type { OcrMode } from '../domain/ai-settings.ts'
import { ITEM_TYPES, MEDIA_KINDS } from '../domain/item-type.ts'
import type { ClaimedJob } from './ai-job-queue.ts'
import type { AiQueueSettings } from './ai-queue-settings.ts'
import { artworkSchema } from './artwork-schema.ts'
import { findFallback } from './browse-entries.ts'
import { storedJson } from './stored-json.ts'

export interface PreparedJob {
  task: AiTask
  itemKey: string
  libraryId: number
  ocrMode: OcrMode
}

const itemRow = z.object({
  id: z.number(),
  itemKey: z.string(),
  libraryId: z.number(),
  root: z.string().nullable(),
  itemType: z.enum(ITEM_TYPES),
  path: z.string(),
  title: z.string(),
  parentTitle: z.string().nullable(),
  mediaKind: z.enum(MEDIA_KINDS).nullable(),
  year: z.number().nullable(),
  genres: storedJson(z.array(z.string())).nullable(),
  plot: z.string().nullable(),
  description: z.string().nullable(),
  extractedText: z.string().nullable(),
  artwork: storedJson(artworkSchema).nullable(),
  thumbnailKind: z.enum(['image', 'video', 'pages']).nullable(),
  thumbnailPath: z.string().nullable(),
  tags: storedJson(z.array(z.string())).nullable(),
})

/** A series stands above its season, which says little: its title goes before. */
const PARENT = `(SELECT CASE WHEN above.title IS NULL THEN parent.title ELSE above.title || ', ' || parent.title END
  FROM media_items parent LEFT JOIN media_items above ON above.id = parent.parent_id WHERE parent.id = m.parent_id)`

const TAGS = `(SELECT json_group_array(t.name) FROM item_tags a JOIN tags t ON t.id = a.tag_id WHERE a.item_id = m.id AND a.source <> 'ai')`

/** One text for all of them: it is rows and columns that cost. */
const ITEMS = `SELECT json_group_array(json_object('id', m.id, 'itemKey', m.item_key, 'libraryId', m.library_id, 'root', iif(m.missing_since IS NULL, coalesce(l.real_path, l.path), NULL),
    'itemType', m.item_type, 'path', m.path, 'title', m.title, 'parentTitle', ${PARENT}, 'mediaKind', m.media_kind, 'year', m.year, 'genres', m.genres,
    'plot', m.plot, 'description', m.description, 'extractedText', m.extracted_text, 'artwork', m.artwork, 'thumbnailKind', m.thumbnail_kind,
    'thumbnailPath', m.thumbnail_path, 'tags', ${TAGS} || '')) AS items
  FROM media_items m JOIN libraries l ON l.id = m.library_id WHERE m.id IN (SELECT value FROM json_each(?))`

const itemRows = z.array(itemRow)
type ItemRow = z.infer<typeof itemRow>

const hasNoCover = (row: ItemRow): boolean => row.itemType === 'game_series' && aiPictures(row, 'description').length === 0

/** A series of games without a cover of its own shows that of its first game. */
const withCover = async (deps: Pick<Deps, 'db'>, row: ItemRow): Promise<ItemRow> => {
  const first = await findFallback(deps.db, row.id)
  return first ? { ...row, artwork: [...first.artwork] } : row
}

/** By id; an item that is gone is left out. */
export const readItems = async (deps: Pick<Deps, 'db'>, ids: readonly number[]): Promise<Map<number, ItemRow>> => {
  const { rows } = await deps.db.$client.execute({ sql: ITEMS, args: [JSON.stringify(ids)] })
  const items = new Map<number, ItemRow>()
  for (const row of itemRows.parse(JSON.parse(String(rows[0]?.items))))
    items.set(row.id, hasNoCover(row) ? await withCover(deps, row) : row)
  return items
}

const readDonePages = async (deps: Pick<Deps, 'db'>, jobs: readonly ClaimedJob[]): Promise<Map<number, DonePage[]>> => {
  // The first start has none.
  const again = jobs.filter(({ activity, attempts, crashes }) => activity === 'extraction' && (attempts > 1 || crashes > 0))
  const found = new Map<number, DonePage[]>()
  if (again.length === 0) return found
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT job_id AS jobId, page, text, source, confidence, rejected FROM ai_job_pages WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY page`,
    args: [JSON.stringify(again.map(({ id }) => id))],
  })
  for (const row of rows) {
    const source = row.source === 'model' || row.source === 'fallback' ? row.source : 'ocr'
    const page: DonePage = {
      page: Number(row.page),
      text: String(row.text),
      source,
      confidence: row.confidence === null ? null : Number(row.confidence),
      rejected: row.rejected === null ? null : String(row.rejected),
    }
    found.getOrInsertComputed(Number(row.jobId), () => []).push(page)
  }
  return found
}

export const toPromptItem = (row: z.infer<typeof itemRow>): PromptItem => ({
  title: row.title,
  itemType: row.itemType,
  mediaKind: row.mediaKind,
  parentTitle: row.parentTitle,
  year: row.year,
  genres: row.genres ?? [],
  plot: row.plot,
  tags: row.tags ?? [],
  file: row.path,
  description: row.description,
  extractedText: row.extractedText,
})

/** By job; a job whose item is gone is left out. */
export const buildAiRequests = async (
  deps: Pick<Deps, 'config' | 'db'>,
  jobs: readonly ClaimedJob[],
  { settings, readVocabulary }: { settings: AiQueueSettings; readVocabulary: () => Promise<VocabularyTag[]> },
): Promise<Map<number, PreparedJob>> => {
  const items = await readItems(
    deps,
    jobs.map(({ itemId }) => itemId),
  )
  const vocabulary = jobs.some(({ activity }) => activity === 'tagging') ? await readVocabulary() : []
  const donePages = await readDonePages(deps, jobs)
  const { ffmpegPath, ocrDataDir, dataDir } = deps.config
  const temporaryFolder = join(dataDir, 'tmp')
  const prepared = new Map<number, PreparedJob>()
  for (const job of jobs) {
    const row = items.get(job.itemId)
    if (!row) continue
    const own = settings.ofLibrary(row.libraryId)
    prepared.set(job.id, {
      itemKey: row.itemKey,
      libraryId: row.libraryId,
      ocrMode: own.ocrMode,
      task: {
        activity: job.activity,
        settings: own,
        apiKey: settings.apiKey,
        payload: job.payload,
        item: toPromptItem(row),
        vocabulary: job.activity === 'tagging' ? vocabulary : [],
        root: row.root,
        pictures: job.activity === 'translation' ? [] : aiPictures(row, job.activity),
        donePages: donePages.get(job.id) ?? [],
        maxCharacters: maxTextCharacters(row.itemType),
        ffmpegPath,
        ocrDataDir,
        temporaryFolder,
      },
    })
  }
  return prepared
}
