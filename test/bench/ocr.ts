/** Ten pages of text, read without any model. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { findOcrData } from '../../src/ai/ocr-languages.ts'
import type { HttpClient } from '../support/http-client.ts'
import { characterErrors } from '../support/ocr-readings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Bench } from './bench.ts'
import { cachedFolder } from './cached-folder.ts'
import { findPeer } from './peers.ts'
import { interleave, median, secondsOf } from './rounds.ts'
import { addLibrary, scanLibrary, startQuietServer } from './scan-run.ts'
import { atMost, ratioAtMost } from './table.ts'

const PAGES = 10
/** A4 at 150 dots an inch, letters of 12 points. */
const SHEET = { width: 1240, height: 1754, margin: 120, size: 25, lineHeight: 36, characters: 62 }
const LINES_A_PAGE = 40
const POLL_INTERVAL_MS = 20
const LIMIT_MS = 600_000

const LICENCE = join(import.meta.dir, '../../LICENSE')

const broken = (text: string): string[] =>
  text.split(/\s+/).reduce<string[]>(
    (lines, word) => {
      const last = lines.at(-1) ?? ''
      if (`${last} ${word}`.length > SHEET.characters) lines.push(word)
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
      return lines
    },
    [''],
  )

const textOf = async (page: number): Promise<string> =>
  broken(await readFile(LICENCE, 'utf8'))
    .slice(page * LINES_A_PAGE, (page + 1) * LINES_A_PAGE)
    .join('\n')

const nameOf = (page: number): string => `page ${page}.png`

/** The last two are askew, and out of focus. */
const makePages = async (folder: string): Promise<void> => {
  const { width, height, margin, size, lineHeight } = SHEET
  for (let page = 0; page < PAGES; page += 1) {
    const lines = (await textOf(page))
      .split('\n')
      .map(
        (line, at) =>
          `<text x="${margin}" y="${margin + (at + 1) * lineHeight}">${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`,
      )
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><g font-family="DejaVu Sans" font-size="${size * 0.8}">${lines.join('')}</g></svg>`
    const sheet = sharp(Buffer.from(svg)).flatten({ background: '#fff' }).greyscale()
    const drawn = page === PAGES - 2 ? sheet.rotate(1, { background: '#fff' }) : page === PAGES - 1 ? sheet.blur(1.2) : sheet
    await writeFile(join(folder, nameOf(page)), await drawn.png().toBuffer())
  }
}

interface Read {
  seconds: number
  /** The mean over the pages. */
  errors: number
}

const readOf = async (seconds: number, texts: readonly string[]): Promise<Read> => {
  const errors = await Promise.all(texts.map(async (text, page) => characterErrors(text, await textOf(page))))
  return { seconds, errors: errors.reduce((sum, share) => sum + share, 0) / PAGES }
}

/** From the first request until every page's text is there. */
const readByServer = async (admin: HttpClient, libraryId: number): Promise<Read> => {
  const keys = Array.from({ length: PAGES }, (_, page) => `mixed_file:${libraryId}:${nameOf(page)}`)
  const seconds = await secondsOf(async () => {
    for (const itemKey of keys) {
      const { status, body } = await admin.post('/api/ai-tagging/extract', { itemKey })
      if (status !== 202) throw new Error(`${itemKey}: ${status} ${JSON.stringify(body)}`)
    }
    const start = performance.now()
    for (const itemKey of keys) {
      for (;;) {
        const { jobs } = (await admin.get('/api/ai-tagging/fields', { itemKey })).body
        if (jobs.length === 0) break
        if (jobs[0].status === 'failed') throw new Error(`${itemKey}: ${jobs[0].error}`)
        if (performance.now() - start > LIMIT_MS) throw new Error('The pages are not read.')
        await Bun.sleep(POLL_INTERVAL_MS)
      }
    }
  })
  const texts: string[] = []
  for (const itemKey of keys) texts.push((await admin.get('/api/ai-tagging/fields', { itemKey })).body.extractedText ?? '')
  return readOf(seconds, texts)
}

/** One process a page, with one thread: its own threads wait for each other (PERFORMANCE, F). */
const readByTesseract = async (program: string, folder: string, data: string): Promise<Read> => {
  const texts: string[] = []
  const seconds = await secondsOf(async () => {
    for (let page = 0; page < PAGES; page += 1) {
      const child = Bun.spawn(
        [program, join(folder, nameOf(page)), '-', '-l', 'eng', '--psm', '3', '--dpi', '150', '--tessdata-dir', data],
        {
          env: { ...process.env, OMP_THREAD_LIMIT: '1' },
          stderr: 'ignore',
        },
      )
      texts.push(await new Response(child.stdout).text())
      if ((await child.exited) !== 0) throw new Error(`tesseract cannot read page ${page}.`)
    }
  })
  return readOf(seconds, texts)
}

export const ocrBench: Bench = async ({ rounds }) => {
  const folder = await cachedFolder('ocr-pages', 'v1', makePages)
  await using data = await temporaryFolder('tessdata')
  const packed = (await findOcrData(null)).get('eng') ?? ''
  await writeFile(join(data.path, 'eng.traineddata'), gunzipSync(await readFile(packed)))
  const program = await findPeer('tesseract')
  await using server = await startQuietServer()
  const admin = await server.as('admin')
  const libraryId = await addLibrary(admin, folder)
  await scanLibrary(server, { libraryId, files: PAGES })
  const settings = (await admin.get('/api/ai-settings')).body
  await admin.put('/api/ai-settings', { ...settings, ocrMode: 'tesseract', ocrLanguages: 'eng' })
  const read = await interleave(rounds, {
    vitrine: { measure: () => readByServer(admin, libraryId) },
    tesseract: program ? { measure: () => readByTesseract(program, folder, data.path) } : null,
  })
  const peerOf = (figure: (read: Read) => number) => ({
    name: 'tesseract, one thread, same data',
    value: read.tesseract.length === 0 ? null : median(read.tesseract.map(figure)),
  })
  const secondsAPage = ({ seconds }: Read): number => seconds / PAGES
  const errorPercent = ({ errors }: Read): number => errors * 100
  const theirErrors = peerOf(errorPercent)
  return [
    {
      what: 'a page of text',
      unit: 's',
      vitrine: median(read.vitrine.map(secondsAPage)),
      peer: peerOf(secondsAPage),
      reach: ratioAtMost(1.5),
    },
    {
      ...{ what: 'characters read wrong', unit: '%', vitrine: median(read.vitrine.map(errorPercent)), peer: theirErrors },
      reach: atMost(Math.max(0.05, theirErrors.value ?? 0)),
    },
  ]
}
