/** Items that a search finds by their titles. */

import { indexedText } from '../db/search-index.ts'
import type { Deps } from '../deps.ts'
import { type Finder, inSeries, inTitles } from './search-finder.ts'
import { and, isManyTrigrams, TITLE_FITS, termQuery, titleFit, titleQuery } from './search-terms.ts'
import { type Candidate, type Rows, readCandidates } from './search-walk.ts'

/** Up to so many titles are looked at one by one, for all ranks at once: each rank by itself would go through the table again. */
const FEW = 1000
/** What stands for one or two letters is so long that more titles are looked at rather than asking for it. */
const FEW_BESIDES_SHORT = 2500

/** Ids that are looked at first, to tell from the titles in them how many there may be. */
const SAMPLE_SPAN = 32_768
const SAMPLE = 200
/** How many times a few they must seem to be. */
const DOUBT = 1.3

interface TitleEstimate {
  /** Of items whose titles may have each of the terms: all that have, and some that have not. Null where they are many. */
  ids: number[] | null
  /** How many there may be. */
  count: number
}

/** The ids only where there seem to be no more than `most`. */
const findUpTo = async (deps: Deps, query: string, { most, top }: { most: number; top: number }): Promise<TitleEstimate> => {
  const finder = inTitles(deps, query)
  const range = { from: Math.max(0, top - SAMPLE_SPAN), to: top + 1 }
  const newest = await finder.newest(range, SAMPLE)
  const lowest = newest.length < SAMPLE ? range.from : (newest.at(-1) ?? 0)
  const count = (newest.length * range.to) / (range.to - lowest)
  if (lowest > 0 && count > most * DOUBT) return { ids: null, count }
  const ids = [...newest, ...(await finder.all({ from: 0, to: lowest }))]
  return { ids: ids.length > most ? null : ids, count: ids.length }
}

export const estimateTitles = async (deps: Deps, terms: readonly string[], top: number): Promise<TitleEstimate> => {
  const long = terms.filter((term) => !isManyTrigrams(term))
  if (long.length === 0) return { ids: null, count: top }
  const most = long.length < terms.length ? FEW_BESIDES_SHORT : FEW
  const exactQuery = async () => and(await Promise.all(long.map((term) => termQuery(deps, 'search_titles', term))))
  const looseQuery = () => titleQuery(deps, long, TITLE_FITS - 1)
  // Two threes of a word that is nowhere may be in many titles: then all of them are asked for, and of a single word at once.
  let estimate: TitleEstimate = { ids: null, count: top }
  for (const ask of long.length === 1 ? [exactQuery] : [looseQuery, exactQuery]) {
    const query = await ask()
    if (query === null) return { ids: [], count: 0 }
    estimate = await findUpTo(deps, query, { most, top })
    if (estimate.ids) break
  }
  return estimate
}

interface RankedTitles {
  ready: Candidate[]
  finders: Finder[]
}

/** As a title fits (`titleQuery`), and of those that fit alike a series before what is in it. */
export const TITLE_RANKS = TITLE_FITS * 2

export const titleRank = ({ title, isSeries }: Candidate, terms: readonly string[]): number => {
  const fit = titleFit(indexedText(title), terms)
  return fit < 0 ? -1 : fit * 2 + (isSeries ? 0 : 1)
}

/** What there is of each rank. */
export const openTitles = (deps: Deps, terms: readonly string[], { top, scope }: { top: number; scope: Rows['scope'] }) => {
  const readFew = async (): Promise<Map<number, Candidate[]> | null> => {
    const { ids } = await estimateTitles(deps, terms, top)
    const few = ids && (await readCandidates(deps, ids, { scope, detail: 'nothing' }))
    return few && Map.groupBy(few, (candidate) => titleRank(candidate, terms))
  }
  let few: ReturnType<typeof readFew> | undefined
  return async (rank: number): Promise<RankedTitles> => {
    few ??= readFew()
    const byRank = await few
    if (byRank) return { ready: byRank.get(rank) ?? [], finders: [] }
    const query = await titleQuery(deps, terms, Math.floor(rank / 2))
    return { ready: [], finders: query === null ? [] : [(rank % 2 === 0 ? inSeries : inTitles)(deps, query)] }
  }
}
