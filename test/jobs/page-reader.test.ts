import { expect, setDefaultTimeout, test } from 'bun:test'
import { lstatSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppError } from '../../src/errors.ts'
import { createPageReader } from '../../src/jobs/page-reader.ts'
import { createLog } from '../../src/log.ts'
import { openVolume } from '../../src/media/volume.ts'
import { versionOf } from '../../src/scan/entry-hash.ts'
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
  const { stamp, opened } = await openVolume(folder, 'v.cbz')
  await opened.handle.close()
  const volume = { itemId: 1, version: 'a', root: folder, path: 'v.cbz', stamp }
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
  expect((await Promise.all(many)).every((page) => page?.mediaType === 'image/webp')).toBe(true)
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

test('of a volume that another one was renamed to, nothing is kept as the page of the one before', async () => {
  await using folder = await temporaryFolder('page-reader')
  using volume = await volumeWith(folder.path)
  const at = (name: string): string => join(folder.path, name)
  const blue = await drawnPicture({ width: 800, height: 900 }).jpeg().toBuffer()
  await makeZip(at('other.cbz'), { '1.jpg': blue })
  renameSync(at('v.cbz'), at('v39.cbz'))
  renameSync(at('other.cbz'), at('v.cbz'))
  const asker = { userId: 1, signal: new AbortController().signal }
  expect(await volume.ask(1, 0)).toBeNull()
  expect(await volume.reader.read(volume.volume, { index: 0, width: null }, asker)).toBeNull()
  expect(await volume.reader.list(volume.volume, asker)).toBeNull()
  expect(volume.made()).toBe(0)
})

test('what is called like a page and is no file keeps nobody from the others', async () => {
  await using folder = await temporaryFolder('page-reader')
  using made = await volumeWith(folder.path)
  const at = (name: string): string => join(folder.path, 'volume', name)
  for (const name of ['', '2.png', 'ComicInfo.xml']) mkdirSync(at(name))
  writeFileSync(at('1.png'), await drawnPicture({ width: 90, height: 120 }).png().toBuffer())
  for (const [name, target] of Object.entries({ '3.png': 'nowhere', '4.png': '/etc/hostname' })) symlinkSync(target, at(name))
  const { stamp, opened } = await openVolume(folder.path, 'volume')
  await opened.handle.close()
  const volume = { ...made.volume, path: 'volume', stamp }
  const asker = { userId: 1, signal: new AbortController().signal }
  expect((await made.reader.list(volume, asker))?.sizes).toEqual([[90, 120], null, null, null])
  const codes = [1, 2, 3].map((index) => made.reader.read(volume, { index, width: null }, asker).catch(({ code }: AppError) => code))
  expect(await Promise.all(codes)).toEqual(['not_found', 'not_found', 'not_found'])
})

test('a picture is made smaller where it is the one that the scan saw, also through a link', async () => {
  await using folder = await temporaryFolder('page-reader')
  using volume = await volumeWith(folder.path)
  const at = (name: string): string => join(folder.path, name)
  for (const name of ['poster.png', 'other.png']) writeFileSync(at(name), await drawnPicture({ width: 900, height: 400 }).png().toBuffer())
  symlinkSync('poster.png', at('link.png'))
  const link = { ...statSync(at('link.png')), ino: lstatSync(at('link.png')).ino }
  const asker = { userId: 1, signal: new AbortController().signal }
  const read = async (path: string, version: string) =>
    (await volume.reader.readPicture({ itemId: 1, root: folder.path, path, version }, 320, asker))?.mediaType
  const version = versionOf(statSync(at('poster.png')))
  expect(await read('poster.png', version)).toBe('image/webp')
  expect(await read('link.png', versionOf(link))).toBe('image/webp')
  renameSync(at('other.png'), at('poster.png'))
  expect(await read('poster.png', `${version}x`)).toBeUndefined()
  expect([await read('link.png', versionOf(link)), volume.made()]).toEqual(['image/webp', 2])
})
