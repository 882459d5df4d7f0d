/** Numbers that names write other than in ASCII digits: `第１２話`, `第十二集`, `Part Two`, `Season II`. */

const CJK_DIGITS = '一二三四五六七八九'

export const cjkNumber = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text)
  const [tens = '', ones = ''] = text.includes('十') ? text.split('十') : ['', text]
  const ten = text.includes('十') ? (tens === '' ? 1 : CJK_DIGITS.indexOf(tens) + 1) * 10 : 0
  return ten + (ones === '' ? 0 : CJK_DIGITS.indexOf(ones) + 1)
}

/** Full-width forms lie at this distance from the ASCII ones. */
const FULL_WIDTH = 0xfee0
const FULL_WIDTH_DIGIT = /[０-９＃]/g
const COUNTED = /第\s*([一二三四五六七八九十]{1,3})(?=\s*[季期集話话回巻卷冊册章])/gu

/** Full-width digits and counted Chinese numerals as ASCII digits; all else as it was. */
export const withPlainDigits = (text: string): string =>
  text
    .replace(FULL_WIDTH_DIGIT, (digit) => String.fromCharCode(digit.charCodeAt(0) - FULL_WIDTH))
    .replace(COUNTED, (_, numeral: string) => `第${cjkNumber(numeral)}`)

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth', 'eleventh', 'twelfth']
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/** For an expression without case. */
export const NUMBER_WORDS = `[ivx]{1,5}|${WORDS.join('|')}`

/** For an expression without case: "first" and so on. */
export const ORDINAL_WORDS = ORDINALS.join('|')

/** Of an English word, cardinal or ordinal, or a Roman numeral. */
export const wordNumber = (text: string): number => {
  const lower = text.toLowerCase()
  const word = Math.max(WORDS.indexOf(lower), ORDINALS.indexOf(lower)) + 1
  if (word > 0) return word
  return [...lower].reduce((sum, letter, index, letters) => {
    const [value = 0, next = 0] = [ROMAN[letter], ROMAN[letters[index + 1] ?? '']]
    return value < next ? sum - value : sum + value
  }, 0)
}
