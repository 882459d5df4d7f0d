import { parseResponse } from 'hono/client'
import { type LevelQuery, levelParameters } from './browse.ts'
import { api } from './client.ts'
import type { FacetCategory } from './types.ts'

export const listFacets = (query: LevelQuery, signal?: AbortSignal): Promise<{ categories: FacetCategory[] }> =>
  parseResponse(api.facets.$get({ query: levelParameters(query) }, { init: { signal } }))
