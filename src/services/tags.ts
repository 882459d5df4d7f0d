/** Tags: what they are called, which category they belong to (API.md, 8). */

import { and, eq, ne } from 'drizzle-orm'
import { tagCategories, tags } from '../db/schema/tags.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { nameKey, searchKey } from '../domain/name-key.ts'
import { sortName } from '../domain/natural-sort.ts'
import { can, type Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { deleteInSteps } from './begun-deletions.ts'
import { assignTags } from './tag-assignments.ts'
import { getCategoryRow } from './tag-categories.ts'
import { signRename } from './tag-name-index.ts'
import { deleteInSlices } from './tag-slices.ts'
import { countUsage } from './tag-usage.ts'
import { getVisibleItem } from './visible.ts'

export interface Tag {
  id: number
  name: string
  categoryId: number
  categoryName: string
  color: string | null
}

/** As the list of tags shows it. */
export interface UsedTag extends Tag {
  usage: number
}

/** Throws `not_found`. */
export const getTag = async (reader: Pick<Transaction, 'select'>, id: number): Promise<Tag> => {
  const [tag] = await reader
    .select({
      id: tags.id,
      name: tags.name,
      categoryId: tags.categoryId,
      categoryName: tagCategories.name,
      color: tagCategories.color,
    })
    .from(tags)
    .innerJoin(tagCategories, eq(tagCategories.id, tags.categoryId))
    .where(eq(tags.id, id))
  if (!tag) throw new AppError('not_found', 'There is no such tag.')
  return tag
}

/** Throws `duplicate_name` where the category has another tag of this name. */
const assertFree = async (tx: Transaction, { categoryId, key, ownId = 0 }: { categoryId: number; key: string; ownId?: number }) => {
  const taken = await tx
    .select({ id: tags.id })
    .from(tags)
    .where(and(eq(tags.categoryId, categoryId), eq(tags.nameKey, key), ne(tags.id, ownId)))
  if (taken.length > 0) throw new AppError('duplicate_name', 'This category has a tag of that name already.')
}

interface NewTag {
  name: string
  categoryId: number
  /** The item that the new tag is put on at once. */
  itemKey?: string
}

/** Inside the caller's transaction; answers its id. Throws `not_found` and `duplicate_name`. */
export const insertTag = async (tx: Transaction, { name, categoryId }: Omit<NewTag, 'itemKey'>): Promise<number> => {
  await getCategoryRow(tx, categoryId)
  const key = nameKey(name)
  await assertFree(tx, { categoryId, key })
  const [row] = await tx
    .insert(tags)
    .values({ categoryId, name, nameKey: key, searchName: searchKey(name), sortName: sortName(name) })
    .returning({ id: tags.id })
  if (!row) throw new Error('An inserted tag has no id')
  return row.id
}

/** Throws `forbidden` where the tag is to be put on an item by somebody who may not tag. */
export const createTag = async (deps: Deps, viewer: Viewer, { name, categoryId, itemKey }: NewTag): Promise<UsedTag> => {
  if (itemKey !== undefined && !can(viewer, 'tag')) throw new AppError('forbidden')
  const item = itemKey === undefined ? undefined : await getVisibleItem(deps, viewer, itemKey)
  const tag = await deps.write.transaction(async (tx) => {
    const id = await insertTag(tx, { name, categoryId })
    if (item) await assignTags(tx, { itemIds: [item.id], tagIds: [id], source: 'user', createdBy: viewer.userId })
    return getTag(tx, id)
  })
  return { ...tag, usage: await countUsage(deps, viewer, tag.id) }
}

export const updateTag = async (
  deps: Deps,
  viewer: Viewer,
  { id, patch }: { id: number; patch: { name?: string; categoryId?: number } },
): Promise<UsedTag> => {
  const tag = await deps.write.transaction(async (tx) => {
    const before = await getTag(tx, id)
    const { name = before.name, categoryId = before.categoryId } = patch
    await getCategoryRow(tx, categoryId)
    const key = nameKey(name)
    await assertFree(tx, { categoryId, key, ownId: id })
    await tx
      .update(tags)
      .set({ name, nameKey: key, searchName: searchKey(name), sortName: sortName(name), categoryId })
      .where(eq(tags.id, id))
    if (name !== before.name) await signRename(tx, id)
    return getTag(tx, id)
  })
  return { ...tag, usage: await countUsage(deps, viewer, id) }
}

/** With its assignments. */
export const deleteTag = async (deps: Deps, id: number): Promise<void> => {
  await getTag(deps.db, id)
  await deleteInSteps(deps, { kind: 'tag', id }, () => forgetTag(deps, id))
}

/** Or what a crash has left of it. */
export const forgetTag = async (deps: Deps, id: number): Promise<void> => {
  await deleteInSlices(deps, 'item_tags', { sql: 'tag_id = ?', args: [id] })
  await deps.write.transaction((tx) => tx.delete(tags).where(eq(tags.id, id)))
}
