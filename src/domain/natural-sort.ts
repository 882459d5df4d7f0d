/**
 * Natural order as a plain text key, so that an index can keep it: `ORDER BY sort_title` compares bytes.
 * The order follows Jellyfin's `CompareOptions.NumericOrdering` with its leading articles stripped
 * (FEATURES.md 1.1): case, accents and a leading the/a/an do not count, runs of digits compare as numbers. The lists that
 * Kavita, YACReader, natsort and others publish with their own orders come out the same.
 */

import { normalForm } from './normal-form.ts'

const LEADING_ARTICLE = /^(?:the|an|a)\s+(?=\S)/
/** `a.jpg`: nothing but an ending follows, so the word is the name itself. In `A.I.` and `A.P. Bio` it is a letter of one. */
const NO_ARTICLE = /^[\s._]*(?:(?:the|an|a)\.[^\s._]+$|a\.\p{L}(?![^\s._]))/iu
const COMBINING_MARKS = /[\u0300-\u036f]+/g
const DIGITS = /\d+/g
const IS_ASCII = /^[\x00-\x7f]*$/

/** Characters that order before any letter and only separate words; several count as one space. */
const SEPARATORS = /[\s._]+/g

/** Longer runs of digits are cut here, so that their count takes two characters. */
const MOST_DIGITS = 99

/**
 * A run of digits as a fixed-width comparable text: the count of significant digits first (two characters),
 * then the digits. "9" -> "019", "10" -> "0210"; a run of over 99 digits is cut there.
 */
const comparableDigits = (digits: string): string => {
  const significant = digits.replace(/^0+(?=\d)/, '').slice(0, MOST_DIGITS)
  return String(significant.length).padStart(2, '0') + significant
}

/** `第１０巻`: full-width forms, and half-width kana. No other compatibility form, or `9½` would be ninety-one halves. */
const OTHER_WIDTHS = /[\uff01-\uffdc]+/g
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu
const IS_DIGIT = /^\p{Nd}$/u

/** By digits that were met; there are some seven hundred. */
const digitValues = new Map<string, string>()

/** Of an Arabic, Thai or any other decimal digit: each script's ten stand in a row, from nought on. */
const digitValue = (digit: string): string => {
  const known = digitValues.get(digit)
  if (known !== undefined) return known
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (IS_DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1
  const value = String(before % 10)
  digitValues.set(digit, value)
  return value
}

const withoutAccents = (text: string): string => normalForm(normalForm(text, 'NFD').replace(COMBINING_MARKS, ''), 'NFC')

/** Case-folded and accent-free, in composed form (NFC). Used for ordering, never for identity. */
const foldText = (text: string): string =>
  withoutAccents(text.replace(OTHER_WIDTHS, (run) => normalForm(run, 'NFKC')).replace(OTHER_DIGITS, digitValue)).toLowerCase()

/** The whole rule, for any text; `sortTitle` answers the same and is faster where the text is ASCII. */
export const sortTitleOfAnyText = (title: string): string => {
  const folded = foldText(title).replace(SEPARATORS, ' ').trim()
  const named = NO_ARTICLE.test(title) ? folded : folded.replace(LEADING_ARTICLE, '')
  return named.replace(DIGITS, comparableDigits)
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isSeparator = (code: number): boolean => code === 32 || code === 46 || code === 95 || (code >= 9 && code <= 13)
const isArticle = (text: string): boolean => text === 'the ' || text === 'a ' || text === 'an '

const COUNTS: readonly string[] = Array.from({ length: MOST_DIGITS + 1 }, (_, count) => String(count).padStart(2, '0'))

/** As `comparableDigits`, of the digits from `start` to `end`, at least one. */
const digitsBetween = (text: string, start: number, end: number): string => {
  let first = start
  while (first < end - 1 && text.charCodeAt(first) === 48) first += 1
  const count = Math.min(end - first, MOST_DIGITS)
  return `${COUNTS[count]}${text.slice(first, first + count)}`
}

/**
 * The text that an item is ordered by. Equal titles give equal keys; the item id breaks ties.
 * One pass over ASCII text: a scan makes a hundred thousand of these, and the rule above takes three times as long.
 */
export const sortTitle = (title: string): string => {
  const text = title.toLowerCase()
  const { length } = text
  let [key, start, index, mayBeArticle] = ['', 0, 0, true]
  while (index < length) {
    const code = text.charCodeAt(index)
    if (code > 127) return sortTitleOfAnyText(title)
    if (isSeparator(code)) {
      key += text.slice(start, index)
      while (index < length && isSeparator(text.charCodeAt(index))) index += 1
      start = index
      if (key === '' || index === length) continue
      key += ' '
      if (mayBeArticle && isArticle(key) && !NO_ARTICLE.test(text)) key = ''
      mayBeArticle = false
    } else if (isDigit(code)) {
      key += text.slice(start, index)
      const first = index
      while (index < length && isDigit(text.charCodeAt(index))) index += 1
      key += digitsBetween(text, first, index)
      start = index
    } else index += 1
  }
  return key + text.slice(start)
}

/** The same order for names that are no titles: nothing of "A cappella" is an article. A dash, which every key then begins with, stands before it. */
export const sortName = (name: string): string => sortTitle(`-${name}`)

const lastDigitBefore = (text: string, end: number): number => {
  let index = end - 1
  while (index >= 0 && !isDigit(text.charCodeAt(index))) index -= 1
  return index
}

const startOfDigits = (text: string, last: number): number => {
  let index = last
  while (index > 0 && isDigit(text.charCodeAt(index - 1))) index -= 1
  return index
}

/** What stands before and behind the last number of a title, and of its key. */
interface Numbered {
  head: string
  tail: string
  headKey: string
  tailKey: string
}

/** A number is the same to whatever stands around it, so only that has to be ASCII, where no letter is a digit and none joins one. */
const numberedOf = (title: string, key: string): Numbered | null => {
  const last = lastDigitBefore(title, title.length)
  if (last < 0 || !IS_ASCII.test(title)) return null
  const lastOfKey = lastDigitBefore(key, key.length)
  return {
    head: title.slice(0, startOfDigits(title, last)),
    tail: title.slice(last + 1),
    headKey: key.slice(0, startOfDigits(key, lastOfKey)),
    tailKey: key.slice(lastOfKey + 1),
  }
}

/** The key of a title that differs from another in its last number at most; null for any other title. */
const keyAround = (title: string, { head, tail, headKey, tailKey }: Numbered): string | null => {
  if (!title.startsWith(head) || !title.endsWith(tail)) return null
  const end = title.length - tail.length
  let index = head.length
  while (index < end && isDigit(title.charCodeAt(index))) index += 1
  return index > head.length && index === end ? `${headKey}${digitsBetween(title, head.length, end)}${tailKey}` : null
}

/**
 * `sortTitle` for many titles in a row: those that differ in their last number alone from one of the last two kinds, as a
 * camera counts its pictures and its clips, take a third less time.
 */
export const sortTitlesInTurn = (): ((title: string) => string) => {
  let last: Numbered | null = null
  let earlier: Numbered | null = null
  return (title) => {
    const known = last && keyAround(title, last)
    if (known !== null) return known
    const alsoKnown = earlier && keyAround(title, earlier)
    const key = alsoKnown ?? sortTitle(title)
    const next: Numbered | null = alsoKnown === null ? numberedOf(title, key) : earlier
    earlier = last
    last = next
    return key
  }
}

/** For `sort`: by UTF-16 code units, as `<` compares. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Compares two names in natural order, for lists that are not in the database. */
export const compareNatural = (a: string, b: string): number => compareText(sortTitle(a), sortTitle(b)) || compareText(a, b)

/** The same of whole lists: each name is looked at once, which tells where there are thousands. `keyOf` makes the text that orders them. */
export const toNaturalOrder = <T>(items: readonly T[], nameOf: (item: T) => string, keyOf = sortTitle): T[] =>
  items
    .map((item) => ({ item, name: nameOf(item), key: keyOf(nameOf(item)) }))
    .sort((a, b) => compareText(a.key, b.key) || compareText(a.name, b.name))
    .map(({ item }) => item)
