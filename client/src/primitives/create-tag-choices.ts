/** The tags to choose from: those that are used most, as far as they match, by category. */

import { debounce } from '@solid-primitives/scheduled'
import { keepPreviousData, useQueryClient } from '@tanstack/solid-query'
import { type Accessor, createSignal } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import { categoriesQuery, listTags } from '../api/tags.ts'
import type { TagCategory, TagUsage } from '../api/types.ts'
import { createQuery } from './create-query.ts'
import { onChange } from './on-change.ts'

/** The user's specification, Limits: the rest is found by searching. */
const MOST_USED_TAGS = 25
const TYPING_MS = 150

interface TagChoicesOptions {
  text: Accessor<string>
  categoryId: Accessor<number | undefined>
}

export const createTagChoices = ({ text, categoryId }: TagChoicesOptions) => {
  const client = useQueryClient()
  const [q, setQ] = createSignal(text().trim())
  const setLater = debounce((value: string) => setQ(value), TYPING_MS)
  onChange(
    () => text().trim(),
    (value) => {
      // An emptied field shows the usual choice at once.
      if (value !== '') return setLater(value)
      setLater.clear()
      setQ('')
    },
  )

  const list = createQuery(() => {
    const query = { q: q(), categoryId: categoryId(), limit: MOST_USED_TAGS }
    return {
      queryKey: queryKeys.tagList(query),
      queryFn: ({ signal }) => listTags(query, signal),
      placeholderData: keepPreviousData,
    }
  })
  const categories = createQuery(() => categoriesQuery)
  return {
    list,
    tags: (): TagUsage[] => list.data ?? [],
    categories: (): TagCategory[] => categories.data ?? [],
    /** Nobody has made a category yet. */
    isBegun: () => categories.data?.length !== 0,
    /** Nothing more is typed: what there is for it is asked for at once. */
    ask: () => {
      setLater.clear()
      setQ(text().trim())
    },
    /** There is a tag that none of the answers knows. */
    renew: async () => {
      const lists = { queryKey: queryKeys.tagLists }
      client.removeQueries({ ...lists, type: 'inactive' })
      // A first answer that is on its way may not know it either, and would be left to come.
      await client.cancelQueries(lists)
      await client.invalidateQueries(lists)
    },
    /** The answer is to what stands in the field. */
    isCurrent: () => list.isSuccess && !list.isPlaceholderData && q() === text().trim(),
  }
}
