import { type BrowseQuery, browseAll } from '../api/browse.ts'
import { queryKeys } from '../api/query-keys.ts'
import { createQuery } from './create-query.ts'

/** Every child of an item, in the order of its level. */
export const createLevel = (libraryId: () => number, parentKey: () => string | undefined) =>
  createQuery(() => {
    const query: BrowseQuery = { libraryId: libraryId(), parentKey: parentKey() }
    return {
      queryKey: queryKeys.browseAll(query),
      queryFn: ({ signal }) => browseAll(query, signal),
      enabled: query.parentKey !== undefined,
    }
  })
