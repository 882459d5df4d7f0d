/**
 * Volume and chapter numbers from the name of a manga archive or folder. They order and label; they never decide what
 * belongs to which series, as that is the folder's business (Komga's model; where names decide, series get split and
 * merged by numbers in their titles: Kavita issues #4033, #2861, #1253, #710).
 * Sources: Kavita's documentation of file naming and the names that its tests list; Komga issue #1578.
 */

import { seriesPrefix } from './season-name.ts'
import { withPlainDigits } from './written-number.ts'

export interface MangaName {
  volumeNumber: number | null
  chapterNumber: number | null
  /** Volumes by number, their chapters between them, loose chapters by their own number. Null where there is none. */
  sortNumber: number | null
}

const NUMBER = '(\\d{1,4}(?:\\.\\d{1,3})?)'
const BEFORE = '(?<![\\p{L}\\p{N}])'
/** `v04c32`, as scanlation groups prescribe it. */
const BEFORE_OR_VOLUME = `(?:${BEFORE}|(?<=${BEFORE}v(?:ol)?\\.?\\d{1,4}))`

const VOLUME: readonly RegExp[] = [
  new RegExp(
    `${BEFORE}(?:volumes?|volumen|vols?\\.?|v\\.?|tomes?|tomo|tom|том[аы]?|band|bd\\.?|cilt|tập|เล่ม(?:ที่)?)[\\s.\\-]*${NUMBER}`,
    'iu',
  ),
  new RegExp(`第\\s*${NUMBER}\\s*[巻卷册冊]`, 'u'),
  new RegExp(`(?:卷|巻)\\s*${NUMBER}`, 'u'),
  new RegExp(`${NUMBER}(?:[-~]\\d+)?\\s*(?:[巻卷册冊권]|том(?:а|ов)?(?![\\p{L}]))`, 'iu'),
  new RegExp(`(?:시즌|シーズン)\\s*${NUMBER}`, 'u'),
  // Seasons of web comics: `Season 2 Chapter 15`, `[S2] Ep. 15`, `Tower Of God S01 014`; and the French `T3`, `t03`.
  new RegExp(`${BEFORE}(?:season|saison)[\\s.\\-]*${NUMBER}`, 'iu'),
  new RegExp(`${BEFORE}S(\\d{1,2})[\\])]?[\\s.\\-]*(?=(?:episodes?|ep|chapters?|ch)[\\s.\\-]*\\d)`, 'iu'),
  new RegExp(`${BEFORE}S(\\d{2,3})(?![\\p{L}\\p{N}])`, 'u'),
  new RegExp(`${BEFORE}T(\\d{1,4})(?![\\p{L}\\p{N}])`, 'iu'),
]

const CHAPTER: readonly RegExp[] = [
  new RegExp(
    `${BEFORE_OR_VOLUME}(?:chapters?|chapitres?|cap[ií]tulos?|capitol[oi]|cap\\.?|kapitel|kapitola|rozdział|chương|bölüm|chap\\.?|chp\\.?|ch\\.?|c|episodes?|ep\\.?|глав[аы]|ตอนที่|บทที่)[\\s.\\-]*${NUMBER}([a-d](?![\\p{L}\\p{N}])|x\\d(?!\\d))?`,
    'iu',
  ),
  new RegExp(`第\\s*${NUMBER}\\s*[話话回章]`, 'u'),
  new RegExp(`${NUMBER}(?:[-~]\\d+)?\\s*(?:[話话화회장](?![\\p{L}])|глав[аы])`, 'iu'),
  new RegExp(`#\\s*${NUMBER}`, 'u'),
]

const BRACKETED = /[[({【（][^\])}】）]*[\])}】）]/g

/** `[v2]` is the second edition of the scan, `c2c` one from cover to cover. */
const SCAN_MARK = /\[v\d\]|(?<![\p{L}\p{N}])c2c(?![\p{L}\p{N}])/giu

/** Comics: `v1 024`, `v6 - 10 -`. What else stands behind a volume may be anything. */
const ISSUE_OF_VOLUME =
  /(?<![\p{L}\p{N}])(?:v(?:ol)?|t)\.?\s*\d{1,4}(?:\.\d)?\s+(?:(?=\d{3}(?!\d))|-\s+)(\d{1,3}(?:\.\d)?)(?=\s*$|\s+-\s|\s+$)/iu

/** `01 of 75` outside of brackets, where the last number would count otherwise. */
const COUNTED = /(?<![\p{L}\p{N}])(\d{1,3})\s?of\s?\d{1,3}(?![\p{L}\p{N}])/iu

/** `(2 of 6)`, and a number that is all of a bracket, where nothing else tells one. */
const IN_BRACKETS: readonly RegExp[] = [COUNTED, /[(（](\d{1,3})[)）]/u]

/** A number that stands alone outside of brackets, and not the second of a span (`001-003`). */
const STANDALONE =
  /(?<=^|[\s,])(\d{1,4}(?:\.\d{1,3})?)([a-d](?![\p{L}\p{N}]))?(?:[vV]\d)?(?:\s?[-~]\s?\d{1,4}(?:\.\d+)?)?(?=$|[\s\-–,]|\.\s)/gu

const isYear = (digits: string): boolean => /^(?:19|20)\d{2}$/.test(digits)

const find = (expressions: readonly RegExp[], text: string): RegExpExecArray | null => {
  for (const expression of expressions) {
    const match = expression.exec(text)
    if (match) return match
  }
  return null
}

/** `153b` follows 153 (Kavita reads it as 153.5), and so does `153x1` (Kavita #4898). */
const numberIn = (match: RegExpExecArray | null): number | null => {
  const [, digits, suffix] = match ?? []
  if (!digits) return null
  return Number(suffix?.startsWith('x') ? `${digits}.${suffix.slice(1)}` : digits) + (suffix && !suffix.startsWith('x') ? 0.5 : 0)
}

/** Outside of brackets first, since these mostly hold years, groups and editions; then inside: `c003 (v01)`. */
const findMarked = (expressions: readonly RegExp[], outside: string, whole: string): number | null =>
  numberIn(find(expressions, outside) ?? find(expressions, whole))

/** `183 - A Race of 80 Days` (Kavita #4033), `05. The Golden Sickle`. */
const LEADING = /^\s*(\d{1,4}(?:\.\d{1,3})?)([a-d])?(?:\s+[-–]|\.)\s/u

const findBare = (text: string, isTitleGone: boolean): number | null => {
  const leading = isTitleGone ? null : LEADING.exec(text)
  if (leading) return numberIn(leading)
  const matches = [...text.matchAll(STANDALONE)].filter(([, digits = '']) => !isYear(digits))
  // Behind the series' name the first number counts; in an unknown name the last, as `Kaiju No. 8 036`.
  return numberIn((isTitleGone ? matches[0] : matches.at(-1)) ?? null)
}

/** Chapters of one volume stand between it and the next: no volume has so many. */
const CHAPTERS_PER_VOLUME = 100_000

const orderOf = (volumeNumber: number | null, chapterNumber: number | null): number | null =>
  volumeNumber === null ? chapterNumber : volumeNumber + (chapterNumber ?? 0) / CHAPTERS_PER_VOLUME

/** `Volume 33, 34/370.cbz`: several volumes lie in one folder. */
const SPAN = /\d\s*[-–~,&+]\s*(?:v(?:ol)?\.?\s*)?\d/iu

/** What a name means in a folder of one volume: `Volume 33/370.cbz` is chapter 370 of volume 33. */
export const withinFolder = (name: MangaName, folder: MangaName, folderName: string): MangaName => {
  const { volumeNumber } = folder
  if (name.volumeNumber !== null || volumeNumber === null || SPAN.test(folderName)) return name
  return { ...name, volumeNumber, sortNumber: orderOf(volumeNumber, name.chapterNumber) }
}

const findLoose = (outside: string, whole: string, isTitleGone: boolean): number | null =>
  numberIn(COUNTED.exec(outside)) ?? findBare(outside, isTitleGone) ?? numberIn(find(IN_BRACKETS, whole))

/**
 * A reader for the volumes of one series; `stem` is the archive's name without its extension, or the folder's name.
 * A number without a word is a chapter, as in Kavita.
 */
export const createMangaReader = (seriesName: string): ((stem: string) => MangaName) => {
  const prefix = seriesPrefix(withPlainDigits(seriesName.normalize('NFC')))
  return (stem) => {
    const name = withPlainDigits(stem.normalize('NFC')).replaceAll('_', ' ').replace(SCAN_MARK, ' ')
    const rest = prefix ? name.replace(prefix, ' ') : name
    const isTitleGone = rest !== name && /\d/.test(rest)
    const whole = isTitleGone ? rest.replace(/^[\s\-–,:]+/, '') : name
    const outside = whole.replace(BRACKETED, ' ')
    const volumeNumber = findMarked(VOLUME, outside, whole)
    const chapterNumber =
      findMarked(CHAPTER, outside, whole) ??
      (volumeNumber === null ? findLoose(outside, whole, isTitleGone) : chapterBehindVolume(outside, whole))
    return { volumeNumber, chapterNumber, sortNumber: orderOf(volumeNumber, chapterNumber) }
  }
}

/** `S01 014`, `(Season 2) - 33`: a season of a web comic is followed by the chapter. */
const CHAPTER_OF_SEASON =
  /(?<![\p{L}\p{N}])(?:S\d{2,3}|(?:season|saison|시즌|シーズン)[\s.-]*\d{1,3})[\])]?\s+(?:-\s+)?(\d{1,4}(?:\.\d)?)(?![\p{L}\p{N}])/iu

const chapterBehindVolume = (outside: string, whole: string): number | null =>
  numberIn(CHAPTER_OF_SEASON.exec(whole) ?? ISSUE_OF_VOLUME.exec(outside))
