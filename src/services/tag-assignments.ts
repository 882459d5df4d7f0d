/**
 * Which item carries which tag, since when, and who put it there (API.md, 8).
 *
 * A person's word counts more than an import, and an import more than the AI tagger: an assignment that is made again
 * keeps the better source. What a person takes off, whoever had put it there, the AI tagger does not put back.
 */

import { and, eq, inArray, sql } from 'drizzle-orm'
import { itemTags, tagCategories, tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { compareText, sortName } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { SOURCES_BY_WORTH, type TagSource } from '../domain/tag-source.ts'
import { AppError } from '../errors.ts'
import { listed } from './listed.ts'
import { SLICE_ROWS } from './tag-slices.ts'
import { getKnownItem, getVisibleIds, getVisibleItem } from './visible.ts'

interface ItemTag {
  id: number
  name: string
  categoryId: number
  categoryName: string
  color: string | null
  source: TagSource
  /** ISO 8601, UTC; null for tags from before it was kept. */
  assignedAt: string | null
  /** The name of the person; null for the AI tagger, and where it is not known. */
  assignedBy: string | null
}

const compareNames = (a: string, b: string): number => compareText(sortName(a), sortName(b)) || compareText(a, b)

/** Category by category, and in each, as the filter panel lists them: 2 before 10. */
const compareTags = (a: Pick<ItemTag, 'name' | 'categoryName'>, b: Pick<ItemTag, 'name' | 'categoryName'>): number =>
  compareNames(a.categoryName, b.categoryName) || compareNames(a.name, b.name)

export const listItemTags = async (deps: Deps, itemId: number): Promise<ItemTag[]> => {
  const rows = await deps.db
    .select({
      id: tags.id,
      name: tags.name,
      categoryId: tags.categoryId,
      categoryName: tagCategories.name,
      color: tagCategories.color,
      source: itemTags.source,
      createdAt: itemTags.createdAt,
      assignedBy: users.username,
    })
    .from(itemTags)
    .innerJoin(tags, eq(tags.id, itemTags.tagId))
    .innerJoin(tagCategories, eq(tagCategories.id, tags.categoryId))
    .leftJoin(users, eq(users.id, itemTags.createdBy))
    .where(eq(itemTags.itemId, itemId))
  return rows
    .toSorted(compareTags)
    .map(({ createdAt, ...row }) => ({ ...row, assignedAt: createdAt === 0 ? null : new Date(createdAt).toISOString() }))
}

export const listTagsOf = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<ItemTag[]> =>
  listItemTags(deps, (await getKnownItem(deps, viewer, itemKey)).id)

interface Provenance {
  source: TagSource
  /** Who did it; null for what nobody asked for. */
  createdBy: number | null
}

/**
 * Puts tags on items, inside the caller's transaction, and answers how many assignments are new or have got a better
 * source. Ids of what is gone by now are passed over, and so is what a person refused where the source is `ai`; any other
 * source forgets the refusal. At most a few thousand assignments a transaction.
 */
export const assignPairs = async (
  tx: Transaction,
  pairs: readonly (readonly [itemId: number, tagId: number])[],
  { source, createdBy }: Provenance,
): Promise<number> => {
  const given = JSON.stringify(pairs)
  const isRefused = sql`EXISTS (SELECT 1 FROM tag_refusals r WHERE r.item_id = m.id AND r.tag_id = t.id)`
  const { rowsAffected } = await tx.run(sql`INSERT INTO item_tags (tag_id, item_id, source, created_by, created_at)
    SELECT t.id, m.id, ${source}, ${createdBy}, ${Date.now()} FROM json_each(${given}) AS pair
    JOIN media_items m ON m.id = pair.value ->> 0 JOIN tags t ON t.id = pair.value ->> 1
    WHERE ${source === 'ai' ? sql`NOT ${isRefused}` : sql`true`}
    ON CONFLICT (tag_id, item_id) DO UPDATE SET source = excluded.source, created_by = excluded.created_by, created_at = excluded.created_at,
      is_copy = false
    WHERE instr(${SOURCES_BY_WORTH}, excluded.source) > instr(${SOURCES_BY_WORTH}, item_tags.source) - item_tags.is_copy`)
  if (source !== 'ai')
    await tx.run(sql`DELETE FROM tag_refusals WHERE (item_id, tag_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${given}))`)
  return rowsAffected
}

/** Each of the tags on each of the items (`assignPairs`). */
export const assignTags = (
  tx: Transaction,
  { itemIds, tagIds, ...provenance }: Provenance & { itemIds: readonly number[]; tagIds: readonly number[] },
): Promise<number> =>
  assignPairs(
    tx,
    itemIds.flatMap((itemId) => tagIds.map((tagId) => [itemId, tagId] as const)),
    provenance,
  )

/** Takes the tags off the items for a person, inside the caller's transaction; answers how many assignments there were. */
const unassignTags = async (
  tx: Transaction,
  { itemIds, tagIds }: { itemIds: readonly number[]; tagIds: readonly number[] },
): Promise<number> => {
  const those = and(inArray(itemTags.itemId, listed(itemIds)), inArray(itemTags.tagId, listed(tagIds)))
  await tx.run(sql`INSERT OR IGNORE INTO tag_refusals (item_id, tag_id, created_at)
    SELECT ${itemTags.itemId}, ${itemTags.tagId}, ${Date.now()} FROM ${itemTags} WHERE ${those}`)
  return (await tx.delete(itemTags).where(those)).rowsAffected
}

/** Throws `not_found` where one of them does not exist. */
const assertTags = async (tx: Transaction, tagIds: readonly number[]): Promise<void> => {
  const [row] = await tx
    .select({ found: sql<number>`count(*)` })
    .from(tags)
    .where(inArray(tags.id, listed(tagIds)))
  if ((row?.found ?? 0) < tagIds.length) throw new AppError('not_found', 'There is no such tag.')
}

export const assignTag = async (deps: Deps, viewer: Viewer, { itemKey, tagId }: { itemKey: string; tagId: number }): Promise<void> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  await deps.write.transaction(async (tx) => {
    await assertTags(tx, [tagId])
    await assignTags(tx, { itemIds: [item.id], tagIds: [tagId], source: 'user', createdBy: viewer.userId })
  })
}

export const unassignTag = async (deps: Deps, viewer: Viewer, { itemKey, tagId }: { itemKey: string; tagId: number }): Promise<void> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  await deps.write.transaction(async (tx) => {
    await assertTags(tx, [tagId])
    await unassignTags(tx, { itemIds: [item.id], tagIds: [tagId] })
  })
}

interface BulkChange {
  itemKeys: string[]
  add: number[]
  remove: number[]
}

/**
 * Puts tags on many items and takes others off, and answers how many assignments changed. Nothing happens where an item
 * or a tag does not exist; thousands of changes are made in slices, each of them whole.
 */
export const changeTagsInBulk = async (deps: Deps, viewer: Viewer, { itemKeys, ...change }: BulkChange): Promise<number> => {
  const [add, remove] = [[...new Set(change.add)], [...new Set(change.remove)]]
  if (add.some((id) => remove.includes(id)))
    throw new AppError('invalid_request', undefined, { errors: [{ path: 'remove', message: 'names a tag that is to be added' }] })
  const itemIds = await getVisibleIds(deps, viewer, itemKeys)
  const sliceItems = Math.max(1, Math.floor(SLICE_ROWS / Math.max(1, add.length + remove.length)))
  let changed = 0
  for (let start = 0; start === 0 || start < itemIds.length; start += sliceItems)
    changed += await deps.write.transaction(async (tx) => {
      const slice = itemIds.slice(start, start + sliceItems)
      if (start === 0) await assertTags(tx, [...add, ...remove])
      const added = await assignTags(tx, { itemIds: slice, tagIds: add, source: 'user', createdBy: viewer.userId })
      return added + (await unassignTags(tx, { itemIds: slice, tagIds: remove }))
    })
  return changed
}
