import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { plainZip, plainZipLength, type ZipEntry, type ZipFormat } from '../../src/media/zip-format.ts'
import { zip64, zip64Length } from '../../src/media/zip64-format.ts'
import { runProgram } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
beforeEach(async () => {
  folder = await temporaryFolder('zip64')
})
afterEach(() => folder.remove())

const MEGABYTE = 1024 * 1024
const GIGABYTE = 1024 * MEGABYTE
const ZEROES = new Uint8Array(MEGABYTE)
const MODIFIED_MS = Date.UTC(2020, 5, 7, 8, 9, 10)

const fileOf = (name: string, size: number): ZipEntry => ({ name, mode: 0o100644, modifiedAtMs: MODIFIED_MS, size })

/** Entries of zeroes, written with holes in their place; answers the length of the archive. */
const writeSparse = (file: string, entries: readonly ZipEntry[], format: ZipFormat): number => {
  const handle = openSync(file, 'w')
  let length = 0
  const write = (pieces: Iterable<Uint8Array>): void => {
    for (const piece of pieces) {
      if (piece.length < ZEROES.length) writeSync(handle, piece, 0, piece.length, length)
      length += piece.length
    }
  }
  for (const entry of entries) {
    write(format.begin(entry))
    let crc = 0
    for (let left = entry.size; left > 0; ) {
      const chunk = ZEROES.subarray(0, Math.min(left, ZEROES.length))
      left -= chunk.length
      crc = crc32(chunk, crc)
      write(format.fill(chunk, { crc, isLast: false }))
    }
    write(format.fill(new Uint8Array(), { crc, isLast: true }))
  }
  write(format.end())
  ftruncateSync(handle, length)
  closeSync(handle)
  return length
}

/** Reads only what is named: the others are gigabytes. */
const PYTHON = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
infos = archive.infolist()
print(json.dumps({'count': len(infos), 'last': infos[-1].filename, 'sizes': [i.file_size for i in infos[:3]],
  'crcs': [i.CRC for i in infos[:3]], 'offsets': [i.header_offset for i in infos[:3]], 'read': [len(archive.read(n)) for n in sys.argv[2:]]}))`

const asPythonSees = async (file: string, ...names: string[]) =>
  JSON.parse((await runProgram(['python3', '-c', PYTHON, file, ...names])).toString())

test('below fflate its own format is chosen, above its limits another', () => {
  const many = (count: number): ZipEntry[] => Array.from({ length: count }, (_, number) => fileOf(`f${number}`, 0))
  expect(plainZipLength([fileOf('a', 4 * GIGABYTE - 65 * MEGABYTE)])).toBeGreaterThan(3 * GIGABYTE)
  expect(plainZipLength([fileOf('a', 4 * GIGABYTE - 64 * MEGABYTE)])).toBeUndefined()
  expect(plainZipLength([fileOf('a', 2 * GIGABYTE), fileOf('b', 2 * GIGABYTE)])).toBeUndefined()
  expect(plainZipLength(many(64_999))).toBeGreaterThan(0)
  expect(plainZipLength(many(65_000))).toBeUndefined()
})

test('a file of more than four gigabytes, and what lies behind it, are found by unzip and by Python', async () => {
  const entries = [fileOf('pack/first', 3), fileOf('pack/large', 4 * GIGABYTE + 5), fileOf('pack/日本', 7)]
  const file = join(folder.path, 'large.zip')
  expect(writeSparse(file, entries, zip64())).toBe(zip64Length(entries))
  const seen = await asPythonSees(file, 'pack/first', 'pack/日本')
  expect(seen).toMatchObject({ count: 3, last: 'pack/日本', sizes: [3, 4 * GIGABYTE + 5, 7], read: [3, 7] })
  expect(seen.offsets[2]).toBeGreaterThan(4 * GIGABYTE)
  expect((await runProgram(['unzip', '-Z', '-l', file])).toString()).toContain(String(4 * GIGABYTE + 5))
  expect((await runProgram(['unzip', '-t', file, 'pack/first', 'pack/日本'])).toString()).toContain('No errors detected')
}, 60_000)

test('seventy thousand entries are found by unzip and by Python', async () => {
  const entries = Array.from({ length: 70_000 }, (_, number) => fileOf(`folder ${number % 70}/${number}`, number % 5))
  const file = join(folder.path, 'many.zip')
  expect(writeSparse(file, entries, zip64())).toBe(zip64Length(entries))
  expect(await asPythonSees(file, 'folder 69/69999')).toMatchObject({ count: 70_000, last: 'folder 69/69999', read: [4] })
  expect((await runProgram(['unzip', '-tq', file])).toString()).toContain('No errors detected')
}, 60_000)

test('both formats say the same of the same entries, and how long they become', async () => {
  const entries: ZipEntry[] = [
    { name: 'a/', mode: 0o040755, modifiedAtMs: MODIFIED_MS, size: 0 },
    { name: 'a/größe', mode: 0o100755, modifiedAtMs: MODIFIED_MS, size: 2 * MEGABYTE + 1 },
    { name: 'a/before MS-DOS', mode: 0o100600, modifiedAtMs: 0, size: 0 },
    { name: 'a/after it', mode: 0o100644, modifiedAtMs: Date.UTC(2200, 0, 1), size: 1 },
  ]
  const listings: string[] = []
  for (const [format, length] of [
    [plainZip(), plainZipLength(entries)],
    [zip64(), zip64Length(entries)],
  ] as const) {
    const file = join(folder.path, `${listings.length}.zip`)
    expect(writeSparse(file, entries, format)).toBe(length ?? -1)
    expect((await runProgram(['unzip', '-t', file])).toString()).toContain('No errors detected')
    const back = join(folder.path, `back-${listings.length}`)
    await runProgram(['unzip', '-q', '-d', back, file])
    listings.push((await runProgram(['find', back, '-printf', '%P %m %Ts %s\n'])).toString().split('\n').slice(1).toSorted().join('\n'))
  }
  expect(listings[0]).toBe(listings[1] ?? '')
  expect(listings[0]).toContain(`a/größe 755 ${MODIFIED_MS / 1000} ${2 * MEGABYTE + 1}`)
})
