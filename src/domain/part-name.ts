/** What the name of an episode or a volume says around its number: in which count that stands, and what the part is called. */

import { BRACKETED } from './manga-name.ts'
import { withoutLookalikes, withoutReleaseTags } from './release-tags.ts'
import { seriesPrefix } from './season-name.ts'
import { withPlainDigits } from './written-number.ts'

export interface PartWords {
  /** The words between the series' name and the number: `Show II - 01` and `Show Annual 01` are in other counts than `Show 01`. */
  count: string
  /** The words behind the number, as far as they speak of no release; empty where there are none. */
  title: string
}

const RELEASE =
  /(?<![\p{L}\p{N}])(?:v\d|\d{3,4}[pi]|[48]k|uhd|web|webrip|hdtv|hdrip|blu-?ray|bd|bd-?rip|br-?rip|dvd|dvd-?rip|[xh][ .]?26[3456]|hevc|xvid|divx|proper|repack|rerip|internal|remux|german|english|multi|dual|subbed|dubbed)(?![\p{L}\p{N}]).*$/iu

/** What stands right before a number, and says only that one comes. */
const COUNTER =
  /(?:(?<!\p{L})(?:ep?|episodes?|folge|v|vols?|volumes?|t|tomes?|tomo|band|bd|c|chs?|chaps?|chapters?|chapitres?|kapitel|issues?|no)|第)[\s._\-–#]*$/iu

const digitsOf = (number: number): RegExp => new RegExp(`(?<!\\d)0*${Math.floor(number)}(?!\\d)`)

/** Whether the number stands in the name by itself, and not behind that of its season (`102`). */
export const hasNumber = (name: string, number: number): boolean => digitsOf(number).test(name)

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? ''

/** `stem`: the name without its extension. Where the number is written in words, or joined to another, all before it is the count. */
export const partWords = (stem: string, seriesName: string, number: number): PartWords => {
  const prefix = seriesPrefix(withPlainDigits(seriesName.normalize('NFC')))
  const name = withoutReleaseTags(withoutLookalikes(withPlainDigits(stem.normalize('NFC'))))
  const text = (prefix ? name.replace(prefix, ' ') : name).replace(BRACKETED, ' ').replace(RELEASE, '')
  const match = digitsOf(number).exec(text)
  const [before, behind] = match ? [text.slice(0, match.index), text.slice(match.index + match[0].length)] : [text, '']
  return { count: wordsOf(before.replace(COUNTER, '')), title: wordsOf(behind.replace(/^(?:v\d|[\d.\-–~+&e]+)+/i, '')) }
}

/** Whether two of one number may be the same: a title may be left out, or go on. */
export const titlesAgree = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one)
