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

/** How many of the terms are in the text. */
export const countTerms = (text: string, terms: readonly string[]): number => {
  const left = new Set(terms)
  for (let start = 0; start < text.length && left.size > 0; start += WINDOW_LENGTH - WINDOW_OVERLAP) {
    const window = folded(text.slice(start, start + WINDOW_LENGTH), terms)
    for (const term of left) if (window.includes(term)) left.delete(term)
  }
  return terms.length - left.size
}

const firstWindow = (text: string, terms: readonly string[]): number => {
  for (let start = 0; start < text.length; start += WINDOW_LENGTH - WINDOW_OVERLAP) {
    const window = folded(text.slice(start, start + WINDOW_LENGTH), terms)
    if (terms.some((term) => window.includes(term))) return start
  }
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

/** The surroundings of the first match of folded terms; null where none of them is in the text. */
export const makeSnippet = (text: string, terms: readonly string[]): Snippet | null => {
  const window = firstWindow(text, terms)
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
