/**
 * In which order the volumes of a series are read where their numbers alone do not tell it: `Part 1/v01`, `Part 2/v01`, and
 * `Part 1 v01`, `Part 2 v01` in one folder. One part is read after the other, as its volumes lie on one shelf.
 */

import { BRACKETED, isAside, isMarked, orderOf } from './manga-name.ts'
import { compareText, sortTitle } from './natural-sort.ts'
import { folderOf } from './relative-path.ts'
import { cjkNumber, NUMBER_WORDS, wordNumber } from './written-number.ts'

interface Numbered {
  path: string
  /** The name of its file or folder, without an extension. */
  title: string
  sortNumber: number | null
  volumeNumber?: number | null
  chapterNumber?: number | null
}

const isOfCount = ({ sortNumber }: Numbered): boolean => sortNumber !== null && !isAside(sortNumber)

/** Beyond any number of a volume or a chapter. */
const NUMBERS_PER_ROW = 10_000
/** Of what has no number: the end of its row. */
const LAST = NUMBERS_PER_ROW - 1

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

/** Below the folder of the series. */
const foldersOf = (path: string): string[] => folderOf(path).split('/').slice(1)

/** Before any other sign, so that a folder within another follows it at once. */
const WITHIN = '\u0001'

/** Magazines: `1977-04`, `2021 #01`, `01-2001`. */
const ISSUE_OF_YEAR = /(?<![\p{L}\d])((?:19|20)\d{2})(?:-|[\s_]+#?)\d{1,3}(?![\d-])|(?<![\d-])\d{1,2}-((?:19|20)\d{2})(?![\d-])/u

const yearOf = ({ title }: Numbered): string => {
  const [, ...years] = ISSUE_OF_YEAR.exec(title.replace(BRACKETED, ' ')) ?? []
  return years.join('')
}

interface Shelved<Volume> {
  volume: Volume
  /** As text that is compared as it is; the folder of the series itself is the first shelf. */
  shelf: string
  /** Of which it is an issue; empty where not all that lies beside it is of a year. */
  year: string
}

const shelvesOf = <Volume extends Numbered>(volumes: readonly Volume[]): Shelved<Volume>[] => {
  const counted = Map.groupBy(volumes.filter(isOfCount), ({ path }) => folderOf(path))
  const ofYears = new Set([...counted].flatMap(([folder, own]) => (own.every(yearOf) ? [folder] : [])))
  return volumes.map((volume) => {
    const { path, title } = volume
    const year = ofYears.has(folderOf(path)) ? yearOf(volume) : ''
    return { volume, shelf: [...foldersOf(path).map(withDigits), unitOf(title), year].map(sortTitle).join(WITHIN), year }
  })
}

/** Most of the shorter count is there already. */
const isRepeated = (numbers: readonly number[], others: ReadonlySet<number>): boolean => {
  const repeated = numbers.reduce((sum, number) => sum + Number(others.has(number)), 0)
  return repeated * 2 > Math.min(numbers.length, others.size)
}

const BEYOND = Number.POSITIVE_INFINITY

interface Chapter {
  path: string
  volume: number | null
  chapter: number
}

const chapterOf = (volume: Numbered): Chapter[] => {
  const chapter = volume.chapterNumber ?? null
  return chapter === null || !isOfCount(volume) ? [] : [{ path: volume.path, volume: volume.volumeNumber ?? null, chapter }]
}

/** The number of a volume of which no chapter is told. */
const wholeOf = (volume: Numbered): number[] => {
  const { volumeNumber = null, chapterNumber = null } = volume
  return volumeNumber === null || chapterNumber !== null || !isOfCount(volume) ? [] : [volumeNumber]
}

/**
 * The places of chapters that name no volume among those that do: `Vol.1 Ch.2`, `Ch.3`, `Vol.1 Ch.4`. Such a chapter is of the volume
 * before it, or of the first, where all are counted through; and behind whole volumes that come before the next that is told:
 * `Vol.1 Ch.2`, `v02`, `Ch.30`.
 */
const placesOfLoose = (volumes: readonly Numbered[]): [path: string, sortNumber: number | null][] => {
  const chapters = volumes.flatMap(chapterOf).toSorted((a, b) => a.chapter - b.chapter || (a.volume ?? 0) - (b.volume ?? 0))
  const told = chapters.flatMap(({ volume, chapter }) => (volume === null ? [] : [{ volume, chapter }]))
  const loose = chapters.filter(({ volume }) => volume === null)
  const isAscending = told.every(({ volume }, index) => volume >= (told[index - 1]?.volume ?? 0))
  const isOwnCount = isRepeated(
    loose.map(({ chapter }) => chapter),
    new Set(told.map(({ chapter }) => chapter)),
  )
  if (told.length === 0 || !isAscending || isOwnCount) return []
  const [ahead, wholeAhead] = [told.toReversed(), volumes.flatMap(wholeOf).toSorted((a, b) => b - a)]
  let volume = told[0]?.volume ?? 0
  return loose.map(({ path, chapter }) => {
    while ((ahead.at(-1)?.chapter ?? BEYOND) <= chapter) volume = ahead.pop()?.volume ?? volume
    while ((wholeAhead.at(-1) ?? BEYOND) < (ahead.at(-1)?.volume ?? BEYOND)) volume = Math.max(volume, wholeAhead.pop() ?? 0)
    return [path, orderOf(volume, chapter)]
  })
}

const withLoosePlaced = <Volume extends Numbered>(shelved: readonly Shelved<Volume>[]): Shelved<Volume>[] => {
  const shelves = Map.groupBy(shelved, ({ shelf }) => shelf)
  const places = new Map([...shelves.values()].flatMap((own) => placesOfLoose(own.map(({ volume }) => volume))))
  return shelved.map((own) => ({ ...own, volume: { ...own.volume, sortNumber: places.get(own.volume.path) ?? own.volume.sortNumber } }))
}

/** What one shelf has of one kind: a chapter is no volume of the same number. */
interface Count {
  shelf: string
  isOfChapters: boolean
  year: string
  start: number
  /** In ascending order. */
  numbers: readonly number[]
}

/** A part is told by its own number, should its first volumes not be there; and a prologue, which is nought, makes no part an earlier one. */
const startOf = ({ volume: { path, title }, year }: Shelved<Numbered>, lowest = 1): number =>
  foldersOf(path).some((folder) => UNIT.test(folder)) || unitOf(title) !== '' || year !== '' ? 1 : Math.max(1, lowest)

const isChapter = ({ volumeNumber }: Numbered): boolean => (volumeNumber ?? null) === null

const countsOf = (shelved: readonly Shelved<Numbered>[]): Count[] => {
  const numbered = shelved.filter(({ volume }) => isOfCount(volume))
  return [...Map.groupBy(numbered, ({ shelf }) => shelf)].flatMap(([shelf, own]) =>
    [...Map.groupBy(own, ({ volume }) => isChapter(volume))].flatMap(([isOfChapters, ofKind]) => {
      const numbers = [...new Set(ofKind.flatMap(({ volume }) => volume.sortNumber ?? []))].toSorted((a, b) => a - b)
      return ofKind.slice(0, 1).map((first) => ({ shelf, isOfChapters, year: first.year, start: startOf(first, numbers[0]), numbers }))
    }),
  )
}

const byStart = (a: Count, b: Count): number =>
  a.start - b.start || Number(a.isOfChapters) - Number(b.isOfChapters) || compareText(a.shelf, b.shelf)

/** Counts that go on one with another: `v1…v10` and `v11…v20`, though one number may be in both. */
interface Row {
  year: string
  numbers: Set<number>
  highest: number
  counts: Count[]
  shelves: Set<string>
}

/** Issues are counted anew each year, though the first year may begin in April and the last may end in March. */
const isAnew = ({ year, numbers }: Count, row: Row): boolean => year !== row.year || isRepeated(numbers, row.numbers)

/** Of several as near the first. */
const nearestOf = (rows: readonly Row[], count: Count): Row | undefined => {
  const [lowest = 0] = count.numbers
  let nearest: { row: Row; distance: number } | undefined
  for (const row of rows) {
    if (isAnew(count, row)) continue
    if (row.shelves.has(count.shelf)) return row
    const distance = Math.abs(lowest - row.highest)
    if (!nearest || distance < nearest.distance) nearest = { row, distance }
  }
  return nearest?.row
}

/** Then the row is none for the count, whatever comes to it yet. */
const isFullOf = ({ year, numbers }: Count, row: Row): boolean => year !== row.year || numbers.every((number) => row.numbers.has(number))

const rowsOf = (counts: readonly Count[]): Row[] => {
  const rows: Row[] = []
  // Thousands of folders may have the same numbers, as `Chapter 12/001.cbz`: how many rows from the first on are full of them.
  const full = new Map<string, number>()
  for (const count of counts.toSorted(byStart)) {
    const { shelf, year, numbers } = count
    const key = `${year} ${numbers}`
    const ahead = rows.slice(full.get(key))
    const open = ahead.findIndex((row) => !isFullOf(count, row))
    full.set(key, open < 0 ? rows.length : rows.length - ahead.length + open)
    const nearest = open < 0 ? undefined : nearestOf(ahead, count)
    const row = nearest ?? { year, numbers: new Set(), highest: 0, counts: [], shelves: new Set() }
    if (!nearest) rows.push(row)
    row.counts.push(count)
    row.shelves.add(shelf)
    row.highest = Math.max(row.highest, numbers.at(-1) ?? 0)
    for (const number of numbers) row.numbers.add(number)
  }
  return rows
}

/** Where a count begins anew it has numbers of its own; elsewhere they stay as they are. */
export const inReadingOrder = <Volume extends Numbered>(volumes: readonly Volume[]): readonly Volume[] => {
  const shelved = withLoosePlaced(shelvesOf(volumes))
  const rows = rowsOf(countsOf(shelved))
  if (rows.length < 2) return shelved.map(({ volume }) => volume)
  const before = { volumes: new Map<string, number>(), chapters: new Map<string, number>() }
  for (const [index, { counts }] of rows.entries())
    for (const { shelf, isOfChapters } of counts) before[isOfChapters ? 'chapters' : 'volumes'].set(shelf, index * NUMBERS_PER_ROW)
  return shelved.map(({ volume, shelf }) => {
    const [first, other] = isChapter(volume) ? [before.chapters, before.volumes] : [before.volumes, before.chapters]
    const offset = first.get(shelf) ?? other.get(shelf)
    return offset === undefined ? volume : { ...volume, sortNumber: offset + (volume.sortNumber ?? LAST) }
  })
}
