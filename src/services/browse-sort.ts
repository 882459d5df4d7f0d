/**
 * The orders in which a list can be shown, as SQL. Every order ends in the id, so that it is total and a page can start
 * after any row; comparisons are row values, which is the only form that walks an index (PERFORMANCE.md, B1).
 */

import type { InValue } from '@libsql/client'
import type { Clause } from './clause.ts'

export const SORTS = ['number', 'title', 'added', 'updated', 'taken', 'year', 'rating', 'size', 'random'] as const
export type Sort = (typeof SORTS)[number]
export const ORDERS = ['asc', 'desc'] as const
export type Order = (typeof ORDERS)[number]

export interface SortKey {
  /**
   * The index that has the entries of a level of a library in this order, and nothing else of them. `holds`: what is true of each
   * of them, and has to be said for SQLite to use it.
   */
  index: { name: string; holds: Clause[] } | null
  /** An SQL expression over `m`: the date that its entries are sorted by, in milliseconds, where they do not tell it anyway. */
  date: string | null
  /** SQL expressions over `m`, the last one its id. */
  columns: string[]
  orderBy(isBackwards: boolean): string
  /** Rows after, or before, the one with these values. */
  after(values: readonly InValue[]): Clause
  before(values: readonly InValue[]): Clause
  /** The row with these values and those after it. */
  from(values: readonly InValue[]): Clause
}

/** Rows without a value stand last in either order. */
const nullsLast = (column: string, order: Order): string => `coalesce(${column}, ${order === 'asc' ? '9e15' : '-9e15'})`

/** 2^32 and Knuth's multiplier: products of 32-bit numbers stay below SQLite's 64-bit integers. */
const shuffled = (seed: number): string => {
  const start = seed % 2 ** 31
  const mixed = `((m.id * 2654435761 + ${start}) % 4294967296 % 2147483647)`
  return `((${mixed} * ${mixed} + ${start}) % 2147483647)`
}

const columnsOf = (sort: Sort, order: Order, seed: number): string[] => {
  switch (sort) {
    case 'title':
      return ['m.sort_title']
    case 'number':
      return [nullsLast('m.sort_number', order), 'm.sort_title']
    case 'added':
      // What one scan has found was all added at once; the dates of the files tell what of it is new to the household.
      return ['m.added_at', 'm.modified_at']
    case 'updated':
      return ['m.updated_at', 'm.modified_at']
    case 'taken':
      return ['m.dated_at']
    case 'year':
      return [nullsLast('m.year', order), 'm.sort_title']
    case 'rating':
      return [nullsLast('m.rating', order), 'm.sort_title']
    case 'size':
      return [nullsLast('m.size', order), 'm.sort_title']
    case 'random':
      return [shuffled(seed)]
    default:
      return sort satisfies never
  }
}

/** By dates that a kept entry does not tell: one of them changes with every scan that finds something below. */
const DATE_SORTS: readonly Sort[] = ['updated', 'taken']

const indexOf = (sort: Sort, isSettled: boolean): SortKey['index'] => {
  if (sort === 'title' || sort === 'added') return { name: `media_items_by_${sort}`, holds: [] }
  return sort === 'taken' && isSettled ? { name: 'media_items_by_taken', holds: [{ sql: 'NOT m.is_new', args: [] }] } : null
}

interface SortOptions {
  order: Order
  /** An integer: it becomes part of the SQL. */
  seed: number
  /** Whether none of them is new (new-items.ts). */
  isSettled?: boolean
}

export const sortKey = (sort: Sort, { order, seed, isSettled = false }: SortOptions): SortKey => {
  const columns = [...columnsOf(sort, order, Math.trunc(seed)), 'm.id']
  const compare = (operator: '<' | '>' | '<=' | '>=') => (values: readonly InValue[]) => ({
    sql: `(${columns.join(', ')}) ${operator} (${columns.map(() => '?').join(', ')})`,
    args: [...values],
  })
  return {
    date: (DATE_SORTS.includes(sort) && columns[0]) || null,
    index: indexOf(sort, isSettled),
    columns,
    orderBy: (isBackwards) => {
      const direction = (order === 'asc') === isBackwards ? 'DESC' : 'ASC'
      return columns.map((column) => `${column} ${direction}`).join(', ')
    },
    after: compare(order === 'asc' ? '>' : '<'),
    before: compare(order === 'asc' ? '<' : '>'),
    from: compare(order === 'asc' ? '>=' : '<='),
  }
}
