import { nameKey } from '../../../src/domain/name-key.ts'
import type { Tag, TagCategory } from '../api/types.ts'

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
      color: members[0]?.color ?? null,
      tagCount: members.length,
    },
    tags: members,
  }))
}

/**
 * The categories that a new tag of this name could go to: those that have none of the same name, whatever its case. Where the
 * name stands for another tag there is none: imports and models would give that one, and what was merged would be back.
 */
export const categoriesWithout = (name: string, tags: readonly Tag[], categories: readonly TagCategory[]): TagCategory[] => {
  const key = nameKey(name)
  if (tags.some(({ alias }) => alias !== undefined && nameKey(alias) === key)) return []
  const taken = new Set(tags.filter((tag) => nameKey(tag.name) === key).map((tag) => tag.categoryId))
  return categories.filter(({ id }) => !taken.has(id))
}
