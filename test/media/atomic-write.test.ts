import { afterEach, beforeEach, expect, test } from 'bun:test'
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../src/media/atomic-write.ts'
import { openFolderInside } from '../../src/media/inside.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
let file: string
beforeEach(async () => {
  folder = await temporaryFolder('write')
  file = join(folder.path, 'cover.jpg')
})
afterEach(() => folder.remove())

const NEW = Buffer.from('new picture')

test('a link in the place of the file is replaced, and what it leads to stays as it was', async () => {
  const outside = join(folder.path, 'outside.txt')
  writeFileSync(outside, 'precious')
  symlinkSync(outside, file)
  await writeAtomic(file, NEW)
  expect(readFileSync(outside, 'utf8')).toBe('precious')
  expect(lstatSync(file).isSymbolicLink()).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('new picture')
})

test('content that fails half way leaves the old file and nothing else', async () => {
  writeFileSync(file, 'old picture')
  const failing = async function* (): AsyncGenerator<Uint8Array> {
    yield NEW
    throw new Error('the upload broke off')
  }
  await expect(writeAtomic(file, failing())).rejects.toThrow('the upload broke off')
  expect(readFileSync(file, 'utf8')).toBe('old picture')
  expect(readdirSync(folder.path)).toEqual(['cover.jpg'])
})

test('what a crash left behind goes with the next write; what may still be written, and what is not ours, stays', async () => {
  const names = ['.vitrine-0123456789abcdef0123456789abcdef.tmp', '.vitrine-notes.tmp', '.vitrine-trash-1-0123abcd', 'photo.tmp']
  for (const name of [...names, '.vitrine-fedcba9876543210fedcba9876543210.tmp']) writeFileSync(join(folder.path, name), 'half')
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  for (const name of names) utimesSync(join(folder.path, name), longAgo, longAgo)
  await writeAtomic(file, NEW)
  expect(readdirSync(folder.path).sort()).toEqual([...names.slice(1), '.vitrine-fedcba9876543210fedcba9876543210.tmp', 'cover.jpg'].sort())
})

test('a folder in the place of the file, or no folder to write to, throws and leaves nothing', async () => {
  mkdirSync(file)
  await expect(writeAtomic(file, NEW)).rejects.toThrow()
  await expect(writeAtomic(join(folder.path, 'nowhere/cover.jpg'), NEW)).rejects.toThrow('ENOENT')
  expect(readdirSync(folder.path)).toEqual(['cover.jpg'])
})

test('a name that is taken is not taken again where the caller wants a new one', async () => {
  const names = await Promise.allSettled(
    Array.from({ length: 20 }, (_, number) => writeAtomic(file, Buffer.from([number]), { replaces: false })),
  )
  expect(names.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refusals = names.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  expect(refusals.every((reason) => reason.includes('EEXIST'))).toBe(true)
  expect(readdirSync(folder.path)).toEqual(['cover.jpg'])
  expect(lstatSync(file).size).toBe(1)
})

/** Runs in a mount namespace of its own, on a disk of 64 KiB that already holds a cover. */
const ON_A_FULL_DISK = `
const { readFileSync, readdirSync, writeFileSync } = require('node:fs')
const { writeAtomic } = require(process.argv[1])
const file = process.argv[2] + '/cover.jpg'
writeFileSync(file, 'old picture')
const code = await writeAtomic(file, new Uint8Array(1_000_000)).then(() => 'written', (error) => error.code)
console.log(JSON.stringify({ code, old: readFileSync(file, 'utf8'), names: readdirSync(process.argv[2]) }))`

test('a full disk leaves the old file, no empty one and no temporary one', async () => {
  const module = join(import.meta.dir, '../../src/media/atomic-write.ts')
  const script = `mount -t tmpfs -o size=64k tmpfs "$4" && exec "$1" -e "$2" "$3" "$4"`
  const child = Bun.spawn(['unshare', '-Urm', 'sh', '-c', script, 'sh', process.execPath, ON_A_FULL_DISK, module, folder.path], {
    stderr: 'pipe',
  })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(errors).toBe('')
  expect(JSON.parse(output)).toEqual({ code: 'ENOSPC', old: 'old picture', names: ['cover.jpg'] })
})

test('readers see the old file or the new one, whole', async () => {
  const contents = [1, 2].map((number) => new Uint8Array(300_000).fill(number))
  await writeAtomic(file, contents[0] ?? NEW)
  let isWriting = true
  const torn: number[] = []
  const read = async (): Promise<void> => {
    for (; isWriting; await Bun.sleep(0)) {
      const bytes = readFileSync(file)
      if (bytes.length !== 300_000 || bytes[0] !== bytes.at(-1)) torn.push(bytes.length)
    }
  }
  const reader = read()
  for (let round = 0; round < 40; round += 1) await writeAtomic(file, contents[round % 2] ?? NEW)
  isWriting = false
  await reader
  expect(torn).toEqual([])
})

test('a stream is written whole, through the stable path of a folder too', async () => {
  const opened = await openFolderInside(folder.path, '')
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < 3_000_000; sent += 100_000) yield Buffer.alloc(100_000, 7)
  }
  await writeAtomic(join(opened.stablePath, 'cover.jpg'), chunks())
  await opened.handle.close()
  expect(readFileSync(file).equals(Buffer.alloc(3_000_000, 7))).toBe(true)
  expect(readdirSync(folder.path)).toEqual(['cover.jpg'])
})
