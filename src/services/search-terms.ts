/**
 * What FTS5 is asked for the words of a search. Its tables know every three characters that stand together; where fewer
 * are looked for, the threes that begin with them are asked for instead, or, in scripts of many characters, what stands
 * there for that (domain/dense-script.ts).
 */

import { TEXT_END, TEXT_START } from '../db/search-index.ts'
import type { Deps } from '../deps.ts'
import { isDense, markedTerm } from '../domain/dense-script.ts'

type SearchTable = 'search_titles' | 'search_texts'

/** Characters that FTS5 must be asked for at least. */
const TRIGRAM = 3
/** Threes that begin with one or two characters: more than these make a question that costs more than its answer. */
const MOST_TRIGRAMS = 2000
/** Above every character of a text. */
const LAST = '\u{10ffff}'
const LETTER = /^[\p{L}\p{N}]$/u

/** What may stand behind a whole title: folders of series and films are named with it. */
const YEAR = /^ \(\d{4}\)$/

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
const or = (parts: readonly string[]): string | null =>
  parts.length === 0 ? null : parts.length === 1 ? (parts[0] ?? null) : `(${parts.join(' OR ')})`

/** Each of these is in it; null where one of them is nowhere. */
export const and = (parts: readonly (string | null)[]): string | null => {
  const known = parts.filter((part) => part !== null)
  return known.length === parts.length ? known.map((part) => `(${part})`).join(' AND ') : null
}

/** Every trigram of the table that begins so. Each step leaps over all places of the one before. */
const trigramsFrom = async (deps: Deps, table: SearchTable, start: string): Promise<string[]> => {
  const terms = `${table}_terms`
  const { rows } = await deps.db.$client.execute({
    sql: `WITH RECURSIVE found(term) AS (
        SELECT * FROM (SELECT term FROM ${terms} WHERE term >= ?1 ORDER BY term LIMIT 1)
        UNION ALL
        SELECT (SELECT term FROM ${terms} WHERE term >= found.term || char(1) ORDER BY term LIMIT 1) FROM found
        WHERE found.term IS NOT NULL AND found.term < ?2 LIMIT ${MOST_TRIGRAMS})
      SELECT term FROM found WHERE term IS NOT NULL AND term < ?2`,
    args: [start, start + LAST],
  })
  return rows.map((row) => String(row.term))
}

/** A piece of text anywhere; null where the table knows that it is nowhere. */
const anywhere = async (deps: Deps, table: SearchTable, text: string): Promise<string | null> => {
  if ([...text].length >= TRIGRAM) return quoted(text)
  return isDense(text) ? quoted(markedTerm(text)) : or((await trigramsFrom(deps, table, text)).map(quoted))
}

/** A term at the beginning of a word. */
const atWord = async (deps: Deps, table: SearchTable, term: string): Promise<string | null> => {
  const starts = await Promise.all([TEXT_START, ' '].map((before) => anywhere(deps, table, before + term)))
  return or(starts.filter((start) => start !== null))
}

/** One letter of an alphabet alone is in everything: it is looked for at the beginning of words. */
export const isLoneLetter = (term: string): boolean => LETTER.test(term) && !isDense(term)

/** Whether many threes stand for the term: FTS5 takes its time for those. */
export const isManyTrigrams = (term: string): boolean => [...term].length < TRIGRAM && !isDense(term)

/** Every third three of a term, near each other: the lists of all of them would take twice as long to go through. */
const nearby = (term: string): string => {
  const characters = [...term]
  const last = characters.length - TRIGRAM
  const places = [...Array.from({ length: Math.ceil(last / TRIGRAM) }, (_, place) => place * TRIGRAM), last]
  const threes = places.map((place) => quoted(characters.slice(place, place + TRIGRAM).join('')))
  return threes.length === 1 ? threes.join('') : `NEAR(${threes.join(' ')}, ${last - 1})`
}

/** Whether others may have what `textQuery` asks for. */
export const isAskedInParts = (term: string): boolean => [...term].length > TRIGRAM

/** What all texts have that have a term, and few others. */
export const textQuery = async (deps: Deps, term: string): Promise<string | null> =>
  [...term].length < TRIGRAM ? termQuery(deps, 'search_texts', term) : nearby(term)

/** A term anywhere, and nothing else. */
export const termQuery = (deps: Deps, table: SearchTable, term: string): Promise<string | null> =>
  isLoneLetter(term) ? atWord(deps, table, term) : anywhere(deps, table, term)

/** At most two threes of a piece of text: what has the piece has them as well, and the lists of a few threes are soon gone through. */
const loosely = async (deps: Deps, text: string): Promise<string | null> => {
  const characters = [...text]
  if (characters.length < TRIGRAM) return anywhere(deps, 'search_titles', text)
  const ends = [characters.slice(0, TRIGRAM), characters.slice(-TRIGRAM)].map((three) => quoted(three.join('')))
  return and([...new Set(ends)])
}

const looselyAtWord = async (deps: Deps, term: string): Promise<string | null> => {
  const starts = await Promise.all([TEXT_START, ' '].map((before) => loosely(deps, before + term)))
  return or(starts.filter((start) => start !== null))
}

/** In so many ways a title can fit. */
export const TITLE_FITS = 4

/** The title is these words, or is them with a year behind. */
const wholeQuery = async (deps: Deps, whole: string): Promise<string | null> => {
  const named = await loosely(deps, whole + TEXT_END)
  const dated = and([await loosely(deps, `${whole} (`), quoted(`)${TEXT_END}`)])
  return or([named, dated].filter((query) => query !== null))
}

/**
 * What all titles have that fit so, and others may. Best first: the title is the query, begins with it, has every term at
 * the beginning of a word, has every term; each takes in the ones before it. Null where no title has that.
 */
export const titleQuery = async (deps: Deps, terms: readonly string[], fit: number): Promise<string | null> => {
  if (fit === 2) return and(await Promise.all(terms.map((term) => looselyAtWord(deps, term))))
  if (fit > 2) return and(await Promise.all(terms.map((term) => (isLoneLetter(term) ? looselyAtWord : loosely)(deps, term))))
  const whole = TEXT_START + terms.join(' ')
  const begin = fit === 0 ? wholeQuery : loosely
  const parts = terms.filter((term) => !isManyTrigrams(term)).map((term) => loosely(deps, term))
  return and(await Promise.all([begin(deps, whole), ...parts]))
}

const startsWord = (text: string, term: string): boolean => text.includes(TEXT_START + term) || text.includes(` ${term}`)

/** What `termQuery` asks, of a text as it would be indexed. */
export const hasTerm = (text: string, term: string): boolean => (isLoneLetter(term) ? startsWord(text, term) : text.includes(term))

/** How a title fits as it would be indexed (`titleQuery`), or -1. */
export const titleFit = (title: string, terms: readonly string[]): number => {
  const whole = TEXT_START + terms.join(' ')
  if (title.startsWith(whole)) {
    const rest = title.slice(whole.length, -TEXT_END.length)
    return rest === '' || YEAR.test(rest) ? 0 : 1
  }
  if (terms.every((term) => startsWord(title, term))) return 2
  return terms.every((term) => hasTerm(title, term)) ? 3 : -1
}
