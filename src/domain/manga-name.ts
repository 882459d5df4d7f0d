/**
 * Volume and chapter numbers from the name of a manga archive or folder. They order and label; they never decide what
 * belongs to which series, as that is the folder's business (Komga's model; where names decide, series get split and
 * merged by numbers in their titles: Kavita issues #4033, #2861, #1253, #710).
 * Sources: Kavita's documentation of file naming and the names that its tests list; Komga issue #1578.
 */

import { seriesPrefix } from './season-name.ts'

export interface MangaName {
  volumeNumber: number | null
  chapterNumber: number | null
  /** Volumes by number, their chapters between them, loose chapters by their own number. Null where there is none. */
  sortNumber: number | null
}

const NUMBER = '(\\d{1,4}(?:\\.\\d{1,3})?)'
const BEFORE = '(?<![\\p{L}\\p{N}])'

const VOLUME: readonly RegExp[] = [
  new RegExp(`${BEFORE}(?:volumes?|vols?\\.?|v\\.?|tomes?|tomo|том[аы]?|band|bd\\.?|เล่ม(?:ที่)?)[\\s.\\-]*${NUMBER}`, 'iu'),
  new RegExp(`第\\s*${NUMBER}\\s*[巻卷册冊]`, 'u'),
  new RegExp(`(?:卷|巻)\\s*${NUMBER}`, 'u'),
  new RegExp(`${NUMBER}(?:[-~]\\d+)?\\s*(?:[巻卷册冊권]|том(?:а|ов)?(?![\\p{L}]))`, 'iu'),
  new RegExp(`(?:시즌|シーズン)\\s*${NUMBER}`, 'u'),
  // `Tower Of God S01 014`, and the French `T03`.
  new RegExp(`${BEFORE}[ST](\\d{2,3})(?![\\p{L}\\p{N}])`, 'u'),
]

const CHAPTER: readonly RegExp[] = [
  new RegExp(
    `${BEFORE}(?:chapters?|chapitres?|cap[ií]tulos?|kapitel|chap\\.?|chp\\.?|ch\\.?|c|episodes?|ep\\.?|глав[аы]|ตอนที่|บทที่)[\\s.\\-]*${NUMBER}([a-d](?![\\p{L}\\p{N}]))?`,
    'iu',
  ),
  new RegExp(`第\\s*${NUMBER}\\s*[話话回章]`, 'u'),
  new RegExp(`${NUMBER}(?:[-~]\\d+)?\\s*(?:[話话화회장](?![\\p{L}])|глав[аы])`, 'iu'),
  new RegExp(`#\\s*${NUMBER}`, 'u'),
]

const BRACKETED = /[[({【（][^\])}】）]*[\])}】）]/g

/** `[v2]` is the second edition of the scan. */
const REVISION = /\[v\d\]/gi

/** A number that stands alone outside of brackets, and not the second of a span (`001-003`). */
const STANDALONE = /(?<=^|[\s,])(\d{1,4}(?:\.\d{1,3})?)([a-d](?![\p{L}\p{N}]))?(?:\s?[-~]\s?\d{1,4}(?:\.\d+)?)?(?=$|[\s\-–,])/gu

const isYear = (digits: string): boolean => /^(?:19|20)\d{2}$/.test(digits)

const find = (expressions: readonly RegExp[], text: string): RegExpExecArray | null => {
  for (const expression of expressions) {
    const match = expression.exec(text)
    if (match) return match
  }
  return null
}

/** `153b` follows 153 (Kavita reads it as 153.5). */
const numberIn = (match: RegExpExecArray | null): number | null => (match?.[1] ? Number(match[1]) + (match[2] ? 0.5 : 0) : null)

/** Outside of brackets first, since these mostly hold years, groups and editions; then inside: `c003 (v01)`. */
const findMarked = (expressions: readonly RegExp[], outside: string, whole: string): number | null =>
  numberIn(find(expressions, outside) ?? find(expressions, whole))

const findBare = (text: string, isTitleGone: boolean): number | null => {
  const matches = [...text.matchAll(STANDALONE)].filter(([, digits = '']) => !isYear(digits))
  // Behind the series' name the first number counts; in an unknown name the last, as `Kaiju No. 8 036`.
  return numberIn((isTitleGone ? matches[0] : matches.at(-1)) ?? null)
}

/** Chapters of one volume stand between it and the next: no volume has so many. */
const CHAPTERS_PER_VOLUME = 100_000

/**
 * A reader for the volumes of one series; `stem` is the archive's name without its extension, or the folder's name.
 * A number without a word is a chapter, as in Kavita.
 */
export const createMangaReader = (seriesName: string): ((stem: string) => MangaName) => {
  const prefix = seriesPrefix(seriesName.normalize('NFC'))
  return (stem) => {
    const name = stem.normalize('NFC').replaceAll('_', ' ').replace(REVISION, ' ')
    const rest = prefix ? name.replace(prefix, ' ') : name
    const isTitleGone = rest !== name && /\d/.test(rest)
    const whole = isTitleGone ? rest : name
    const outside = whole.replace(BRACKETED, ' ')
    const volumeNumber = findMarked(VOLUME, outside, whole)
    const chapterNumber =
      findMarked(CHAPTER, outside, whole) ?? (volumeNumber === null ? findBare(outside, isTitleGone) : seasonChapter(outside))
    const within = volumeNumber === null || chapterNumber === null ? 0 : chapterNumber / CHAPTERS_PER_VOLUME
    return { volumeNumber, chapterNumber, sortNumber: volumeNumber === null ? chapterNumber : volumeNumber + within }
  }
}

/** `S01 014`: a season of a web comic is followed by the chapter; behind `v01` a bare number may be anything. */
const seasonChapter = (text: string): number | null => {
  const [, digits] = /(?<![\p{L}\p{N}])S\d{2,3}\s+(\d{1,4}(?:\.\d)?)(?![\p{L}\p{N}])/u.exec(text) ?? []
  return digits === undefined ? null : Number(digits)
}
