import { useQuery } from '@tanstack/solid-query'
import { type BrowseQuery, browseAll } from '../api/browse.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Every child of an item, in the order of its level. */
export const createLevel = (libraryId: () => number, parentKey: () => string | undefined) =>
  useQuery(() => {
    const query: BrowseQuery = { libraryId: libraryId(), parentKey: parentKey() }
    return {
      queryKey: queryKeys.browseAll(query),
      queryFn: ({ signal }: { signal: AbortSignal }) => browseAll(query, signal),
      enabled: query.parentKey !== undefined,
    }
  })
