import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPageCache } from '../../src/jobs/page-cache.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const page = (fill: number): Uint8Array => new Uint8Array(100).fill(fill)

/** Of a page of this version of an item. */
const name = (version: number | string): string => `1-${version}-0-640.webp`

test('it never keeps more than it may, and what was asked for the longest ago goes first', async () => {
  await using folder = await temporaryFolder('page-cache')
  const cache = createPageCache(join(folder.path, 'pages'), 350)
  for (const number of [1, 2, 3]) await cache.keep(name(number), page(number))
  expect(await cache.get(name(1))).toEqual(Buffer.from(page(1)))
  await cache.keep(name(4), page(4))
  expect(readdirSync(join(folder.path, 'pages')).sort()).toEqual([name(1), name(3), name(4)])
  expect(await cache.get(name(2))).toBeUndefined()
})

test('what a former run has kept counts, and what somebody removed is made again', async () => {
  await using folder = await temporaryFolder('page-cache')
  const pages = join(folder.path, 'pages')
  mkdirSync(pages)
  for (const version of ['a', 'b']) writeFileSync(join(pages, name(version)), page(1))
  writeFileSync(join(pages, name('cut short')), '')
  const cache = createPageCache(pages, 250)
  expect(await cache.get(name('cut short'))).toBeUndefined()
  expect(await cache.get(name('a'))).toBeDefined()
  rmSync(join(pages, name('a')))
  expect(await cache.get(name('a'))).toBeUndefined()
  await cache.keep(name('c'), page(3))
  await cache.keep(name('d'), page(4))
  expect(readdirSync(pages).sort()).toEqual([name('c'), name('cut short'), name('d')])
})

test('what somebody else keeps there neither counts nor goes; what a crash left half written does', async () => {
  await using folder = await temporaryFolder('page-cache')
  const pages = join(folder.path, 'pages')
  const theirs = ['book.pdf', 'cover.webp', '1-a.webp', '.notes']
  mkdirSync(join(pages, 'shelf'), { recursive: true })
  for (const theirName of theirs) writeFileSync(join(pages, theirName), page(1))
  writeFileSync(join(pages, '.1-1.tmp'), page(1))
  const cache = createPageCache(pages, 250)
  for (const version of ['a', 'b', 'c']) await cache.keep(name(version), page(2))
  expect(readdirSync(pages).toSorted()).toEqual([...theirs, 'shelf', name('b'), name('c')].toSorted())
})

test('where nothing can be kept there is nothing, until it can', async () => {
  await using folder = await temporaryFolder('page-cache')
  const pages = join(folder.path, 'pages')
  writeFileSync(pages, 'no folder')
  const cache = createPageCache(pages, 250)
  expect(await cache.get(name('a'))).toBeUndefined()
  await expect(cache.keep(name('a'), page(1))).rejects.toThrow()
  rmSync(pages)
  await cache.keep(name('a'), page(1))
  expect(await cache.get(name('a'))).toEqual(Buffer.from(page(1)))
})

test('what cannot be kept leaves nothing behind', async () => {
  await using folder = await temporaryFolder('page-cache')
  const pages = join(folder.path, 'pages')
  mkdirSync(join(pages, name('a'), 'in the way'), { recursive: true })
  const cache = createPageCache(pages, 250)
  await expect(cache.keep(name('a'), page(1))).rejects.toThrow()
  expect(readdirSync(pages)).toEqual([name('a')])
})
