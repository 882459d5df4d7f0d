/** What follows a base, of which the runtime's normalization takes quadratic time for a run: it sorts them one by one. */
const MARKS = /[\p{M}\uff9e\uff9f]{30}/gu

/** In composed form already: Unicode, UAX #15, 1.1. None of them is a mark. */
const IS_LATIN_1 = /^[\x00-\xff]*$/

/**
 * `String.normalize` for any text: one with more marks in a row than any language has is taken in the Stream-Safe Text
 * Format (Unicode, UAX #15, 13), which puts a joiner after each thirty of them.
 */
export const normalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC'): string =>
  form === 'NFC' && IS_LATIN_1.test(text) ? text : text.replace(MARKS, '$&\u034f').normalize(form)
