import { parseResponse } from 'hono/client'
import { api } from './client.ts'
import type { SearchAnswer } from './types.ts'

export interface SearchQuery {
  q: string
  libraryId?: number
  limit?: number
}

export const search = ({ q, libraryId, limit }: SearchQuery, cursor?: string, signal?: AbortSignal): Promise<SearchAnswer> => {
  const query = {
    q,
    ...(libraryId !== undefined && { libraryId: String(libraryId) }),
    ...(limit !== undefined && { limit: String(limit) }),
    ...(cursor && { cursor }),
  }
  return parseResponse(api.search.$get({ query }, { init: { signal } }))
}
