/**
 * In which order the episodes of a season are shown where its subfolders count anew: `Disc 1/01`, `Disc 2/01`, and the rounds
 * of a championship (`Round 01 - Bahrain/01 - Practice`). One subfolder is seen after the other, as the parts of a manga
 * are read (manga-order.ts). Subfolders without a number of their own (`1080p`, `720p`) may hold versions of one episode.
 */

import { compareText, sortTitle } from './natural-sort.ts'

interface Placed {
  /** Relative to the season's folder. */
  path: string
  /** The name of its file, without an extension. */
  title: string
  sortNumber: number | null
  /** By its season and number, or its day: then it is the same episode wherever it lies. */
  isTold: boolean
}

/** `Disc 1`, `Round 01 - Bahrain`, `02 - Jeddah`: a word, if any, and the number. No `4K`, `10bit` or `x264`. */
const NUMBERED = /^(?:(?!v(?:er|ersion)?[\s._-]*\d)(\p{L}+)[\s._-]*)?(\d{1,2})(?![\p{L}\d])/iu

/** Beyond any number of an episode that its season is not told with. */
const NUMBERS_PER_DISC = 10_000
/** Those without a number, as they come off a disc (`title_t00`), follow in the order of their names. */
const FIRST_UNNUMBERED = 5000

interface Disc {
  word: string
  number: number
}

/** Undefined for what lies in the season's folder itself; null in any other subfolder. */
const discOf = (path: string): Disc | null | undefined => {
  const [folder = '', ...rest] = path.split('/')
  if (rest.length === 0) return undefined
  const [, word = '', digits] = NUMBERED.exec(folder) ?? []
  return digits ? { word: word.toLowerCase(), number: Number(digits) } : null
}

const isCountedAnew = (placed: readonly (Placed & { number: number })[]): boolean => {
  const numbers = new Map<string, number>()
  return placed.some(({ sortNumber, title, number }) => {
    const key = sortNumber === null ? sortTitle(title) : String(sortNumber)
    const first = numbers.get(key) ?? number
    numbers.set(key, first)
    return first !== number
  })
}

/** The numbers that order the episodes of one season, one for each of them. */
export const discOrder = (episodes: readonly Placed[]): (number | null)[] => {
  const asTheyAre = episodes.map(({ sortNumber }) => sortNumber)
  const discs = episodes.map(({ path }) => discOf(path))
  const words = new Set(discs.flatMap((disc) => (disc ? [disc.word] : [])))
  if (words.size !== 1 || discs.includes(null) || episodes.some(({ isTold }) => isTold)) return asTheyAre
  const placed = episodes.map((episode, index) => ({ ...episode, number: discs[index]?.number ?? 0 }))
  if (!isCountedAnew(placed)) return asTheyAre
  const titles = [...new Set(placed.map(({ title }) => sortTitle(title)))].sort(compareText)
  const places = new Map(titles.map((title, index) => [title, FIRST_UNNUMBERED + index]))
  return placed.map(({ number, sortNumber, title }) => number * NUMBERS_PER_DISC + (sortNumber ?? places.get(sortTitle(title)) ?? 0))
}
