import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOddFiles, makeOddFolders, ODD_NAMES, oddFiles } from './odd-names.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('the forty odd names stand on disk byte for byte, none of them twice', async () => {
  await using root = await temporaryFolder('odd')
  makeOddFiles(root.path, '.jpg')
  const onDisk = readdirSync(root.path, { encoding: 'buffer' }).map((name) => name.toString('hex'))
  expect(onDisk.toSorted()).toEqual(ODD_NAMES.map(({ bytes }) => bytes('.jpg').toString('hex')).toSorted())
  expect(onDisk).toHaveLength(40)
})

test('only the names marked undecodable are no UTF-8', () => {
  const isDecodable = (bytes: Buffer): boolean => Buffer.from(bytes.toString()).equals(bytes)
  for (const { fate, bytes } of ODD_NAMES) expect(isDecodable(bytes(''))).toBe(fate !== 'undecodable')
})

test('the longest names are 255 bytes with and without a suffix', () => {
  const sizes = ODD_NAMES.filter(({ label }) => label.startsWith('255')).flatMap(({ bytes }) => [bytes('').length, bytes('.jpg').length])
  expect(sizes).toEqual([255, 255, 255, 255])
})

test('odd folders hold their file', async () => {
  await using root = await temporaryFolder('odd')
  for (const { name } of makeOddFolders(root.path, 'film.mkv', 'film')) {
    if (name !== undefined) expect(readFileSync(join(root.path, name, 'film.mkv'), 'utf8')).toBe('film')
  }
  expect(oddFiles('').filter(({ fate }) => fate === 'indexed')).toHaveLength(35)
})
