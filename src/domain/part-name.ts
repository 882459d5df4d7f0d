/** What the name of an episode or a volume says around its number: in which count that stands, and what the part is called. */

import { BRACKETED } from './manga-name.ts'
import { withoutLookalikes, withoutReleaseTags } from './release-tags.ts'
import { foldSearch } from './search-text.ts'
import { seriesPrefix } from './season-name.ts'
import { withPlainDigits } from './written-number.ts'

interface PartWords {
  /** The words between the series' name and the number: `Show II - 01` and `Show Annual 01` are in other counts than `Show 01`. */
  count: string
  /** The words behind the number, as far as they speak of no release; empty where there are none. */
  title: string
}

/** Where a tag of the release stood that is no word: `1080p`, `x264`. */
const TAG = '\u0000'
/** What no title says. */
const SOURCES =
  'uhd|web[-. ]?dl|(?:web|hd|sd|tv|hdtv|dvb|sat|ds|bd|br|dvd|vhs)-?rip|hdtv|[sp]dtv|dsr|blu-?ray|remux|hevc|xvid|divx|amzn|dsnp|hmax|atvp|pcok|vostfr|vost'
/** What a title may say as well. */
const WORDS =
  'v\\d|web|nf|hulu|bd|dvd|proper|repack|rerip|internal|uncut|uncensored|multi|dual|dl|ml|subbed|dubbed|subs?|dub|truefrench|subfrench|vf[fiq]?|german|english|french|italian|spanish|castellano|latino|portuguese|dutch|polish|russian|czech|hungarian|turkish|japanese|ger|deu|eng|fre|fra|ita|spa|esp|por|pol|rus|jpn'
const [BEFORE, BEHIND] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])']
const RELEASE_WORDS = `(?:${BEFORE}(?:${WORDS})${BEHIND}[\\s._-]*)`
/** `Title GERMAN DL 1080p WEB-GRP`: all from its words on. `Web of Lies` is a title. */
const RELEASE = new RegExp(`${RELEASE_WORDS}*(?:${BEFORE}(?:${SOURCES})${BEHIND}|${TAG}).*$`, 'iu')
/** `Show 05 GERMAN`, `Show.05.PROPER-GRP`; but `05 - German` has a title. */
const NOTHING_ELSE = new RegExp(`^[\\s._]*${RELEASE_WORDS}+(?:(?<=-)[^\\s._-]+)?$`, 'iu')

/** What stands right before a number, and says only that one comes. */
const COUNTER =
  /(?:(?<!\p{L})(?:ep?|episodes?|folge|v|vols?|volumes?|t|tomes?|tomo|band|bd|c|chs?|chaps?|chapters?|chapitres?|kapitel|issues?|no)|第)[\s._\-–#]*$/iu

const digitsOf = (number: number): RegExp => new RegExp(`(?<!\\d)0*${Math.floor(number)}(?!\\d)`)

/** Whether the number stands in the name by itself, and not behind that of its season (`102`). */
export const hasNumber = (name: string, number: number): boolean => digitsOf(number).test(name)

const withoutRelease = (text: string): string => text.replace(RELEASE, '').replace(NOTHING_ELSE, '')

/** Folded, and `ä` as `ae`; `Don't` is `Dont`. */
const wordsOf = (text: string): string[] =>
  foldSearch(text)
    .replace(/'/g, '')
    .replace(/([aou])e/g, '$1')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** What one name of a title has and another leaves out, or writes as a sign. */
const SMALL_WORDS: ReadonlySet<string> = new Set(['the', 'a', 'an', 'der', 'die', 'das', 'and', 'und'])

/** `stem`: the name without its extension. Where the number is written in words, or joined to another, all before it is the count. */
export const partWords = (stem: string, seriesName: string, number: number): PartWords => {
  const prefix = seriesPrefix(withPlainDigits(seriesName.normalize('NFC')))
  const name = withoutLookalikes(withPlainDigits(stem.normalize('NFC')))
  const text = withoutReleaseTags((prefix ? name.replace(prefix, ' ') : name).replace(BRACKETED, ' '), TAG)
  const match = digitsOf(number).exec(text)
  const [before, behind] = match ? [text.slice(0, match.index), text.slice(match.index + match[0].length)] : [text, '']
  const title = wordsOf(withoutRelease(behind.replace(/^(?:v\d|[\d.\-–~+&e]+)+/i, '')))
  return {
    count: wordsOf(withoutRelease(before.replaceAll(TAG, ' ')).replace(COUNTER, '')).join(' '),
    title: title.filter((word) => !SMALL_WORDS.has(word)).join(' '),
  }
}

/** Whether two of one number may be the same: a title may be left out, or go on. */
export const titlesAgree = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one)
