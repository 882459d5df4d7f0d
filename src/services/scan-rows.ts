/**
 * Scanned items as SQL. A batch is one `INSERT … SELECT … FROM json_each(?)`, which is several times faster than a
 * statement a row and keeps memory flat (PERFORMANCE.md, A3); columns that are null in the whole batch are left out.
 */

import type { InStatement } from '@libsql/client'
import { itemKey } from '../domain/item-key.ts'
import { PARENT_TYPE } from '../domain/item-type.ts'
import type { ScannedItem } from '../domain/scanned-item.ts'

/** A scanned item together with the unit that it was read with. */
export interface UnitItem {
  unit: string
  item: ScannedItem
}

export const keyOf = (libraryId: number, item: ScannedItem): string => itemKey(item.itemType, libraryId, item.path)

export const parentKeyOf = (libraryId: number, item: ScannedItem): string | null => {
  const parentType = PARENT_TYPE[item.itemType]
  return parentType && item.parentPath !== null ? itemKey(parentType, libraryId, item.parentPath) : null
}

type Value = string | number | null

/** How each column is read from a scanned item; `item_key` follows from the library, the type and the path. */
const COLUMNS: Record<string, (row: UnitItem) => Value> = {
  item_type: ({ item }) => item.itemType,
  path: ({ item }) => item.path,
  file_path: ({ item }) => (item.itemType === 'mixed_file' ? item.path : null),
  unit: ({ unit }) => unit,
  title: ({ item }) => item.title,
  sort_title: ({ item }) => item.sortTitle,
  search_title: ({ item }) => item.searchTitle,
  sort_number: ({ item }) => item.sortNumber,
  season_number: ({ item }) => item.seasonNumber,
  episode_number: ({ item }) => item.episodeNumber,
  episode_number_end: ({ item }) => item.episodeNumberEnd,
  volume_number: ({ item }) => item.volumeNumber,
  chapter_number: ({ item }) => item.chapterNumber,
  year: ({ item }) => item.year,
  aired_at: ({ item }) => item.airedAt,
  media_kind: ({ item }) => item.mediaKind,
  mime_type: ({ item }) => item.mimeType,
  size: ({ item }) => item.size,
  modified_at: ({ item }) => item.modifiedAt,
  identity: ({ item }) => item.identity,
  main_file: ({ item }) => item.mainFile,
  page_count: ({ item }) => item.pageCount,
  thumbnail_kind: ({ item }) => item.thumbnail?.kind ?? null,
  thumbnail_path: ({ item }) => item.thumbnail?.path ?? null,
  thumbnail_version: ({ item }) => item.thumbnail?.version ?? null,
  nfo_path: ({ item }) => item.nfo?.path ?? null,
  nfo_modified_at: ({ item }) => item.nfo?.modifiedAt ?? null,
  files: ({ item }) => (item.itemType === 'mixed_file' ? null : JSON.stringify(item.files)),
  artwork: ({ item }) => (item.artwork.length === 0 ? null : JSON.stringify(item.artwork)),
}

/** Columns that a metadata refresh owns once it has run (API.md, 7): no scan puts the old value back. */
const NFO_OWNED = new Set(['title', 'sort_title', 'search_title', 'year', 'aired_at'])

/** Columns that tell whether the bytes behind an item are still the ones that were inspected. */
const SAME_BYTES =
  'media_items.thumbnail_version IS excluded.thumbnail_version AND media_items.size IS excluded.size AND media_items.modified_at IS excluded.modified_at'

const updateOf = (column: string): string =>
  NFO_OWNED.has(column)
    ? `${column} = CASE WHEN media_items.nfo_refreshed_at IS NULL THEN excluded.${column} ELSE media_items.${column} END`
    : `${column} = excluded.${column}`

const CHANGEABLE = Object.keys(COLUMNS).filter((column) => column !== 'item_type')

const ON_CONFLICT = `ON CONFLICT (item_key) DO UPDATE SET ${CHANGEABLE.map(updateOf).join(', ')},
  parent_id = excluded.parent_id, missing_since = NULL, updated_at = excluded.updated_at,
  inspected_version = CASE WHEN ${SAME_BYTES} THEN media_items.inspected_version END,
  inspect_error = CASE WHEN ${SAME_BYTES} THEN media_items.inspect_error END,
  content_hash = CASE WHEN ${SAME_BYTES} THEN media_items.content_hash END
WHERE media_items.missing_since IS NOT NULL OR media_items.parent_id IS NOT excluded.parent_id OR ${CHANGEABLE.filter(
  (column) => !NFO_OWNED.has(column),
)
  .map((column) => `media_items.${column} IS NOT excluded.${column}`)
  .join(' OR ')}`

/** How a column of a batch comes into the statement: one value for all rows, a copy of another column, or a value a row. */
type ColumnPlan = { name: string; constant: Value } | { name: string; sameAs: string } | { name: string; values: Value[] }

const planColumn = (name: string, values: Value[], paths: readonly Value[]): ColumnPlan => {
  const [first = null] = values
  if (values.every((value) => value === first)) return { name, constant: first }
  if (name !== 'path' && values.every((value, index) => value === paths[index])) return { name, sameAs: 'path' }
  return { name, values }
}

/**
 * Inserts rows, or brings the rows with the same key up to date where something differs; answers the keys that changed
 * unless `quiet`. The rows' parents must be in the index already: call it level by level (`byDepth`).
 *
 * Reading a value out of JSON is what costs most, so each value is read once, into a materialised table, and what is
 * the same in every row, or the same as the path, is not sent at all.
 */
export const upsertStatement = (
  libraryId: number,
  rows: readonly UnitItem[],
  { now, quiet }: { now: number; quiet: boolean },
): InStatement => {
  const paths = rows.map(({ item }) => item.path)
  const plans = Object.entries(COLUMNS).map(([name, read]) => planColumn(name, rows.map(read), paths))
  const parents = rows.map(({ item }) => parentKeyOf(libraryId, item))
  const sent = plans.filter((plan) => 'values' in plan)
  const payload = rows.map((_, index) => [...sent.map(({ values }) => values[index]), parents[index]])
  const constants: Value[] = []
  const expressionOf = (plan: ColumnPlan): string => {
    if ('values' in plan) return `found.${plan.name}`
    if ('sameAs' in plan) return `found.${plan.sameAs}`
    constants.push(plan.constant)
    return '?'
  }
  const used = plans.filter((plan) => !('constant' in plan) || plan.constant !== null)
  const expressions = used.map(expressionOf)
  const itemType = used.findIndex(({ name }) => name === 'item_type')
  const path = used.findIndex(({ name }) => name === 'path')
  const reads = sent.map(({ name }, index) => `source.row ->> ${index} AS ${name}`)
  const key = `${expressions[itemType]} || ':' || ? || ':' || ${expressions[path]}`
  return {
    sql: `WITH source(row) AS MATERIALIZED (SELECT value FROM json_each(?)),
        found AS MATERIALIZED (SELECT ${[...reads, `source.row ->> ${sent.length} AS parent_key`].join(', ')} FROM source)
      INSERT INTO media_items (library_id, added_at, updated_at, parent_id, ${used.map(({ name }) => name).join(', ')}, item_key)
      SELECT ?, ?, ?, (SELECT id FROM media_items WHERE item_key = found.parent_key), ${expressions.join(', ')}, ${key}
      FROM found WHERE true ${ON_CONFLICT} ${quiet ? '' : 'RETURNING item_key AS itemKey'}`,
    args: [JSON.stringify(payload), libraryId, now, now, ...constants, ...keyArguments(used, { itemType, path }, libraryId)],
  }
}

/** The key is made of the same expressions again: where one of them is a constant, it is bound once more. */
const keyArguments = (used: readonly ColumnPlan[], { itemType, path }: { itemType: number; path: number }, libraryId: number): Value[] => {
  const constantOf = (place: number): Value[] => {
    const plan = used[place]
    return plan && 'constant' in plan ? [plan.constant] : []
  }
  return [...constantOf(itemType), String(libraryId), ...constantOf(path)]
}

/** Rows in groups whose parents stand in an earlier group: top level first. */
export const byDepth = (rows: readonly UnitItem[]): UnitItem[][] => {
  const groups: UnitItem[][] = [[], [], []]
  for (const row of rows) {
    const depth = row.item.parentPath === null ? 0 : row.item.itemType === 'tv_episode' ? 2 : 1
    groups[depth]?.push(row)
  }
  return groups.filter((group) => group.length > 0)
}
