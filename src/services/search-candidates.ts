/**
 * What a search finds, best first: titles that are the query, begin with it, have its words at the beginning of words,
 * have them anywhere, of each the series before what is in them; then what is found by tags, then by long texts. Within
 * each the newest item comes first, which is an order that FTS5 can be read in from any place without looking at what comes before.
 */

import { indexedText } from '../db/search-index.ts'
import type { Deps } from '../deps.ts'
import { type Clause, clause } from './clause.ts'
import { highestItemId } from './ids-of.ts'
import { type Finder, inLongTexts, inTexts } from './search-finder.ts'
import { type MatchedTags, tagSources } from './search-tags.ts'
import { and, hasTerm, isAskedInParts, textQuery } from './search-terms.ts'
import { type Look, openTexts } from './search-texts.ts'
import { openTitles, TITLE_RANKS, titleRank } from './search-titles.ts'
import { type Candidate, DETAIL_COLUMNS, type Place, toCandidate, type Walk, type Walked, walk } from './search-walk.ts'
import { findTags } from './tag-name-index.ts'

export const TAG_RANK = TITLE_RANKS
export const TEXT_RANK = TAG_RANK + 1

/** Items that no table knows yet, or no longer knows rightly, and that are looked at one by one. */
const MOST_PENDING = 1000

interface Candidates {
  tags: MatchedTags
  /** Up to `limit` items of a rank with ids below `below`, highest first, and whether there may be more. */
  list(rank: number, place: Place): Promise<Walked>
}

const textFinders = async (deps: Deps, terms: readonly string[]): Promise<Finder[]> => {
  const queries = await Promise.all(terms.map((term) => textQuery(deps, term)))
  const known = queries.filter((query) => query !== null)
  const together = and(queries)
  if (together === null) return []
  return [inTexts(deps, together), ...(known.length > 1 ? [inLongTexts(deps, known)] : [])]
}

/** Each term by the title or a tag. */
const isCovered = ({ title, tagIds }: Candidate, terms: readonly string[], tags: MatchedTags): boolean => {
  const indexed = indexedText(title)
  return terms.every((term, place) => hasTerm(indexed, term) || [...tagIds].some((id) => tags[place]?.has(id)))
}

/** The rank of an item by its title and tags alone. */
const shownRank = (candidate: Candidate, terms: readonly string[], tags: MatchedTags): number => {
  const rank = titleRank(candidate, terms)
  if (rank >= 0) return rank
  return isCovered(candidate, terms, tags) ? TAG_RANK : TEXT_RANK
}

const PENDING = `SELECT m.id, m.title, m.item_type, ${DETAIL_COLUMNS.tags}, coalesce(m.description, m.plot, m.extracted_text, m.translation) IS NOT NULL FROM media_items m
  WHERE m.id IN (SELECT item_id FROM search_stale UNION SELECT id FROM (SELECT id FROM media_items
    WHERE id > (SELECT indexed_up_to FROM search_state) ORDER BY id DESC LIMIT ${MOST_PENDING}))`

/** The items that are not in the tables yet, by rank; those that have texts may be found by them. */
const listPending = async (
  deps: Deps,
  { scope, terms, tags }: { scope: Clause; terms: readonly string[]; tags: MatchedTags },
): Promise<Map<number, Candidate[]>> => {
  const { rows } = await deps.db.$client.execute(clause`${PENDING} AND ${scope}`)
  const ranked = rows.flatMap((row): [number, Candidate][] => {
    const values = Array.from(row)
    const candidate = toCandidate(values)
    const rank = shownRank(candidate, terms, tags)
    return rank !== TEXT_RANK || values.at(-1) === 1 ? [[rank, candidate]] : []
  })
  const byRank = Map.groupBy(ranked, ([rank]) => rank)
  return new Map([...byRank].map(([rank, found]) => [rank, found.map(([, candidate]) => candidate)]))
}

/** `scope` says which items `m` may be found at all. */
export const openCandidates = async (
  deps: Deps,
  terms: readonly string[],
  { scope, signal }: { scope: Clause; signal: AbortSignal },
): Promise<Candidates> => {
  const tags = await findTags(deps, terms)
  const pending = await listPending(deps, { scope, terms, tags })
  const top = await highestItemId(deps)
  const titles = openTitles(deps, terms, { top, scope })
  const everywhere = { scope, top, signal }

  const open = async (rank: number): Promise<Walk> => {
    const waiting = pending.get(rank) ?? []
    const isOfRank = (candidate: Candidate): boolean => shownRank(candidate, terms, tags) === rank
    if (rank < TAG_RANK) {
      const { ready, finders } = await titles(rank)
      return { ...everywhere, finders, listed: [], ready: [...ready, ...waiting], detail: 'nothing', isWanted: isOfRank }
    }
    if (rank === TAG_RANK)
      return { ...everywhere, ...(await tagSources(deps, terms, { tags, top })), ready: waiting, detail: 'tags', isWanted: isOfRank }
    const look = openTexts(deps, terms, signal)
    const unindexed = new Set(waiting.map(({ id }) => id))
    const lookInto = ({ id, title }: Candidate): Promise<Look> => {
      const indexed = indexedText(title)
      const isUnsure = (term: string): boolean => unindexed.has(id) || isAskedInParts(term)
      return look(
        id,
        terms.filter((term) => isUnsure(term) && !hasTerm(indexed, term)),
      )
    }
    const finders = await textFinders(deps, terms)
    return { ...everywhere, finders, listed: [], ready: waiting, detail: 'tags', isWanted: isOfRank, lookInto }
  }

  const opened = new Map<number, Promise<Walk>>()
  return {
    tags,
    list: async (rank, place) => walk(deps, await opened.getOrInsertComputed(rank, open), place),
  }
}
