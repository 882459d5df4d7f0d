/** Numbers that names write other than in ASCII digits: `第１２話`, `第十二集`, `Part Two`, `Season II`. */

const CJK_DIGITS = '零一二三四五六七八九'
const CJK_COUNT = /^(?:([一二三四五六七八九]?)百)?零?(?:([一二三四五六七八九]?)十)?([一二三四五六七八九]?)$/u

/** The digit before a sign for tens or hundreds: a sign alone is one of them, a sign that is not there none. */
const cjkDigit = (digit: string | undefined): number => (digit === undefined ? 0 : digit === '' ? 1 : CJK_DIGITS.indexOf(digit))

/** Below a thousand: 十二, 百, 两百一十, 一百零三; and digit by digit, 一〇三. */
export const cjkNumber = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text)
  const plain = text.replaceAll('〇', '零').replaceAll('两', '二')
  const count = CJK_COUNT.exec(plain)
  if (!count) return Number([...plain].map((digit) => CJK_DIGITS.indexOf(digit)).join(''))
  const [, hundreds, tens, ones] = count
  return cjkDigit(hundreds) * 100 + cjkDigit(tens) * 10 + cjkDigit(ones || undefined)
}

/** Full-width forms lie at this distance from the ASCII ones. */
const FULL_WIDTH = 0xfee0
const FULL_WIDTH_FORM = /[．＃０-９Ａ-Ｚａ-ｚ]/g
const COUNTED = /第\s*([零〇一二两三四五六七八九]{1,4}|[零〇一二两三四五六七八九十百]{1,6})(?=\s*[季期集話话回巻卷冊册章])/gu

/** Full-width digits and letters in ASCII, counted Chinese numerals as digits; all else as it was. */
export const withPlainDigits = (text: string): string =>
  text
    .replace(FULL_WIDTH_FORM, (form) => String.fromCharCode(form.charCodeAt(0) - FULL_WIDTH))
    .replace(COUNTED, (_, numeral: string) => `第${cjkNumber(numeral)}`)

/** In Chinese and Japanese no space stands between a title and its number: `鬼滅の刃10`, `五等分！2`. For a class of an expression. */
export const WITHOUT_SPACE = '\\u25a0-\\u27bf\\u3000-\\u30ff\\u3400-\\u9fff\\uff01-\\uff5e'

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
