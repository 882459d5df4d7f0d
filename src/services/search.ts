/** One search over everything that a person may see. */

import type { Deps } from '../deps.ts'
import { withBasePath } from '../domain/browse-entry.ts'
import type { ItemType } from '../domain/item-type.ts'
import type { Viewer } from '../domain/permissions.ts'
import { makeSnippet, type Snippet } from '../domain/search-snippet.ts'
import { searchTerms } from '../domain/search-text.ts'
import { all, type Clause } from './clause.ts'
import { decodeNumbers, encodeCursor, fingerprint } from './cursor.ts'
import { openCandidates, TAG_RANK, TEXT_RANK } from './search-candidates.ts'
import { readEntries } from './search-entries.ts'
import type { MatchedTags } from './search-tags.ts'
import type { Said } from './search-texts.ts'
import type { Candidate } from './search-walk.ts'
import { inLibraries, visibleLibraryIds } from './visible.ts'

interface SearchQuery {
  q: string
  libraryId?: number
  types: readonly ItemType[]
  limit: number
  cursor?: string
  /** Ends the search. */
  signal: AbortSignal
}

type MatchedIn = 'title' | 'tags' | Said['matchedIn']

const HIGHEST_ID = Number.MAX_SAFE_INTEGER / 2048

interface Hit extends Candidate {
  rank: number
}

const scopeOf = (libraryIds: readonly number[] | null, types: readonly ItemType[]): Clause =>
  all([
    { sql: 'm.missing_since IS NULL', args: [] },
    inLibraries(libraryIds),
    ...(types.length === 0 ? [] : [{ sql: 'm.item_type IN (SELECT value FROM json_each(?))', args: [JSON.stringify(types)] }]),
  ])

const readTagNames = async (deps: Deps, ids: readonly number[]): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await deps.db.$client.execute({
    sql: 'SELECT id, name FROM tags WHERE id IN (SELECT value FROM json_each(?))',
    args: [JSON.stringify(ids)],
  })
  return new Map(rows.map(({ id, name }) => [Number(id), String(name)]))
}

/** Says of hits what was found in them, and where. */
const openExplanations = async (deps: Deps, hits: readonly Hit[], { terms, tags }: { terms: readonly string[]; tags: MatchedTags }) => {
  const matchedTags = ({ tagIds }: Hit): number[] => [...tagIds].filter((id) => tags.some((ids) => ids.has(id)))
  const byTags = hits.filter(({ rank }) => rank === TAG_RANK)
  const names = await readTagNames(deps, [...new Set(byTags.flatMap(matchedTags))])
  return (hit: Hit): { matchedIn: MatchedIn; snippet: Snippet | null } | null => {
    if (hit.rank < TAG_RANK) return { matchedIn: 'title', snippet: makeSnippet(hit.title, terms) }
    if (hit.rank === TAG_RANK) {
      const shown = matchedTags(hit).flatMap((id) => names.get(id) ?? [])
      return { matchedIn: 'tags', snippet: makeSnippet(shown.join(', '), terms) }
    }
    return hit.said
  }
}

/** The hits as JSON texts, in order. */
const renderHits = async (
  deps: Deps,
  hits: readonly Hit[],
  { viewer, terms, tags }: { viewer: Viewer; terms: readonly string[]; tags: MatchedTags },
): Promise<string[]> => {
  const entries = await readEntries(
    deps,
    viewer.userId,
    hits.map(({ id }) => id),
  )
  const explain = await openExplanations(deps, hits, { terms, tags })
  return hits.flatMap((hit) => {
    const [entry, explanation] = [entries.get(hit.id), explain(hit)]
    return entry && explanation ? [`${entry.slice(0, -1)},${JSON.stringify(explanation).slice(1)}`] : []
  })
}

const searchNow = async (deps: Deps, viewer: Viewer, query: SearchQuery): Promise<{ json: string }> => {
  const libraryIds = await visibleLibraryIds(deps, viewer, query.libraryId)
  const terms = searchTerms(query.q)
  const print = fingerprint('search', [terms, query.libraryId, query.types])
  const [rank = 0, below = HIGHEST_ID] = query.cursor === undefined ? [] : decodeNumbers(print, query.cursor, 2)
  if (terms.length === 0) return { json: '{"entries":[],"nextCursor":null}' }
  const candidates = await openCandidates(deps, terms, { scope: scopeOf(libraryIds, query.types), signal: query.signal })

  const hits: Hit[] = []
  let place: { rank: number; below: number } | null = { rank, below }
  while (place !== null && hits.length <= query.limit) {
    const at: number = place.rank
    const limit = query.limit + 1 - hits.length
    const { found, examinedTo } = await candidates.list(at, { below: place.below, limit })
    hits.push(...found.map((candidate) => ({ ...candidate, rank: at })))
    if (examinedTo !== null) place = { rank: at, below: examinedTo }
    else place = at < TEXT_RANK ? { rank: at + 1, below: HIGHEST_ID } : null
    // After very many that were looked at in vain: a page may end early, with a cursor.
    if (examinedTo !== null && found.length < limit) break
  }
  const shown = hits.slice(0, query.limit)
  const last = shown.at(-1)
  const next = hits.length > query.limit && last ? { rank: last.rank, below: last.id } : place
  const entries = await renderHits(deps, shown, { viewer, terms, tags: candidates.tags })
  const nextCursor = next && encodeCursor(print, [next.rank, next.below])
  return { json: withBasePath(`{"entries":[${entries.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`, deps.config.basePath) }
}

/** `{entries, nextCursor}` as JSON text. Throws the signal's reason. */
export const search = (deps: Deps, viewer: Viewer, query: SearchQuery): Promise<{ json: string }> =>
  deps.places.inSearchOf(viewer.userId)(() => searchNow(deps, viewer, query), query.signal)
