import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createRecognizer, OcrError } from '../../src/ai/ocr.ts'
import { findOcrData } from '../../src/ai/ocr-languages.ts'
import type { OcrImage } from '../../src/ai/ocr-result.ts'
import { ocrImage } from '../../src/media/ocr-picture.ts'
import { pictureOfBytes } from '../../src/media/picture.ts'
import { OCR_PAGES } from '../support/ocr-pages.ts'
import { bombPng } from '../support/picture-bombs.ts'
import { runProgram } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

const LIMIT_MS = 180_000
const PATIENT = { ocrDataDir: null, pageTimeoutMs: LIMIT_MS }

let folder: TemporaryFolder
let page: OcrImage
let written: string
beforeAll(async () => {
  folder = await temporaryFolder('ocr')
  const drawn = OCR_PAGES.find(({ name }) => name === 'game, light box')
  if (!drawn) throw new Error('There is no such page.')
  written = drawn.text
  page = await ocrImage(await pictureOfBytes(await drawn.make(), null))
})
afterAll(() => folder.remove())

const never = new AbortController().signal
const said = (text: string): string => text.replaceAll(/\s+/g, ' ')
const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof OcrError ? error.code : error),
  )

describe('refused', () => {
  test('a language without data, before anything is started', async () => {
    const recognize = createRecognizer(PATIENT)
    expect(await failureOf(recognize(page, 'eng+../../etc/passwd', never))).toBe('unknown_language')
    expect(recognize.warm()).toBe(0)
  })

  test(
    'a picture that is none, and the engine goes on with the next',
    async () => {
      const recognize = createRecognizer(PATIENT)
      expect(await failureOf(recognize({ bytes: new Uint8Array([1, 2, 3]) }, 'eng', never))).toBe('failed')
      expect(said((await recognize(page, 'eng', never)).text)).toBe(written)
      recognize.close()
    },
    LIMIT_MS,
  )

  test(
    'data that is none: each time, and at once',
    async () => {
      await writeFile(join(folder.path, 'xyz.traineddata'), 'this is not what tesseract reads')
      const recognize = createRecognizer({ ...PATIENT, ocrDataDir: folder.path })
      expect(await failureOf(recognize(page, 'xyz', never))).toBe('failed')
      expect(await failureOf(recognize(page, 'xyz', never))).toBe('failed')
      expect(recognize.warm()).toBe(0)
      recognize.close()
    },
    LIMIT_MS,
  )

  test('a picture bomb, before it is decoded', async () => {
    const picture = pictureOfBytes(bombPng(30_000, 30_000), null).then(ocrImage)
    await expect(picture).rejects.toMatchObject({ name: 'DecodeError', code: 'too_large' })
  })
})

test(
  'what an engine could not be started for is not taken for a fault of its data',
  async () => {
    const temporary = join(folder.path, 'temporary')
    await writeFile(temporary, 'no folder')
    const recognize = createRecognizer({ ...PATIENT, temporaryFolder: temporary })
    expect(await failureOf(recognize(page, 'eng', never))).toBe('failed')
    await rm(temporary)
    expect(said((await recognize(page, 'eng', never)).text)).toBe(written)
    recognize.close()
  },
  LIMIT_MS,
)

describe('an engine that is ended by force', () => {
  test('by the time limit: the page fails, the next one has a new engine', async () => {
    const hasty = createRecognizer({ ocrDataDir: null, pageTimeoutMs: 1 })
    expect(await failureOf(hasty(page, 'eng', never))).toBe('timeout')
    expect(hasty.warm()).toBe(0)
    hasty.close()
  })

  test(
    'in the middle of a page: nothing runs on, and the next page is read',
    async () => {
      const recognize = createRecognizer(PATIENT)
      await recognize(page, 'eng', never)
      const control = new AbortController()
      const isAskedFor = Promise.withResolvers<void>()
      const watched: OcrImage = {
        ...page,
        get bytes() {
          isAskedFor.resolve()
          return page.bytes
        },
      }
      const reading = failureOf(recognize(watched, 'eng', control.signal))
      await isAskedFor.promise
      control.abort(new Error('not wanted any more'))
      expect(await reading).toEqual(new Error('not wanted any more'))
      expect(recognize.warm()).toBe(0)
      expect(said((await recognize(page, 'eng', never)).text)).toBe(written)
      expect(recognize.warm()).toBe(1)
      recognize.close()
    },
    LIMIT_MS,
  )
})

test(
  'pages that nobody waits for any more start one engine together, and the next page has it',
  async () => {
    const tmp = await mkdtemp(join(folder.path, 'tmp-'))
    const recognize = createRecognizer({ ...PATIENT, temporaryFolder: tmp })
    try {
      for (let given = 0; given < 5; given += 1) {
        const control = new AbortController()
        const reading = failureOf(recognize(page, 'eng', control.signal))
        await Bun.sleep(100)
        expect((await readdir(tmp)).length).toBeLessThanOrEqual(1)
        control.abort(new Error('not wanted any more'))
        await reading
      }
      expect(said((await recognize(page, 'eng', never)).text)).toBe(written)
      expect([recognize.warm(), await readdir(tmp)]).toEqual([1, []])
    } finally {
      recognize.close()
    }
  },
  LIMIT_MS,
)

test(
  'one engine a set of languages, two at most, and none once nobody asks',
  async () => {
    const recognize = createRecognizer({ ...PATIENT, idleMs: 50 })
    const warm: number[] = []
    for (const languages of ['eng', 'eng', 'kor', 'eng+kor']) {
      await recognize(page, languages, never)
      warm.push(recognize.warm())
    }
    expect(warm).toEqual([1, 1, 2, 2])
    while (recognize.warm() > 0) await Bun.sleep(10)
  },
  LIMIT_MS,
)

test(
  'plain data that an administrator placed is read as well',
  async () => {
    const packed = (await findOcrData(null)).get('eng') ?? ''
    await writeFile(join(folder.path, 'mine.traineddata'), gunzipSync(await Bun.file(packed).bytes()))
    await copyFile(packed, join(folder.path, 'packed.traineddata.gz'))
    const recognize = createRecognizer({ ...PATIENT, ocrDataDir: folder.path })
    expect(said((await recognize(page, 'mine', never)).text)).toBe(written)
    expect(said((await recognize(page, 'packed', never)).text)).toBe(written)
    recognize.close()
  },
  LIMIT_MS,
)

const SCRIPT = `
const [source, picture] = process.argv.slice(-2)
const { createRecognizer } = await import(source)
const recognize = createRecognizer({ ocrDataDir: null, pageTimeoutMs: ${LIMIT_MS} })
const bytes = await Bun.file(picture).bytes()
console.log((await recognize({ bytes }, 'eng', new AbortController().signal)).text)
process.exit(0)`

test(
  'pages are read without any network',
  async () => {
    await writeFile(join(folder.path, 'page.pgm'), page.bytes)
    await writeFile(join(folder.path, 'read.ts'), SCRIPT)
    const source = join(import.meta.dir, '../../src/ai/ocr.ts')
    // A network of its own, with not even an address for itself.
    const output = await runProgram([
      'unshare',
      '--net',
      process.execPath,
      join(folder.path, 'read.ts'),
      source,
      join(folder.path, 'page.pgm'),
    ])
    expect(said(output.toString().trim())).toBe(written)
  },
  LIMIT_MS,
)
