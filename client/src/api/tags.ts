import { parseResponse } from 'hono/client'
import { MAX_BULK_ITEMS } from '../../../src/domain/tag-filter.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'
import type { AssignedTag, Tag, TagCategory, TagUsage } from './types.ts'

export interface TagQuery {
  q?: string
  categoryId?: number
  limit?: number
}

interface NewTag {
  name: string
  categoryId: number
  /** The new tag is on this item at once. */
  itemKey?: string
}

interface NewCategory {
  name: string
  color: string
}

interface TagChanges {
  itemKeys: readonly string[]
  add?: readonly number[]
  remove?: readonly number[]
}

export const categoriesQuery = {
  queryKey: queryKeys.tagCategories,
  queryFn: async (): Promise<TagCategory[]> => (await parseResponse(api.tags.categories.$get({ query: {} }))).categories,
}

/** The tags that are used most, as far as they match. */
export const listTags = async ({ q, categoryId, limit }: TagQuery, signal?: AbortSignal): Promise<TagUsage[]> => {
  const query = {
    sort: 'usage' as const,
    ...(q && { q }),
    ...(categoryId !== undefined && { categoryId: String(categoryId) }),
    ...(limit !== undefined && { limit: String(limit) }),
  }
  return (await parseResponse(api.tags.items.$get({ query }, { init: { signal } }))).tags
}

export const createTag = async (json: NewTag): Promise<Tag> => (await parseResponse(api.tags.items.$post({ json }))).tag
export const createCategory = async (json: NewCategory): Promise<TagCategory> =>
  (await parseResponse(api.tags.categories.$post({ json }))).category

export const assignmentsQuery = (itemKey: string) => ({
  queryKey: queryKeys.assignments(itemKey),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<AssignedTag[]> =>
    (await parseResponse(api.tags.assignments.$get({ query: { itemKey } }, { init: { signal } }))).tags,
})
export const assignTag = (itemKey: string, tagId: number) => api.tags.assignments.$put({ json: { itemKey, tagId } })
export const unassignTag = (itemKey: string, tagId: number) => api.tags.assignments.$delete({ query: { itemKey, tagId: String(tagId) } })
/** The keys of what was changed, request by request: it stays so where a later one fails. */
export async function* changeTags({ itemKeys, add = [], remove = [] }: TagChanges): AsyncGenerator<string[]> {
  for (let from = 0; from < itemKeys.length; from += MAX_BULK_ITEMS) {
    const some = itemKeys.slice(from, from + MAX_BULK_ITEMS)
    await parseResponse(api.tags.assignments.bulk.$post({ json: { itemKeys: some, add: [...add], remove: [...remove] } }))
    yield some
  }
}

export interface TagPageQuery {
  q?: string
  categoryId?: number
}

const PAGE = 100

/** Every tag, page by page, by name. */
export const listTagPage = ({ q, categoryId }: TagPageQuery, cursor: string | undefined, signal?: AbortSignal) => {
  const query = {
    sort: 'name' as const,
    limit: String(PAGE),
    ...(q && { q }),
    ...(categoryId !== undefined && { categoryId: String(categoryId) }),
    ...(cursor !== undefined && { cursor }),
  }
  return parseResponse(api.tags.items.$get({ query }, { init: { signal } }))
}

const withId = (id: number) => ({ param: { id: String(id) } })

export const changeTag = (id: number, json: { name?: string; categoryId?: number }) =>
  parseResponse(api.tags.items[':id'].$patch({ ...withId(id), json }))
export const planTagDelete = (id: number) => parseResponse(api.tags.items[':id']['delete-plan'].$get(withId(id)))
export const deleteTag = (id: number) => api.tags.items[':id'].$delete(withId(id))
export const mergeTag = (id: number, json: { intoTagId: number; dryRun?: boolean }) =>
  parseResponse(api.tags.items[':id'].merge.$post({ ...withId(id), json }))

export const changeCategory = (id: number, json: { name?: string; color?: string | null }) =>
  parseResponse(api.tags.categories[':id'].$patch({ ...withId(id), json }))
export const planCategoryDelete = (id: number) => parseResponse(api.tags.categories[':id']['delete-plan'].$get(withId(id)))
export const deleteCategory = (id: number) => api.tags.categories[':id'].$delete(withId(id))
export const mergeCategory = (id: number, json: { intoCategoryId: number; dryRun?: boolean }) =>
  parseResponse(api.tags.categories[':id'].merge.$post({ ...withId(id), json }))
