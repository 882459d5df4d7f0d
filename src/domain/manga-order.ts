/**
 * In which order the volumes of a series are read where their numbers alone do not tell it: `Part 1/v01`, `Part 2/v01`, and
 * `Part 1 v01`, `Part 2 v01` in one folder. One part is read after the other, as its volumes lie on one shelf.
 */

import { BRACKETED, isMarked } from './manga-name.ts'
import { compareText, sortTitle } from './natural-sort.ts'
import { folderOf } from './relative-path.ts'
import { cjkNumber, NUMBER_WORDS, wordNumber } from './written-number.ts'

interface Numbered {
  path: string
  /** The name of its file or folder, without an extension. */
  title: string
  sortNumber: number | null
}

/** Beyond any number of a volume or a chapter. */
const NUMBERS_PER_SHELF = 10_000
/** Of what has no number: the end of its shelf. */
const LAST = NUMBERS_PER_SHELF - 1

/** What volumes are parts of, its number in digits or words. */
const UNIT = new RegExp(
  `(?<![\\p{L}\\p{N}])(part|arc|season|book|teil|partie|parte)[\\s.\\-]*(?:(\\d{1,3})|(${NUMBER_WORDS}))(?![\\p{L}\\p{N}])|第\\s*([\\d一二三四五六七八九十]{1,3})\\s*部`,
  'iu',
)

const numberOf = (digits?: string, word?: string, counted?: string): number => {
  if (counted) return cjkNumber(counted)
  return word ? wordNumber(word) : Number(digits)
}

/** `Part 2 - Battle v01` is of part 2; `c010 Part 2` is the half of a chapter. */
const unitOf = (name: string): string => {
  const outside = name.replaceAll('_', ' ').replace(BRACKETED, ' ')
  const match = UNIT.exec(outside)
  if (!match || isMarked(outside.slice(0, match.index)) || !isMarked(outside.slice(match.index + match[0].length))) return ''
  return String(numberOf(...match.slice(2)))
}

/** `Part Two` stands before `Part Three`. */
const withDigits = (folder: string): string =>
  folder.replace(UNIT, (_, unit = '部', ...numerals: (string | undefined)[]) => `${unit} ${numberOf(...numerals.slice(0, 3))}`)

/** Before any other sign, so that a folder within another follows it at once. */
const WITHIN = '\u0001'

/** As text that is compared as it is; the folder of the series itself is the first shelf. */
const shelfOf = ({ path, title }: Numbered): string => {
  const folders = folderOf(path).split('/').slice(1)
  return [...folders.map(withDigits), unitOf(title)].map(sortTitle).join(WITHIN)
}

/** Where a number is on several shelves, each shelf has numbers of its own; elsewhere they stay as they are. */
export const inReadingOrder = <Volume extends Numbered>(volumes: readonly Volume[]): readonly Volume[] => {
  const shelved = volumes.map((volume) => ({ volume, shelf: shelfOf(volume) }))
  const shelfByNumber = new Map<number | null, string>()
  const isRepeated = shelved.some(({ volume: { sortNumber }, shelf }) => {
    const first = shelfByNumber.get(sortNumber) ?? shelf
    shelfByNumber.set(sortNumber, first)
    return sortNumber !== null && first !== shelf
  })
  if (!isRepeated) return volumes
  const shelves = [...new Set(shelved.map(({ shelf }) => shelf))].toSorted(compareText)
  const ranks = new Map(shelves.map((shelf, rank) => [shelf, rank * NUMBERS_PER_SHELF]))
  return shelved.map(({ volume, shelf }) => ({ ...volume, sortNumber: (ranks.get(shelf) ?? 0) + (volume.sortNumber ?? LAST) }))
}
