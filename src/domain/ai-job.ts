/** What a job of the AI queue is, and what becomes of it (API.md, 9). */

import type { AiActivity } from './ai-activity.ts'
import type { ItemType } from './item-type.ts'

/** The higher the sooner; of the same priority the older first. Somebody waits for an interactive one. */
export const AI_JOB_PRIORITY = { interactive: 100, scan: 50, batch: 0 } as const

/** How often a job is started before it is given up. */
export const MAX_AI_ATTEMPTS = 3

export const AI_JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type AiJobStatus = (typeof AI_JOB_STATUSES)[number]

/** What one call asks for on top of the settings. */
export interface AiJobPayload {
  /** Joined with "+" (extraction). */
  ocrLanguages?: string
  /** Translation. */
  sourceLanguage?: string
  targetLanguage?: string
  /** An extraction of a new item that a translation is wanted of. */
  thenTranslate?: boolean
}

/** A tag that was chosen: by its id, and by its name should it have been merged into another meanwhile. */
interface ChosenTag {
  id: number
  name: string
}

export type AiJobResult =
  | { activity: 'tagging'; tags: ChosenTag[]; suggestions: string[] }
  | { activity: 'description'; text: string }
  | { activity: 'extraction'; text: string }
  /** `source` is the text that was translated: a newer one leaves the translation stale. */
  | { activity: 'translation'; text: string; source: string }

/** What can go wrong in the thread. `message` is for people, in English. */
export interface AiJobFailure {
  /**
   * `unreachable`: there is no endpoint now, wait for it. `rate_limited`: it wants to be asked less. `temporary`: try
   * again. `final`: it would go wrong again. `root_away`: the folder of the library is not there now, wait for it.
   */
  kind: 'unreachable' | 'rate_limited' | 'temporary' | 'final' | 'root_away'
  message: string
  /** As the endpoint asked for, in milliseconds; null where it did not. */
  retryAfterMs: number | null
  /** The endpoint has said something, if only no. */
  isAnswered: boolean
  /** Of `rate_limited`: the endpoint has an error of its own, which may be the fault of the job. */
  isServerError?: boolean
}

const FIRST_DELAY_MS = 1_000
const DELAY_GROWTH = 4
const MAX_DELAY_MS = 60_000
/** An endpoint that asks for more than an hour is asked again after one: somebody may have paid for more meanwhile. */
const MAX_RETRY_AFTER_MS = 3_600_000

/** How long to wait after the given number of failures in a row: at least as long as the endpoint asks for, which may be no time at all. */
export const retryDelayMs = (failures: number, retryAfterMs: number | null): number => {
  const own = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * DELAY_GROWTH ** (Math.max(1, failures) - 1))
  return Math.max(own, Math.min(MAX_RETRY_AFTER_MS, retryAfterMs ?? 0))
}

/** Whether a batch takes up items of this type; seasons have nothing of their own to tell. */
export const isBatchItem = (type: ItemType): boolean => type !== 'tv_season'

/** Extraction without a model, and with one that may be missing, are the only work that goes on without an endpoint. */
export const needsModel = (activity: AiActivity, ocrMode: 'hybrid' | 'tesseract' | 'llm-only'): boolean =>
  activity !== 'extraction' || ocrMode === 'llm-only'

/** Characters that are kept of a text: SECURITY, 3.7. */
export const maxTextCharacters = (type: ItemType): number => (type === 'manga_volume' ? 4 * 1024 * 1024 : 200 * 1024)
