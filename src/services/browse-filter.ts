/** The filter of a list as SQL: which entries of a level pass, and which items they pass by (domain/tag-filter.ts). */

import type { Deps } from '../deps.ts'
import { type IdSet, idSet } from '../domain/id-set.ts'
import { ITEM_TYPES, isContainer, type MediaKind } from '../domain/item-type.ts'
import { searchKey } from '../domain/name-key.ts'
import type { Viewer } from '../domain/permissions.ts'
import { type FilterLevel, isTagFilter, type TagFilter } from '../domain/tag-filter.ts'
import type { Level } from './browse-level.ts'
import { all, type Clause, clause } from './clause.ts'
import { idsOf } from './ids-of.ts'

/** What a list is asked for. */
export interface FilterQuery extends TagFilter {
  /** A piece of a name, in any case, with or without accents. */
  q?: string
  /** Only what whoever asks has not completed; of a series, one item that it holds. */
  unfinished?: boolean
  /** Mixed libraries: files of these kinds alone; none named means all. */
  kinds?: readonly MediaKind[]
}

export interface BrowseFilter extends Omit<FilterQuery, 'unfinished'> {
  /** Whose. */
  unfinishedBy?: number
}

export const filterOf = ({ userId }: Viewer, { q, tags, excludeTags, untagged, unfinished, kinds = [] }: FilterQuery): BrowseFilter => ({
  ...(q && { q }),
  tags,
  excludeTags,
  ...(untagged && { untagged }),
  ...(unfinished && { unfinishedBy: userId }),
  ...(kinds.length > 0 && { kinds }),
})

export const isFilter = ({ q, unfinishedBy, kinds, ...tags }: BrowseFilter): boolean =>
  Boolean(q) || isTagFilter(tags) || unfinishedBy !== undefined || kinds !== undefined

/** What a person has completed, in all libraries. */
export const readCompleted = async (deps: Pick<Deps, 'db'>, userId: number): Promise<IdSet> => {
  const sql = 'SELECT item_id AS id FROM progress WHERE user_id = ? AND completed ORDER BY item_id'
  return idSet(Uint32Array.from(await idsOf(deps, { sql, args: [userId] })))
}

const likePattern = (name: string): string => `%${name.replace(/[\\%_]/g, (c) => `\\${c}`)}%`

/** A piece of a name, by the letters that count in a search. */
export const nameClause = (alias: string, q: string | undefined): Clause[] =>
  q ? [{ sql: `${alias}.search_title LIKE ? ESCAPE '\\'`, args: [likePattern(searchKey(q))] }] : []

/** An entry's own kind; what lies below it does not count. */
export const kindClauses = (filter: BrowseFilter): Clause[] =>
  filter.kinds === undefined ? [] : [{ sql: `m.media_kind IN (${filter.kinds.map(() => '?').join(', ')})`, args: [...filter.kinds] }]

/** Every file of these kinds in a library. */
export const readKinds = async (deps: Pick<Deps, 'db'>, libraryId: number, kinds: readonly MediaKind[]): Promise<IdSet> => {
  const where = all([{ sql: 'm.library_id = ?', args: [libraryId] }, ...kindClauses({ tags: [], excludeTags: [], kinds })])
  return idSet(Uint32Array.from(await idsOf(deps, clause`SELECT m.id AS id FROM media_items m WHERE ${where} ORDER BY m.id`)))
}

const carries = (alias: string, tagId: number): Clause => ({
  sql: `EXISTS (SELECT 1 FROM item_tags WHERE tag_id = ? AND item_id = ${alias}.id)`,
  args: [tagId],
})

/** One look at what an item carries, however many tags are excluded; without the `+` there would be one for each of them. */
const carriesNone = (alias: string, tagIds: readonly number[]): Clause => ({
  sql: `NOT EXISTS (SELECT 1 FROM item_tags WHERE item_id = ${alias}.id AND +tag_id IN (${tagIds.map(() => '?').join(', ')}))`,
  args: [...tagIds],
})

const isUntagged = (alias: string): Clause => ({ sql: `NOT EXISTS (SELECT 1 FROM item_tags WHERE item_id = ${alias}.id)`, args: [] })

export const tagClauses = (alias: string, { tags, excludeTags, untagged }: TagFilter): Clause[] => [
  ...tags.map((tag) => carries(alias, tag)),
  ...(excludeTags.length > 0 ? [carriesNone(alias, excludeTags)] : []),
  ...(untagged ? [isUntagged(alias)] : []),
]

/** The present items `c` below `m` whose tags stand for it. */
const BELOW = {
  children: { tables: 'media_items c', on: 'c.parent_id = m.id AND c.missing_since IS NULL' },
  grandchildren: {
    tables: 'media_items s JOIN media_items c ON c.parent_id = s.id',
    on: 's.parent_id = m.id AND s.missing_since IS NULL AND c.missing_since IS NULL',
  },
} as const

/** Of a series the specials `s` are left alone where it has another season: nobody has to see them, and nothing leads to them. */
const COUNTS_AS_LEFT: Record<keyof typeof BELOW, string> = {
  children: 'true',
  grandchildren: `(s.season_number IS NOT 0 OR NOT EXISTS (SELECT 1 FROM media_items o
    WHERE o.parent_id = m.id AND o.season_number IS NOT 0 AND o.missing_since IS NULL))`,
}

/** All `c` of `BELOW`, one after the other: that index holds everything that is asked of them. */
const EACH_BELOW: Record<keyof typeof BELOW, string> = {
  children: 'media_items c INDEXED BY media_items_by_title',
  grandchildren: 'media_items s CROSS JOIN media_items c INDEXED BY media_items_by_title ON c.parent_id = s.id',
}

/** Whether a container `m` has something in it, and the person `user` has completed all of it. A join takes half the time of a query for each of them. */
const isCompletedSql = (depth: keyof typeof BELOW, user: string): string => {
  const each = EACH_BELOW[depth]
  const counted = `c.library_id = m.library_id AND ${BELOW[depth].on} AND ${COUNTS_AS_LEFT[depth]}`
  const told = `LEFT JOIN progress p ON p.user_id = ${user} AND p.item_id = c.id`
  return `NOT EXISTS (SELECT 1 FROM ${each} ${told} WHERE ${counted} AND p.completed IS NOT true)
    AND EXISTS (SELECT 1 FROM ${each} WHERE ${counted})`
}

/** The same of any container, in a list of all sorts. */
export const completedContainerSql = (user: string): string =>
  `iif(m.item_type = 'tv_series', ${isCompletedSql('grandchildren', user)}, ${isCompletedSql('children', user)})`

const unfinishedClauses = (alias: string, { unfinishedBy }: BrowseFilter): Clause[] =>
  unfinishedBy === undefined
    ? []
    : [
        {
          sql: `NOT EXISTS (SELECT 1 FROM progress p WHERE p.user_id = ? AND p.item_id = ${alias}.id AND p.completed)`,
          args: [unfinishedBy],
        },
      ]

export const IS_CONTAINER = `m.item_type IN (${ITEM_TYPES.filter(isContainer)
  .map((type) => `'${type}'`)
  .join(', ')})`

const unfinishedBelow = (depth: keyof typeof BELOW, filter: BrowseFilter): Clause[] =>
  unfinishedClauses('c', filter).flatMap((open) => [open, { sql: COUNTS_AS_LEFT[depth], args: [] }])

/** What is still to be seen, read or tagged. A container passes where one of the items below it is, everything else by itself. */
const leftClauses = (depth: FilterLevel['below'], filter: BrowseFilter): Clause[] => {
  const itself = unfinishedClauses('m', filter)
  if (depth === 'nothing' || (itself.length === 0 && !filter.untagged)) return itself
  const { tables, on } = BELOW[depth]
  const left = all([...unfinishedBelow(depth, filter), ...(filter.untagged ? [isUntagged('c')] : [])])
  return [clause`iif(${IS_CONTAINER}, EXISTS (SELECT 1 FROM ${tables} WHERE ${on} AND ${left}), ${all(itself)})`]
}

/** Both ways in which an entry `m` may pass: by itself, or by one item `c` below it. */
const ways = ({ filter: { below: depth, isNameBelow } }: Level, filter: BrowseFilter): { itself: Clause; below: Clause } => ({
  itself: all([...nameClause('m', filter.q), ...tagClauses('m', filter), ...leftClauses(depth, filter)]),
  below: all([
    ...nameClause(isNameBelow ? 'c' : 'm', filter.q),
    ...tagClauses('c', filter),
    ...(depth === 'nothing' ? [] : unfinishedBelow(depth, filter)),
    ...(filter.untagged ? [isUntagged('m')] : []),
  ]),
})

/** Whether an entry `m` of the level passes. */
export const filterClause = (level: Level, filter: BrowseFilter): Clause => {
  const { itself, below } = ways(level, filter)
  const { below: depth, isNameBelow } = level.filter
  if (depth === 'nothing' || (!isNameBelow && !isTagFilter(filter))) return all([...kindClauses(filter), itself])
  const { tables, on } = BELOW[depth]
  return all([...kindClauses(filter), clause`((${itself}) OR EXISTS (SELECT 1 FROM ${tables} WHERE ${on} AND ${below}))`])
}

/**
 * The entries of the level that pass, each with every item that it passes by, as rows of `entry` and `carrier`: what
 * further tags those items carry is what the filter can be narrowed by.
 */
export const carrierRows = (level: Level, filter: BrowseFilter): Clause => {
  const { itself, below } = ways(level, filter)
  const entries = all([level.clause, ...kindClauses(filter)])
  const own = clause`SELECT m.id AS entry, m.id AS carrier FROM ${level.table} WHERE ${entries} AND ${itself}`
  if (level.filter.below === 'nothing') return own
  const { tables, on } = BELOW[level.filter.below]
  return clause`${own} UNION ALL SELECT m.id, c.id FROM media_items m JOIN ${tables} WHERE ${on} AND ${entries} AND ${below}`
}
