import { parseResponse } from 'hono/client'
import { api } from './client.ts'
import type { FacetCategory } from './types.ts'

export interface FacetQuery {
  libraryId: number
  parentKey?: string
  /** Mixed libraries: the files of one folder; with `below` those of all folders in it as well. */
  path?: string
  below?: boolean
  q?: string
  tags?: readonly number[]
  excludeTags?: readonly number[]
}

/** Only what is set: an empty parameter is not an absent one. */
const parametersOf = ({ libraryId, parentKey, path, below, q, tags = [], excludeTags = [] }: FacetQuery) => ({
  libraryId: String(libraryId),
  ...(parentKey && { parentKey }),
  ...(path !== undefined && { path, ...(below && { below: '1' as const }) }),
  ...(q && { q }),
  ...(tags.length > 0 && { tags: tags.join(',') }),
  ...(excludeTags.length > 0 && { excludeTags: excludeTags.join(',') }),
})

export const listFacets = (query: FacetQuery, signal?: AbortSignal): Promise<{ categories: FacetCategory[] }> =>
  parseResponse(api.facets.$get({ query: parametersOf(query) }, { init: { signal } }))
