/**
 * Natural order as a plain text key, so that an index can keep it: `ORDER BY sort_title` compares bytes.
 * The order follows Jellyfin's `CompareOptions.NumericOrdering` with its leading articles stripped
 * (FEATURES.md 1.1): case, accents and a leading the/a/an do not count, runs of digits compare as numbers.
 */

const LEADING_ARTICLE = /^(?:the|an|a)\s+(?=\S)/
const COMBINING_MARKS = /[\u0300-\u036f]+/g
const DIGITS = /\d+/g

/** Characters that order before any letter and only separate words; several count as one space. */
const SEPARATORS = /[\s._]+/g

/**
 * A run of digits as a fixed-width comparable text: the count of significant digits first (two characters),
 * then the digits. "9" -> "019", "10" -> "0210"; a run of over 99 digits is cut there.
 */
const comparableDigits = (digits: string): string => {
  const significant = digits.replace(/^0+(?=\d)/, '').slice(0, 99)
  return String(significant.length).padStart(2, '0') + significant
}

/** Case-folded and accent-free, in composed form (NFC). Used for ordering, never for identity. */
export const foldText = (text: string): string =>
  text.normalize('NFD').replace(COMBINING_MARKS, '').normalize('NFC').toLowerCase()

/** The text that an item is ordered by. Equal titles give equal keys; the item id breaks ties. */
export const sortTitle = (title: string): string => {
  const folded = foldText(title).replace(SEPARATORS, ' ').trim()
  return folded.replace(LEADING_ARTICLE, '').replace(DIGITS, comparableDigits)
}

/** The text that a name search looks in: composed (NFC) and lower case; accents stay letters of their own. */
export const searchTitle = (title: string): string => title.normalize('NFC').toLowerCase()

/** Compares two names in natural order, for lists that are not in the database. */
export const compareNatural = (a: string, b: string): number => {
  const [keyA, keyB] = [sortTitle(a), sortTitle(b)]
  if (keyA !== keyB) return keyA < keyB ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}
