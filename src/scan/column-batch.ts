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

/** Columns that only what is numbered, dated or described has: null of all these at once, which is seen at one look a row. */
const RARE: readonly string[] = [
  'sort_number',
  'season_number',
  'episode_number',
  'episode_number_end',
  'volume_number',
  'chapter_number',
  'year',
  'aired_at',
  'page_count',
  'nfo_path',
  'nfo_modified_at',
]

const hasNoneRare = ({ item }: UnitItem): boolean =>
  item.sortNumber === null &&
  item.seasonNumber === null &&
  item.episodeNumber === null &&
  item.episodeNumberEnd === null &&
  item.volumeNumber === null &&
  item.chapterNumber === null &&
  item.year === null &&
  item.airedAt === null &&
  item.pageCount === null &&
  item.nfo === null

/**
 * How a column of a batch is told: one value for all rows, a copy of another column, made of others in SQL (`MADE`), by the
 * number of the row's kind, or a value a row.
 */
export type ColumnPlan = { name: string } & (
  | { constant: Value }
  | { sameAs: string }
  | { isMade: true }
  | { ofKinds: readonly Value[] }
  | { isSent: true }
)

export interface ColumnBatch {
  count: number
  /** How many of the rows stand at the top level of their library. */
  topLevel: number
  /** In the order of `COLUMN_NAMES`; columns that are null in every row are left out. */
  plans: ColumnPlan[]
  /**
   * JSON: an array a row, of the values of the columns that are sent, in order, of the number of its kind where a column goes by
   * that, and of the key of the parent unless all rows stand at the top.
   */
  rows: string
}

type Read = (row: UnitItem) => Value

interface Column {
  name: string
  read: Read
}

const isConstant = (rows: readonly UnitItem[], read: Read, constant: Value): boolean => {
  for (const row of rows) if (read(row) !== constant) return false
  return true
}

const isEqual = (rows: readonly UnitItem[], one: Read, other: Read): boolean => {
  for (const row of rows) if (one(row) !== other(row)) return false
  return true
}

const isTrue = (rows: readonly UnitItem[], test: (row: UnitItem) => boolean): boolean => {
  for (const row of rows) if (!test(row)) return false
  return true
}

const isLowerAscii = (lower: string, text: string): boolean => {
  if (lower.length !== text.length) return false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (lower.charCodeAt(index) !== (code >= 65 && code <= 90 ? code + 32 : code)) return false
  }
  return true
}

const SLASH = 47

/** Whether the column is to the others of the row as SQL makes it of them (services/scan-rows.ts). */
const MADE: Record<string, (row: UnitItem) => boolean> = {
  // Compared in pieces: to join them is to make a text a row.
  path: ({ unit, item: { path, title } }) =>
    path.length === unit.length + 1 + title.length &&
    path.charCodeAt(unit.length) === SLASH &&
    path.startsWith(unit) &&
    path.endsWith(title),
  // SQLite lowers ASCII letters alone.
  search_title: ({ item }) => isLowerAscii(item.searchTitle, item.title),
}

/** What follows from the ending of a file's name. */
const OF_KINDS: readonly string[] = ['media_kind', 'mime_type', 'thumbnail_kind']
/** SQLite looks for the right one from the first on. */
const MOST_KINDS = 8

interface Kinds {
  /** A row of each kind. */
  examples: UnitItem[]
  /** Of each row, from nought on. */
  numbers: number[]
}

const isOfKind = ({ item }: UnitItem, { item: other }: UnitItem): boolean =>
  item.mimeType === other.mimeType && item.mediaKind === other.mediaKind && item.thumbnail?.kind === other.thumbnail?.kind

/** Undefined where there are too many. */
const kindsOf = (rows: readonly UnitItem[]): Kinds | undefined => {
  const examples: UnitItem[] = []
  const numbers: number[] = []
  for (const row of rows) {
    let number = 0
    for (const example of examples) {
      if (isOfKind(example, row)) break
      number += 1
    }
    if (number === MOST_KINDS) return undefined
    if (number === examples.length) examples.push(row)
    numbers.push(number)
  }
  return { examples, numbers }
}

/** Always as many, so that batches of few and of many kinds are one statement: SQLite compiles each anew. */
const ofKinds = ({ examples }: Kinds, read: Read): Value[] =>
  Array.from({ length: MOST_KINDS }, (_, kind) => {
    const example = examples[kind]
    return example ? read(example) : null
  })

/** Reads the columns row by row again and again, which costs less than to keep them: most are the same in every row. */
const planColumn = ({ name, read }: Column, rows: readonly UnitItem[], before: readonly Column[], kinds: Kinds | undefined): ColumnPlan => {
  const constant = rows[0] ? read(rows[0]) : null
  // The key is made of it, also where there is but one row.
  if (isConstant(rows, read, constant)) return name === 'path' ? { name, isSent: true } : { name, constant }
  const twin = name === 'path' ? undefined : before.find((column) => isEqual(rows, read, column.read))
  if (twin) return { name, sameAs: twin.name }
  const isMade = Object.hasOwn(MADE, name) ? MADE[name] : undefined
  if (isMade && isTrue(rows, isMade)) return { name, isMade: true }
  return kinds && OF_KINDS.includes(name) ? { name, ofKinds: ofKinds(kinds, read) } : { name, isSent: true }
}

/**
 * Reading a value out of JSON is what costs SQLite most, so what is the same in every row, or follows from other columns,
 * is not sent a row. The rows' parents must be in the index before them: make batches level by level (`byDepth`).
 */
export const toColumnBatch = (libraryId: number, rows: readonly UnitItem[]): ColumnBatch => {
  const plans: ColumnPlan[] = []
  const before: Column[] = []
  const reads: Read[] = []
  const kinds = kindsOf(rows)
  const hasRare = !isTrue(rows, hasNoneRare)
  for (const [name, read] of Object.entries(COLUMNS)) {
    if (!hasRare && RARE.includes(name)) continue
    const plan = planColumn({ name, read }, rows, before, kinds)
    if (!('constant' in plan) || plan.constant !== null) plans.push(plan)
    if ('isSent' in plan) reads.push(read)
    if ('isSent' in plan || 'isMade' in plan) before.push({ name, read })
  }
  if (kinds && plans.some((plan) => 'ofKinds' in plan)) {
    // Rows are read once each, in order.
    const numbers = kinds.numbers.values()
    reads.push(() => numbers.next().value ?? null)
  }
  let topLevel = 0
  for (const { item } of rows) if (item.parentPath === null) topLevel += 1
  if (topLevel < rows.length) reads.push(({ item }) => parentKeyOf(libraryId, item))
  return { count: rows.length, topLevel, plans, rows: JSON.stringify(rows.map((row) => reads.map((read) => read(row)))) }
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
