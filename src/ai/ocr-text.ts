/** From the words that the engine found to text that people search, read and translate. */

import { normalForm } from '../domain/normal-form.ts'
import type { OcrResult } from './ocr-result.ts'
import { around, type Box, orderVertical } from './ocr-sparse.ts'

interface Word {
  text: string
  /** 0 to 100. */
  confidence: number
  box: Box
}

type Paragraph = Word[][]

/** Columns of tesseract's TSV; rows of level 5 are words. */
const WORD_LEVEL = '5'
const COLUMNS = { level: 0, block: 2, paragraph: 3, line: 4, left: 6, top: 7, width: 8, height: 9, confidence: 10, text: 11 } as const

/** Below these it is the grain of the paper that was read (test/ai/ocr-pages.test.ts): noise comes at 20 to 45, text at 80 to 96. */
const MIN_WORD_CONFIDENCE = 15
const MIN_LINE_CONFIDENCE = 45
/** Of some words that it has read well the engine says 0. Between two of this no grain is read. */
const SURE_NEIGHBOUR_CONFIDENCE = 80

const paragraphsOf = (tsv: string): Paragraph[] => {
  const paragraphs = new Map<string, Map<string, Word[]>>()
  for (const row of tsv.split('\n')) {
    const cells = row.split('\t')
    const text = cells.slice(COLUMNS.text).join('\t').trim()
    if (cells[COLUMNS.level] !== WORD_LEVEL || text === '') continue
    const paragraph = `${cells[COLUMNS.block]} ${cells[COLUMNS.paragraph]}`
    const lines = paragraphs.getOrInsertComputed(paragraph, () => new Map())
    const line = lines.getOrInsertComputed(cells[COLUMNS.line] ?? '', () => [])
    const number = (column: keyof typeof COLUMNS): number => Number(cells[COLUMNS[column]])
    const box = { left: number('left'), top: number('top'), width: number('width'), height: number('height') }
    line.push({ text, confidence: number('confidence'), box })
  }
  return [...paragraphs.values()].map((lines) => [...lines.values()])
}

/** Weighted by length: a misread full stop says little of its line. */
const meanConfidence = (words: readonly Word[]): number => {
  const characters = words.reduce((sum, { text }) => sum + text.length, 0)
  return characters === 0 ? 0 : words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / characters
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

const isRead = ({ confidence }: Word): boolean => confidence >= MIN_WORD_CONFIDENCE
const isSure = (word: Word | undefined): boolean => word !== undefined && word.confidence >= SURE_NEIGHBOUR_CONFIDENCE

const keptLine = (line: readonly Word[]): Word[] => {
  const words = line.filter(isRead)
  const isKept = meanConfidence(words) >= MIN_LINE_CONFIDENCE && words.some(({ text }) => LETTER_OR_DIGIT.test(text))
  if (!isKept) return []
  return line.filter((word, at) => isRead(word) || (LETTER_OR_DIGIT.test(word.text) && isSure(line[at - 1]) && isSure(line[at + 1])))
}

/** Han, kana, and the marks that go with them. Hangul is written with spaces between words. */
const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\u30fb\u30fc\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]`
const SPACE_INSIDE_CJK = new RegExp(`(?<=${CJK})[ \\t\\u3000]+(?=${CJK})`, 'gu')
const BREAK_INSIDE_CJK = new RegExp(`(?<=${CJK})\\n(?=${CJK})`, 'gu')

/** The engine puts spaces between the characters of Japanese and Chinese: no search would find a word. */
export const withoutCjkSpaces = (text: string): string => text.replace(SPACE_INSIDE_CJK, '')

const isTall = ({ width, height }: Box): boolean => height > width

/** What stands in a bubble is vertical; a single character may be either. */
const bubblesOf = (paragraphs: readonly Paragraph[]): Paragraph[] => {
  const lines = paragraphs.flat().map((words) => ({ words, ...around(words.map(({ box }) => box)) }))
  return orderVertical(lines.filter(isTall)).map((bubble) => bubble.map(({ words }) => words))
}

/** The engine takes an upright I for a bar: no sentence has one before a word. */
const BAR_FOR_I = /(?<=^|[\s"“'‘(])\|(?=['’]|\s\p{Script=Latin})/gmu

/**
 * Lines stay lines, but in Japanese and Chinese, where a word may begin in one and end in the next; an empty line between
 * paragraphs. `layout` `bubbles`: lines were looked for anywhere, and only vertical ones are kept.
 */
export const readTsv = (tsv: string, layout: 'page' | 'bubbles' = 'page'): OcrResult => {
  const kept = paragraphsOf(tsv)
    .map((lines) => lines.map(keptLine).filter((words) => words.length > 0))
    .filter((lines) => lines.length > 0)
  const paragraphs = layout === 'page' ? kept : bubblesOf(kept)
  const texts = paragraphs.map((lines) => lines.map((words) => words.map(({ text }) => text).join(' ')).join('\n'))
  return {
    text: normalForm(texts.map((text) => withoutCjkSpaces(text).replace(BREAK_INSIDE_CJK, '').replace(BAR_FOR_I, 'I')).join('\n\n'), 'NFC'),
    confidence: meanConfidence(paragraphs.flat(2).filter(isRead)),
  }
}
