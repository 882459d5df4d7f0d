import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'
import type { BrowseEntry, Progress } from './types.ts'

export type SavedProgress = InferResponseType<typeof api.progress.$get, 200>

export const getProgress = (itemKey: string): Promise<SavedProgress> => parseResponse(api.progress.$get({ query: { itemKey } }))
export const listContinue = (): Promise<{ entries: BrowseEntry[] }> => parseResponse(api.progress.continue.$get({ query: {} }))

/** Outlives the page, so that closing the tab keeps the position. */
export const saveProgress = (itemKey: string, progress: Partial<Progress>): Promise<SavedProgress> =>
  parseResponse(api.progress.$put({ json: { itemKey, ...progress } }, { init: { keepalive: true } }))
