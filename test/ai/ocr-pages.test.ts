import { afterAll, expect, test } from 'bun:test'
import { createRecognizer } from '../../src/ai/ocr.ts'
import { OCR_PAGES } from '../support/ocr-pages.ts'
import { complaintsAbout, type Reading, readingsTable, readPage } from '../support/ocr-readings.ts'

/** Some of the thirty pages; test/long/ocr-pages.test.ts reads all. */
const SHORT = [
  'upside down, unmarked',
  'two columns',
  'tiny, 10 px',
  'game, light box',
  'on its side (EXIF 6)',
  'photographed',
  'japanese, sans',
  'manga page',
  'korean, white on dark',
]

const LIMIT_MS = 180_000
const recognize = createRecognizer({ ocrDataDir: null, pageTimeoutMs: LIMIT_MS })
const readings: Reading[] = []
afterAll(() => {
  recognize.close()
  process.stdout.write(`\n${readingsTable(readings)}\n`)
})

test.each(SHORT)(
  '%s',
  async (name) => {
    const number = OCR_PAGES.findIndex((page) => page.name === name)
    const page = OCR_PAGES[number]
    if (!page) throw new Error(`There is no page ${name}.`)
    const reading = await readPage(page, number, recognize)
    readings.push(reading)
    expect(complaintsAbout(reading)).toEqual([])
  },
  LIMIT_MS,
)
