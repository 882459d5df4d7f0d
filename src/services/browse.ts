/** Lists of the index: pages by keyset, in the order of an index wherever there is one; never the file system. */

import type { InValue } from '@libsql/client'
import type { Deps } from '../deps.ts'
import { closeEntry, withBasePath } from '../domain/browse-entry.ts'
import { type ItemType, PARENT_TYPE } from '../domain/item-type.ts'
import { searchTitle } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { renderEntries } from './browse-entries.ts'
import { type Order, type Sort, sortKey } from './browse-sort.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { getVisibleItem, getVisibleLibrary, type LibraryRow, type MediaItemRow } from './visible.ts'

export interface BrowseQuery {
  libraryId: number
  parentKey?: string
  /** Mixed libraries: one folder's own files; "" is the root. */
  path?: string
  q?: string
  sort?: Sort
  order: Order
  seed: number
  limit: number
  cursor?: string
  around?: string
  /** Administrators: the missing items of the library, of every type. */
  missing?: boolean
}

/** Counting further would cost more than the page. */
const MAX_POSITION = 100_000
const MAX_FILTERED_TOTAL = 1_000

interface Clause {
  sql: string
  args: InValue[]
}

/** A folder's own files are few; the planner, which cannot know, would rather walk the whole library in order. */
const tableFor = ({ path }: BrowseQuery): string => (path === undefined ? 'media_items m' : 'media_items m INDEXED BY media_items_by_unit')

const all = (clauses: readonly Clause[]): Clause => ({
  sql: clauses.map((clause) => clause.sql).join(' AND '),
  args: clauses.flatMap((clause) => clause.args),
})

const likePattern = (q: string): string => `%${searchTitle(q).replace(/[\\%_]/g, (c) => `\\${c}`)}%`

/** Which rows stand on the level that is shown, before any filter. */
const levelClause = (library: LibraryRow, parent: MediaItemRow | undefined, query: BrowseQuery): Clause => {
  if (query.missing) return { sql: 'm.library_id = ? AND m.missing_since IS NOT NULL', args: [library.id] }
  const level: Clause = parent
    ? { sql: 'm.library_id = ? AND m.parent_id = ?', args: [library.id, parent.id] }
    : { sql: 'm.library_id = ? AND m.parent_id IS NULL', args: [library.id] }
  const folder: Clause[] = query.path === undefined ? [] : [{ sql: 'm.unit = ?', args: [query.path] }]
  return all([level, { sql: 'm.missing_since IS NULL', args: [] }, ...folder])
}

/** A name search: the title, or at the level of games and manga series that of any child (API.md, 5). */
const nameClause = (library: LibraryRow, parent: MediaItemRow | undefined, q: string): Clause => {
  const pattern = likePattern(q)
  const own = `m.search_title LIKE ? ESCAPE '\\'`
  if (parent || (library.type !== 'games' && library.type !== 'manga')) return { sql: own, args: [pattern] }
  return {
    sql: `(${own} OR EXISTS (SELECT 1 FROM media_items c WHERE c.parent_id = m.id AND c.missing_since IS NULL AND c.search_title LIKE ? ESCAPE '\\'))`,
    args: [pattern, pattern],
  }
}

/** What each level holds; it decides the default order. */
const CHILD_TYPE: Partial<Record<ItemType, ItemType>> = Object.fromEntries(
  Object.entries(PARENT_TYPE).map(([childType, parentType]) => [parentType, childType]),
)

const defaultSort = (parent: MediaItemRow | undefined): Sort => {
  const childType = parent && CHILD_TYPE[parent.itemType]
  return childType && childType !== 'game' ? 'number' : 'title'
}

export interface BrowsePage {
  /** The answer as JSON text: `{parent, entries, nextCursor, prevCursor, position, total}`. */
  json: string
}

const count = async (deps: Deps, table: string, clause: Clause, limit?: number): Promise<number> => {
  const inner = `SELECT 1 FROM ${table} WHERE ${clause.sql}${limit === undefined ? '' : ` LIMIT ${limit}`}`
  const { rows } = await deps.db.$client.execute({ sql: `SELECT count(*) AS total FROM (${inner})`, args: clause.args })
  return Number(rows[0]?.total ?? 0)
}

/** Entries of these rows, in order: kept texts where there are any, rendered ones otherwise. */
export const entriesOf = async (
  deps: Deps,
  rows: readonly { id: number; entry: string | null; progress: string | null }[],
): Promise<string[]> => {
  const missing = rows.filter((row) => row.entry === null).map((row) => row.id)
  const rendered = await renderEntries(deps.db, missing)
  return rows.map((row) => closeEntry(row.entry ?? rendered.get(row.id) ?? '', row.progress))
}

/** The progress of one person on `m`, as JSON text; the entry keeps everything but that. */
export const PROGRESS_SQL = `(SELECT json_object('positionSeconds', p.position_seconds, 'durationSeconds', p.duration_seconds, 'page', p.page,
  'completed', json(iif(p.completed, 'true', 'false'))) FROM progress p WHERE p.user_id = ? AND p.item_id = m.id)`

export const browse = async (deps: Deps, viewer: Viewer, query: BrowseQuery): Promise<BrowsePage> => {
  if (query.missing && viewer.role !== 'admin') throw new AppError('forbidden')
  const library = await getVisibleLibrary(deps, viewer, query.libraryId)
  const parent = query.parentKey === undefined ? undefined : await getVisibleItem(deps, viewer, query.parentKey)
  if (parent && parent.libraryId !== library.id) throw new AppError('not_found')
  const sort = query.sort ?? defaultSort(parent)
  const key = sortKey(sort, { order: query.order, seed: query.seed })
  const level = levelClause(library, parent, query)
  const filter = query.q ? nameClause(library, parent, query.q) : undefined
  const where = filter ? all([level, filter]) : level
  const table = tableFor(query)
  const list = [library.id, query.parentKey, query.path, query.q, sort, query.order, query.seed, query.missing]

  const select = async (
    clauses: readonly Clause[],
    { isBackwards, limit, offset = 0 }: { isBackwards: boolean; limit: number; offset?: number },
  ) => {
    const { sql, args } = all(clauses)
    const { rows } = await deps.db.$client.execute({
      sql: `SELECT m.id AS id, m.entry AS entry, ${PROGRESS_SQL} AS progress, ${key.columns.map((column, i) => `${column} AS k${i}`).join(', ')}
        FROM ${table} WHERE ${sql} ORDER BY ${key.orderBy(isBackwards)} LIMIT ? OFFSET ?`,
      args: [viewer.userId, ...args, limit, offset],
    })
    return rows
  }

  /** How many rows stand before this one, or null beyond what is worth counting. */
  const positionOf = async (item: MediaItemRow): Promise<number | null> => {
    const [row] = await select([where, { sql: 'm.id = ?', args: [item.id] }], { isBackwards: false, limit: 1 })
    if (!row) throw new AppError('not_found')
    const values = key.columns.map((_, i) => row[`k${i}`] as InValue)
    const before = await count(deps, table, all([where, key.before(values)]), MAX_POSITION + 1)
    return before > MAX_POSITION ? null : before
  }

  const readPage = async () => {
    if (query.around !== undefined) {
      const item = await getVisibleItem(deps, viewer, query.around)
      const before = await positionOf(item)
      if (before === null) throw new AppError('invalid_request', 'The item stands too far down the list.')
      const offset = before - (before % query.limit)
      return { rows: await select([where], { isBackwards: false, limit: query.limit + 1, offset }), position: offset, isBackwards: false }
    }
    if (query.cursor === undefined)
      return { rows: await select([where], { isBackwards: false, limit: query.limit + 1 }), position: 0, isBackwards: false }
    const [direction, position, ...values] = decodeCursor('browse', query.cursor, { query: list, count: 2 + key.columns.length })
    const isBackwards = direction === 'prev'
    const bound = isBackwards ? key.before(values) : key.after(values)
    const rows = await select([where, bound], { isBackwards, limit: query.limit + 1 })
    return { rows, position: typeof position === 'number' ? position : null, isBackwards }
  }

  const { rows, position: startsAt, isBackwards } = await readPage()
  const hasMore = rows.length > query.limit
  const shown = isBackwards ? rows.slice(0, query.limit).reverse() : rows.slice(0, query.limit)
  const position = isBackwards && startsAt !== null ? Math.max(0, startsAt - shown.length) : startsAt
  const cursorAt = (row: (typeof rows)[number] | undefined, direction: 'next' | 'prev', at: number | null): string | null =>
    row
      ? encodeCursor(
          'browse',
          [direction, at !== null && at > MAX_POSITION ? null : at, ...key.columns.map((_, i) => row[`k${i}`] as string | number)],
          list,
        )
      : null

  const after = position === null ? null : position + shown.length
  const hasNext = isBackwards || hasMore
  const hasPrevious = isBackwards ? hasMore : query.cursor !== undefined || (position !== null && position > 0)
  const kept = parent ? parent.childCount : query.path === undefined && !query.missing ? library.itemCount : undefined
  const counted = filter ? await count(deps, table, where, MAX_FILTERED_TOTAL + 1) : (kept ?? (await count(deps, table, level)))
  const total = filter && counted > MAX_FILTERED_TOTAL ? null : counted
  const entries = await entriesOf(
    deps,
    shown.map((row) => ({
      id: Number(row.id),
      entry: row.entry === null ? null : String(row.entry),
      progress: row.progress === null ? null : String(row.progress),
    })),
  )
  const parentEntry = parent ? (await entriesOf(deps, [{ id: parent.id, entry: parent.entry, progress: null }]))[0] : undefined
  const json = `{"parent":${parentEntry ?? 'null'},"entries":[${entries.join(',')}],"nextCursor":${JSON.stringify(
    hasNext ? cursorAt(shown.at(-1), 'next', after) : null,
  )},"prevCursor":${JSON.stringify(hasPrevious ? cursorAt(shown[0], 'prev', position) : null)},"position":${
    position === null || position > MAX_POSITION ? 'null' : position
  },"total":${total === null ? 'null' : total}}`
  return { json: withBasePath(json, deps.config.basePath) }
}
