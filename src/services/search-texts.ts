/**
 * What the long texts of an item say of the terms of a search. They are read for one item at a time, of which each may
 * have megabytes, are folded once, and in turns with what others ask for.
 */

import type { Deps } from '../deps.ts'
import { type FoundTerms, findTerms, makeSnippet, type Snippet } from '../domain/search-snippet.ts'
import { isLoneLetter } from './search-terms.ts'
import { createTurns } from './turns.ts'

/** Which of the texts has the most of the terms, and where. */
export interface Said {
  matchedIn: 'description' | 'extractedText' | 'translation'
  snippet: Snippet | null
}

export interface Look {
  /** Null where not all that is required is in them. */
  said: Said | null
  /** Characters that were looked through. */
  length: number
}

const READ = 'SELECT description, plot, extracted_text, translation FROM media_items WHERE id = ?'
/** In the order of the columns. */
const FIELDS: readonly Said['matchedIn'][] = ['description', 'description', 'extractedText', 'translation']

/** As `hasTerm` looks for them. */
const needleOf = (term: string): string => (isLoneLetter(term) ? ` ${term}` : term)

const NONE: FoundTerms = { terms: new Set(), window: -1, length: 0 }

/** Looks into the texts of items, for these terms. */
export const openTexts = (
  deps: Deps,
  terms: readonly string[],
  signal: AbortSignal,
): ((id: number, required: readonly string[]) => Promise<Look>) => {
  const turn = createTurns(signal)
  const needles = terms.map(needleOf)
  return async (id, required) => {
    const { rows } = await deps.db.$client.execute({ sql: READ, args: [id] })
    const texts = rows.flatMap((row) => Array.from(row)).map((text) => (typeof text === 'string' ? text : ''))
    let best = { found: NONE, place: 0 }
    let length = 0
    const known = new Set<string>()
    for (const [place, text] of texts.entries()) {
      await turn()
      const found = await findTerms(text, needles, turn)
      length += found.length
      for (const needle of found.terms) known.add(needle)
      if (found.terms.size > best.found.terms.size) best = { found, place }
      if (found.terms.size === terms.length) break
    }
    if (!required.every((term) => known.has(needleOf(term)))) return { said: null, length }
    const { found, place } = best
    const snippet = found.window < 0 ? null : makeSnippet(texts[place] ?? '', terms, found.window)
    return { said: { matchedIn: FIELDS[place] ?? 'description', snippet }, length }
  }
}
