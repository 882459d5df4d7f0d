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

/** How each column is read from a scanned item. The columns before `item_key` are the same for every row of a batch. */
const COLUMNS: Record<string, (libraryId: number, row: UnitItem) => Value> = {
  item_key: (libraryId, { item }) => keyOf(libraryId, item),
  item_type: (_, { item }) => item.itemType,
  path: (_, { item }) => item.path,
  file_path: (_, { item }) => (item.itemType === 'mixed_file' ? item.path : null),
  unit: (_, { unit }) => unit,
  title: (_, { item }) => item.title,
  sort_title: (_, { item }) => item.sortTitle,
  search_title: (_, { item }) => item.searchTitle,
  sort_number: (_, { item }) => item.sortNumber,
  season_number: (_, { item }) => item.seasonNumber,
  episode_number: (_, { item }) => item.episodeNumber,
  episode_number_end: (_, { item }) => item.episodeNumberEnd,
  volume_number: (_, { item }) => item.volumeNumber,
  chapter_number: (_, { item }) => item.chapterNumber,
  year: (_, { item }) => item.year,
  aired_at: (_, { item }) => item.airedAt,
  media_kind: (_, { item }) => item.mediaKind,
  mime_type: (_, { item }) => item.mimeType,
  size: (_, { item }) => item.size,
  modified_at: (_, { item }) => item.modifiedAt,
  identity: (_, { item }) => item.identity,
  main_file: (_, { item }) => item.mainFile,
  page_count: (_, { item }) => item.pageCount,
  thumbnail_kind: (_, { item }) => item.thumbnail?.kind ?? null,
  thumbnail_path: (_, { item }) => item.thumbnail?.path ?? null,
  thumbnail_version: (_, { item }) => item.thumbnail?.version ?? null,
  nfo_path: (_, { item }) => item.nfo?.path ?? null,
  nfo_modified_at: (_, { item }) => item.nfo?.modifiedAt ?? null,
  files: (_, { item }) => (item.itemType === 'mixed_file' ? null : JSON.stringify(item.files)),
  artwork: (_, { item }) => (item.artwork.length === 0 ? null : JSON.stringify(item.artwork)),
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

const CHANGEABLE = Object.keys(COLUMNS).filter((column) => column !== 'item_key' && column !== 'item_type')

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

/**
 * Inserts rows, or brings the rows with the same key up to date where something differs; answers the keys that changed
 * unless `quiet`. The rows' parents must be in the index already: call it level by level (`byDepth`).
 */
export const upsertStatement = (
  libraryId: number,
  rows: readonly UnitItem[],
  { now, quiet }: { now: number; quiet: boolean },
): InStatement => {
  const columns = Object.entries(COLUMNS)
  const values = rows.map((row) => columns.map(([, read]) => read(libraryId, row)))
  const used = columns.map((_, index) => values.some((row) => row[index] !== null))
  const names = columns.filter((_, index) => used[index]).map(([name]) => name)
  const parents = rows.map(({ item }) => parentKeyOf(libraryId, item))
  const hasParents = parents.some((parent) => parent !== null)
  const payload = values.map((row, index) => [...row.filter((_, column) => used[column]), ...(hasParents ? [parents[index] ?? null] : [])])
  const fields = names.map((_, index) => `row.value ->> ${index}`)
  const parentField = hasParents ? `(SELECT id FROM media_items WHERE item_key = row.value ->> ${names.length})` : 'NULL'
  return {
    sql: `INSERT INTO media_items (library_id, added_at, updated_at, parent_id, ${names.join(', ')})
      SELECT ?, ?, ?, ${parentField}, ${fields.join(', ')} FROM json_each(?) AS row WHERE true ${ON_CONFLICT} ${quiet ? '' : 'RETURNING item_key'}`,
    args: [libraryId, now, now, JSON.stringify(payload)],
  }
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
