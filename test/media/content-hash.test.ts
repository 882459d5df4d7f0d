import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { partialHash } from '../../src/media/content-hash.ts'
import { processorMs } from '../support/processor-time.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

const KIB = 1024
let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('hash')
})
afterAll(() => folder.remove())

const write = (name: string, bytes: Uint8Array): string => {
  const file = join(folder.path, name)
  writeFileSync(file, bytes)
  return file
}

test('a link is not followed, and a missing file throws', async () => {
  const target = write('target', Buffer.from('x'))
  symlinkSync(target, join(folder.path, 'link'))
  await expect(partialHash(join(folder.path, 'link'))).rejects.toThrow('ELOOP')
  await expect(partialHash(join(folder.path, 'missing'))).rejects.toThrow('ENOENT')
})

test('the hash is SHA-256 over size, head and tail, as kept in databases since the first version', async () => {
  const bytes = Buffer.alloc(300 * KIB, 'abc')
  const expected = createHash('sha256')
    .update(`${bytes.length}\n`)
    .update(bytes.subarray(0, 64 * KIB))
    .update(bytes.subarray(-64 * KIB))
    .digest('hex')
  expect(await partialHash(write('large', bytes))).toBe(expected.slice(0, 32))
  expect(await partialHash(write('empty', new Uint8Array(0)))).toBe(createHash('sha256').update('0\n').digest('hex').slice(0, 32))
})

test('one byte more, or another byte in head or tail, is another hash', async () => {
  const bytes = Buffer.alloc(300 * KIB)
  const changed = (at: number): Uint8Array => {
    const copy = Buffer.from(bytes)
    copy[at] = 1
    return copy
  }
  const variants = [
    bytes,
    Buffer.alloc(300 * KIB + 1),
    changed(0),
    changed(64 * KIB - 1),
    changed(300 * KIB - 64 * KIB),
    changed(300 * KIB - 1),
  ]
  const hashes = await Promise.all(variants.map((variant, index) => partialHash(write(`v${index}`, variant))))
  expect(new Set(hashes).size).toBe(variants.length)
})

test('every byte of a file of up to 128 KiB counts', async () => {
  for (const at of [0, 63 * KIB, 64 * KIB, 65 * KIB, 100 * KIB - 1]) {
    const bytes = Buffer.alloc(100 * KIB)
    const before = await partialHash(write('small', bytes))
    bytes[at] = 1
    expect(await partialHash(write('small', bytes))).not.toBe(before)
  }
})

test('a film of 100 GiB is hashed without being read', async () => {
  const file = write('film', Buffer.from('start'))
  truncateSync(file, 100 * KIB ** 3)
  const startedAt = processorMs()
  expect(await partialHash(file)).toMatch(/^[0-9a-f]{32}$/)
  expect(processorMs() - startedAt).toBeLessThan(1000)
})
