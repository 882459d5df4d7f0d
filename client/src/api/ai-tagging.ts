import { type InferResponseType, parseResponse } from 'hono/client'
import type { AiActivity } from '../../../src/domain/ai-activity.ts'
import type { AiJobStatus } from '../../../src/domain/ai-job.ts'
import { aiKeys } from './ai-keys.ts'
import { api } from './client.ts'

const ai = api['ai-tagging']

export type AiFields = InferResponseType<typeof ai.fields.$get, 200>
type JobsAnswer = InferResponseType<typeof ai.jobs.$get, 200>
export type AiJob = JobsAnswer['jobs'][number]

/** What one request asks for on top of the settings. */
export interface AiAsk {
  ocrLanguages?: string | undefined
  sourceLanguage?: string
  targetLanguage?: string
}

interface AiJobsOf {
  libraryId: number | undefined
  activity: AiActivity | undefined
}

export interface AiJobsQuery extends AiJobsOf {
  status: AiJobStatus | undefined
}

export const getAiFields = (itemKey: string, signal?: AbortSignal): Promise<AiFields> =>
  parseResponse(ai.fields.$get({ query: { itemKey } }, { init: { signal } }))
export const saveExtractedText = (itemKey: string, extractedText: string): Promise<AiFields> =>
  parseResponse(ai.fields.$patch({ json: { itemKey, extractedText } }))

export const requestAiJob = (
  activity: AiActivity,
  itemKey: string,
  more: AiAsk,
): Promise<{ jobId: number; status: 'queued' | 'running' }> => {
  const { ocrLanguages, sourceLanguage, targetLanguage } = more
  switch (activity) {
    case 'tagging':
      return parseResponse(ai.tag.$post({ json: { itemKey } }))
    case 'description':
      return parseResponse(ai.describe.$post({ json: { itemKey } }))
    case 'extraction':
      return parseResponse(ai.extract.$post({ json: { itemKey, ocrLanguages } }))
    case 'translation':
      return parseResponse(ai.translate.$post({ json: { itemKey, sourceLanguage, targetLanguage } }))
    default:
      return activity satisfies never
  }
}

/** What the queue has to do, and why models are not asked now. */
export const aiQueueQuery = {
  queryKey: aiKeys.queueState,
  queryFn: (): Promise<InferResponseType<typeof ai.queue.$get, 200>> => parseResponse(ai.queue.$get()),
}

const JOBS_PER_PAGE = 50

export const listAiJobs = ({ status, libraryId, activity }: AiJobsQuery, cursor?: string): Promise<JobsAnswer> =>
  parseResponse(
    ai.jobs.$get({
      query: {
        limit: String(JOBS_PER_PAGE),
        ...(status !== undefined && { status }),
        ...(libraryId !== undefined && { libraryId: String(libraryId) }),
        ...(activity !== undefined && { activity }),
        ...(cursor !== undefined && { cursor }),
      },
    }),
  )
/** How many jobs wait or run. */
export const countOpenAiJobs = async (query: { libraryId: number; activity: AiActivity }): Promise<number> => {
  const { counts } = await parseResponse(
    ai.jobs.$get({ query: { limit: '1', libraryId: String(query.libraryId), activity: query.activity } }),
  )
  return counts.queued + counts.running
}
export const cancelAiJob = (id: number) => ai.jobs[':id'].$delete({ param: { id: String(id) } })
export const retryFailedAiJobs = ({ libraryId, activity }: AiJobsOf): Promise<{ queued: number }> =>
  parseResponse(ai.jobs.retry.$post({ json: { libraryId, activity } }))
export const clearAiJobs = (status: 'failed' | 'queued', { libraryId, activity }: AiJobsOf): Promise<{ cleared: number }> =>
  parseResponse(ai.jobs.clear.$post({ json: { status, libraryId, activity } }))
