import { keepPreviousData } from '@tanstack/solid-query'
import type { Accessor } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import { listTagPage, type TagPageQuery } from '../api/tags.ts'
import { createPagedQuery } from './create-query.ts'

/** All tags that match, page by page, by name. While the next words are being asked for, what was found stays. */
export const createTagPages = (query: Accessor<TagPageQuery>) => {
  const pages = createPagedQuery(() => ({
    queryKey: queryKeys.tagPages(query()),
    queryFn: ({ pageParam, signal }) => listTagPage(query(), pageParam, signal),
    placeholderData: keepPreviousData,
  }))
  return {
    query: pages,
    tags: () => pages.data?.pages.flatMap((page) => page.tags) ?? [],
    total: () => pages.data?.pages[0]?.total ?? 0,
  }
}
