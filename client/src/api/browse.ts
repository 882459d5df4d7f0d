import { parseResponse } from 'hono/client'
import { api } from './client.ts'
import type { BrowseAnswer, BrowseEntry } from './types.ts'

export type SortField = 'number' | 'title' | 'added' | 'updated' | 'year' | 'rating' | 'size'
export type SortOrder = 'asc' | 'desc'

export interface BrowseQuery {
  libraryId: number
  parentKey?: string
  q?: string
  sort?: SortField
  order?: SortOrder
  limit?: number
}

/** Only what is set: an empty parameter is not an absent one. */
const parametersOf = ({ libraryId, parentKey, q, sort, order, limit }: BrowseQuery, cursor: string | undefined) => ({
  libraryId: String(libraryId),
  ...(parentKey && { parentKey }),
  ...(q && { q }),
  ...(sort && { sort }),
  ...(order && { order }),
  ...(limit && { limit: String(limit) }),
  ...(cursor && { cursor }),
})

export const browse = (query: BrowseQuery, cursor?: string, signal?: AbortSignal): Promise<BrowseAnswer> =>
  parseResponse(api.browse.$get({ query: parametersOf(query, cursor) }, { init: { signal } }))

/** Every entry of a level that is small by nature (seasons, episodes, volumes). */
export const browseAll = async (query: BrowseQuery, signal?: AbortSignal): Promise<BrowseEntry[]> => {
  const entries: BrowseEntry[] = []
  let cursor: string | undefined
  do {
    const page = await browse({ limit: 500, ...query }, cursor, signal)
    entries.push(...page.entries)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return entries
}
