import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createPageReader } from '../../src/jobs/page-reader.ts'
import { createLog } from '../../src/log.ts'
import { drawnPicture, makeZip } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

const PAGES = 24

const volumeWith = async (folder: string) => {
  const page = await drawnPicture({ width: 900, height: 1200 }).png().toBuffer()
  await makeZip(join(folder, 'v.cbz'), Object.fromEntries(Array.from({ length: PAGES }, (_, index) => [`${100 + index}.png`, page])))
  const config = { dataDir: folder, ffmpegPath: null }
  const reader = createPageReader({ config, log: createLog('error', () => undefined) }, { isDiskNearlyFull: () => false })
  const volume = { itemId: 1, version: 'a', root: folder, path: 'v.cbz' }
  const ask = (userId: number, index: number, signal = new AbortController().signal) =>
    reader.read(volume, { index, width: 320 }, { userId, signal })
  return { ask, reader, volume, made: () => readdirSync(join(folder, 'pages')).length, [Symbol.dispose]: () => reader.close() }
}

test('pages that nobody waits for any more are not made', async () => {
  await using folder = await temporaryFolder('page-reader')
  using volume = await volumeWith(folder.path)
  const gone = new AbortController()
  const asked = Array.from({ length: PAGES - 1 }, (_, index) => volume.ask(1, index, gone.signal).catch(() => 'gone'))
  await Bun.sleep(1)
  gone.abort()
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['gone']))
  await volume.ask(1, PAGES - 1)
  // That one, and what had begun.
  expect(volume.made()).toBeLessThan(4)
})

test('one who waits for very many pages holds up nobody', async () => {
  await using folder = await temporaryFolder('page-reader')
  using volume = await volumeWith(folder.path)
  const many = Array.from({ length: PAGES - 1 }, (_, index) => volume.ask(1, index))
  await Bun.sleep(1)
  await volume.ask(2, PAGES - 1)
  expect(volume.made()).toBeLessThan(PAGES / 2)
  expect((await Promise.all(many)).every(({ mediaType }) => mediaType === 'image/webp')).toBe(true)
})

test('what many ask for at once is made once', async () => {
  await using folder = await temporaryFolder('page-reader')
  using volume = await volumeWith(folder.path)
  const [first, ...others] = await Promise.all([1, 1, 2, 3].map((userId) => volume.ask(userId, 0)))
  expect(others.every((page) => page === first)).toBe(true)
  const asker = { userId: 1, signal: new AbortController().signal }
  const [list, again] = await Promise.all([1, 2].map((userId) => volume.reader.list(volume.volume, { ...asker, userId })))
  expect([list?.sizes.length, again === list]).toEqual([PAGES, true])
})
