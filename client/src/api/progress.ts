import { getJson, sendOnly } from './http.ts'
import type { BrowseEntry, Progress } from './types.ts'

export const getProgress = (itemKey: string) => getJson<Progress>('progress', { itemKey })
export const listContinue = () => getJson<{ entries: BrowseEntry[] }>('progress/continue')

/** Outlives the page, so that closing the tab keeps the position. */
export const saveProgress = (itemKey: string, progress: Partial<Progress>) =>
  sendOnly('PUT', 'progress', { itemKey, ...progress }, { keepalive: true })
