import { parseResponse } from 'hono/client'
import type { AiActivity } from '../../../src/domain/ai-activity.ts'
import { api } from './client.ts'

export type BatchScope = 'untagged' | 'all'

export interface BatchInput {
  libraryId: number
  activity: AiActivity
  scope: BatchScope
}

export interface AiRun {
  id: number
  libraryId: number
  activity: AiActivity
  trigger: 'batch' | 'scan'
  createdAt: string
  undoneAt: string | null
  counts: Record<'queued' | 'running' | 'done' | 'failed' | 'cancelled', number>
}

export interface FailedJob {
  id: number
  itemKey: string
  title: string
  error: string | null
}

const RUNS_SHOWN = 6
const FAILURES_PER_PAGE = 50

export const countBatch = async (batch: BatchInput): Promise<number> => {
  const answer = await parseResponse(api['ai-tagging'].batch.$post({ json: { ...batch, dryRun: true } }))
  return 'eligible' in answer ? answer.eligible : answer.queued
}
export const startBatch = async (json: BatchInput): Promise<{ queued: number; left: number }> => {
  const answer = await parseResponse(api['ai-tagging'].batch.$post({ json }))
  return 'queued' in answer ? answer : { queued: 0, left: 0 }
}
/** Newest first. */
export const listAiRuns = async (libraryId: number | undefined): Promise<AiRun[]> => {
  const query = { limit: String(RUNS_SHOWN), ...(libraryId !== undefined && { libraryId: String(libraryId) }) }
  return (await parseResponse(api['ai-tagging'].runs.$get({ query }))).runs
}
export const undoAiRun = (id: number): Promise<{ undone: number; kept: number; cancelled: number }> =>
  parseResponse(api['ai-tagging'].runs[':id'].undo.$post({ param: { id: String(id) } }))
export const listFailedJobs = (runId: number, cursor?: string): Promise<{ jobs: FailedJob[]; nextCursor: string | null }> =>
  parseResponse(
    api['ai-tagging'].jobs.$get({
      query: { runId: String(runId), status: 'failed', limit: String(FAILURES_PER_PAGE), ...(cursor !== undefined && { cursor }) },
    }),
  )
export const retryJob = (id: number) => api['ai-tagging'].jobs[':id'].retry.$post({ param: { id: String(id) } })
export const pauseAiQueue = (paused: boolean) => api['ai-tagging'].queue.$post({ json: { paused } })
