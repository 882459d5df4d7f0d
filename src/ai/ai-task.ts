/** Everything that a job of the AI queue is done by, as plain data: whoever does it knows no database. */

import type { AiActivity } from '../domain/ai-activity.ts'
import type { AiJobPayload } from '../domain/ai-job.ts'
import type { AiPictureSource } from '../domain/ai-picture.ts'
import type { AiSettings } from '../domain/ai-settings.ts'
import type { PromptItem } from './prompts.ts'
import type { ExtractedPage } from './text-extraction.ts'
import type { VocabularyTag } from './vocabulary.ts'

/** A page of an extraction that is done. */
export interface DonePage extends ExtractedPage {
  /** From 0, over all pictures of the item. */
  page: number
}

export interface AiTask {
  activity: AiActivity
  /** Those of the library. */
  settings: AiSettings
  apiKey: string | null
  payload: AiJobPayload
  item: PromptItem
  /** Tagging; empty otherwise. */
  vocabulary: VocabularyTag[]
  /** Absolute and resolved; the pictures lie below it. Null where the item is missing, so that none of them is opened. */
  root: string | null
  pictures: AiPictureSource[]
  /** What an earlier start of the same job has done. */
  donePages: DonePage[]
  /** Of a text, that are kept. */
  maxCharacters: number
  ffmpegPath: string | null
  ocrDataDir: string | null
  /** On the disk of the data, and made where it is missing. */
  temporaryFolder: string
}
