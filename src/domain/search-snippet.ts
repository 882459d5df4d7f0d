/** The piece of a text that shows why a search found it, with the places of the words in it. */

import { foldSearch, foldUnits, foldWithPlaces } from './search-text.ts'

export interface Snippet {
  text: string
  /** Start and end of each place that matched, in UTF-16 units of `text`, in order and apart. */
  ranges: [start: number, end: number][]
}

const SNIPPET_LENGTH = 160
/** What stands before the first match. */
const LEAD_LENGTH = 48
/** Texts are folded in windows, each of which reaches into the next one by as much as a query may be long. */
const WINDOW_LENGTH = 2048
const WINDOW_OVERLAP = 512
const ELLIPSIS = '…'

const merged = (ranges: [number, number][]): [number, number][] => {
  const joined: [number, number][] = []
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = joined.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

/** Places of a term, apart. */
const placesOf = (folded: string, term: string): number[] => {
  const places: number[] = []
  for (let place = folded.indexOf(term); place >= 0; place = folded.indexOf(term, place + term.length)) places.push(place)
  return places
}

/** The text folded as far as these terms need it, with each unit in its place; null where units move. */
const foldInPlace = (text: string, terms: readonly string[]): string | null =>
  terms.some((term) => term.includes(' ')) ? null : foldUnits(text)

/** Where these folded terms stand in a text. */
export const findRanges = (text: string, terms: readonly string[]): [start: number, end: number][] => {
  const inPlace = foldInPlace(text, terms)
  if (inPlace !== null)
    return merged(terms.flatMap((term) => placesOf(inPlace, term).map((place): [number, number] => [place, place + term.length])))
  const folded = foldWithPlaces(text)
  const range = (place: number, length: number): [number, number] => [
    folded.starts[place] ?? 0,
    folded.ends[place + length - 1] ?? text.length,
  ]
  return merged(terms.flatMap((term) => placesOf(folded.text, term).map((place) => range(place, term.length))))
}

const folded = (text: string, terms: readonly string[]): string => foldInPlace(text, terms) ?? foldSearch(text)

/** Where each window of a text begins, and what is in it. The first one begins with a space, as every word does. */
function* windowsOf(text: string, terms: readonly string[]): Generator<[start: number, folded: string]> {
  for (let start = 0; start < text.length; start += WINDOW_LENGTH - WINDOW_OVERLAP) {
    const window = text.slice(start, start + WINDOW_LENGTH)
    yield [start, folded(start === 0 ? ` ${window}` : window, terms)]
  }
}

export interface FoundTerms {
  terms: ReadonlySet<string>
  /** The window in which the first of them is; -1 where there is none. */
  window: number
  /** Characters that were looked through. */
  length: number
}

/** Which of the folded terms are in a text. `turn` is awaited between its windows: there may be megabytes. */
export const findTerms = async (text: string, terms: readonly string[], turn: () => Promise<void>): Promise<FoundTerms> => {
  const found = new Set<string>()
  let window = -1
  for (const [start, piece] of windowsOf(text, terms)) {
    for (const term of terms) if (piece.includes(term)) found.add(term)
    if (window < 0 && found.size > 0) window = start
    if (found.size === terms.length) return { terms: found, window, length: start + piece.length }
    await turn()
  }
  return { terms: found, window, length: text.length }
}

const firstWindow = (text: string, terms: readonly string[]): number => {
  for (const [start, piece] of windowsOf(text, terms)) if (terms.some((term) => piece.includes(term))) return start
  return -1
}

/** More marks in a row are torn apart. */
const MAX_MARKS_LENGTH = 64

/** Not between the halves of a character, nor before a mark: moves on to the next place where a text may be cut. */
const cutAfter = (text: string, place: number): number => {
  let cut = place
  const last = Math.min(place + MAX_MARKS_LENGTH, text.length)
  while (cut < last && /^(?:[\udc00-\udfff]|\p{M}|\u200d)/u.test(text.slice(cut, cut + 2))) cut += 1
  return cut
}

/** A cut at a space, where there is one near: words are shown whole. */
const cutAtWord = (text: string, place: number): number => {
  const space = /\s/u.exec(text.slice(place, place + LEAD_LENGTH / 2))
  return cutAfter(text, space ? place + space.index + 1 : place)
}

/** The surroundings of the first match of folded terms, which is in this window; null where none of them is in the text. */
export const makeSnippet = (text: string, terms: readonly string[], window = firstWindow(text, terms)): Snippet | null => {
  if (window < 0) return null
  const [first] = findRanges(text.slice(window, window + WINDOW_LENGTH), terms)
  if (!first) return null
  const match = window + first[0]
  const from = match <= LEAD_LENGTH ? 0 : Math.min(match, cutAtWord(text, match - LEAD_LENGTH))
  const end = Math.max(from + SNIPPET_LENGTH, window + first[1])
  const to = end >= text.length ? text.length : cutAfter(text, end)
  const [before, after] = [from > 0 ? ELLIPSIS : '', to < text.length ? ELLIPSIS : '']
  const shown = text.slice(from, to)
  const ranges = findRanges(shown, terms).map(([start, stop]): [number, number] => [start + before.length, stop + before.length])
  return { text: before + shown + after, ranges }
}
