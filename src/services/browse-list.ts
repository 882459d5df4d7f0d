/** Where the rows of a filtered list are read from: the level itself, or what a selection of it leaves. */

import type { Deps } from '../deps.ts'
import { type BrowseFilter, filterClause, isFilter } from './browse-filter.ts'
import { isSelectable, type Level } from './browse-level.ts'
import { firstOf, isSmall, selectEntries, selectedTable } from './browse-selection.ts'
import type { SortKey } from './browse-sort.ts'
import { all, type Clause, clause } from './clause.ts'
import { nameQuery } from './name-index.ts'

export interface Rows {
  /** Tables with the entries as `m`. */
  table: Clause
  where: Clause
}

interface List extends Rows {
  /** The rows to read the next page from, which begins at the end of the list or behind a row. */
  pageFrom(from: Clause[], isBackwards: boolean): Promise<Rows>
  /** How many rows there are, counted up to `most` at least. */
  count(most: number): Promise<number>
}

interface ListQuery {
  filter: BrowseFilter
  key: SortKey
  limit: number
}

/** What is looked at before it is certain that there are more than anybody counts. */
const SAMPLE = 20_000

export const countRows = async (deps: Deps, { table, where }: Rows, most?: number): Promise<number> => {
  const limit = most === undefined ? '' : ` LIMIT ${most}`
  const { rows } = await deps.db.$client.execute(clause`SELECT count(*) AS total FROM (SELECT 1 FROM ${table} WHERE ${where}${limit})`)
  return Number(rows[0]?.total ?? 0)
}

const plainList = (deps: Deps, level: Level, { filter, key }: ListQuery): List => {
  const { table } = level
  const where = all([level.clause, ...(key.index?.holds ?? []), ...(isFilter(filter) ? [filterClause(level, filter)] : [])])
  const rows = { table, where }
  /** A name of many entries: the full-text table leads to enough of them sooner than the level does. */
  const countByName = async (most: number): Promise<number> => {
    const query = filter.q && isSelectable(level) ? await nameQuery(deps, filter.q) : null
    if (query === null) return 0
    const byName: Clause = { sql: 'search_titles CROSS JOIN media_items m ON m.id = search_titles.rowid', args: [] }
    return countRows(deps, { table: byName, where: all([{ sql: 'search_titles MATCH ?', args: [query] }, where]) }, most)
  }
  return {
    ...rows,
    pageFrom: async (from) => ({ table, where: all([where, ...from]) }),
    count: async (most) => {
      const named = await countByName(most)
      return named >= most ? named : countRows(deps, rows, most)
    },
  }
}

export const openList = async (deps: Deps, level: Level, query: ListQuery): Promise<List> => {
  const plain = plainList(deps, level, query)
  const { filter, key, limit } = query
  const selection = isFilter(filter) ? await selectEntries(deps, level, filter) : null
  if (!selection) return plain
  const isExact = selection.rest.length === 0
  const sample = (): Rows => ({ table: firstOf(selection, SAMPLE), where: all([level.clause, ...selection.rest]) })
  return {
    ...(isSmall(selection) ? sample() : plain),
    pageFrom: async (from, isBackwards) => {
      const table = await selectedTable(deps, selection, { level, key, isBackwards, from, limit })
      return table ? { table, where: all([]) } : plain.pageFrom(from, isBackwards)
    },
    count: async (most) => {
      if (isExact) return selection.count
      const counted = await countRows(deps, sample(), most)
      return counted >= most || selection.count <= SAMPLE ? counted : plain.count(most)
    },
  }
}
