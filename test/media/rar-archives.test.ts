import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DecodeError } from '../../src/media/decode-error.ts'
import { openInside } from '../../src/media/inside.ts'
import { listRar, readRar } from '../../src/media/rar-pages.ts'
import { processorMs } from '../support/processor-time.ts'

/** Made by WinRAR and rar, for the tests of libarchive (fixtures/rar/COPYING): compressed and solid ones nobody else writes. */
const FOLDER = join(import.meta.dir, 'fixtures/rar')
const MAX_ENTRIES = 100
const LIMIT_BYTES = 1024 * 1024
const REFUSAL_LIMIT_MS = 200
const MEMORY_LIMIT_BYTES = 50 * 1024 * 1024

/** Names and contents in the order of the archive; the code where it is refused. */
const contentsOf = async (name: string): Promise<[string, Buffer][] | string> => {
  const file = await openInside(FOLDER, name)
  try {
    const contents: [string, Buffer][] = []
    for (const entry of await listRar(file, MAX_ENTRIES))
      contents.push([entry.name, Buffer.from(await readRar(file, { name: entry.name, limit: LIMIT_BYTES }))])
    return contents
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return error.code
  } finally {
    await file.handle.close()
  }
}

/** How the files of libarchive's RAR 5 archives are made: numbers of a polynomial, little endian (test_read_format_rar5.c). */
const polynomial = (bytes: number, magic: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  for (let index = 0; index < bytes / 4; index += 1) {
    const k = index + 1
    buffer.writeUInt32LE(Math.max(0, k * k - 3 * k + 1 + magic), index * 4)
  }
  return buffer
}

describe('broken archives', () => {
  const names = readdirSync(FOLDER).filter((name) => name.includes('broken'))
  test('are many', () => expect(names.length).toBeGreaterThan(15))

  test.each(names.map((name) => [name]))('%s is refused quickly, and takes no memory', async (name) => {
    await contentsOf('5-compressed.rar')
    Bun.gc(true)
    const [before, start] = [process.memoryUsage.rss(), processorMs()]
    expect(['broken', 'too_large', 'unsupported']).toContain(String(await contentsOf(name)))
    expect(processorMs() - start).toBeLessThan(REFUSAL_LIMIT_MS)
    expect(process.memoryUsage.rss() - before).toBeLessThan(MEMORY_LIMIT_BYTES)
  })
})

test.each([['4-encrypted-data.rar'], ['4-encrypted-header.rar']])('%s cannot be read', async (name) => {
  expect(await contentsOf(name)).toBe('unsupported')
})

test('version 4, compressed as well as can be and as usual: the same bytes', async () => {
  const [best, normal] = [await contentsOf('4-compressed-best.rar'), await contentsOf('4-compressed-normal.rar')]
  expect(best).toEqual(normal)
  const files = new Map(best as [string, Buffer][])
  expect([...files.keys()].filter((name) => name !== 'testlink')).toEqual([
    'LibarchiveAddingTest.html',
    'testdir/test.txt',
    'testdir/LibarchiveAddingTest.html',
  ])
  expect(files.get('testdir/test.txt')?.toString()).toBe('test text document\r\n')
  const page = files.get('LibarchiveAddingTest.html')
  expect(page).toHaveLength(20_111)
  expect(page?.toString('latin1')).toStartWith('<!DOCTYPE HTML')
  expect(page?.toString('latin1').trimEnd()).toEndWith('</HTML>')
})

test('version 5, compressed', async () => {
  expect(await contentsOf('5-compressed.rar')).toEqual([['test.bin', polynomial(1200, 0)]])
})

test('version 5, solid: each file by itself, in any order', async () => {
  const expected = [0, 1, 2, 3, 4, 5, 6].map((magic): [string, Buffer] => [
    magic === 0 ? 'test.bin' : `test${magic}.bin`,
    polynomial(magic === 0 ? 1200 : 4096, magic),
  ])
  expect(await contentsOf('5-solid.rar')).toEqual(expected)
  const file = await openInside(FOLDER, '5-solid.rar')
  for (const [name, bytes] of expected.toReversed())
    expect(Buffer.from(await readRar(file, { name, limit: LIMIT_BYTES })).equals(bytes)).toBe(true)
  await file.handle.close()
})

test('version 5 from Windows, in folders', async () => {
  const files = new Map((await contentsOf('5-windows.rar')) as [string, Buffer][])
  expect(files.get('test.bin')).toEqual(polynomial(1200, 0))
  expect(files.get('test2.bin')).toEqual(polynomial(4096, 2))
})

test('version 4 names keep their letters', async () => {
  const names = ((await contentsOf('4-unicode.rar')) as [string, Buffer][]).map(([name]) => name)
  expect(names).toContain('表だよ/漢字長いファイル名long-filename-in-漢字.txt')
})
