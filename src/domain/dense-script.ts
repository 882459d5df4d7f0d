/**
 * Scripts in which one or two characters say what takes a word elsewhere: they have thousands of characters, or no spaces
 * between words. A table of threes of characters cannot look up fewer than three: it would have to ask for every three
 * that begins with them. So the table is given more text, in which a mark stands between such characters: of that, each
 * three is one of them between marks, or a mark between two of them.
 */

/** Never in a folded text. */
const MARK = '\u0003'

/** Thai, Lao, Tibetan, Burmese and Khmer, and from U+2E80 on Chinese, Japanese, Korean and pictures. */
const RANGES = '\\u0e00-\\u109f\\u1780-\\u17ff\\u2e80-\\u{10ffff}'
const DENSE = `[${RANGES}]`
const OTHER = `[^${RANGES}]`
const HAS_DENSE = new RegExp(DENSE, 'u')
/** Of any two characters that follow each other in a run, one at least is dense. */
const RUN = new RegExp(`${OTHER}?${DENSE}+(?:${OTHER}${DENSE}+)*${OTHER}?`, 'gu')

export const isDense = (text: string): boolean => HAS_DENSE.test(text)

/**
 * What is to follow a folded text in a table of threes; nothing where it has no such script. A character before or behind
 * counts as well: 3 and 年 stand together.
 */
export const markedText = (folded: string): string => {
  const runs = folded.match(RUN)
  return runs === null ? '' : `${MARK}${MARK}${runs.map((run) => MARK + [...run].join(MARK) + MARK).join(MARK)}`
}

/** One or two characters, of which one is dense, as a text with `markedText` has them. */
export const markedTerm = (term: string): string => {
  const [first = '', second] = [...term]
  return second === undefined ? MARK + first + MARK : first + MARK + second
}
