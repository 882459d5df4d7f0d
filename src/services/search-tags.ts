/** Items that a search finds by the names of their tags. */

import type { Deps } from '../deps.ts'
import { foldSearch } from '../domain/search-text.ts'
import { all, type Clause, clause } from './clause.ts'
import { and, termQuery } from './search-terms.ts'

/** Below this many assignments all of them are read and sorted; above, items are walked, of which every few hundredth matches. */
const FEW_ASSIGNMENTS = 20_000
/** With more words than this not every way of sharing them between title and tags is tried. */
const MOST_SHARED_TERMS = 3

export interface MatchedTags {
  /** The tags whose names contain a term, in the order of the terms. */
  byTerm: ReadonlySet<number>[]
  names: ReadonlyMap<number, string>
}

export const matchTags = async (deps: Deps, terms: readonly string[]): Promise<MatchedTags> => {
  const { rows } = await deps.db.$client.execute('SELECT json_group_array(json_array(id, name)) AS tags FROM tags')
  const parsed: unknown = JSON.parse(String(rows[0]?.tags))
  const tags = (Array.isArray(parsed) ? parsed : []).map(([id, name]: unknown[]) => ({ id: Number(id), name: String(name) }))
  const folded = tags.map((tag) => ({ ...tag, key: foldSearch(tag.name) }))
  const byTerm = terms.map((term) => new Set(folded.filter(({ key }) => key.includes(term)).map(({ id }) => id)))
  const matched = new Set(byTerm.flatMap((ids) => [...ids]))
  return { byTerm, names: new Map(folded.filter(({ id }) => matched.has(id)).map(({ id, name }) => [id, name])) }
}

const listOf = (ids: Iterable<number>): string => `(${[...ids].join(',')})`

const carriesOneOf = (ids: Iterable<number>): Clause => ({
  // An item has a few tags, the list may have hundreds: the plus keeps it from being looked up one by one.
  sql: `EXISTS (SELECT 1 FROM item_tags WHERE item_id = m.id AND +tag_id IN ${listOf(ids)})`,
  args: [],
})

/** Ways of sharing the terms: which of them are to be found by tags. The others are in the title. */
const shares = (count: number): number[][] => {
  const places = Array.from({ length: count }, (_, place) => place)
  if (count > MOST_SHARED_TERMS) return [places, ...places.map((place) => [place])]
  return Array.from({ length: 2 ** count - 1 }, (_, bits) => places.filter((place) => ((bits + 1) >> place) & 1))
}

const countAssignments = async (deps: Deps, ids: Iterable<number>): Promise<number> => {
  const { rows } = await deps.db.$client.execute(
    `SELECT coalesce(sum(present), 0) AS total FROM library_tags WHERE tag_id IN ${listOf(ids)}`,
  )
  return Number(rows[0]?.total)
}

/** Where to look for items `m`: a piece of SQL from FROM on, and the column whose order it can be read in. */
export interface TagSource {
  from: Clause
  order: string
}

const byTagsAlone = async (deps: Deps, sets: readonly ReadonlySet<number>[]): Promise<TagSource> => {
  const counts = await Promise.all(sets.map(async (ids) => ({ ids, count: await countAssignments(deps, ids) })))
  const [rarest] = counts.toSorted((a, b) => a.count - b.count)
  const from =
    rarest && rarest.count <= FEW_ASSIGNMENTS
      ? `(SELECT DISTINCT item_id FROM item_tags WHERE tag_id IN ${listOf(rarest.ids)}) AS picked CROSS JOIN media_items m ON m.id = picked.item_id`
      : 'media_items m NOT INDEXED'
  return { from: clause`FROM ${from} WHERE ${all(sets.map(carriesOneOf))}`, order: 'm.id' }
}

/**
 * Items `m` whose tags and title together have every term. An item may be in several of the sources, and among them are
 * items whose title has every term by itself.
 */
export const tagSources = async (deps: Deps, terms: readonly string[], { byTerm }: MatchedTags): Promise<TagSource[]> => {
  const ways = shares(terms.length).filter((share) => share.every((place) => byTerm[place]?.size))
  const sources = await Promise.all(
    ways.map(async (share): Promise<TagSource[]> => {
      const sets = share.map((place) => byTerm[place] ?? new Set<number>())
      const others = terms.filter((_, place) => !share.includes(place))
      if (others.length === 0) return [await byTagsAlone(deps, sets)]
      const query = and(await Promise.all(others.map((term) => termQuery(deps, 'search_titles', term))))
      if (query === null) return []
      const found: Clause = { sql: 'search_titles MATCH ?', args: [query] }
      const from = clause`FROM search_titles CROSS JOIN media_items m ON m.id = search_titles.rowid WHERE ${found} AND ${all(sets.map(carriesOneOf))}`
      return [{ from, order: 'search_titles.rowid' }]
    }),
  )
  return sources.flat()
}
