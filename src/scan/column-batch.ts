/**
 * Scanned items as columns, ready to be written. Made where the items are, in the scanner's thread on a first scan: the
 * main thread then hands one text to SQLite and never sees the single items.
 */

import { itemKey } from '../domain/item-key.ts'
import { PARENT_TYPE } from '../domain/item-type.ts'
import type { ScannedItem } from '../domain/scanned-item.ts'
import { storedPath } from '../domain/stored-path.ts'

/** A scanned item together with the unit that it was read with. */
export interface UnitItem {
  unit: string
  item: ScannedItem
}

/** The item key. */
export const keyOf = (libraryId: number, item: ScannedItem): string => itemKey(item.itemType, libraryId, item.path)

/** The item key of the series, season or manga that it belongs to; null at the top level. */
export const parentKeyOf = (libraryId: number, item: ScannedItem): string | null => {
  const parentType = PARENT_TYPE[item.itemType]
  return parentType && item.parentPath !== null ? itemKey(parentType, libraryId, item.parentPath) : null
}

export type Value = string | number | null

/** How each column is read from a scanned item; `item_key` follows from the library, the type and the path. */
const COLUMNS: Record<string, (row: UnitItem) => Value> = {
  item_type: ({ item }) => item.itemType,
  path: ({ item }) => item.path,
  stored_file_path: ({ item }) => (item.itemType === 'mixed_file' ? storedPath(item.path, item.path) : null),
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
  named_at: ({ item }) => item.namedAt,
  identity: ({ item }) => item.identity,
  stored_main_file: ({ item }) => storedPath(item.path, item.mainFile),
  page_count: ({ item }) => item.pageCount,
  thumbnail_kind: ({ item }) => item.thumbnail?.kind ?? null,
  stored_thumbnail_path: ({ item }) => storedPath(item.path, item.thumbnail?.path ?? null),
  thumbnail_version: ({ item }) => item.thumbnail?.version ?? null,
  nfo_path: ({ item }) => item.nfo?.path ?? null,
  nfo_modified_at: ({ item }) => item.nfo?.modifiedAt ?? null,
  files: ({ item }) => (item.itemType === 'mixed_file' ? null : JSON.stringify(item.files)),
  artwork: ({ item }) => (item.artwork.length === 0 ? null : JSON.stringify(item.artwork)),
}

export const COLUMN_NAMES = Object.keys(COLUMNS)

/** How a column of a batch is told: one value for all rows, a copy of another column that is sent, or a value a row. */
export type ColumnPlan = { name: string; constant: Value } | { name: string; sameAs: string } | { name: string; isSent: true }

export interface ColumnBatch {
  count: number
  /** How many of the rows stand at the top level of their library. */
  topLevel: number
  /** In the order of `COLUMN_NAMES`; columns that are null in every row are left out. */
  plans: ColumnPlan[]
  /** JSON: an array a row, of the values of the columns that are sent, in order, and of the key of the parent unless all rows stand at the top. */
  rows: string
}

type Read = (row: UnitItem) => Value

interface Column {
  plan: ColumnPlan
  read: Read
}

const isEqual = (rows: readonly UnitItem[], one: Read, other: Read): boolean => rows.every((row) => one(row) === other(row))

/** Reads the columns row by row again and again, which costs less than to keep them: most are the same in every row. */
const planColumn = ([name, read]: [name: string, Read], rows: readonly UnitItem[], sent: readonly Column[]): ColumnPlan => {
  // The key is made of it, also where there is but one row.
  if (name === 'path') return { name, isSent: true }
  const constant = rows[0] ? read(rows[0]) : null
  if (rows.every((row) => read(row) === constant)) return { name, constant }
  const twin = sent.find((column) => isEqual(rows, read, column.read))
  return twin ? { name, sameAs: twin.plan.name } : { name, isSent: true }
}

/**
 * Reading a value out of JSON is what costs SQLite most, so what is the same in every row, or the same as another
 * column, is not sent a row. The rows' parents must be in the index before them: make batches level by level (`byDepth`).
 */
export const toColumnBatch = (libraryId: number, rows: readonly UnitItem[]): ColumnBatch => {
  const plans: ColumnPlan[] = []
  const sent: Column[] = []
  for (const column of Object.entries(COLUMNS)) {
    const plan = planColumn(column, rows, sent)
    plans.push(plan)
    if ('isSent' in plan) sent.push({ plan, read: column[1] })
  }
  const topLevel = rows.filter(({ item }) => item.parentPath === null).length
  const reads = sent.map(({ read }) => read)
  if (topLevel < rows.length) reads.push(({ item }) => parentKeyOf(libraryId, item))
  return {
    count: rows.length,
    topLevel,
    plans: plans.filter((plan) => !('constant' in plan) || plan.constant !== null),
    rows: JSON.stringify(rows.map((row) => reads.map((read) => read(row)))),
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
