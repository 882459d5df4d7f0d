import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import type { AiTask, DonePage } from '../../src/ai/ai-task.ts'
import { OcrError } from '../../src/ai/ocr.ts'
import type { Recognize } from '../../src/ai/ocr-result.ts'
import { defaultAiSettings } from '../../src/domain/ai-settings.ts'
import { extract } from '../../src/workers/ai-extraction.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

/** What becomes of a volume of which recognition cannot read some pages; the whole way is in test/ai-queue. */

const PAGES = 14

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('pages')
  const page = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'white' } })
    .png()
    .toBuffer()
  const names = Array.from({ length: PAGES }, (_, index) => `${String(index).padStart(2, '0')}.png`)
  writeFileSync(join(folder.path, 'a.cbz'), zipSync(Object.fromEntries(names.map((name) => [name, page])), { level: 0 }))
})
afterAll(() => folder.remove())

/** `recognize` is given how often it was asked before. */
const read = async (recognize: (times: number) => string | OcrError) => {
  let asked = 0
  const pages: DonePage[] = []
  const given: Recognize = async () => {
    const answer = recognize(asked++)
    if (answer instanceof OcrError) throw answer
    return { text: answer, confidence: 95 }
  }
  const task: AiTask = {
    ...{ activity: 'extraction', settings: { ...defaultAiSettings(), ocrMode: 'tesseract' }, apiKey: null, payload: {}, vocabulary: [] },
    item: {
      ...{ title: 'A', itemType: 'manga_volume', mediaKind: null, parentTitle: null, year: null, genres: [], plot: null, tags: [] },
      ...{ file: 'a.cbz', description: null, extractedText: null },
    },
    ...{ root: folder.path, pictures: [{ kind: 'pages', path: 'a.cbz' }], donePages: [], maxCharacters: 1000 },
    ...{ ffmpegPath: null, ocrDataDir: null, temporaryFolder: folder.path },
  }
  const work = { task, state: { askedModel: false }, signal: new AbortController().signal }
  const result = await extract(work, (page) => void pages.push(page), given).catch((error: unknown) => String(error))
  return { result, asked, pages }
}

const SLOW = new OcrError('timeout', 'Recognising the page took too long.')

test('a page over which recognition takes too long takes no other page along', async () => {
  const { result, pages } = await read((times) => (times % 3 === 1 ? SLOW : `Page ${times}`))
  expect(result).toMatchObject({ activity: 'extraction', text: expect.stringMatching(/^Page 0\n\nPage 2\n\nPage 3\n\nPage 5/) })
  expect(pages.slice(0, 3)).toMatchObject([{ text: 'Page 0' }, { text: '', rejected: SLOW.message }, { text: 'Page 2' }])
  expect(pages).toHaveLength(PAGES)
})

test('a volume of which no page can be read fails, and not only after the last of them', async () => {
  expect(await read(() => SLOW)).toMatchObject({ result: `Error: ${SLOW.message}`, asked: 10 })
})

test('an engine that cannot be used is told at the first page', async () => {
  for (const code of ['failed', 'unknown_language'] as const)
    expect(await read(() => new OcrError(code, 'There is none.'))).toMatchObject({ result: 'Error: There is none.', asked: 1 })
})
