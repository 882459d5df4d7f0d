/** Long texts for the database of the benchmarks: made-up words of which few are everywhere and most are rare, and Japanese. */

const SYLLABLES = 'ka lo mi ran tes vo ul bri sha den por gi ex qua nor fe ly st um ad'.split(' ')
const VOCABULARY = 20_000
const WORDS_A_TEXT = 120
const CHARACTERS_A_TEXT = 240
/** Of the texts that are in Japanese. */
const JAPANESE_SHARE = 0.1
const PLACES = '東京 大阪 京都 新宿 夕日 温泉 祭り 図書館 展望室 ラーメン さくら 神社'.split(' ')
const FIRST_KANJI = 0x4e00
const KANJI = 2000

/** The same word for the same number: three syllables, and a fourth where those are taken. */
const wordOf = (number: number): string => {
  const [a, b, c] = [number % 20, Math.floor(number / 20) % 20, Math.floor(number / 400) % 20]
  return `${SYLLABLES[a]}${SYLLABLES[b]}${SYLLABLES[c]}${number >= 8000 ? SYLLABLES[Math.floor(number / 8000)] : ''}`
}

/** A number below `count`, small ones more often: the nth about 1/n as often as the first. */
const zipf = (random: () => number, count: number): number => Math.min(count, Math.floor(count ** random())) - 1

export const japaneseWord = (random: () => number): string => PLACES[zipf(random, PLACES.length)] ?? ''

const japanese = (random: () => number): string =>
  Array.from({ length: CHARACTERS_A_TEXT / 4 }, () =>
    random() < 0.2 ? japaneseWord(random) : String.fromCodePoint(FIRST_KANJI + zipf(random, KANJI), 0x3042 + Math.floor(random() * 80)),
  ).join('')

interface BenchTexts {
  description: string | null
  extractedText: string | null
}

export const benchTexts = (random: () => number): BenchTexts =>
  random() < JAPANESE_SHARE
    ? { description: null, extractedText: japanese(random) }
    : { description: Array.from({ length: WORDS_A_TEXT }, () => wordOf(zipf(random, VOCABULARY))).join(' '), extractedText: null }

/** Words by how often they are in texts. */
export const COMMON_WORD = wordOf(3)
export const RARE_WORD = wordOf(17_321)
