/** Categories of tags (API.md, 8). */

import { and, eq, ne } from 'drizzle-orm'
import { tagCategories, tags } from '../db/schema/tags.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { nameKey } from '../domain/name-key.ts'
import { sortName, toNaturalOrder } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { deleteInSteps } from './begun-deletions.ts'
import { clause } from './clause.ts'
import { deleteInSlices } from './tag-slices.ts'
import { usageOf } from './tag-usage.ts'
import { visibleLibraryIds } from './visible.ts'

interface TagCategory {
  id: number
  name: string
  /** `#rrggbb` */
  color: string | null
  tagCount: number
}

/** In natural order. With a library only the categories and tags that are used there. */
export const listTagCategories = async (deps: Deps, viewer: Viewer, { libraryId }: { libraryId?: number }): Promise<TagCategory[]> => {
  const libraryIds = await visibleLibraryIds(deps, viewer, libraryId)
  const used = clause`JOIN tags t ON t.category_id = c.id JOIN (${usageOf(libraryIds)}) u ON u.tag_id = t.id`
  const { rows } = await deps.db.$client.execute(
    clause`SELECT c.id AS id, c.name AS name, c.color AS color, count(t.id) AS tagCount FROM tag_categories c
      ${libraryId === undefined ? 'LEFT JOIN tags t ON t.category_id = c.id' : used} GROUP BY c.id`,
  )
  const categories = rows.map((row) => ({
    id: Number(row.id),
    name: String(row.name),
    color: row.color === null ? null : String(row.color),
    tagCount: Number(row.tagCount),
  }))
  return toNaturalOrder(categories, ({ name }) => name, sortName)
}

/** Throws `duplicate_name` where another category has this name. */
const assertFree = async (tx: Transaction, key: string, ownId = 0): Promise<void> => {
  const taken = await tx
    .select({ id: tagCategories.id })
    .from(tagCategories)
    .where(and(eq(tagCategories.nameKey, key), ne(tagCategories.id, ownId)))
  if (taken.length > 0) throw new AppError('duplicate_name', 'A category of that name exists already.')
}

/** Throws `not_found`. */
export const getCategoryRow = async (reader: Pick<Transaction, 'select'>, id: number): Promise<typeof tagCategories.$inferSelect> => {
  const [row] = await reader.select().from(tagCategories).where(eq(tagCategories.id, id))
  if (!row) throw new AppError('not_found', 'There is no such category.')
  return row
}

const readCategory = async (tx: Transaction, id: number): Promise<TagCategory> => {
  const { name, color } = await getCategoryRow(tx, id)
  return { id, name, color, tagCount: await tx.$count(tags, eq(tags.categoryId, id)) }
}

export const createTagCategory = (deps: Deps, { name, color }: { name: string; color?: string | null }): Promise<TagCategory> =>
  deps.write.transaction(async (tx) => {
    const key = nameKey(name)
    await assertFree(tx, key)
    const [row] = await tx
      .insert(tagCategories)
      .values({ name, nameKey: key, color: color ?? null })
      .returning({ id: tagCategories.id })
    if (!row) throw new Error('An inserted category has no id')
    return readCategory(tx, row.id)
  })

export const updateTagCategory = (
  deps: Deps,
  { id, patch }: { id: number; patch: { name?: string; color?: string | null } },
): Promise<TagCategory> =>
  deps.write.transaction(async (tx) => {
    const before = await getCategoryRow(tx, id)
    const { name = before.name, color = before.color } = patch
    const key = nameKey(name)
    await assertFree(tx, key, id)
    await tx.update(tagCategories).set({ name, nameKey: key, color }).where(eq(tagCategories.id, id))
    return readCategory(tx, id)
  })

/** With its tags and their assignments. */
export const deleteTagCategory = async (deps: Deps, id: number): Promise<void> => {
  await getCategoryRow(deps.db, id)
  await deleteInSteps(deps, { kind: 'tag_category', id }, () => forgetTagCategory(deps, id))
}

/** Or what a crash has left of it. */
export const forgetTagCategory = async (deps: Deps, id: number): Promise<void> => {
  const ofCategory = 'SELECT id FROM tags WHERE category_id = ?'
  await deleteInSlices(deps, 'item_tags', { sql: `tag_id IN (${ofCategory})`, args: [id] })
  await deleteInSlices(deps, 'tags', { sql: 'category_id = ?', args: [id] })
  await deps.write.transaction((tx) => tx.delete(tagCategories).where(eq(tagCategories.id, id)))
}
