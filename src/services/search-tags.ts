/** Items that a search finds by the names of their tags. */

import type { Deps } from '../deps.ts'
import { all, type Clause, clause } from './clause.ts'
import { idsOf } from './ids-of.ts'
import { byTags, type Finder, inTitles } from './search-finder.ts'
import { titleQuery } from './search-terms.ts'
import { estimateTitles } from './search-titles.ts'

/** Up to so many assignments are read at once; of more, a walk soon meets enough. */
const FEW_ASSIGNMENTS = 20_000
/** Of more words than this not every way of sharing them between title and tags is tried. */
const MOST_SHARED_TERMS = 3
/** What looking at an item costs, in titles of which it is asked in the table what tags they have. */
const LOOK_COST = 4

/** The tags whose names contain a term, in the order of the terms. */
export type MatchedTags = readonly ReadonlySet<number>[]

/** As one argument: there may be a hundred thousand. */
const listOf = (ids: Iterable<number>): Clause => ({ sql: 'SELECT value FROM json_each(?)', args: [JSON.stringify([...ids])] })

interface Sharing {
  /** Places of terms that are to be found by tags. */
  inTags: readonly number[]
  /** Places of terms that may be found by either: not every way of sharing them is tried. */
  inEither: readonly number[]
}

/** Ways of sharing the terms; the others are in the title. Only those that some tag has are shared at all, the rarest first. */
const sharings = (tags: MatchedTags): Sharing[] => {
  const sizeOf = (place: number): number => tags[place]?.size ?? 0
  const tagged = [...tags.keys()].filter((place) => sizeOf(place) > 0).sort((a, b) => sizeOf(a) - sizeOf(b))
  const [shared, inEither] = [tagged.slice(0, MOST_SHARED_TERMS), tagged.slice(MOST_SHARED_TERMS)]
  const ways = Array.from({ length: 2 ** shared.length }, (_, bits) => shared.filter((_, nth) => (bits >> nth) & 1))
  return ways.filter(({ length }) => length + inEither.length > 0).map((inTags) => ({ inTags, inEither }))
}

const countAssignments = async (deps: Deps, ids: Iterable<number>): Promise<number> => {
  const { rows } = await deps.db.$client.execute(
    clause`SELECT coalesce(sum(present), 0) AS total FROM library_tags WHERE tag_id IN (${listOf(ids)})`,
  )
  return Number(rows[0]?.total)
}

interface Rarest {
  ids: ReadonlySet<number>
  /** Of items that are there. */
  count: number
}

const rarestOf = async (deps: Deps, sets: readonly ReadonlySet<number>[]): Promise<Rarest> => {
  const counts = await Promise.all(sets.map(async (ids) => ({ ids, count: await countAssignments(deps, ids) })))
  return counts.reduce((a, b) => (b.count < a.count ? b : a))
}

const carriersOf = (deps: Deps, { ids }: Rarest): Promise<number[]> =>
  idsOf(deps, clause`SELECT item_id AS id FROM item_tags WHERE tag_id IN (${listOf(ids)})`)

/** Where to look for items: ids, and what finds more. */
interface Sources {
  listed: number[]
  finders: Finder[]
}

interface Share {
  /** For each term that tags are to have, those that do. */
  sets: readonly ReadonlySet<number>[]
  /** Terms that the title is to have. */
  others: readonly string[]
  top: number
}

const byTagsAlone = async (deps: Deps, { sets }: Share): Promise<Partial<Sources>> => {
  const rarest = await rarestOf(deps, sets)
  return rarest.count <= FEW_ASSIGNMENTS ? { listed: await carriersOf(deps, rarest) } : { finders: [byTags(deps, listOf(rarest.ids))] }
}

/** A list of hundreds is not looked up one by one in the few tags of an item: hence the plus. */
const isCarrier = (ids: Iterable<number>): Clause =>
  clause`EXISTS (SELECT 1 FROM item_tags WHERE item_id = search_titles.rowid AND +tag_id IN (${listOf(ids)}))`

const byBoth = async (deps: Deps, { sets, others, top }: Share): Promise<Partial<Sources>> => {
  const titles = await estimateTitles(deps, others, top)
  if (titles.ids) return { listed: titles.ids }
  const rarest = sets.length > 0 ? await rarestOf(deps, sets) : undefined
  if (rarest && rarest.count <= FEW_ASSIGNMENTS && rarest.count * LOOK_COST <= titles.count)
    return { listed: await carriersOf(deps, rarest) }
  const query = await titleQuery(deps, others, 3)
  return query === null ? {} : { finders: [inTitles(deps, query, all(sets.map(isCarrier)))] }
}

/** Of items whose tags and title together have every term, and of others. */
export const tagSources = async (
  deps: Deps,
  terms: readonly string[],
  { tags, top }: { tags: MatchedTags; top: number },
): Promise<Sources> => {
  const sources = await Promise.all(
    sharings(tags).map(({ inTags, inEither }) => {
      const sets = inTags.flatMap((place) => tags[place] ?? [])
      const others = terms.filter((_, place) => !inTags.includes(place) && !inEither.includes(place))
      return (others.length === 0 ? byTagsAlone : byBoth)(deps, { sets, others, top })
    }),
  )
  return { listed: sources.flatMap(({ listed = [] }) => listed), finders: sources.flatMap(({ finders = [] }) => finders) }
}
