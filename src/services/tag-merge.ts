/**
 * Two tags become one, or two categories (API.md, 8). No assignment is lost or doubled: an item that carries both tags
 * keeps the better source (tag-assignments.ts). Assignments move in slices; a crash on the way leaves both tags, and each
 * item with at least one of them.
 */

import type { InStatement } from '@libsql/client'
import { eq } from 'drizzle-orm'
import { libsqlErrorIn } from '../db/busy.ts'
import { tagCategories, tags } from '../db/schema/tags.ts'
import type { Deps } from '../deps.ts'
import { nameKey, searchKey } from '../domain/name-key.ts'
import type { Viewer } from '../domain/permissions.ts'
import { mappingProblem } from '../domain/tag-name.ts'
import { SOURCES_BY_WORTH } from '../domain/tag-source.ts'
import { AppError } from '../errors.ts'
import { getCategoryRow } from './tag-categories.ts'
import { countMerge, type MergeCount } from './tag-plans.ts'
import { repeatInSlices, SLICE_ROWS } from './tag-slices.ts'
import { countUsage } from './tag-usage.ts'
import { getTag, type Tag, type UsedTag } from './tags.ts'
import { createTurns } from './turns.ts'

interface Merge {
  from: number
  into: number
}

/** Only while there is something to merge into: it may have been deleted between two slices. */
const INTO_EXISTS = 'EXISTS (SELECT 1 FROM tags WHERE id = ?2)'
const SLICE = 'SELECT item_id FROM item_tags WHERE tag_id = ?1 ORDER BY item_id LIMIT ?3'

const MOVE = `INSERT INTO item_tags (tag_id, item_id, source, created_by, created_at, is_copy)
  SELECT ?2, item_id, source, created_by, created_at, is_copy FROM item_tags WHERE tag_id = ?1 AND item_id IN (${SLICE}) AND ${INTO_EXISTS}
  ON CONFLICT (tag_id, item_id) DO UPDATE SET source = excluded.source, created_by = excluded.created_by, created_at = excluded.created_at,
    is_copy = excluded.is_copy
  WHERE instr('${SOURCES_BY_WORTH}', excluded.source) > instr('${SOURCES_BY_WORTH}', item_tags.source) - item_tags.is_copy`
const REMOVE = `DELETE FROM item_tags WHERE tag_id = ?1 AND item_id IN (${SLICE}) AND ${INTO_EXISTS}`

/** What a person did not want under the old name is not wanted under the new one, unless it is there. */
const MOVE_REFUSALS = `INSERT OR IGNORE INTO tag_refusals (item_id, tag_id, created_at) SELECT item_id, ?2, created_at FROM tag_refusals
  WHERE tag_id = ?1 AND ${INTO_EXISTS} AND item_id NOT IN (SELECT item_id FROM item_tags WHERE tag_id = ?2)`
const MOVE_MAPPINGS = `UPDATE tag_mappings SET tag_id = ?2 WHERE tag_id = ?1 AND ${INTO_EXISTS}`
const MOVE_MERGED = `UPDATE merged_tags SET into_tag_id = ?2 WHERE into_tag_id = ?1 AND ${INTO_EXISTS}`
const ADD_MERGED = `INSERT INTO merged_tags (tag_id, into_tag_id) SELECT id, ?2 FROM tags WHERE id = ?1 AND ${INTO_EXISTS}`
const ADD_MAPPING = `INSERT INTO tag_mappings (source_key, source, tag_id, search_source) SELECT ?3, ?4, ?2, ?5 WHERE ${INTO_EXISTS} AND ?1 <> ?2
  ON CONFLICT (source_key) DO UPDATE SET source = excluded.source, tag_id = excluded.tag_id, search_source = excluded.search_source`
const KEEP_PLACES = `INSERT INTO tag_mappings (source_key, source, tag_id, search_source)
  SELECT value ->> 0, value ->> 1, ?2, value ->> 2 FROM json_each(?3) WHERE ${INTO_EXISTS} AND ?1 <> ?2 ON CONFLICT (source_key) DO NOTHING`
const FORGET = `DELETE FROM tags WHERE id = ?1 AND ${INTO_EXISTS}`

/** Limits below zero are none (SQLite, SELECT). */
const move = ({ from, into }: Merge, limit: number): InStatement[] => [MOVE, REMOVE].map((sql) => ({ sql, args: [from, into, limit] }))

/** `keeping`: what makes the names of the first tag stand for the other, as they are when nobody else writes any more. */
const mergeTag = async (deps: Deps, merge: Merge, keeping: () => Promise<InStatement[]>): Promise<void> => {
  const { rows } = await deps.db.$client.execute({ sql: 'SELECT count(*) AS total FROM item_tags WHERE tag_id = ?', args: [merge.from] })
  // No more: somebody may be merging the other way, and what comes back from there would be moved for ever.
  await repeatInSlices(deps, move(merge, SLICE_ROWS), Math.ceil(Number(rows[0]?.total) / SLICE_ROWS))
  const args = [merge.from, merge.into]
  await deps.write.batch(async () => [
    ...move(merge, -1),
    ...(await keeping()),
    ...[MOVE_REFUSALS, MOVE_MAPPINGS, MOVE_MERGED, ADD_MERGED, FORGET].map((sql) => ({ sql, args })),
  ])
}

const assertTwo = ({ from, into }: Merge, path: string): void => {
  if (from === into) throw new AppError('invalid_request', undefined, { errors: [{ path, message: 'is what is to be merged' }] })
}

/**
 * `Category/Mapping` means the tag while it belongs to the category, and is a mapping of its own once it does not. One that
 * ends with another name of the tag has its place already: with another in front of it they would double with each merge.
 */
const placesOf = async (deps: Deps, { id, name, categoryName }: Tag): Promise<[key: string, place: string, searched: string][]> => {
  const { rows } = await deps.db.$client.execute({ sql: 'SELECT source_key, source FROM tag_mappings WHERE tag_id = ?', args: [id] })
  const keys = new Set([nameKey(name), ...rows.map((row) => String(row.source_key))])
  const turns = createTurns()
  const places: [key: string, place: string, searched: string][] = []
  for (const row of rows) {
    const [key, place] = [String(row.source_key), `${categoryName}/${row.source}`]
    const isPlace = key.matchAll(/\//g).some(({ index }) => keys.has(key.slice(index + 1)))
    if (!isPlace && mappingProblem(place) === undefined) places.push([nameKey(place), place, searchKey(place)])
    await turns()
  }
  return places
}

/** Among tags of several categories the name alone could be that of another one later, so the old place is kept as well. */
const keepNames = async (deps: Deps, merge: Merge): Promise<InStatement[]> => {
  const [from, into] = [await getTag(deps.db, merge.from), await getTag(deps.db, merge.into)]
  const isNear = from.categoryId === into.categoryId
  const names = isNear ? [from.name] : [from.name, `${from.categoryName}/${from.name}`]
  const places = isNear ? [] : await placesOf(deps, from)
  const args = [from.id, into.id]
  return [
    { sql: KEEP_PLACES, args: [...args, JSON.stringify(places)] },
    ...names.map((name) => ({ sql: ADD_MAPPING, args: [...args, nameKey(name), name, searchKey(name)] })),
  ]
}

/** Answers the tag that stays. */
export const mergeTags = async (
  deps: Deps,
  viewer: Viewer,
  { id, intoTagId, dryRun = false }: { id: number; intoTagId: number; dryRun?: boolean },
): Promise<MergeCount & { tag: UsedTag }> => {
  const merge = { from: id, into: intoTagId }
  assertTwo(merge, 'intoTagId')
  await getTag(deps.db, id)
  await getTag(deps.db, intoTagId)
  const count = await countMerge(deps, viewer, merge)
  if (!dryRun) await mergeTag(deps, merge, () => keepNames(deps, merge))
  const tag = await getTag(deps.db, intoTagId)
  return { ...count, tag: { ...tag, usage: await countUsage(deps, viewer, intoTagId) } }
}

/** Tags of both categories with the same name, and how many others the first one has. */
const compareCategories = async (deps: Deps, { from, into }: Merge): Promise<{ movedTags: number; same: Merge[] }> => {
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT a.id AS "from", b.id AS "into" FROM tags a LEFT JOIN tags b ON b.category_id = ?2 AND b.name_key = a.name_key
      WHERE a.category_id = ?1 ORDER BY a.id`,
    args: [from, into],
  })
  const same = rows.flatMap((row) => (row.into === null ? [] : [{ from: Number(row.from), into: Number(row.into) }]))
  return { movedTags: rows.length - same.length, same }
}

/** Somebody may have renamed one of them, or moved it, since they were compared: then they are two tags. */
const areSame = async (deps: Deps, tags: Merge, { from, into }: Merge): Promise<boolean> => {
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT 1 FROM tags a JOIN tags b ON b.id = ?2 AND b.category_id = ?4 AND b.name_key = a.name_key WHERE a.id = ?1 AND a.category_id = ?3',
    args: [tags.from, tags.into, from, into],
  })
  return rows.length > 0
}

interface CategoryMergeCount {
  movedTags: number
  mergedTags: number
}

/** So often they are compared anew where a tag of the same name is added in between. */
const MAX_TRIES = 5

/** Answers how many; undefined, and has changed nothing, where both categories have a tag of the same name by now. */
const moveTags = async (deps: Deps, { from, into }: Merge): Promise<number | undefined> => {
  try {
    return await deps.write.transaction(async (tx) => {
      await getCategoryRow(tx, from)
      await getCategoryRow(tx, into)
      const { rowsAffected } = await tx.update(tags).set({ categoryId: into }).where(eq(tags.categoryId, from))
      await tx.delete(tagCategories).where(eq(tagCategories.id, from))
      return rowsAffected
    })
  } catch (error) {
    if (libsqlErrorIn(error)?.code.startsWith('SQLITE_CONSTRAINT')) return undefined
    throw error
  }
}

/** The target's tags stay, with their ids; the first category is gone. Throws `not_found`, or `conflict` where others change the tags all the time. */
export const mergeTagCategories = async (
  deps: Deps,
  { id, intoCategoryId, dryRun = false }: { id: number; intoCategoryId: number; dryRun?: boolean },
): Promise<CategoryMergeCount> => {
  const merge = { from: id, into: intoCategoryId }
  assertTwo(merge, 'intoCategoryId')
  await getCategoryRow(deps.db, id)
  await getCategoryRow(deps.db, intoCategoryId)
  let mergedTags = 0
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { movedTags, same } = await compareCategories(deps, merge)
    if (dryRun) return { movedTags, mergedTags: same.length }
    for (const pair of same) {
      if (!(await areSame(deps, pair, merge))) continue
      await mergeTag(deps, pair, async () => [])
      mergedTags += 1
    }
    const moved = await moveTags(deps, merge)
    if (moved !== undefined) return { movedTags: moved, mergedTags }
  }
  throw new AppError('conflict', 'The tags are being changed meanwhile; try again.')
}
