/**
 * Where a search looks for items: each finder knows ids of items that may belong to a rank. The newest of them are read from
 * the end, which soon comes upon what is common; all of them upwards, which is three times as fast in the lists of FTS5.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_PIECES_AN_ITEM } from '../db/search-index.ts'
import type { Deps } from '../deps.ts'
import { slicesOf } from '../domain/slices.ts'
import { type Clause, clause } from './clause.ts'
import { idsOf } from './ids-of.ts'

/** Ids from `from` on and below `to`. */
interface Range {
  from: number
  to: number
}

/** Answers all ids that belong to the rank, and some that do not. */
export interface Finder {
  /** Up to `limit` of them, highest first. */
  newest(range: Range, limit: number): Promise<number[]>
  /** In any order. */
  all(range: Range): Promise<number[]>
}

/** The limits are part of the text: numbers are bound as floating-point ones, which FTS5 does not go by. */
const inRange = (column: string, { from, to }: Range): string => `${column} >= ${Math.floor(from)} AND ${column} < ${Math.floor(to)}`

const newestFirst = (column: string, limit: number): string => `ORDER BY ${column} DESC LIMIT ${limit}`

/** `rows`: of `id`, from the given range of a column. */
const finder = (deps: Deps, column: string, { rows, factor = 1 }: { rows: (range: string) => Clause; factor?: number }): Finder => {
  const ranged = ({ from, to }: Range): Clause => rows(inRange(column, { from: from * factor, to: to * factor }))
  return {
    newest: (range, limit) => idsOf(deps, clause`${ranged(range)} ${newestFirst(column, limit)}`),
    all: (range) => idsOf(deps, ranged(range)),
  }
}

/** `also`: asked of the row in the table, whose id is its rowid. */
export const inTitles = (deps: Deps, query: string, also: Clause = { sql: 'true', args: [] }): Finder => {
  const matching: Clause = { sql: 'search_titles MATCH ?', args: [query] }
  return finder(deps, 'rowid', {
    rows: (range) => clause`SELECT rowid AS id FROM search_titles WHERE ${matching} AND ${range} AND ${also}`,
  })
}

/** Names of series alone: hundreds, where those of their episodes are a hundred thousand. */
export const inSeries = (deps: Deps, query: string): Finder => {
  const matching: Clause = { sql: 'search_series MATCH ?', args: [query] }
  return finder(deps, 'rowid', { rows: (range) => clause`SELECT rowid AS id FROM search_series WHERE ${matching} AND ${range}` })
}

export const inTexts = (deps: Deps, query: string): Finder => {
  const matching: Clause = { sql: 'search_texts MATCH ?', args: [query] }
  const rows = (range: string): Clause =>
    clause`SELECT rowid / ${String(MAX_PIECES_AN_ITEM)} AS id FROM search_texts WHERE ${matching} AND ${range}`
  return finder(deps, 'rowid', { rows, factor: MAX_PIECES_AN_ITEM })
}

/** Items of which the texts have a second piece, newest first: FTS5 keeps a small row here for each of its own. */
const LONG_TEXTS = `SELECT id / ${MAX_PIECES_AN_ITEM} AS id FROM search_texts_docsize WHERE id % ${MAX_PIECES_AN_ITEM} = 1 ORDER BY id DESC`
/** Items with long texts that are asked for at once: each has tens of pieces. */
const LONG_AT_ONCE = 50
/** Where a word is in fewer pieces than this, their items are asked for one by one: all long texts would take longer. */
const FEW_PIECES = 20

/** As `inTexts`, of texts in several pieces: each of the queries in any of them. */
export const inLongTexts = (deps: Deps, queries: readonly string[]): Finder => {
  let long: Promise<number[]> | undefined
  const listLong = (): Promise<number[]> => (long ??= idsOf(deps, { sql: LONG_TEXTS, args: [] }))
  const finders = queries.map((query) => inTexts(deps, query))
  const havingEach = async (ids: readonly number[]): Promise<number[]> => {
    const range = { from: ids.at(-1) ?? 0, to: (ids[0] ?? 0) + 1 }
    let left = ids
    for (const one of finders) {
      if (left.length === 0) break
      const having = new Set(await one.all(range))
      left = left.filter((id) => having.has(id))
    }
    return [...left]
  }
  const newest: Finder['newest'] = async ({ from, to }, limit) => {
    const beginnings = await Promise.all(finders.map((one) => one.newest({ from, to }, FEW_PIECES)))
    const few = beginnings.find(({ length }) => length < FEW_PIECES)
    const asked = few ? [...new Set(few)] : (await listLong()).filter((id) => id >= from && id < to)
    const found: number[] = []
    for (const ids of slicesOf(asked, few ? 1 : LONG_AT_ONCE)) {
      found.push(...(await havingEach(ids)))
      if (found.length >= limit) break
      await nextTurn()
    }
    return found.slice(0, limit)
  }
  return { newest, all: (range) => newest(range, Number.POSITIVE_INFINITY) }
}

/** `tagIds`: a query. */
export const byTags = (deps: Deps, tagIds: Clause): Finder =>
  finder(deps, 'item_id', {
    rows: (range) =>
      clause`SELECT DISTINCT item_id AS id FROM item_tags INDEXED BY item_tags_item WHERE ${range} AND +tag_id IN (${tagIds})`,
  })
