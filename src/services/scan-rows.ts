/**
 * Scanned items as SQL. A batch is one `INSERT … SELECT … FROM json_each(?)`, which is several times faster than a
 * statement a row and keeps memory flat (PERFORMANCE.md, A3).
 */

import type { InStatement } from '@libsql/client'
import { UNKNOWN_REFRESH } from '../domain/nfo.ts'
import { COLUMN_NAMES, type ColumnBatch, type Value } from '../scan/column-batch.ts'

const IS_SCANNED_TITLE = 'NOT media_items.title_given'
const IS_SCANNED_ORDER = 'NOT media_items.sort_title_given'
const IS_SCANNED_DATE = `coalesce(media_items.nfo_refreshed_at, ${UNKNOWN_REFRESH}) = ${UNKNOWN_REFRESH}`

/** Titles, and as long as what they are a scan's: a metadata refresh owns those alone that it was given (API.md, 7). */
export const NFO_TITLES: ReadonlyMap<string, string> = new Map([
  ['title', IS_SCANNED_TITLE],
  ['sort_title', IS_SCANNED_ORDER],
  ['search_title', IS_SCANNED_TITLE],
])

/** What a metadata refresh owns, but for the titles. */
export const REFRESHED = ['year', 'aired_at', 'plot', 'rating', 'genres', 'runtime_minutes', 'nfo_refreshed_at']

/** Columns that a metadata refresh owns once it has run, and until when they are a scan's: none puts the old value back. */
const NFO_OWNED: ReadonlyMap<string, string> = new Map([...NFO_TITLES, ['year', IS_SCANNED_DATE], ['aired_at', IS_SCANNED_DATE]])

/** Columns that tell whether the bytes behind an item are still the ones that were inspected. */
const SAME_BYTES =
  'media_items.thumbnail_version IS excluded.thumbnail_version AND media_items.size IS excluded.size AND media_items.modified_at IS excluded.modified_at'

/** Its main file is the one that was read. */
const SAME_MAIN = `${SAME_BYTES} AND substr(media_items.main_file, length(media_items.path) + 1) IS substr(excluded.main_file, length(excluded.path) + 1)`

/** Columns that opening an archive fills where its name says nothing: a scan, which opens none, leaves them as they are. */
export const LEARNT: Readonly<Record<string, string>> = {
  page_count: SAME_BYTES,
  volume_number: 'media_items.nfo_refreshed_at IS NOT NULL',
  chapter_number: 'media_items.nfo_refreshed_at IS NOT NULL',
  sort_number: 'media_items.nfo_refreshed_at IS NOT NULL',
}

const foundOrLearnt = (column: string): string => {
  const isKept = Object.hasOwn(LEARNT, column) ? LEARNT[column] : undefined
  if (isKept === undefined) return `excluded.${column}`
  return `CASE WHEN excluded.${column} IS NULL AND ${isKept} THEN media_items.${column} ELSE excluded.${column} END`
}

const updateOf = (column: string): string => {
  const isScanned = NFO_OWNED.get(column)
  return isScanned === undefined
    ? `${column} = ${foundOrLearnt(column)}`
    : `${column} = CASE WHEN ${isScanned} THEN excluded.${column} ELSE media_items.${column} END`
}

const CHANGEABLE = COLUMN_NAMES.filter((column) => column !== 'item_type')

/**
 * The same file, found again in its place by another identity, where one of the two says nothing: it was made by an older
 * version, or the disk tells none. Where both do, another file has taken the place, and may have come from another library.
 */
const IS_RENEWED = `${SAME_BYTES} AND media_items.identity IS NOT excluded.identity AND media_items.path = excluded.path
    AND media_items.missing_since IS NULL AND (coalesce(media_items.identity, 0) >= 0 OR excluded.identity IS NULL)`

const ON_CONFLICT = `ON CONFLICT (item_key) DO UPDATE SET ${CHANGEABLE.map(updateOf).join(', ')},
  parent_id = excluded.parent_id, missing_since = NULL, updated_at = CASE WHEN ${IS_RENEWED} THEN media_items.updated_at ELSE excluded.updated_at END,
  inspected_version = CASE WHEN ${SAME_MAIN} THEN media_items.inspected_version END,
  inspect_error = CASE WHEN ${SAME_BYTES} THEN media_items.inspect_error END,
  content_hash = CASE WHEN ${SAME_MAIN} THEN media_items.content_hash END,
  taken_at = CASE WHEN ${SAME_BYTES} THEN media_items.taken_at END
WHERE media_items.missing_since IS NOT NULL OR media_items.parent_id IS NOT excluded.parent_id OR ${CHANGEABLE.filter(
  (column) => !NFO_OWNED.has(column),
)
  .map((column) => `media_items.${column} IS NOT ${foundOrLearnt(column)}`)
  .join(' OR ')}`

/** A library that had nothing: to update a row costs a fifth of the time even where none is. */
const ON_FIRST_CONFLICT = 'ON CONFLICT (item_key) DO NOTHING'

/** The columns that are made of others, which `of` names (`ColumnPlan`). */
const MADE: Readonly<Record<string, (of: (column: string) => string) => string>> = {
  path: (of) => `${of('unit')} || '/' || ${of('title')}`,
  search_title: (of) => `lower(${of('title')})`,
}

/**
 * Inserts rows, or brings the rows with the same key up to date where something differs, and answers the keys that
 * changed; where the library `isNew`, inserts only, and answers nothing. Each value is read from the JSON once, into a
 * materialised table. By limits that are none SQLite takes the rows one by one (rule 13 of its `flattenSubquery`): merged
 * into the other query, the row's own JSON would be made for each of its values.
 */
export const upsertStatement = (
  libraryId: number,
  { count, topLevel, plans, rows }: ColumnBatch,
  { now, isNew }: { now: number; isNew: boolean },
): InStatement => {
  const args: Value[] = [rows, libraryId, now, now]
  const bound = (value: Value): string => {
    args.push(value)
    return '?'
  }
  const byName = new Map(plans.map((plan) => [plan.name, plan]))
  /** To be asked in the order of the text: it binds what the expression is made with. */
  const expressionOf = (column: string): string => {
    const plan = byName.get(column)
    if (!plan) return 'NULL'
    if ('isSent' in plan) return `found.${column}`
    if ('sameAs' in plan) return expressionOf(plan.sameAs)
    if ('isMade' in plan) return MADE[column]?.(expressionOf) ?? 'NULL'
    if ('ofKinds' in plan) return `CASE found.kind ${plan.ofKinds.map((value, kind) => `WHEN ${kind} THEN ${bound(value)}`).join(' ')} END`
    return bound(plan.constant)
  }
  /** What the key has before the path (domain/item-key.ts). */
  const keyPrefix = (): string => {
    const type = byName.get('item_type')
    // Joined here where it is the same in every row: each joining of two texts takes a hundredth of the statement.
    return type && 'constant' in type
      ? bound(`${type.constant}:${libraryId}:`)
      : `${expressionOf('item_type')} || ${bound(`:${libraryId}:`)}`
  }
  const hasParents = topLevel < count
  const sent = plans.filter((plan) => 'isSent' in plan).map(({ name }) => name)
  const hasKinds = plans.some((plan) => 'ofKinds' in plan)
  // A path: of a number SQLite would make one for each value.
  const reads = [...sent, ...(hasKinds ? ['kind'] : []), ...(hasParents ? ['parent_key'] : [])].map(
    (name, index) => `source.row ->> '$[${index}]' AS ${name}`,
  )
  // Even a key that is null costs a look-up.
  const parentId = hasParents ? '(SELECT id FROM media_items WHERE item_key = found.parent_key)' : 'NULL'
  const names = plans.map(({ name }) => name)
  return {
    sql: `WITH source(row) AS (SELECT value FROM json_each(?) LIMIT -1),
        found AS MATERIALIZED (SELECT ${reads.join(', ')} FROM source LIMIT -1)
      INSERT INTO media_items (library_id, added_at, updated_at, is_new, parent_id, ${names.join(', ')}, item_key)
      SELECT ?, ?, ?, ${isNew}, ${parentId}, ${names.map(expressionOf).join(', ')},
        ${keyPrefix()} || ${expressionOf('path')}
      FROM found WHERE true ${isNew ? ON_FIRST_CONFLICT : `${ON_CONFLICT} RETURNING item_key AS itemKey`}`,
    args,
  }
}
