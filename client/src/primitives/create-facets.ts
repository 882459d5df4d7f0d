import { keepPreviousData } from '@tanstack/solid-query'
import { type Accessor, createMemo } from 'solid-js'
import type { LevelQuery } from '../api/browse.ts'
import { listFacets } from '../api/facets.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { FacetCategory, FacetTag } from '../api/types.ts'
import { createQuery } from './create-query.ts'

/** A tag of a filter with everything that showing it takes. */
interface FilterTag extends FacetTag {
  category: FacetCategory
}

/** The tags that are used on a level, with the number of entries that each would leave. */
export const createFacets = (query: Accessor<LevelQuery>, isEnabled: Accessor<boolean>) => {
  const answer = createQuery(() => ({
    queryKey: queryKeys.facets(query()),
    queryFn: ({ signal }) => listFacets(query(), signal),
    enabled: isEnabled(),
    placeholderData: keepPreviousData,
    // A tag that was used for the first time a moment ago must be among them.
    staleTime: 0,
  }))
  const categories = (): FacetCategory[] => answer.data?.categories ?? []
  /** Whoever takes a tag off the last item that had it still filters by it, and reads its name. */
  const seen = new Map<number, FilterTag>()
  const known = createMemo(
    () => {
      for (const category of categories()) {
        for (const tag of category.tags) seen.set(tag.id, { ...tag, category })
      }
      return seen
    },
    seen,
    // The map is the same one, and holds more.
    { equals: false },
  )
  return {
    query: answer,
    categories,
    find: (id: number): FilterTag | undefined => known().get(id),
    /** The answer is about the present filter, and new. */
    isCurrent: () => answer.isSuccess && !answer.isPlaceholderData && !answer.isFetching,
  }
}
