/**
 * The statements of a scan: what it may do to the index. A scan inserts, updates and sets `missing_since`; there is no
 * DELETE here, and there must never be one.
 */

import type { InStatement } from '@libsql/client'
import type { AiActivity } from '../domain/ai-activity.ts'
import { displacedPath, itemKey } from '../domain/item-key.ts'
import { isContainer } from '../domain/item-type.ts'
import { COLUMN_NAMES, keyOf, parentKeyOf, type UnitItem } from '../scan/column-batch.ts'
import { LEFT_OF_COPY } from './left-of-copy.ts'
import { inherit, inheritAll } from './scan-inheritance.ts'
import { LEARNT, NFO_TITLES, REFRESHED } from './scan-rows.ts'
import type { IndexRow } from './scan-state.ts'
import type { PartOfWhole } from './scan-wholes.ts'

const PRESENT_CHILDREN = `(SELECT count(*) FROM media_items child WHERE child.parent_id = media_items.id AND child.missing_since IS NULL)`

/** The index is named: the planner would rather read every row through one that does not know what is missing. */
const PRESENT_ENTRIES = `(SELECT count(*) FROM media_items INDEXED BY media_items_by_title WHERE library_id = libraries.id AND parent_id IS NULL AND missing_since IS NULL)`

/** Remembers what was seen of units. */
export const setSignatures = (libraryId: number, signatures: readonly (readonly [unit: string, signature: string])[]): InStatement => ({
  sql: `INSERT INTO scan_units (library_id, path, signature) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
    ON CONFLICT (library_id, path) DO UPDATE SET signature = excluded.signature`,
  args: [libraryId, JSON.stringify(signatures)],
})

/** Counts the present children of these items. */
export const recountChildren = (ids: readonly number[]): InStatement => ({
  sql: `UPDATE media_items SET child_count = ${PRESENT_CHILDREN}
    WHERE id IN (SELECT value FROM json_each(?))`,
  args: [JSON.stringify(ids)],
})

/** The same for the items with these keys. */
export const recountKeys = (keys: readonly string[]): InStatement => ({
  sql: `UPDATE media_items SET child_count = ${PRESENT_CHILDREN} WHERE item_key IN (SELECT value FROM json_each(?))`,
  args: [JSON.stringify(keys)],
})

/** A container has changed when something is new in it, however deep below: nothing else of it may tell. */
export const touchAbove = (
  libraryId: number,
  rows: readonly UnitItem[],
  { known, now }: { known: ReadonlyMap<string, unknown>; now: number },
): InStatement[] => {
  const added = rows.filter(({ item }) => !known.has(keyOf(libraryId, item)))
  const parents = new Set(added.flatMap(({ item }) => parentKeyOf(libraryId, item) ?? []))
  if (parents.size === 0) return []
  return [
    {
      sql: `WITH RECURSIVE above(id) AS (SELECT id FROM media_items WHERE item_key IN (SELECT value FROM json_each(?1))
          UNION SELECT parent_id FROM media_items JOIN above USING (id) WHERE parent_id IS NOT NULL)
        UPDATE media_items SET updated_at = ?2 WHERE id IN (SELECT id FROM above) AND updated_at < ?2`,
      args: [JSON.stringify([...parents]), now],
    },
  ]
}

/** Counts the present top-level entries of a library. */
export const recountLibrary = (libraryId: number): InStatement => ({
  sql: `UPDATE libraries SET item_count = ${PRESENT_ENTRIES} WHERE id = ?`,
  args: [libraryId],
})

/** What follows from these items being missing, wherever they are not; the next scan looks at their units again. */
const followLosses = (ids: readonly number[]): InStatement[] => {
  const list = JSON.stringify(ids)
  return [
    {
      sql: `UPDATE scan_units SET signature = '' WHERE (library_id, path) IN
        (SELECT library_id, unit FROM media_items WHERE id IN (SELECT value FROM json_each(?)))`,
      args: [list],
    },
    {
      sql: `UPDATE media_items SET child_count = ${PRESENT_CHILDREN}
        WHERE id IN (SELECT parent_id FROM media_items WHERE id IN (SELECT value FROM json_each(?)))`,
      args: [list],
    },
    // The card of a series may show the picture of an episode.
    {
      sql: `UPDATE media_items SET entry = NULL WHERE entry IS NOT NULL AND id IN (SELECT season.parent_id FROM media_items season
        WHERE season.id IN (SELECT parent_id FROM media_items WHERE id IN (SELECT value FROM json_each(?))))`,
      args: [list],
    },
    {
      sql: `UPDATE libraries SET item_count = ${PRESENT_ENTRIES}
        WHERE id IN (SELECT library_id FROM media_items WHERE id IN (SELECT value FROM json_each(?)))`,
      args: [list],
    },
    ...inherit(ids),
  ]
}

/** Marks items missing and makes sure that the next scan looks at their units again. `wholes`: what they are parts of now, or in parts. */
export const markMissingStatements = (ids: readonly number[], now: number, wholes: readonly PartOfWhole[] = []): InStatement[] => {
  const lost = new Set(ids)
  const pairs = wholes.filter(([id]) => lost.has(id))
  return [
    {
      sql: 'UPDATE media_items SET missing_since = ? WHERE id IN (SELECT value FROM json_each(?)) AND missing_since IS NULL',
      args: [now, JSON.stringify(ids)],
    },
    ...followLosses(ids),
    ...(pairs.length > 0 ? inheritAll(pairs, wholes) : []),
  ]
}

/** Counts the children of every item of these units. */
export const recountUnits = (libraryId: number, units: readonly string[]): InStatement => ({
  sql: `UPDATE media_items SET child_count = ${PRESENT_CHILDREN}
    WHERE library_id = ? AND unit IN (SELECT value FROM json_each(?)) AND item_type IN ('game_series', 'tv_series', 'tv_season', 'manga_series')`,
  args: [libraryId, JSON.stringify(units)],
})

/** What a scan has read of an item, and goes by. */
type Known = Pick<IndexRow, 'id' | 'itemKey'>

/** Whether the row `media_items` is this item where it was read, or taken off that key. Another scan may have been faster. */
const isAt = (id: string, key: string): string => `media_items.id = ${id} AND media_items.item_key = ${key}`
const isParkedFrom = (id: string, key: string): string => isAt(id, `${key} || '/#moving-' || media_items.id`)

/** Takes items off their keys, so that they may swap places. A parked item that a crash leaves behind is found as gone, and moved, by the next scan. */
export const park = (rows: readonly Known[]): InStatement => ({
  sql: `UPDATE media_items SET item_key = item_key || '/#moving-' || media_items.id FROM json_each(?) AS row WHERE ${isAt('row.value ->> 0', 'row.value ->> 1')}`,
  args: [JSON.stringify(rows.map(({ id, itemKey }) => [id, itemKey]))],
})

/** Gives parked items their new keys. */
export const setKeys = (moves: readonly { from: Known; itemKey: string }[]): InStatement => ({
  sql: `UPDATE media_items SET item_key = row.value ->> 2 FROM json_each(?) AS row WHERE ${isParkedFrom('row.value ->> 0', 'row.value ->> 1')}`,
  args: [JSON.stringify(moves.map(({ from, itemKey }) => [from.id, from.itemKey, itemKey]))],
})

/** Where `displace` leaves an item. */
export const displacedPlace = ({ id, itemType, libraryId, path }: IndexRow, now: number): Pick<IndexRow, 'path' | 'itemKey'> => {
  const place = displacedPath(path, id, now)
  return { path: place, itemKey: itemKey(itemType, libraryId, place) }
}

/** Parked items whose place and file another item has taken: missing, under a key that names no file. What their files were is kept. */
export const displace = (rows: readonly (Known & { path: string })[], now: number): InStatement[] => [
  {
    sql: `UPDATE media_items SET path = row.value ->> 2, stored_file_path = file_path, stored_main_file = main_file,
        stored_thumbnail_path = thumbnail_path, item_key = item_type || ':' || library_id || ':' || (row.value ->> 2),
        missing_since = coalesce(missing_since, ?2)
      FROM json_each(?1) AS row WHERE ${isParkedFrom('row.value ->> 0', 'row.value ->> 1')}`,
    args: [JSON.stringify(rows.map((row) => [row.id, row.itemKey, displacedPath(row.path, row.id, now)])), now],
  },
  ...followLosses(rows.map((row) => row.id)),
]

/** A lost item, and the untouched copy that was there before it went. */
export interface TwinPair {
  lost: IndexRow
  twin: IndexRow
}

/** What was read of an item beside its file, and where it has none of its own. */
const METADATA: ReadonlyMap<string, string> = new Map([
  ...REFRESHED.map((column) => [column, 'media_items.nfo_refreshed_at IS NULL'] as const),
  ...NFO_TITLES,
  ['title_given', 'NOT media_items.title_given'],
  ['sort_title_given', 'NOT media_items.sort_title_given'],
])
const OF_THE_BYTES = ['content_hash', 'inspect_error', 'thumbhash', 'width', 'height', 'duration_seconds', 'taken_at']
/** What belongs to the place of an item, and not to the item. */
const OF_THE_PLACE = [
  ...new Set([
    ...COLUMN_NAMES.filter((column) => column !== 'item_type'),
    ...METADATA.keys(),
    ...OF_THE_BYTES,
    'library_id',
    'parent_id',
    'updated_at',
  ]),
]
/** What a model writes, and where what it wrote about a copy is wanted: a translation of another text is of no use. */
const WRITTEN: Readonly<Record<AiActivity, { column: string; isWanted: string }>> = {
  description: { column: 'description', isWanted: 'media_items.description IS NULL' },
  extraction: { column: 'extracted_text', isWanted: 'media_items.extracted_text IS NULL' },
  translation: { column: 'translation', isWanted: 'media_items.extracted_text IS NULL AND media_items.translation IS NULL' },
  tagging: { column: 'ai_tagged_at', isWanted: 'media_items.ai_tagged_at IS NULL' },
}

/** What the bytes, which are the same, have told of one of the two. */
const OF_EITHER = new Set(['page_count', 'duration_seconds'])

const otherOrOwn = (column: string): string => {
  const hasNone = METADATA.get(column)
  if (hasNone !== undefined) return `CASE WHEN ${hasNone} THEN other.${column} ELSE media_items.${column} END`
  if (OF_EITHER.has(column)) return `coalesce(other.${column}, media_items.${column})`
  return Object.hasOwn(LEARNT, column)
    ? `CASE WHEN other.${column} IS NULL AND ${LEARNT[column]} THEN media_items.${column} ELSE other.${column} END`
    : `other.${column}`
}

/** The pairs of `?1` that are changing places, by their lost items `media_items`: those of which both were where they had been read. */
const PARKED = `json_each(?1) AS pair JOIN media_items ON ${isParkedFrom('pair.value ->> 0', 'pair.value ->> 2')}`

const sourceColumns = (alias: string): string => OF_THE_PLACE.map((column) => `${alias}.${column}`).join(', ')

/**
 * Lets lost items and their copies change places: the lost one is present with the copy's file, and carries what a
 * model wrote about the copy where it had nothing; the copy is missing from the old place, and can be taken for nothing
 * that turns up later. The first statement answers the ids of those that do: where another scan has been faster nothing happens.
 */
export const changePlaces = (pairs: readonly TwinPair[], now: number): InStatement[] => {
  const listed = (some: readonly TwinPair[]): string =>
    JSON.stringify(some.map(({ lost, twin }) => [lost.id, twin.id, lost.itemKey, twin.itemKey, lost.missingSince === null]))
  const all = listed(pairs)
  const twinIds = pairs.map(({ twin }) => twin.id)
  const ids = pairs.flatMap(({ lost, twin }) => [lost.id, twin.id])
  const parents = pairs.flatMap(({ lost, twin }) => [lost.parentId ?? [], twin.parentId ?? []].flat())
  const written = Object.entries(WRITTEN)
  return [
    {
      sql: `WITH able AS MATERIALIZED (SELECT pair.value AS pair FROM json_each(?1) AS pair
          JOIN media_items lost ON lost.id = pair.value ->> 0 AND lost.item_key = pair.value ->> 2 AND (pair.value ->> 4 OR lost.missing_since IS NOT NULL)
          JOIN media_items twin ON twin.id = pair.value ->> 1 AND twin.item_key = pair.value ->> 3 AND twin.missing_since IS NULL)
        UPDATE media_items SET item_key = item_key || '/#moving-' || id
        WHERE id IN (SELECT pair ->> 0 FROM able UNION ALL SELECT pair ->> 1 FROM able) RETURNING id`,
      args: [all],
    },
    // With what it has done, so that it can be undone, and what it is still to do.
    {
      sql: `UPDATE OR IGNORE ai_jobs SET item_id = media_items.id FROM ${PARKED}
        WHERE ai_jobs.item_id = pair.value ->> 1 AND CASE ai_jobs.activity ${written
          .map(([activity, { isWanted }]) => `WHEN '${activity}' THEN ${isWanted}`)
          .join(' ')} END`,
      args: [all],
    },
    // What was still to be done of both is done of the one that is there.
    {
      sql: `UPDATE ai_jobs SET status = 'cancelled', finished_at = ?2, owner = NULL, lease_until = NULL
        WHERE item_id IN (SELECT pair.value ->> 1 FROM ${PARKED}) AND status IN ('queued', 'running')`,
      args: [all, now],
    },
    {
      sql: `INSERT OR IGNORE INTO item_tags (tag_id, item_id, source, created_by, created_at)
        SELECT tag.tag_id, media_items.id, tag.source, tag.created_by, tag.created_at
        FROM ${PARKED} JOIN item_tags tag ON tag.item_id = pair.value ->> 1
        WHERE ${WRITTEN.tagging.isWanted} AND NOT EXISTS (SELECT 1 FROM tag_refusals WHERE item_id = media_items.id AND tag_id = tag.tag_id)`,
      args: [all],
    },
    {
      sql: `UPDATE media_items SET ${written
        .map(([, { column, isWanted }]) => `${column} = CASE WHEN ${isWanted} THEN other.${column} ELSE media_items.${column} END`)
        .join(', ')}
        FROM (SELECT media_items.id AS target, ${written.map(([, { column }]) => `twin.${column}`).join(', ')}
          FROM ${PARKED} JOIN media_items twin ON twin.id = pair.value ->> 1) AS other WHERE media_items.id = other.target`,
      args: [all],
    },
    {
      // Pictures are kept by id: those of the new place are still to be made for it. A library that goes takes along that it had new items.
      sql: `UPDATE media_items SET inspected_version = NULL, is_new = false, ${OF_THE_PLACE.map((column) => `${column} = ${otherOrOwn(column)}`).join(', ')}
        FROM (SELECT media_items.id AS target, ${sourceColumns('twin')} FROM ${PARKED} JOIN media_items twin ON twin.id = pair.value ->> 1
          UNION ALL SELECT pair.value ->> 1, ${sourceColumns('media_items')} FROM ${PARKED}) AS other
        WHERE media_items.id = other.target`,
      args: [all],
    },
    {
      sql: `UPDATE media_items SET parent_id = other.parent
        FROM (SELECT pair.value ->> 0 AS before, pair.value ->> 1 AS parent FROM ${PARKED}
          UNION ALL SELECT pair.value ->> 1, pair.value ->> 0 FROM ${PARKED}) AS other WHERE media_items.parent_id = other.before`,
      args: [listed(pairs.filter(({ lost }) => isContainer(lost.itemType)))],
    },
    {
      sql: `UPDATE media_items SET identity = NULL, content_hash = NULL, modified_at = ${LEFT_OF_COPY}, missing_since = coalesce(missing_since, ?2)
        WHERE id IN (SELECT pair.value ->> 1 FROM ${PARKED})`,
      args: [all, now],
    },
    // One that went missing from another library before it was found in this one.
    {
      sql: `UPDATE media_items SET missing_since = NULL WHERE id IN (SELECT pair.value ->> 0 FROM ${PARKED}) AND missing_since IS NOT NULL`,
      args: [all],
    },
    // Last: a pair that another scan has let change places is at its new keys too, and nothing must be done to it again.
    {
      sql: `UPDATE media_items SET item_key = other.new_key
        FROM (SELECT media_items.id AS target, pair.value ->> 3 AS new_key FROM ${PARKED}
          UNION ALL SELECT pair.value ->> 1, pair.value ->> 2 FROM ${PARKED}) AS other WHERE media_items.id = other.target`,
      args: [all],
    },
    ...followLosses(twinIds),
    recountChildren([...new Set([...ids, ...parents])]),
  ]
}

/** Remembers what a held scan would mark missing. */
export const keepLosses = (scanId: number, ids: readonly number[]): InStatement => ({
  sql: 'INSERT OR IGNORE INTO scan_losses (scan_id, item_id) SELECT ?, value FROM json_each(?)',
  args: [scanId, JSON.stringify(ids)],
})
