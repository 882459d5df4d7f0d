import { afterAll, describe, expect, test } from 'bun:test'
import { createRecognizer } from '../../src/ai/ocr.ts'
import { ocrImage } from '../../src/media/ocr-picture.ts'
import { pictureOfBytes } from '../../src/media/picture.ts'
import { OCR_PAGES } from '../support/ocr-pages.ts'
import { complaintsAbout, type Reading, readingsTable, readPage } from '../support/ocr-readings.ts'

const LIMIT_MS = 300_000
const recognize = createRecognizer({ ocrDataDir: null, pageTimeoutMs: LIMIT_MS })
const readings: Reading[] = []
afterAll(() => {
  recognize.close()
  process.stdout.write(`\n${readingsTable(readings)}\n`)
})

describe('every page is read within its limit, offline and by both', () => {
  test.each(OCR_PAGES.map((page, number) => [page.name, page, number] as const))(
    '%s',
    async (_, page, number) => {
      const reading = await readPage(page, number, recognize)
      readings.push(reading)
      expect(complaintsAbout(reading)).toEqual([])
    },
    LIMIT_MS,
  )
})

const WARM_PAGES = 20
const PAGES = 100
const MAX_GROWTH_BYTES = 60 * 1024 * 1024

test(
  'a hundred pages later the engine takes no more memory than after twenty',
  async () => {
    const page = OCR_PAGES.find(({ name }) => name === 'game, light box')
    if (!page) throw new Error('There is no such page.')
    const engine = createRecognizer({ ocrDataDir: null, pageTimeoutMs: LIMIT_MS })
    const bytes = await page.make()
    const read = async (times: number): Promise<number> => {
      for (let time = 0; time < times; time += 1)
        await engine(await ocrImage(await pictureOfBytes(bytes, null)), 'eng', AbortSignal.timeout(LIMIT_MS))
      Bun.gc(true)
      return process.memoryUsage.rss()
    }
    const warm = await read(WARM_PAGES)
    const later = await read(PAGES - WARM_PAGES)
    expect(engine.warm()).toBe(1)
    engine.close()
    expect(later - warm).toBeLessThan(MAX_GROWTH_BYTES)
  },
  20 * LIMIT_MS,
)
