/** Asking for AI work on one item: what a person presses a button for (API.md, 9). */

import { and, eq, inArray } from 'drizzle-orm'
import { aiJobPages, aiJobs } from '../db/schema/ai-jobs.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import type { AiActivity } from '../domain/ai-activity.ts'
import { AI_JOB_PRIORITY, type AiJobPayload, type AiJobStatus, needsModel } from '../domain/ai-job.ts'
import { aiPictures } from '../domain/ai-picture.ts'
import { type AiSettings, modelObstacle } from '../domain/ai-settings.ts'
import { can, type Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { readAiItem } from './ai-job-item.ts'
import { parsePayload } from './ai-job-queue.ts'
import { getEffectiveAiSettings } from './ai-settings.ts'
import { assertOcrLanguages } from './ocr-languages.ts'
import { getVisibleItem, type MediaItemRow } from './visible.ts'

interface AiRequest {
  itemKey: string
  ocrLanguages?: string | undefined
  sourceLanguage?: string | undefined
  targetLanguage?: string | undefined
}

interface RequestedJob {
  jobId: number
  status: 'queued' | 'running'
}

/** Whether a model can be asked at all: it is switched on, and there is an endpoint and a model for this. */
export const isModelReady = (settings: AiSettings, activity: AiActivity): boolean => modelObstacle(settings, activity) === undefined

const assertModel = (settings: AiSettings, activity: AiActivity): void => {
  if (!needsModel(activity, settings.ocrMode)) return
  if (!settings.enabled) throw new AppError('ai_disabled')
  if (!isModelReady(settings, activity)) throw new AppError('ai_disabled', 'There is no endpoint or no model for this yet.')
}

/** Of a film a description is made from its title and plot, without its file; of a picture or a video from what is to be seen. */
const needsFile = (item: MediaItemRow, activity: AiActivity): boolean =>
  activity === 'extraction' || (activity === 'description' && item.itemType === 'mixed_file')

/** Throws `no_image`, `nothing_to_translate` or `unknown_ocr_language`. */
const assertPossible = async (deps: Deps, item: MediaItemRow, { activity, request, settings }: Wanted): Promise<void> => {
  if (item.missingSince !== null && needsFile(item, activity)) throw new AppError('no_image', 'Its file is missing from the disk.')
  if (activity === 'translation' && (item.extractedText ?? '').trim() === '') throw new AppError('nothing_to_translate')
  if (activity !== 'extraction') return
  const pictured = await readAiItem(deps, item.id)
  if (!pictured || aiPictures(pictured, activity).length === 0) throw new AppError('no_image')
  if (settings.ocrMode !== 'llm-only') await assertOcrLanguages(deps, filled(request.ocrLanguages) ?? settings.ocrLanguages)
}

interface Wanted {
  activity: AiActivity
  request: AiRequest
  settings: AiSettings
}

const filled = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined)

const payloadOf = (activity: AiActivity, request: Omit<AiRequest, 'itemKey'>): AiJobPayload => {
  const [ocrLanguages, sourceLanguage, targetLanguage] = [request.ocrLanguages, request.sourceLanguage, request.targetLanguage].map(filled)
  if (activity === 'extraction') return ocrLanguages === undefined ? {} : { ocrLanguages }
  if (activity !== 'translation') return {}
  return { ...(sourceLanguage === undefined ? {} : { sourceLanguage }), ...(targetLanguage === undefined ? {} : { targetLanguage }) }
}

interface AskedJob {
  priority: number
  payload: string
  textVersion: number
}

interface OpenJob extends Pick<AskedJob, 'payload' | 'textVersion'> {
  id: number
  status: AiJobStatus
}

const IS_OPEN = inArray(aiJobs.status, ['queued', 'running'])
const OPEN_JOB = { id: aiJobs.id, status: aiJobs.status, payload: aiJobs.payload, textVersion: aiJobs.textVersion }

/** Whoever works on it finds that it is not theirs any more (ai-job-queue.ts). */
const BEGIN_ANEW = { attempts: 0, owner: null, leaseUntil: null, startedAt: null, error: null } as const

/**
 * What is asked for now, of a job that is unfinished. One that runs begins anew where it does something else: in other
 * languages, or on a text that has been edited since.
 */
const askAgain = async (
  tx: Transaction,
  open: OpenJob,
  { activity, asked }: { activity: AiActivity; asked: AskedJob },
): Promise<OpenJob> => {
  const known = parsePayload(open.payload)
  const isOther = JSON.stringify(payloadOf(activity, known)) !== asked.payload
  const isOfText = activity === 'translation' || activity === 'extraction'
  if (open.status === 'running' && !isOther && (!isOfText || open.textVersion === asked.textVersion)) return open
  if (isOther) await tx.delete(aiJobPages).where(eq(aiJobPages.jobId, open.id))
  // What a scan wants to follow is wanted still.
  const payload = known.thenTranslate ? JSON.stringify({ ...JSON.parse(asked.payload), thenTranslate: true }) : asked.payload
  const again = { ...asked, payload, notBefore: null, status: 'queued' as const, ...(open.status === 'running' && BEGIN_ANEW) }
  await tx.update(aiJobs).set(again).where(eq(aiJobs.id, open.id))
  return { ...open, status: 'queued' }
}

/**
 * Queues the job, or answers the one that is unfinished: that one is now wanted soon, and as it was asked for last.
 * Throws `ai_disabled`, `nothing_to_translate`, `no_image`, `unknown_ocr_language`, or `forbidden` where a text that a person has
 * edited would be replaced by somebody who may edit none.
 */
export const requestAiJob = async (deps: Deps, viewer: Viewer, activity: AiActivity, request: AiRequest): Promise<RequestedJob> => {
  const item = await getVisibleItem(deps, viewer, request.itemKey)
  if (activity === 'extraction' && item.textEdited && !can(viewer, 'editMetadata'))
    throw new AppError('forbidden', 'Somebody has edited this text.')
  const settings = await getEffectiveAiSettings(deps, item.libraryId)
  assertModel(settings, activity)
  await assertPossible(deps, item, { activity, request, settings })
  const payload = JSON.stringify(payloadOf(activity, request))
  const asked = { priority: AI_JOB_PRIORITY.interactive, payload, textVersion: item.textVersion }
  let isStopped = false
  const job = await deps.write.transaction(async (tx) => {
    const [open] = await tx
      .select(OPEN_JOB)
      .from(aiJobs)
      .where(and(eq(aiJobs.itemId, item.id), eq(aiJobs.activity, activity), IS_OPEN))
    if (open) {
      const again = await askAgain(tx, open, { activity, asked })
      isStopped = open.status === 'running' && again.status === 'queued'
      return again
    }
    const [created] = await tx
      .insert(aiJobs)
      .values({ ...asked, itemId: item.id, activity, status: 'queued', createdAt: Date.now() })
      .returning({ id: aiJobs.id, status: aiJobs.status })
    return created
  })
  if (!job) throw new AppError('internal_error')
  if (isStopped) deps.aiQueue.cancelled()
  deps.aiQueue.wake()
  return { jobId: job.id, status: job.status === 'running' ? 'running' : 'queued' }
}
