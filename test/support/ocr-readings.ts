/** Reads drawn pages in every mode, and tells how much of each was read wrong. */

import { distance } from 'fastest-levenshtein'
import type { Recognize } from '../../src/ai/ocr-result.ts'
import { type AskModel, extractPage } from '../../src/ai/text-extraction.ts'
import type { OcrMode } from '../../src/domain/ai-settings.ts'
import { ocrImage } from '../../src/media/ocr-picture.ts'
import { pictureOfBytes } from '../../src/media/picture.ts'
import type { OcrPage } from './ocr-pages.ts'

const compared = (text: string): string => text.normalize('NFC').replaceAll(/[’‘]/g, "'").replaceAll(/[“”]/g, '"').replaceAll(/\s+/g, '')

/** Wrong, missing and superfluous characters as a share of those that are there; white space and the shape of quotation marks do not count. */
export const characterErrors = (read: string, written: string): number =>
  distance(compared(read), compared(written)) / compared(written).length

/** How a model behaves, one kind after the other. */
const BEHAVIOURS: readonly ((text: string) => { text: string; finishReason: string })[] = [
  (text) => ({ text, finishReason: 'stop' }),
  (text) => ({ text: `Here is the text in the image:\n\n${text}`, finishReason: 'stop' }),
  (text) => ({ text: `${text.slice(0, 60)} ${'and then and then '.repeat(400)}`, finishReason: 'length' }),
  () => ({ text: 'The image shows a page of a book with black letters on white paper. It appears to be a novel.', finishReason: 'stop' }),
  () => ({ text: "I'm sorry, but I cannot transcribe this image.", finishReason: 'stop' }),
  () => ({ text: '', finishReason: 'stop' }),
]

/** Answers as the page's number in the list decides. */
const modelFor = (page: OcrPage, number: number): AskModel => {
  const answer = BEHAVIOURS[number % BEHAVIOURS.length]?.(page.text)
  return async () => {
    if (!answer) throw new Error('The model has gone.')
    return answer
  }
}

export interface Reading {
  page: OcrPage
  tesseract: { errors: number; confidence: number; seconds: number }
  hybrid: { errors: number; source: string }
  /** Null where the answer was of no use. */
  model: number | null
}

const extract = async (page: OcrPage, mode: OcrMode, { recognize, ask }: { recognize: Recognize; ask: AskModel }) => {
  const picture = await pictureOfBytes(await page.make(), null)
  const forModel = async () => ({ bytes: await picture.open().jpeg().toBuffer(), mediaType: 'image/jpeg' })
  const request = { mode, languages: page.languages, recognize, ask }
  return extractPage({ forOcr: () => ocrImage(picture), forModel }, request, AbortSignal.timeout(300_000))
}

export const readPage = async (page: OcrPage, number: number, recognizer: Recognize): Promise<Reading> => {
  let known: ReturnType<Recognize> | undefined
  // The same page is recognised the same way in both modes.
  const recognize: Recognize = (...question) => {
    known ??= recognizer(...question)
    return known
  }
  const tools = { recognize, ask: modelFor(page, number) }
  const start = performance.now()
  const tesseract = await extract(page, 'tesseract', tools)
  const seconds = (performance.now() - start) / 1000
  const hybrid = await extract(page, 'hybrid', tools)
  const model = await extract(page, 'llm-only', tools).catch(() => null)
  return {
    page,
    tesseract: { errors: characterErrors(tesseract.text, page.text), confidence: tesseract.confidence ?? 0, seconds },
    hybrid: { errors: characterErrors(hybrid.text, page.text), source: hybrid.source },
    model: model && characterErrors(model.text, page.text),
  }
}

const percent = (share: number | null): string => (share === null ? 'refused' : `${(share * 100).toFixed(1)} %`)

/** Character errors by page and mode. */
export const readingsTable = (readings: readonly Reading[]): string => {
  const rows = readings.map(({ page, tesseract, hybrid, model }) => [
    page.name,
    page.languages,
    percent(tesseract.errors),
    tesseract.confidence.toFixed(0),
    `${tesseract.seconds.toFixed(1)} s`,
    percent(hybrid.errors),
    hybrid.source,
    percent(model),
    page.isBeyondRecognition ? 'by model' : percent(page.limit),
  ])
  const table = [['page', 'languages', 'tesseract', 'sure', 'took', 'hybrid', 'by', 'llm-only', 'limit'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

/** What is wrong with a reading; nothing where it is good enough. */
export const complaintsAbout = ({ page, tesseract, hybrid, model }: Reading): string[] => [
  ...(tesseract.errors > page.limit && !page.isBeyondRecognition ? [`recognition: ${percent(tesseract.errors)}`] : []),
  ...(page.isBeyondRecognition && hybrid.source !== 'model' ? ['the model was not asked'] : []),
  ...(hybrid.errors > page.limit ? [`hybrid: ${percent(hybrid.errors)}`] : []),
  ...(model !== null && model > 0 ? [`model: ${percent(model)}`] : []),
]
