import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'
import { ApiProblem } from './http.ts'
import { queryKeys } from './query-keys.ts'
import type { BrowseEntry, Progress } from './types.ts'

export type SavedProgress = InferResponseType<typeof api.progress.$get, 200>

export type ProgressMark = InferResponseType<typeof api.progress.bulk.$post, 200>['marks'][number]

/** Keys may be long, and a request may be a megabyte. */
const MOST_A_REQUEST = 500

const inRequests = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / MOST_A_REQUEST) }, (_, at) => all.slice(at * MOST_A_REQUEST, (at + 1) * MOST_A_REQUEST))

/** Of that file, where one is named. */
export const getProgress = (itemKey: string, file?: string): Promise<SavedProgress> =>
  parseResponse(api.progress.$get({ query: { itemKey, ...(file && { file }) } }))
/** In one series alone, where it is named. */
export const listContinue = (seriesKey?: string): Promise<{ entries: BrowseEntry[] }> =>
  parseResponse(api.progress.continue.$get({ query: { ...(seriesKey && { seriesKey }) } }))

/** What was changed, as it was before, request by request: it stays so where a later one fails, or one in the middle of it. Series and seasons stand for all that is in them. */
export async function* markProgress(itemKeys: readonly string[], completed: boolean): AsyncGenerator<ProgressMark[]> {
  for (const some of inRequests(itemKeys)) {
    const { marks, problem } = await parseResponse(api.progress.bulk.$post({ json: { itemKeys: some, completed } }))
    yield marks
    if (problem) throw new ApiProblem(problem.status, problem.code, problem.detail)
  }
}

export const restoreProgress = async (marks: readonly ProgressMark[]): Promise<void> => {
  for (const some of inRequests(marks)) await parseResponse(api.progress.restore.$post({ json: { marks: some } }))
}

/** Of a series, all of it. */
export const leaveOutOfContinue = (itemKey: string) => api.progress.continue.$delete({ query: { itemKey } })
export const takeIntoContinue = (itemKey: string) => api.progress.continue.$put({ json: { itemKey } })

/** Outlives the page, so that closing the tab keeps the position. */
export const saveProgress = (
  itemKey: string,
  progress: Partial<Omit<Progress, 'file'>> & { file?: string | undefined },
): Promise<SavedProgress> => parseResponse(api.progress.$put({ json: { itemKey, ...progress } }, { init: { keepalive: true } }))

export const continueQuery = { queryKey: queryKeys.continue, queryFn: () => listContinue() }
