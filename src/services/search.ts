/** One search over everything that a person may see. */

import type { Deps } from '../deps.ts'
import { withBasePath } from '../domain/browse-entry.ts'
import type { ItemType } from '../domain/item-type.ts'
import type { Viewer } from '../domain/permissions.ts'
import { countTerms, makeSnippet, type Snippet } from '../domain/search-snippet.ts'
import { searchTerms } from '../domain/search-text.ts'
import { entriesById, PROGRESS_SQL } from './browse-page.ts'
import { all, type Clause } from './clause.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { type Candidate, openCandidates, TAG_RANK, TEXT_RANK } from './search-candidates.ts'
import type { MatchedTags } from './search-tags.ts'
import { countedLibraries, inLibraries } from './tag-usage.ts'

export interface SearchQuery {
  q: string
  libraryId?: number
  types: readonly ItemType[]
  limit: number
  cursor?: string
}

export type MatchedIn = 'title' | 'tags' | 'description' | 'extractedText' | 'translation'

/** A page may end early, with a cursor, before more candidates than this are looked at in vain. */
const MOST_EXAMINED = 2000
const HIGHEST_ID = Number.MAX_SAFE_INTEGER / 2048

interface Hit extends Candidate {
  rank: number
}

const scopeOf = (libraryIds: readonly number[] | null, types: readonly ItemType[]): Clause => {
  const libraries = inLibraries(libraryIds)
  return all([
    { sql: 'm.missing_since IS NULL', args: [] },
    ...(libraryIds === null ? [] : [{ sql: `m.${libraries.sql}`, args: libraries.args }]),
    ...(types.length === 0 ? [] : [{ sql: 'm.item_type IN (SELECT value FROM json_each(?))', args: [JSON.stringify(types)] }]),
  ])
}

interface Texts {
  description: string | null
  plot: string | null
  extractedText: string | null
  translation: string | null
}

/** Which of the texts has the most of the terms, and where. */
const explainText = (texts: Texts, terms: readonly string[]): { matchedIn: MatchedIn; snippet: Snippet | null } => {
  const fields: [MatchedIn, string | null][] = [
    ['description', texts.description],
    ['description', texts.plot],
    ['extractedText', texts.extractedText],
    ['translation', texts.translation],
  ]
  const counted = fields.map(([matchedIn, text]) => ({ matchedIn, text: text ?? '', count: text === null ? 0 : countTerms(text, terms) }))
  const best = counted.reduce((a, b) => (b.count > a.count ? b : a))
  return { matchedIn: best.matchedIn, snippet: makeSnippet(best.text, terms) }
}

const explain = (hit: Hit, terms: readonly string[], { tags, texts }: { tags: MatchedTags; texts: Texts }) => {
  if (hit.rank === TEXT_RANK) return explainText(texts, terms)
  if (hit.rank < TAG_RANK) return { matchedIn: 'title', snippet: makeSnippet(hit.title, terms) } as const
  const names = [...hit.tagIds].flatMap((id) => tags.names.get(id) ?? [])
  return { matchedIn: 'tags', snippet: makeSnippet(names.join(', '), terms) } as const
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The hits as JSON texts, in order. */
const renderHits = async (
  deps: Deps,
  hits: readonly Hit[],
  { viewer, terms, tags }: { viewer: Viewer; terms: readonly string[]; tags: MatchedTags },
): Promise<string[]> => {
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT m.id, m.entry, ${PROGRESS_SQL} AS progress, m.plot, m.description, m.extracted_text AS extractedText, m.translation
      FROM media_items m WHERE m.id IN (SELECT value FROM json_each(?2))`,
    args: [viewer.userId, JSON.stringify(hits.map(({ id }) => id))],
  })
  const kept = rows.map((row) => ({ id: Number(row.id), entry: textOf(row.entry), progress: textOf(row.progress) }))
  const entries = await entriesById(deps, kept)
  const texts = new Map(
    rows.map((row) => [
      Number(row.id),
      {
        plot: textOf(row.plot),
        description: textOf(row.description),
        extractedText: textOf(row.extractedText),
        translation: textOf(row.translation),
      },
    ]),
  )
  return hits.flatMap((hit) => {
    const [entry, own] = [entries.get(hit.id), texts.get(hit.id)]
    return entry && own ? [`${entry.slice(0, -1)},${JSON.stringify(explain(hit, terms, { tags, texts: own })).slice(1)}`] : []
  })
}

/** `{entries, nextCursor}` as JSON text. */
export const search = async (deps: Deps, viewer: Viewer, query: SearchQuery): Promise<{ json: string }> => {
  const libraryIds = await countedLibraries(deps, viewer, query.libraryId)
  const terms = searchTerms(query.q)
  const list = [terms, query.libraryId, query.types]
  const [rank = 0, below = HIGHEST_ID] =
    query.cursor === undefined ? [] : decodeCursor('search', query.cursor, { query: list, count: 2 }).map(Number)
  if (terms.length === 0) return { json: '{"entries":[],"nextCursor":null}' }
  const candidates = await openCandidates(deps, terms, scopeOf(libraryIds, query.types))

  const hits: Hit[] = []
  let examined = 0
  let place: { rank: number; below: number } | null = { rank, below }
  while (place !== null && hits.length <= query.limit && examined < MOST_EXAMINED) {
    const limit = query.limit + 1
    const at: number = place.rank
    const { found, examinedTo } = await candidates.list(at, { below: place.below, limit })
    hits.push(...found.map((candidate) => ({ ...candidate, rank: at })))
    examined += limit
    if (examinedTo !== null) place = { rank: at, below: examinedTo }
    else place = at < TEXT_RANK ? { rank: at + 1, below: HIGHEST_ID } : null
  }
  const shown = hits.slice(0, query.limit)
  const last = shown.at(-1)
  const next = hits.length > query.limit && last ? { rank: last.rank, below: last.id } : place
  const entries = await renderHits(deps, shown, { viewer, terms, tags: candidates.tags })
  const nextCursor = next && encodeCursor('search', [next.rank, next.below], list)
  return { json: withBasePath(`{"entries":[${entries.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`, deps.config.basePath) }
}
