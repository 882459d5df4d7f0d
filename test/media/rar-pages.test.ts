import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPages } from '../../src/media/archive-pages.ts'
import { DecodeError } from '../../src/media/decode-error.ts'
import { MediaError } from '../../src/media/inside.ts'
import { processorMs } from '../support/processor-time.ts'
import { type RarFileSpec, rar4, rar5 } from '../support/rar-file.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

const REFUSAL_LIMIT_MS = 200
const MEMORY_LIMIT_BYTES = 50 * 1024 * 1024
const MIB = 1024 * 1024

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('rar')
  // The first archive of a process pays for starting the library.
  await reading(rar5([{ name: 'a.jpg', data: Buffer.from('a') }]))
})
afterAll(() => folder.remove())

let archives = 0
/** The names and contents of the pages, or why there are none. */
const reading = async (archive: Uint8Array): Promise<string[] | string> => {
  const name = `${archives++}.cbr`
  writeFileSync(join(folder.path, name), archive)
  try {
    const pages = await openPages(folder.path, name)
    try {
      const read: string[] = []
      for (const [index, page] of pages.names.entries()) read.push(`${page}: ${Buffer.from(await pages.read(index)).toString()}`)
      return read
    } finally {
      await pages.close()
    }
  } catch (error) {
    return error instanceof DecodeError || error instanceof MediaError ? error.code : String(error)
  }
}

const page = (name: string, more: Partial<RarFileSpec> = {}): RarFileSpec => ({ name, data: Buffer.from(`page ${name}`), ...more })
const COMPRESSED = 3 << 7
const dictionary = (mib: number): number => COMPRESSED | (Math.log2(mib * 8) << 10)

describe('a hostile archive is refused quickly, and takes no memory', () => {
  const HOSTILE: [string, () => Buffer, string][] = [
    ['of four gigabytes of dictionary', () => rar5([page('a.jpg', { compression: dictionary(4096), size: 1e6 })]), 'too_large'],
    ['of one gigabyte of dictionary', () => rar5([page('a.jpg', { compression: dictionary(1024), size: 1e6 })]), 'too_large'],
    [
      'of 64 MiB of dictionary in its second file',
      () => rar5([page('a.txt'), page('b.jpg', { compression: dictionary(64) })]),
      'too_large',
    ],
    ['with a page that says it is huge', () => rar5([page('a.jpg', { size: 65 * MIB })]), 'too_large'],
    ['with a page that says it is huge, version 4', () => rar4([page('a.jpg', { size: 65 * MIB })]), 'too_large'],
    ['with noise for a compressed page', () => rar5([page('a.jpg', { compression: dictionary(1), size: 1e6 })]), 'broken'],
    ['with a wrong checksum', () => rar5([page('a.jpg', { crc: 1 })]), 'broken'],
    ['with a wrong checksum, version 4', () => rar4([page('a.jpg', { crc: 1 })]), 'broken'],
    ['of several volumes', () => rar5([page('a.jpg')], { archiveFlags: 1 }), 'unsupported'],
    ['of several volumes, version 4', () => rar4([page('a.jpg')], { archiveFlags: 1 }), 'unsupported'],
    ['with an encrypted page', () => rar4([page('a.jpg', { flags: 4 })]), 'unsupported'],
  ]
  test.each(HOSTILE)('%s', async (_, make, code) => {
    const archive = make()
    Bun.gc(true)
    const [before, start] = [process.memoryUsage.rss(), processorMs()]
    expect(await reading(archive)).toBe(code)
    expect(processorMs() - start).toBeLessThan(REFUSAL_LIMIT_MS)
    expect(process.memoryUsage.rss() - before).toBeLessThan(MEMORY_LIMIT_BYTES)
  })

  test('of too many entries, of which those that are too many are not read', async () => {
    const refusing = async (entries: number): Promise<number> => {
      const archive = rar4(Array.from({ length: entries }, (_, index) => page(`${index}.txt`)))
      const start = processorMs()
      expect(await reading(archive)).toBe('too_large')
      return processorMs() - start
    }
    const few = await refusing(11_000)
    expect(await refusing(33_000)).toBeLessThan(2 * few)
  })
})

test.each([
  ['4', rar4],
  ['5', rar5],
] as const)('version %s: pages in natural order, junk and paths that leave the archive skipped', async (_, make) => {
  const archive = make([
    ...['b/10.jpg', 'b/2.jpg', 'a/1.png', '__MACOSX/a.jpg', 'Thumbs.db', 'notes.txt', '.hidden.jpg', '../evil.jpg', '/etc/evil.jpg'].map(
      (name) => page(name),
    ),
  ])
  expect(await reading(archive)).toEqual(['a/1.png: page a/1.png', 'b/2.jpg: page b/2.jpg', 'b/10.jpg: page b/10.jpg'])
})

test('names keep their letters, and a large page comes whole', async () => {
  const large = Buffer.alloc(3 * MIB, 'x')
  for (const make of [rar4, rar5]) {
    const [only] = await reading(make([{ name: 'large.jpg', data: large }]))
    expect(only?.length).toBe('large.jpg: '.length + large.length)
  }
  expect(await reading(rar5([page('第1話 é.jpg')]))).toEqual(['第1話 é.jpg: page 第1話 é.jpg'])
})

test('of an archive that is cut off, the pages that are whole can be read', async () => {
  expect(await reading(rar5([page('a.jpg'), page('b.jpg')]).subarray(0, 60))).toEqual(['a.jpg: page a.jpg'])
})
