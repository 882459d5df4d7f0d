/**
 * What a search finds, best first: titles that are the query, begin with it, have its words at the beginning of words,
 * have them anywhere; then what is found by tags, then by long texts. Within each the newest item comes first, which is
 * an order that FTS5 can be read in from any place without looking at what comes before.
 */

import type { InValue } from '@libsql/client'
import { indexedText, PIECES } from '../db/search-index.ts'
import type { Deps } from '../deps.ts'
import { all, type Clause, clause } from './clause.ts'
import { type MatchedTags, matchTags, tagSources } from './search-tags.ts'
import { and, hasTerm, isManyTrigrams, termQuery, titleQueries, titleRank } from './search-terms.ts'

export const TAG_RANK = 4
export const TEXT_RANK = 5

/** Items that no table knows yet, or no longer knows rightly, and that are looked at one by one. */
const MOST_PENDING = 1000

export interface Candidate {
  id: number
  title: string
  tagIds: ReadonlySet<number>
}

export interface Candidates {
  tags: MatchedTags
  /** Up to `limit` items of a rank with ids below `below`, highest first, and whether there may be more. */
  list(rank: number, page: { below: number; limit: number }): Promise<{ found: Candidate[]; examinedTo: number | null }>
}

const COLUMNS = `m.id, m.title, (SELECT group_concat(tag_id) FROM item_tags WHERE item_id = m.id) AS tagIds`

const toCandidate = (row: Record<string, unknown>): Candidate => ({
  id: Number(row.id),
  title: String(row.title),
  tagIds: new Set(row.tagIds === null ? [] : String(row.tagIds).split(',').map(Number)),
})

const FRESH = 'm.id NOT IN (SELECT item_id FROM search_stale)'

/** Where each rank is looked for: pieces of SQL from FROM on, and what a row is ordered by. */
interface Source {
  from: Clause
  order: string
  /** Rows an id. */
  pieces: number
}

const titleSource = (query: string | null, better: string | null): Source[] =>
  query === null
    ? []
    : [
        {
          from: {
            sql: `FROM search_titles CROSS JOIN media_items m ON m.id = search_titles.rowid WHERE search_titles MATCH ? AND ${FRESH}`,
            args: [better === null ? query : `(${query}) NOT (${better})`],
          },
          order: 'search_titles.rowid',
          pieces: 1,
        },
      ]

const textSource = async (deps: Deps, terms: readonly string[]): Promise<Source[]> => {
  const query = and(await Promise.all(terms.map((term) => termQuery(deps, 'search_texts', term))))
  // What stands for one or two letters is long: asking it twice costs more than passing over titles afterwards.
  const isShort = terms.some(isManyTrigrams)
  return query === null
    ? []
    : [
        {
          from: {
            sql: `FROM search_texts CROSS JOIN media_items m ON m.id = search_texts.rowid / ${PIECES} WHERE search_texts MATCH ? AND ${FRESH}`,
            args: [isShort ? query : `(${query}) NOT ({title} : (${query}))`],
          },
          order: 'search_texts.rowid',
          pieces: PIECES,
        },
      ]
}

/** Each term by the title, a tag or, where they are given, the long texts. */
const isCovered = (candidate: Candidate, terms: readonly string[], { byTerm }: MatchedTags): boolean => {
  const title = indexedText(candidate.title)
  return terms.every((term, place) => hasTerm(title, term) || [...candidate.tagIds].some((id) => byTerm[place]?.has(id)))
}

/** The rank of an item by its title and tags alone. */
const shownRank = (candidate: Candidate, terms: readonly string[], tags: MatchedTags): number => {
  const rank = titleRank(indexedText(candidate.title), terms)
  if (rank >= 0) return rank
  return isCovered(candidate, terms, tags) ? TAG_RANK : TEXT_RANK
}

const PENDING = `SELECT ${COLUMNS}, m.plot, m.description, m.extracted_text, m.translation FROM media_items m
  WHERE m.id IN (SELECT item_id FROM search_stale UNION SELECT id FROM (SELECT id FROM media_items
    WHERE id > (SELECT indexed_up_to FROM search_state) ORDER BY id DESC LIMIT ${MOST_PENDING}))`

/** The items that are not in the tables yet, by rank. */
const listPending = async (
  deps: Deps,
  { scope, terms, tags }: { scope: Clause; terms: readonly string[]; tags: MatchedTags },
): Promise<Map<number, Candidate[]>> => {
  const { rows } = await deps.db.$client.execute(clause`${PENDING} AND ${scope}`)
  const ranked = rows.flatMap((row): [number, Candidate][] => {
    const candidate = toCandidate(row)
    const rank = shownRank(candidate, terms, tags)
    if (rank !== TEXT_RANK) return [[rank, candidate]]
    const texts = [row.title, row.plot, row.description, row.extracted_text, row.translation]
    const indexed = texts.filter((text) => typeof text === 'string').map(indexedText)
    return terms.every((term) => indexed.some((text) => hasTerm(text, term))) ? [[rank, candidate]] : []
  })
  const byRank = Map.groupBy(ranked, ([rank]) => rank)
  return new Map([...byRank].map(([rank, found]) => [rank, found.map(([, candidate]) => candidate)]))
}

/** `scope` says which items `m` may be found at all. */
export const openCandidates = async (deps: Deps, terms: readonly string[], scope: Clause): Promise<Candidates> => {
  const tags = await matchTags(deps, terms)
  const pending = await listPending(deps, { scope, terms, tags })
  const titles = titleQueries(deps, terms)

  const sourcesOf = async (rank: number): Promise<Source[]> => {
    if (rank === TEXT_RANK) return textSource(deps, terms)
    if (rank === TAG_RANK) return (await tagSources(deps, terms, tags)).map((source) => ({ ...source, pieces: 1 }))
    const queries = await titles
    return titleSource(queries[rank] ?? null, rank === 0 ? null : (queries[rank - 1] ?? null))
  }

  const read = async ({ from, order, pieces }: Source, below: number, limit: number): Promise<Candidate[]> => {
    const before: Clause = { sql: `${order} < ?`, args: [below * pieces] satisfies InValue[] }
    const ids = clause`SELECT m.id ${from} AND ${all([before, scope])} ORDER BY ${order} DESC LIMIT ${String(limit)}`
    const sql = clause`SELECT ${COLUMNS} FROM (${ids}) AS hit CROSS JOIN media_items m ON m.id = hit.id`
    return (await deps.db.$client.execute(sql)).rows.map(toCandidate)
  }

  return {
    tags,
    list: async (rank, { below, limit }) => {
      const streams = await Promise.all((await sourcesOf(rank)).map((source) => read(source, below, limit)))
      const waiting = (pending.get(rank) ?? []).filter(({ id }) => id < below)
      const byId = new Map([...streams.flat(), ...waiting].map((candidate) => [candidate.id, candidate]))
      // Beyond the end of a stream that was cut off nothing can be said yet.
      const ends = streams.filter((stream) => stream.length === limit).map((stream) => stream.at(-1)?.id ?? 0)
      const examinedTo = ends.length === 0 ? null : Math.max(...ends)
      const found = [...byId.values()]
        .filter((candidate) => candidate.id >= (examinedTo ?? 0) && (rank < TAG_RANK || shownRank(candidate, terms, tags) === rank))
        .sort((a, b) => b.id - a.id)
      return { found, examinedTo }
    },
  }
}
