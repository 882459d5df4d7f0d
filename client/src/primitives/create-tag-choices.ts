/** The tags to choose from: those that are used most, as far as they match, by category. */

import { debounce } from '@solid-primitives/scheduled'
import { keepPreviousData } from '@tanstack/solid-query'
import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'
import { nameKey } from '../../../src/domain/name-key.ts'
import { queryKeys } from '../api/query-keys.ts'
import { listCategories, listTags } from '../api/tags.ts'
import type { Tag, TagCategory, TagUsage } from '../api/types.ts'
import { createQuery } from './create-query.ts'

/** The user's specification, Limits: the rest is found by searching. */
export const MOST_USED_TAGS = 25
const TYPING_MS = 150

export interface TagGroup {
  category: TagCategory
  tags: readonly Tag[]
}

/** Tags below their categories, in the order in which the categories come up. */
export const groupByCategory = (tags: readonly Tag[], categories: readonly TagCategory[]): TagGroup[] => {
  const groups = new Map<number, Tag[]>()
  for (const tag of tags) groups.set(tag.categoryId, [...(groups.get(tag.categoryId) ?? []), tag])
  return [...groups].map(([id, members]) => ({
    category: categories.find((category) => category.id === id) ?? {
      id,
      name: members[0]?.categoryName ?? '',
      color: null,
      tagCount: members.length,
    },
    tags: members,
  }))
}

/** The categories that a new tag of this name could go to: those that have none of the same name, whatever its case. */
export const categoriesWithout = (name: string, tags: readonly Tag[], categories: readonly TagCategory[]): TagCategory[] => {
  const key = nameKey(name)
  const taken = new Set(tags.filter((tag) => nameKey(tag.name) === key).map((tag) => tag.categoryId))
  return categories.filter(({ id }) => !taken.has(id))
}

interface TagChoicesOptions {
  text: Accessor<string>
  categoryId: Accessor<number | undefined>
  isAsked: Accessor<boolean>
}

export const createTagChoices = ({ text, categoryId, isAsked }: TagChoicesOptions) => {
  const [q, setQ] = createSignal(text().trim())
  const setLater = debounce((value: string) => setQ(value), TYPING_MS)
  createEffect(
    on(
      () => text().trim(),
      (value) => {
        // An emptied field shows the usual choice at once.
        if (value !== '') return setLater(value)
        setLater.clear()
        setQ('')
      },
      { defer: true },
    ),
  )
  onCleanup(() => setLater.clear())

  const list = createQuery(() => {
    const query = { q: q(), categoryId: categoryId(), limit: MOST_USED_TAGS }
    return {
      queryKey: queryKeys.tagList(query),
      queryFn: ({ signal }: { signal: AbortSignal }) => listTags(query, signal),
      enabled: isAsked(),
      placeholderData: keepPreviousData,
    }
  })
  const categories = createQuery(() => ({ queryKey: queryKeys.tagCategories, queryFn: listCategories, enabled: isAsked() }))
  return {
    list,
    tags: (): TagUsage[] => (list.isSuccess ? (list.data ?? []) : []),
    categories: (): TagCategory[] => (categories.isSuccess ? (categories.data ?? []) : []),
    /** The answer is to what stands in the field. */
    isCurrent: () => list.isSuccess && !list.isPlaceholderData && q() === text().trim(),
  }
}
