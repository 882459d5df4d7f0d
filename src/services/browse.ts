/** Lists of the index: pages by keyset, in the order of an index wherever there is one; never the file system. */

import type { Deps } from '../deps.ts'
import { withBasePath } from '../domain/browse-entry.ts'
import { type ItemType, PARENT_TYPE } from '../domain/item-type.ts'
import { searchTitle } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { type Clause, entriesOf, type KeyValues, readPage } from './browse-page.ts'
import { type Order, type Sort, sortKey } from './browse-sort.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import type { LibraryRow } from './library-cache.ts'
import { getVisibleItem, getVisibleLibrary, type MediaItemRow } from './visible.ts'

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

  const page = (clauses: readonly Clause[], { isBackwards = false, offset = 0 } = {}) =>
    readPage(deps, {
      userId: viewer.userId,
      libraryId: library.id,
      table,
      where: all(clauses),
      key,
      isBackwards,
      limit: query.limit,
      offset,
    })

  /** How many rows stand before this one, or null beyond what is worth counting. */
  const positionOf = async (item: MediaItemRow): Promise<number | null> => {
    const one = {
      userId: viewer.userId,
      libraryId: library.id,
      table,
      where: all([where, { sql: 'm.id = ?', args: [item.id] }]),
      key,
      isBackwards: false,
      limit: 1,
      offset: 0,
    }
    const { first } = await readPage(deps, one)
    if (!first) throw new AppError('not_found')
    const before = await count(deps, table, all([where, key.before(first)]), MAX_POSITION + 1)
    return before > MAX_POSITION ? null : before
  }

  const readAround = async (itemKey: string) => {
    const before = await positionOf(await getVisibleItem(deps, viewer, itemKey))
    if (before === null) throw new AppError('invalid_request', 'The item stands too far down the list.')
    const offset = before - (before % query.limit)
    return { ...(await page([where], { offset })), position: offset, isBackwards: false }
  }

  const readFrom = async (cursor: string) => {
    const [direction, at, ...values] = decodeCursor('browse', cursor, { query: list, count: 2 + key.columns.length })
    const isBackwards = direction === 'prev'
    const found = await page([where, isBackwards ? key.before(values) : key.after(values)], { isBackwards })
    const startsAt = typeof at === 'number' ? at : null
    return { ...found, position: isBackwards && startsAt !== null ? Math.max(0, startsAt - found.count) : startsAt, isBackwards }
  }

  const read = async () => {
    if (query.around !== undefined) return readAround(query.around)
    if (query.cursor !== undefined) return readFrom(query.cursor)
    return { ...(await page([where])), position: 0, isBackwards: false }
  }

  const { entries, first, last, hasMore, isBackwards, position, count: shown, libraryCount } = await read()
  const cursorAt = (values: KeyValues | null, direction: 'next' | 'prev', at: number | null): string | null =>
    values && encodeCursor('browse', [direction, at !== null && at > MAX_POSITION ? null : at, ...values], list)
  const after = position === null ? null : position + shown
  const hasPrevious = isBackwards ? hasMore : query.cursor !== undefined || (position !== null && position > 0)
  const isWholeLevel = query.path === undefined && !query.missing
  const kept = isWholeLevel ? (parent?.childCount ?? libraryCount) : undefined
  const counted = filter ? await count(deps, table, where, MAX_FILTERED_TOTAL + 1) : (kept ?? (await count(deps, table, level)))
  const envelope = JSON.stringify({
    nextCursor: isBackwards || hasMore ? cursorAt(last, 'next', after) : null,
    prevCursor: hasPrevious ? cursorAt(first, 'prev', position) : null,
    position: position === null || position > MAX_POSITION ? null : position,
    total: filter && counted > MAX_FILTERED_TOTAL ? null : counted,
  })
  const [parentEntry] = parent ? await entriesOf(deps, [{ id: parent.id, entry: parent.entry, progress: null }]) : []
  const json = `{"parent":${parentEntry ?? 'null'},"entries":[${entries}],${envelope.slice(1)}`
  return { json: withBasePath(json, deps.config.basePath) }
}
