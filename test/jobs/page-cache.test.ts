import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPageCache } from '../../src/jobs/page-cache.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const page = (fill: number): Uint8Array => new Uint8Array(100).fill(fill)

test('it never keeps more than it may, and what was asked for the longest ago goes first', async () => {
  await using folder = await temporaryFolder('page-cache')
  const cache = createPageCache(join(folder.path, 'pages'), 350)
  for (const number of [1, 2, 3]) await cache.keep(`${number}.webp`, page(number))
  expect(await cache.get('1.webp')).toEqual(Buffer.from(page(1)))
  await cache.keep('4.webp', page(4))
  expect(readdirSync(join(folder.path, 'pages')).sort()).toEqual(['1.webp', '3.webp', '4.webp'])
  expect(await cache.get('2.webp')).toBeUndefined()
})

test('what a former run has kept counts, and what somebody removed is made again', async () => {
  await using folder = await temporaryFolder('page-cache')
  const pages = join(folder.path, 'pages')
  mkdirSync(pages)
  for (const name of ['a.webp', 'b.webp']) writeFileSync(join(pages, name), page(1))
  writeFileSync(join(pages, 'cut short.webp'), '')
  const cache = createPageCache(pages, 250)
  expect(await cache.get('cut short.webp')).toBeUndefined()
  expect(await cache.get('a.webp')).toBeDefined()
  rmSync(join(pages, 'a.webp'))
  expect(await cache.get('a.webp')).toBeUndefined()
  await cache.keep('c.webp', page(3))
  await cache.keep('d.webp', page(4))
  expect(readdirSync(pages).sort()).toEqual(['c.webp', 'cut short.webp', 'd.webp'])
})

test('where nothing can be kept there is nothing, until it can', async () => {
  await using folder = await temporaryFolder('page-cache')
  const pages = join(folder.path, 'pages')
  writeFileSync(pages, 'no folder')
  const cache = createPageCache(pages, 250)
  expect(await cache.get('a.webp')).toBeUndefined()
  await expect(cache.keep('a.webp', page(1))).rejects.toThrow()
  rmSync(pages)
  await cache.keep('a.webp', page(1))
  expect(await cache.get('a.webp')).toEqual(Buffer.from(page(1)))
})

test('what cannot be kept leaves nothing behind', async () => {
  await using folder = await temporaryFolder('page-cache')
  const pages = join(folder.path, 'pages')
  mkdirSync(join(pages, 'a.webp', 'in the way'), { recursive: true })
  const cache = createPageCache(pages, 250)
  await expect(cache.keep('a.webp', page(1))).rejects.toThrow()
  expect(readdirSync(pages)).toEqual(['a.webp'])
})
