/**
 * Which entries of a large flat library a filter leaves, as a set of ids, and pages of them. No single form of SQL is
 * fast for all filters (PERFORMANCE.md, B2 and B3): where few entries are left they are fetched and sorted, where many
 * are, the list is walked in the order of its index, and each id looked up in the set.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { InValue } from '@libsql/client'
import type { Deps } from '../deps.ts'
import { type Bits, countBits, hasBit, idSet, keepCommon, listBits, removeCommon, toBits } from '../domain/id-set.ts'
import { slicesOf } from '../domain/slices.ts'
import { type BrowseFilter, kindClauses, nameClause, readCompleted, tagClauses } from './browse-filter.ts'
import { isSelectable, type Level } from './browse-level.ts'
import type { SortKey } from './browse-sort.ts'
import { all, type Clause, clause } from './clause.ts'
import { idsOf } from './ids-of.ts'
import { findNames } from './name-index.ts'
import { openTagIndex } from './tag-index.ts'

/** Up to so many entries are fetched and sorted. */
const FEW = 4000
/** Rows of an index that are read at a time, somewhat more than a page is expected to need. */
const LEAST_WALKED = 500
const MOST_WALKED = 20_000
/** More entries than this are not sorted as long as there is an index to walk. */
const MOST_SORTED = 20_000
/** What an entry costs to fetch and sort, in steps along an index. */
const SORT_COST = 6

interface Selection {
  bits: Bits
  /** How many there are at most; exactly so many where nothing is left to check. */
  count: number
  /** What has yet to be asked of each of them. */
  rest: Clause[]
}

/** Null where the filter is better left to SQL: on small levels, and where nearly everything passes. */
export const selectEntries = async (deps: Deps, level: Level, filter: BrowseFilter): Promise<Selection | null> => {
  if (!isSelectable(level)) return null
  const carriers = filter.tags.length > 0 || filter.untagged ? await (await openTagIndex(deps)).matching(level.library.id, filter) : null
  const names = filter.q ? await findNames(deps, filter.q) : null
  const rest = [
    ...(level.below ? [level.below] : []),
    ...kindClauses(filter),
    ...nameClause('m', filter.q),
    ...(carriers && !filter.untagged ? [] : tagClauses('m', filter)),
  ]
  if (!carriers && !names) return null
  const bits = carriers ?? toBits(idSet(names ?? new Uint32Array()))
  if (carriers && names) keepCommon(bits, idSet(names))
  if (filter.unfinishedBy !== undefined) removeCommon(bits, await readCompleted(deps, filter.unfinishedBy))
  return { bits, count: countBits(bits), rest }
}

/** The selected entries as a table `m`. */
const picked = (ids: readonly number[]): Clause => ({
  sql: 'json_each(?) AS picked CROSS JOIN media_items m ON m.id = picked.value',
  args: [JSON.stringify(ids)],
})

/** Ids a query, so that no other request has to wait for long. */
const CHECKED = 10_000

/** Exactly the entries that pass. */
export const confirmed = async (deps: Deps, level: Level, { bits, rest, count }: Selection): Promise<Bits> => {
  if (rest.length === 0) return bits
  const where = all([level.clause, ...rest])
  const passing: number[] = []
  for (const slice of slicesOf(listBits(bits, count), CHECKED)) {
    passing.push(...(await idsOf(deps, clause`SELECT m.id AS id FROM ${picked(slice)} WHERE ${where}`)))
    await nextTurn()
  }
  return toBits(idSet(Uint32Array.from(passing).sort()))
}

/** Whether all of it can be fetched for a page. */
export const isSmall = ({ count }: Selection): boolean => count <= FEW

/** The first entries of a selection as a table, by their ids. */
export const firstOf = ({ bits }: Selection, limit: number): Clause => picked(listBits(bits, limit))

interface Reading {
  level: Level
  key: SortKey
  isBackwards: boolean
  /** Rows after, or before, this; an empty list of clauses begins at the end of the list. */
  from: Clause[]
  limit: number
}

/** The next `limit + 1` selected entries as a table `m`, by looking at all of them. The rows of a page are wide: they are read afterwards. */
const sortedTable = async (deps: Deps, selection: Selection, { level, key, isBackwards, from, limit }: Reading): Promise<Clause> => {
  const where = all([level.clause, ...selection.rest, ...from])
  const ids = await idsOf(
    deps,
    clause`SELECT m.id AS id FROM ${firstOf(selection, selection.count)} WHERE ${where}
      ORDER BY ${key.orderBy(isBackwards)} LIMIT ${String(limit + 1)}`,
  )
  return picked(ids)
}

/** The same by walking the index of the order; null where that has gone on for longer than sorting would take. */
const walkedTable = async (
  deps: Deps,
  selection: Selection,
  reading: Reading,
  index: NonNullable<SortKey['index']>,
): Promise<Clause | null> => {
  const { level, key, isBackwards, limit } = reading
  const client = deps.db.$client
  const wanted = limit + 1
  const expected = (1.3 * wanted * selection.bits.length * 32) / Math.max(1, selection.count)
  let step = Math.round(Math.min(MOST_WALKED, Math.max(LEAST_WALKED, expected)))
  const most = selection.count <= MOST_SORTED ? Math.max(2 * step, selection.count * SORT_COST) : Number.POSITIVE_INFINITY

  const check = async (ids: number[]): Promise<number[]> => {
    if (selection.rest.length === 0 || ids.length === 0) return ids
    const { rows } = await client.execute(clause`SELECT m.id FROM ${picked(ids)} WHERE ${all(selection.rest)}`)
    const passing = new Set(rows.map((row) => Number(row.id)))
    return ids.filter((id) => passing.has(id))
  }
  const keyAt = async (id: number): Promise<InValue[]> => {
    const { rows } = await client.execute({ sql: `SELECT ${key.columns.join(', ')} FROM media_items m WHERE m.id = ?`, args: [id] })
    return key.columns.map((_, place) => rows[0]?.[place] ?? null)
  }

  const found: number[] = []
  let { from } = reading
  for (let walked = 0; walked <= most; ) {
    const where = all([level.clause, ...index.holds, ...from])
    const read = await idsOf(
      deps,
      clause`SELECT m.id AS id FROM media_items m INDEXED BY ${index.name} WHERE ${where} ORDER BY ${key.orderBy(isBackwards)} LIMIT ${String(step)}`,
    )
    found.push(...(await check(read.filter((id) => hasBit(selection.bits, id)))))
    const last = read.at(-1)
    if (found.length >= wanted || read.length < step || last === undefined) return picked(found.slice(0, wanted))
    walked += step
    // What is looked for may stand together further down.
    step = Math.min(MOST_WALKED, 2 * step)
    const values = await keyAt(last)
    from = [isBackwards ? key.before(values) : key.after(values)]
  }
  return null
}

/** The next `limit + 1` selected entries as a table `m`; null where there is no good way to them. */
export const selectedTable = async (deps: Deps, selection: Selection, reading: Reading): Promise<Clause | null> => {
  const { index } = reading.key
  const walked = index !== null && !isSmall(selection) ? await walkedTable(deps, selection, reading, index) : null
  return walked ?? (selection.count <= MOST_SORTED ? sortedTable(deps, selection, reading) : null)
}
