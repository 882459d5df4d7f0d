/**
 * Texts as a search sees them: case, accents, widths of characters and kinds of separators do not count, in any script.
 * Folding goes character by character, so that a piece of a text folds to a piece of the folded text, and every place in
 * that one leads back to the original.
 */

import { ACCENTS, plainLetters } from './name-key.ts'

/** What words are told apart by. */
const SEPARATORS = /[\s._…‥․．＿\p{Cc}]+/gu
/** A run of separators, a base with its marks, or a run of Hangul letters, which only together make syllables; half-width sound marks belong to what they follow. Of marks there are at most so many as in `normalForm`. */
const CLUSTER =
  /[\s._…‥․．＿\p{Cc}]+|[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]+|[^\p{M}\uff9e\uff9f][\p{M}\uff9e\uff9f]{0,30}|[\p{M}\uff9e\uff9f]{1,30}/gu
/** What would go together with the cluster before it, though it is no mark: letters of Hangul, and some of Kirat Rai. */
const JOINING = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]+|[\u3131-\u318e\uffa0-\uffdc\u{16d67}-\u{16d6a}]/gu
const MOST_MARKS = /[\p{M}\uff9e\uff9f]{30}/gu
/** Goes together with nothing, and is in no text of which the separators are gone. */
const BARRIER = '\u0000'

/** Chinese characters, kana, Hangul syllables and what stands between them: each is itself when folded. */
const ITSELF = '\\u3001\\u3002\\u300c-\\u300f\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc\\u4e00-\\u9fff\\uac00-\\ud7a3'
const IS_ITSELF = new RegExp(`^[${ITSELF}]$`)
/** Nothing in it folds together with what is beside it, but ASCII separators. */
const SIMPLE = new RegExp(`^[\\x00-\\x7f${ITSELF}]*$`)
const ASCII_SEPARATORS = /[\s._\x00-\x1f\x7f]+/g

/** Of a text without separators, in one go: character by character it takes ten times as long. */
const foldJoined = (text: string): string => plainLetters(text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase())

/** Clusters that would go together are kept apart meanwhile. */
const foldAny = (text: string): string =>
  foldJoined(text.replace(SEPARATORS, ' ').replace(MOST_MARKS, `$&${BARRIER}`).replace(JOINING, `${BARRIER}$&`)).replaceAll(BARRIER, '')

const foldCluster = (cluster: string): string => (IS_ITSELF.test(cluster) ? cluster : foldAny(cluster))

/** The text as it is indexed and compared. */
export const foldSearch = (text: string): string => (SIMPLE.test(text) ? text.toLowerCase().replace(ASCII_SEPARATORS, ' ') : foldAny(text))

/** A text of which each unit is itself but for its case, where no separator is looked for; null for other texts. */
export const foldUnits = (text: string): string | null => (SIMPLE.test(text) ? text.toLowerCase() : null)

interface FoldedText {
  text: string
  /** For each UTF-16 unit of `text`: where in the original the character begins and ends that it comes from. */
  starts: number[]
  ends: number[]
}

const isAsciiSeparator = (code: number): boolean => code <= 32 || code === 46 || code === 95 || code === 127

/** The same where a unit is a character: a page of texts takes a quarter of the time. */
const foldSimpleWithPlaces = (original: string): FoldedText => {
  const folded: FoldedText = { text: foldSearch(original), starts: [], ends: [] }
  for (let start = 0; start < original.length; ) {
    let end = start + 1
    if (isAsciiSeparator(original.charCodeAt(start))) while (end < original.length && isAsciiSeparator(original.charCodeAt(end))) end += 1
    folded.starts.push(start)
    folded.ends.push(end)
    start = end
  }
  return folded
}

/** As `foldSearch`, with the way back. */
export const foldWithPlaces = (original: string): FoldedText => {
  if (SIMPLE.test(original)) return foldSimpleWithPlaces(original)
  const folded: FoldedText = { text: '', starts: [], ends: [] }
  for (const { 0: cluster, index } of original.matchAll(CLUSTER)) {
    const piece = foldCluster(cluster)
    folded.text += piece
    for (let unit = 0; unit < piece.length; unit += 1) {
      folded.starts.push(index)
      folded.ends.push(index + cluster.length)
    }
  }
  return folded
}

/** More words than this are not told apart any better. */
const MAX_TERMS = 12

/** What is looked for: the words of a query, folded; what stands in double quotes is one. */
export const searchTerms = (query: string): string[] => {
  const words = [...query.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([word, quoted]) => foldSearch(quoted ?? word).trim())
  return [...new Set(words.filter((word) => word !== ''))].slice(0, MAX_TERMS)
}
