import { afterAll, afterEach, beforeAll, beforeEach, expect, mock, test } from 'bun:test'
import * as fs from 'node:fs'
import * as promises from 'node:fs/promises'
import { openFolderInside } from '../../src/media/inside.ts'
import { openKept } from '../../src/media/kept-files.ts'
import { archiveOf } from '../../src/media/zip-stream.ts'
import { makeTree } from '../support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

/** What a slow disk is asked by other threads alone, so that nobody else waits for it. */

const SLOW_MS = 40
const real = { ...fs }
const realPromises = { ...promises }
let isSlow = false
/** Reads and looks that everybody waits for, and reads that other threads wait for. */
let count = { here: 0, elsewhere: 0 }

const counted = <Arguments extends unknown[], Result>(call: (...args: Arguments) => Result) =>
  ((...args: Arguments) => {
    count.here += 1
    return call(...args)
  }) as typeof call

const read = ((...args: Parameters<typeof real.read>) => {
  count.elsewhere += 1
  setTimeout(() => real.read(...args), isSlow ? SLOW_MS : 0)
}) as typeof fs.read

const open = (async (...args: Parameters<typeof realPromises.open>) => {
  if (isSlow) await Bun.sleep(SLOW_MS)
  return realPromises.open(...args)
}) as typeof promises.open

let folder: TemporaryFolder

beforeAll(async () => {
  await mock.module('node:fs', () => ({
    ...real,
    read,
    readSync: counted(real.readSync),
    statSync: counted(real.statSync),
    openSync: counted(real.openSync),
    closeSync: counted(real.closeSync),
  }))
  await mock.module('node:fs/promises', () => ({ ...realPromises, open }))
})
afterAll(async () => {
  await mock.module('node:fs', () => real)
  await mock.module('node:fs/promises', () => realPromises)
})
beforeEach(async () => {
  folder = await temporaryFolder('slow-disk')
  makeTree(folder.path, { 'My.app': { 'a.bin': 5_000_000, 'b.txt': 'b' }, film: 'film' })
  isSlow = false
  count = { here: 0, elsewhere: 0 }
})
afterEach(() => folder.remove())

const openArchive = async () => {
  const archive = await archiveOf(await openFolderInside(folder.path, 'My.app'), 'My.app')
  const reader = archive
    .stream((error) => {
      throw error
    })
    .getReader()
  let bytes = 0
  const readOn = async (): Promise<boolean> => {
    const { value, done } = await reader.read()
    bytes += value?.length ?? 0
    return !done
  }
  return { archive, readOn, bytes: () => bytes }
}

test('a bundle on a slow disk is read by other threads, all of it', async () => {
  isSlow = true
  const { archive, readOn, bytes } = await openArchive()
  while (await readOn());
  expect(bytes()).toBe(archive.length)
  expect(count.elsewhere).toBeGreaterThanOrEqual(39)
  expect(count.here).toBe(0)
})

test('a bundle on a quick disk is read in between, until nobody has read from it for a while', async () => {
  // So many reads that sixteen in a row are quick on a busy machine as well.
  makeTree(folder.path, { 'My.app': { 'a.bin': 60_000_000 } })
  const { archive, readOn, bytes } = await openArchive()
  while (count.here < 10 && (await readOn()));
  const before = count.elsewhere
  expect(before).toBeLessThan(400)
  await Bun.sleep(1100)
  const here = count.here
  for (let times = 0; times < 2; times += 1) await readOn()
  expect(count).toEqual({ here, elsewhere: before + 2 })
  while (await readOn());
  expect(bytes()).toBe(archive.length)
})

test('the name of a file that took long to open is not looked at where everybody waits for it', async () => {
  const readOnce = async (): Promise<void> => {
    const { handle } = await openKept(folder.path, 'film')
    await handle.close()
  }
  isSlow = true
  for (let times = 0; times < 3; times += 1) await readOnce()
  expect(count.here).toBe(0)
})
