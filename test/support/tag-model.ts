import type { ItemType, LibraryType } from '../../src/domain/item-type.ts'
import type { TagSource } from '../../src/domain/tag-source.ts'

/**
 * What tags, items and filters should be, as plain objects: the other side of the model test. It is written from API.md 5
 * and 8 and shares no rule with the server but the order of the alphabet.
 */

export interface ModelCategory {
  id: number
  name: string
  color: string | null
}

export interface ModelTag {
  id: number
  name: string
  category: ModelCategory
}

export interface ModelItem {
  type: ItemType
  /** The file or folder, without those that it lies in. */
  name: string
  title: string
  parent: ModelItem | null
  isThere: boolean
  /** Its path when a scan last saw it: what its key is made of, also while it is missing. */
  seenAt: string
  tags: Map<ModelTag, TagSource>
  refused: Set<ModelTag>
}

interface ModelFilter {
  q: string
  tags: readonly ModelTag[]
  excludeTags: readonly ModelTag[]
}

export interface Model {
  libraryId: number
  type: LibraryType
  categories: Set<ModelCategory>
  tags: Set<ModelTag>
  /** Other names of tags, by their names in lower case. */
  mappings: Map<string, { source: string; tag: ModelTag }>
  items: Set<ModelItem>
}

const WORTH: Record<TagSource, number> = { ai: 1, import: 2, user: 3 }

export const pathOf = (item: ModelItem): string => (item.parent ? `${pathOf(item.parent)}/${item.name}` : item.name)
export const keyOf = (model: Model, item: ModelItem): string => `${item.type}:${model.libraryId}:${item.seenAt}`

export const present = ({ items }: Model): ModelItem[] => [...items].filter((item) => item.isThere)
export const markSeen = (model: Model): void => {
  for (const item of present(model)) item.seenAt = pathOf(item)
}
const childrenOf = (model: Model, item: ModelItem): ModelItem[] => present(model).filter(({ parent }) => parent === item)
export const tagsIn = (model: Model, category: ModelCategory): ModelTag[] => [...model.tags].filter((tag) => tag.category === category)

export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
export const findTag = (model: Model, category: ModelCategory, name: string): ModelTag | undefined =>
  tagsIn(model, category).find((tag) => isSameName(tag.name, name))

/** Answers whether anything changed. */
export const assign = (item: ModelItem, tag: ModelTag, source: TagSource): boolean => {
  if (source === 'ai' && item.refused.has(tag)) return false
  if (source !== 'ai') item.refused.delete(tag)
  const before = item.tags.get(tag)
  if (before !== undefined && WORTH[before] >= WORTH[source]) return false
  item.tags.set(tag, source)
  return true
}

/** By a person. */
export const unassign = (item: ModelItem, tag: ModelTag): boolean => {
  if (item.tags.has(tag)) item.refused.add(tag)
  return item.tags.delete(tag)
}

const forget = (model: Model, tag: ModelTag): void => {
  model.tags.delete(tag)
  for (const [key, mapping] of model.mappings) if (mapping.tag === tag) model.mappings.delete(key)
  for (const item of model.items) {
    item.tags.delete(tag)
    item.refused.delete(tag)
  }
}

export const deleteTag = forget

export const deleteCategory = (model: Model, category: ModelCategory): void => {
  for (const tag of tagsIn(model, category)) forget(model, tag)
  model.categories.delete(category)
}

/** `names` stand for the other tag afterwards. */
const mergeTag = (model: Model, from: ModelTag, into: ModelTag, names: readonly string[]): void => {
  for (const item of model.items) {
    const source = item.tags.get(from)
    const isRefused = item.refused.has(from)
    if (source !== undefined) {
      const known = item.tags.get(into)
      if (known === undefined || WORTH[known] < WORTH[source]) item.tags.set(into, source)
    }
    if (isRefused && !item.tags.has(into)) item.refused.add(into)
  }
  for (const mapping of model.mappings.values()) if (mapping.tag === from) mapping.tag = into
  for (const source of names) model.mappings.set(source.toLowerCase(), { source, tag: into })
  forget(model, from)
}

export const mergeTagByHand = (model: Model, from: ModelTag, into: ModelTag): void =>
  mergeTag(model, from, into, from.category === into.category ? [from.name] : [from.name, `${from.category.name}/${from.name}`])

export const mergeCategory = (model: Model, from: ModelCategory, into: ModelCategory): void => {
  for (const tag of tagsIn(model, from)) {
    const same = findTag(model, into, tag.name)
    if (same) mergeTag(model, tag, same, [])
    else tag.category = into
  }
  model.categories.delete(from)
}

const hasTags = (item: ModelItem, { tags, excludeTags }: ModelFilter): boolean =>
  tags.every((tag) => item.tags.has(tag)) && !excludeTags.some((tag) => item.tags.has(tag))
const hasName = (item: ModelItem, { q }: ModelFilter): boolean => item.title.toLowerCase().includes(q.toLowerCase())

/** API.md 5, filter semantics: the entries of the top level, or of a series or season. */
export const filtered = (model: Model, parent: ModelItem | null, filter: ModelFilter): ModelItem[] =>
  present(model)
    .filter((item) => item.parent === parent)
    .filter((entry) => {
      const isItself = hasName(entry, filter) && hasTags(entry, filter)
      if (isItself) return true
      if (entry.type === 'game_series' || entry.type === 'manga_series')
        return childrenOf(model, entry).some((child) => hasName(child, filter) && hasTags(child, filter))
      if (entry.type !== 'tv_series' || filter.tags.length + filter.excludeTags.length === 0) return false
      const episodes = childrenOf(model, entry).flatMap((season) => childrenOf(model, season))
      return hasName(entry, filter) && episodes.some((episode) => hasTags(episode, filter))
    })

export const usageOf = (model: Model, tag: ModelTag): number => present(model).filter((item) => item.tags.has(tag)).length

/** How many entries each tag that is used would leave under the filter. */
export const facets = (model: Model, parent: ModelItem | null, filter: ModelFilter): Map<number, number> =>
  new Map(
    [...model.tags]
      .filter((tag) => usageOf(model, tag) > 0)
      .map((tag) => [tag.id, filtered(model, parent, { ...filter, tags: [...filter.tags, tag] }).length]),
  )
