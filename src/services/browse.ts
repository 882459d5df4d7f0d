/** Lists of the index: pages by keyset, in the order of an index wherever there is one; never the file system. */

import type { Deps } from '../deps.ts'
import { withBasePath } from '../domain/browse-entry.ts'
import { type ItemType, PARENT_TYPE } from '../domain/item-type.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { type FilterQuery, filterOf, isFilter } from './browse-filter.ts'
import { getLevel, type LevelQuery } from './browse-level.ts'
import { countRows, openList, type Rows } from './browse-list.ts'
import { entriesOf, type KeyValues, readPage, readProgress } from './browse-page.ts'
import { type Order, type Sort, sortKey } from './browse-sort.ts'
import { all } from './clause.ts'
import { decodeCursor, encodeCursor, fingerprint } from './cursor.ts'
import { hasNewItems } from './new-items.ts'
import { getMovedItem, type MediaItemRow } from './visible.ts'

export interface BrowseQuery extends LevelQuery, FilterQuery {
  sort?: Sort
  order: Order
  seed: number
  limit: number
  cursor?: string
  /** Also by a key that it had before it moved. */
  around?: string
}

/** Counting further would cost more than the page. */
const MAX_POSITION = 100_000
const MAX_FILTERED_TOTAL = 1_000

/** What each level holds; it decides the default order. */
const CHILD_TYPE: Partial<Record<ItemType, ItemType>> = Object.fromEntries(
  Object.entries(PARENT_TYPE).map(([childType, parentType]) => [parentType, childType]),
)

const defaultSort = (parent: MediaItemRow | undefined): Sort => {
  const childType = parent && CHILD_TYPE[parent.itemType]
  return childType && childType !== 'game' ? 'number' : 'title'
}

interface BrowsePage {
  /** The answer as JSON text in UTF-8: `{parent, entries, nextCursor, prevCursor, position, total, around}`. */
  json: Buffer<ArrayBuffer>
}

export const browse = async (deps: Deps, viewer: Viewer, query: BrowseQuery): Promise<BrowsePage> => {
  const level = await getLevel(deps, viewer, query)
  const { library, parent } = level
  const sort = query.sort ?? defaultSort(parent)
  const isSettled = sort === 'taken' && !query.missing && !(await hasNewItems(deps, library.id))
  const key = sortKey(sort, { order: query.order, seed: query.seed, isSettled })
  const { tags, excludeTags, untagged = false, unfinished = false, kinds = [] } = query
  const filter = filterOf(viewer, query)
  const isFiltered = isFilter(filter)
  const rows = await openList(deps, level, { filter, key, limit: query.limit })
  const { path, below } = query
  const { parentKey, q, order, seed, missing } = query
  const asked = [library.id, parentKey, path, q, tags, excludeTags, untagged, unfinished, kinds, sort, order, seed, missing, below]
  const print = fingerprint('browse', asked)

  const [parentEntry = 'null'] = parent
    ? await entriesOf(deps, [{ id: parent.id, entry: parent.entry, progress: await readProgress(deps, viewer.userId, parent.id) }])
    : []
  const around = query.around === undefined || query.cursor !== undefined ? undefined : await getMovedItem(deps, viewer, query.around)
  const head = `{"parent":${parentEntry},"entries":[`
  const page = (from: Rows, { isBackwards = false, offset = 0, limit = query.limit } = {}) =>
    readPage(deps, { userId: viewer.userId, libraryId: library.id, ...from, key, isBackwards, limit, offset, head })

  /** How many rows stand before this one, or null beyond what is worth counting. */
  const positionOf = async (values: KeyValues): Promise<number | null> => {
    const before = await countRows(deps, { table: rows.table, where: all([rows.where, key.before(values)]) }, MAX_POSITION + 1)
    return before > MAX_POSITION ? null : before
  }

  const readAround = async (item: MediaItemRow) => {
    const { first } = await page({ table: rows.table, where: all([rows.where, { sql: 'm.id = ?', args: [item.id] }]) }, { limit: 1 })
    if (!first) throw new AppError('not_found')
    const before = await positionOf(first)
    // Further down nobody knows where a page begins: this one does with the item.
    if (before === null) return { ...(await page(await rows.pageFrom([key.from(first)], false))), position: null, isBackwards: false }
    const offset = before - (before % query.limit)
    return { ...(await page(rows, { offset })), position: offset, isBackwards: false }
  }

  const readFrom = async (cursor: string) => {
    const [direction, at, ...values] = decodeCursor(print, cursor, 2 + key.columns.length)
    const isBackwards = direction === 'prev'
    const from = [isBackwards ? key.before(values) : key.after(values)]
    const found = await page(await rows.pageFrom(from, isBackwards), { isBackwards })
    const startsAt = typeof at === 'number' ? at : null
    if (!isBackwards) return { ...found, position: startsAt, isBackwards }
    // On the way back from where nobody counted, a page may begin where somebody does.
    const position = startsAt === null ? found.first && (await positionOf(found.first)) : Math.max(0, startsAt - found.count)
    return { ...found, position, isBackwards }
  }

  const read = async () => {
    // First: a cursor goes on from wherever the list was begun, an item among them, and is checked whatever else is asked.
    if (query.cursor !== undefined) return readFrom(query.cursor)
    if (around) return readAround(around)
    return { ...(await page(await rows.pageFrom([], false))), position: 0, isBackwards: false }
  }

  const { text, first, last, hasMore, isBackwards, position, count: shown, libraryCount } = await read()
  const cursorAt = (values: KeyValues | null, direction: 'next' | 'prev', at: number | null): string | null =>
    values && encodeCursor(print, [direction, at !== null && at > MAX_POSITION ? null : at, ...values])
  const after = position === null ? null : position + shown
  const hasPrevious = isBackwards ? hasMore : position !== 0
  const kept = level.isWhole ? (parent?.childCount ?? libraryCount) : undefined
  const counted = isFiltered ? await rows.count(MAX_FILTERED_TOTAL + 1) : (kept ?? (await countRows(deps, rows)))
  const envelope = JSON.stringify({
    nextCursor: isBackwards || hasMore ? cursorAt(last, 'next', after) : null,
    prevCursor: hasPrevious ? cursorAt(first, 'prev', position) : null,
    position: position === null || position > MAX_POSITION ? null : position,
    total: isFiltered && counted > MAX_FILTERED_TOTAL ? null : counted,
    around: around?.itemKey,
  })
  const json = Buffer.concat([text, Buffer.from(`],${envelope.slice(1)}`)])
  const { basePath } = deps.config
  return { json: basePath === '' ? json : Buffer.from(withBasePath(json.toString(), basePath)) }
}
