import { type InferResponseType, parseResponse } from 'hono/client'
import type { AiActivity } from '../../../src/domain/ai-activity.ts'
import { api } from './client.ts'

export type BatchScope = 'untagged' | 'all'

export interface BatchInput {
  libraryId: number
  activity: AiActivity
  scope: BatchScope
}

const ai = api['ai-tagging']

export type AiRun = InferResponseType<typeof ai.runs.$get, 200>['runs'][number]

const RUNS_SHOWN = 6
const FAILURES_PER_PAGE = 50

export const countBatch = async (batch: BatchInput): Promise<number> => {
  const answer = await parseResponse(ai.batch.$post({ json: { ...batch, dryRun: true } }))
  return 'eligible' in answer ? answer.eligible : answer.queued
}
export const startBatch = async (json: BatchInput): Promise<{ queued: number; left: number }> => {
  const answer = await parseResponse(ai.batch.$post({ json }))
  return 'queued' in answer ? answer : { queued: 0, left: 0 }
}
/** Newest first. */
export const listAiRuns = async (libraryId: number | undefined): Promise<AiRun[]> => {
  const query = { limit: String(RUNS_SHOWN), ...(libraryId !== undefined && { libraryId: String(libraryId) }) }
  return (await parseResponse(ai.runs.$get({ query }))).runs
}
export const undoAiRun = (id: number) => parseResponse(ai.runs[':id'].undo.$post({ param: { id: String(id) } }))
export const listFailedJobs = (runId: number, cursor?: string) =>
  parseResponse(
    ai.jobs.$get({
      query: { runId: String(runId), status: 'failed', limit: String(FAILURES_PER_PAGE), ...(cursor !== undefined && { cursor }) },
    }),
  )
export const retryJob = (id: number) => ai.jobs[':id'].retry.$post({ param: { id: String(id) } })
export const pauseAiQueue = (paused: boolean) => ai.queue.$post({ json: { paused } })
