import { keepPreviousData } from '@tanstack/solid-query'
import { type Accessor, createMemo } from 'solid-js'
import { type BrowseQuery, browse } from '../api/browse.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { BrowseEntry } from '../api/types.ts'
import { createPagedQuery } from './create-query.ts'

const PAGE_SIZE = 200
const MOST_PAGES = 10

/** Another device may have changed something. Asking for dozens of pages again would be waste: a change and the end of a scan do it. */
export const isShort = ({ state }: { state: { data: { pages: readonly unknown[] } | undefined } }): boolean =>
  (state.data?.pages.length ?? 0) <= MOST_PAGES

/** How the pages of a level are asked for. */
export const entryPages = (query: BrowseQuery) => ({
  queryKey: queryKeys.browse(query),
  queryFn: ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
    browse({ limit: PAGE_SIZE, ...query }, pageParam, signal),
})

/** A level of a library, page by page. While another filter is being answered, the entries of the last one stay. */
export const createEntryPages = (query: Accessor<BrowseQuery>) => {
  const pages = createPagedQuery(() => ({
    ...entryPages(query()),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: isShort,
  }))
  const loaded = () => pages.data?.pages ?? []
  const entries = createMemo((): readonly BrowseEntry[] => loaded().flatMap((page) => page.entries))
  return {
    query: pages,
    /** What was asked for: whoever shows one of the entries asks for its neighbours in the same way. */
    level: query,
    entries,
    /** Null while unknown, or above 1,000 with a filter. */
    total: () => loaded()[0]?.total ?? null,
    hasMore: () => pages.hasNextPage,
    loadMore: () => {
      // A page that could not be loaded is not asked for again and again. What has only not been refreshed goes on.
      const isRefused = pages.isError && !pages.isRefetchError
      if (pages.hasNextPage && !pages.isFetchingNextPage && !isRefused) void pages.fetchNextPage({ cancelRefetch: false })
    },
  }
}
