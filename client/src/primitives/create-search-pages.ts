import { keepPreviousData } from '@tanstack/solid-query'
import type { Accessor } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import { type SearchQuery, search } from '../api/search.ts'
import type { SearchEntry } from '../api/types.ts'
import { createPagedQuery } from './create-query.ts'

/** What a search finds, page by page, the best first. While the next words are being asked for, what was found stays. */
export const createSearchPages = (query: Accessor<SearchQuery>) => {
  const pages = createPagedQuery(() => ({
    queryKey: queryKeys.search(query()),
    queryFn: ({ pageParam, signal }) => search(query(), pageParam, signal),
    placeholderData: keepPreviousData,
    enabled: query().q !== '',
    refetchOnWindowFocus: false,
  }))
  return {
    query: pages,
    entries: (): readonly SearchEntry[] => pages.data?.pages.flatMap((page) => page.entries) ?? [],
  }
}

export type SearchPages = ReturnType<typeof createSearchPages>
