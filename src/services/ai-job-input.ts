/** Everything that a claimed job is done by, as plain data for its thread. */

import { join } from 'node:path'
import type { AiTask, DonePage } from '../ai/ai-task.ts'
import type { VocabularyTag } from '../ai/vocabulary.ts'
import type { Deps } from '../deps.ts'
import { maxTextCharacters } from '../domain/ai-job.ts'
import { aiPictures } from '../domain/ai-picture.ts'
import { hasNoCover, toPromptItem, withCover } from './ai-job-item.ts'
import type { ClaimedItem, ClaimedJob } from './ai-job-queue.ts'
import type { AiQueueSettings } from './ai-queue-settings.ts'

export type { AiTask }

/** Nobody else writes them: the jobs are ours. */
const forgetPages = async (deps: Pick<Deps, 'write'>, jobs: readonly ClaimedJob[]): Promise<void> => {
  if (jobs.length === 0) return
  const ids = JSON.stringify(jobs.map(({ id }) => id))
  await deps.write.batch([{ sql: 'DELETE FROM ai_job_pages WHERE job_id IN (SELECT value FROM json_each(?))', args: [ids] }])
}

const readDonePages = async (deps: Pick<Deps, 'db' | 'write'>, jobs: readonly ClaimedJob[]): Promise<Map<number, DonePage[]>> => {
  // Attempts do not tell who has none: a start that a restart or an absent endpoint cut off is not counted.
  const extractions = jobs.filter(({ activity }) => activity === 'extraction')
  const found = new Map<number, DonePage[]>()
  if (extractions.length === 0) return found
  await forgetPages(
    deps,
    extractions.filter(({ hasItemChanged }) => hasItemChanged),
  )
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT job_id AS jobId, page, text, source, confidence, rejected FROM ai_job_pages WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY page`,
    args: [JSON.stringify(extractions.map(({ id }) => id))],
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

/** In the order of the jobs. */
export const buildAiTasks = async (
  deps: Pick<Deps, 'config' | 'db' | 'write'>,
  claims: readonly ClaimedItem[],
  { settings, readVocabulary }: { settings: AiQueueSettings; readVocabulary: () => Promise<VocabularyTag[]> },
): Promise<AiTask[]> => {
  const jobs = claims.map(({ job }) => job)
  const vocabulary = jobs.some(({ activity }) => activity === 'tagging') ? await readVocabulary() : []
  const donePages = await readDonePages(deps, jobs)
  const { ffmpegPath, ocrDataDir, dataDir } = deps.config
  const temporaryFolder = join(dataDir, 'tmp')
  const tasks: AiTask[] = []
  for (const { job, item } of claims) {
    const row = hasNoCover(item) ? await withCover(deps, item) : item
    tasks.push({
      activity: job.activity,
      settings: settings.ofLibrary(row.libraryId),
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
    })
  }
  return tasks
}
