/** One page of a list as JSON text, by one query that answers one row: what a page costs is mostly rows to carry over. */

import type { Deps } from '../deps.ts'
import { closeEntry } from '../domain/browse-entry.ts'
import { renderEntries } from './browse-entries.ts'
import type { SortKey } from './browse-sort.ts'
import { type Clause, clause } from './clause.ts'

/** The progress of one person on `m`, as JSON text; the entry keeps everything but that. Most people have none: that is asked once a query. */
export const PROGRESS_SQL = `CASE WHEN EXISTS (SELECT 1 FROM progress WHERE user_id = ?1) THEN
  (SELECT json_object('positionSeconds', p.position_seconds, 'durationSeconds', p.duration_seconds, 'page', p.page,
    'completed', json(iif(p.completed, 'true', 'false'))) FROM progress p WHERE p.user_id = ?1 AND p.item_id = m.id) END`

interface KeptEntry {
  id: number
  entry: string | null
  progress: string | null
}

/** How a row's entry reads: its kept text where there is one, rendered otherwise. A row that went since it was read has none. */
const entryReader = async (deps: Deps, rows: readonly KeptEntry[]): Promise<(row: KeptEntry) => string[]> => {
  const missing = rows.filter((row) => row.entry === null).map((row) => row.id)
  const rendered = await renderEntries(deps.db, missing)
  return (row) => {
    const entry = row.entry ?? rendered.get(row.id)
    return entry === undefined ? [] : [closeEntry(entry, row.progress)]
  }
}

/** The entries of these rows, in order. */
export const entriesOf = async (deps: Deps, rows: readonly KeptEntry[]): Promise<string[]> => rows.flatMap(await entryReader(deps, rows))

/** The entries of these rows by id. */
export const entriesById = async (deps: Deps, rows: readonly KeptEntry[]): Promise<Map<number, string>> => {
  const read = await entryReader(deps, rows)
  return new Map(rows.flatMap((row) => read(row).map((entry) => [row.id, entry] as const)))
}

export interface PageQuery {
  userId: number
  libraryId: number
  /** The table as `m`, with the index to use where one must be named. */
  table: Clause
  where: Clause
  key: SortKey
  isBackwards: boolean
  limit: number
  offset: number
}

/** The values of a row's sort key. */
export type KeyValues = (string | number)[]

export interface Page {
  /** The entries as the inside of a JSON array, in the order of the list. */
  entries: string
  count: number
  /** Whether there is more in the direction that was read. */
  hasMore: boolean
  first: KeyValues | null
  last: KeyValues | null
  /** Present top-level entries of the library, as of the page itself. */
  libraryCount: number
}

/** Control characters cannot stand in JSON text unescaped, so they can separate it: pieces, their parts, and what is not rendered. */
const PIECE = '\u0001'
const PART = '\u0002'

/** Arguments by number: the person first, then those of the tables and conditions, then limit and offset. */
const numbered = ({ sql, args }: Clause): string => {
  let place = 1
  return args.length === 0 ? sql : sql.replaceAll('?', () => `?${++place}`)
}

/** A piece a row: its key, its progress, its id and its entry, which is empty where it is not kept yet. */
const pageSql = ({ key, isBackwards }: PageQuery, from: Clause): string => `SELECT group_concat(piece, char(1)) AS pieces,
    (SELECT item_count FROM libraries WHERE id = ?${from.args.length + 4}) AS libraryCount FROM (
    SELECT json_array(${key.columns.join(', ')}) || char(2) || coalesce(${PROGRESS_SQL}, '') || char(2) || m.id || char(2) || coalesce(m.entry, '') AS piece
    FROM ${numbered(from)} ORDER BY ${key.orderBy(isBackwards)} LIMIT ?${from.args.length + 2} OFFSET ?${from.args.length + 3})`

const readRow = (piece: string) => {
  const [key = '', progress = '', id = '', entry = ''] = piece.split(PART)
  return { key, id: Number(id), entry: entry === '' ? null : entry, progress: progress === '' ? null : progress }
}

/** A key as `json_array` wrote it. */
const keyValues = (row: { key: string } | undefined): KeyValues | null => {
  const parsed: unknown = row ? JSON.parse(row.key) : null
  return Array.isArray(parsed) ? parsed.filter((part) => typeof part === 'string' || typeof part === 'number') : null
}

export const readPage = async (deps: Deps, query: PageQuery): Promise<Page> => {
  const from = clause`${query.table} WHERE ${query.where}`
  const { rows } = await deps.db.$client.execute({
    sql: pageSql(query, from),
    args: [query.userId, ...from.args, query.limit + 1, query.offset, query.libraryId],
  })
  const pieces = rows[0]?.pieces
  const found = typeof pieces === 'string' ? pieces.split(PIECE) : []
  const shown = found.slice(0, query.limit).map(readRow)
  if (query.isBackwards) shown.reverse()
  return {
    entries: (await entriesOf(deps, shown)).join(','),
    count: shown.length,
    hasMore: found.length > query.limit,
    first: keyValues(shown[0]),
    last: keyValues(shown.at(-1)),
    libraryCount: Number(rows[0]?.libraryCount ?? 0),
  }
}
