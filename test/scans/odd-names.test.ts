import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import type { Json } from '../support/http-client.ts'
import { makeOddFiles, makeOddFolders, type OddFile, oddFiles } from '../support/odd-names.ts'
import { listEntries, outcomeOf, type ScanScene, startScene } from '../support/scan-scene.ts'

/** Forty names that real folders hold: each is indexed once, served byte for byte, and stays what it is. */

const SUFFIX = '.txt'
const CONTENT = 'This is '
const IN_FOLDER = 'inside.txt'

/** The one file in each oddly named folder, and what the folder is to the library. */
const FOLDERS: Record<
  Exclude<LibraryType, 'mixed'>,
  { fileName: string; keyOf: (id: number, name: string) => string; itemsEach: number }
> = {
  movies: { fileName: 'film.mkv', keyOf: (id, name) => `movie:${id}:${name}`, itemsEach: 1 },
  games: { fileName: 'game.zip', keyOf: (id, name) => `game:${id}:${name}`, itemsEach: 1 },
  tv: { fileName: 'S01E01.mkv', keyOf: (id, name) => `tv_episode:${id}:${name}/S01E01.mkv`, itemsEach: 3 },
  manga: { fileName: 'v01.cbz', keyOf: (id, name) => `manga_volume:${id}:${name}/v01.cbz`, itemsEach: 2 },
}
const FOLDER_TYPES = Object.keys(FOLDERS) as (keyof typeof FOLDERS)[]

let scene: ScanScene

const named = (files: readonly OddFile[], fate: OddFile['fate']): { label: string; name: string }[] =>
  files.flatMap((file) => (file.fate === fate && file.name !== undefined ? [{ label: file.label, name: file.name }] : []))

const INDEXED_FILES = named(oddFiles(SUFFIX), 'indexed')
const INDEXED_FOLDERS = named(oddFiles(''), 'indexed')
const UNDECODABLE = oddFiles('').filter(({ fate }) => fate === 'undecodable').length

beforeAll(async () => {
  scene = await startScene({ mixed: {}, movies: {}, games: {}, tv: {}, manga: {} })
  makeOddFiles(scene.rootOf('mixed'), SUFFIX, CONTENT)
  makeOddFolders(join(scene.rootOf('mixed'), 'folders'), IN_FOLDER, '')
  for (const { name, label } of INDEXED_FOLDERS) writeFileSync(join(scene.rootOf('mixed'), 'folders', name, IN_FOLDER), `In ${label}`)
  for (const type of FOLDER_TYPES) {
    makeOddFolders(scene.rootOf(type), FOLDERS[type].fileName, '')
    for (const { name, label } of INDEXED_FOLDERS)
      writeFileSync(join(scene.rootOf(type), name, FOLDERS[type].fileName), `${type} of ${label}`)
  }
})
afterAll(() => scene[Symbol.asyncDispose]())

const firstScans = new Map<LibraryType, Json>()
const scanWhole = async (type: LibraryType): Promise<Json> => scene.server.scanAndWait(scene.idOf(type))
const getItem = async (itemKey: string): Promise<Json> => (await scene.admin.get('/api/items', { itemKey })).body.item
const getBytes = async (itemKey: string): Promise<string> => {
  const response = await scene.admin.fetch(`/api/files?${new URLSearchParams({ itemKey, download: '1' })}`)
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=/)
  return `${response.status} ${await response.text()}`
}

test('forty names are forty names, of which four are no text and one is hidden', () => {
  expect([oddFiles('').length, INDEXED_FILES.length, INDEXED_FOLDERS.length, UNDECODABLE]).toEqual([40, 35, 35, 4])
})

test('every odd file and folder of a mixed library is indexed once, and the undecodable ones are warnings', async () => {
  const scan = await scanWhole('mixed')
  firstScans.set('mixed', scan)
  const found = 2 * INDEXED_FILES.length
  expect(outcomeOf(scan)).toEqual({ status: 'done', found, added: found, warningCount: 2 * UNDECODABLE })
  expect(scan.warnings.map(({ code }: Json) => code)).toEqual(Array(2 * UNDECODABLE).fill('undecodable_name'))
  expect(scan.warnings.filter(({ path }: Json) => path.startsWith('folders/')).length).toBe(UNDECODABLE)
  const id = scene.idOf('mixed')
  const expected = [
    ...INDEXED_FILES.map(({ name }) => `mixed_file:${id}:${name}`),
    ...INDEXED_FOLDERS.map(({ name }) => `mixed_file:${id}:folders/${name}/${IN_FOLDER}`),
  ]
  expect(await scene.keys('mixed')).toEqual(expected.sort())
})

describe.each(INDEXED_FILES)('a file named by $label', ({ name, label }) => {
  test('is an item under its own name and serves its own bytes', async () => {
    const itemKey = `mixed_file:${scene.idOf('mixed')}:${name}`
    expect(await getItem(itemKey)).toMatchObject({ itemKey, title: name, filePath: name, size: Buffer.byteLength(CONTENT + label) })
    expect(await getBytes(itemKey)).toBe(`200 ${CONTENT}${label}`)
  })
})

describe.each(INDEXED_FOLDERS)('a folder named by $label', ({ name, label }) => {
  test('is a folder of a mixed library, and its file is served', async () => {
    const libraryId = scene.idOf('mixed')
    const { folders } = (await scene.admin.get('/api/mixed/folders', { libraryId, path: 'folders' })).body
    expect(folders.filter((folder: Json) => folder.name === name)).toEqual([{ name, path: `folders/${name}`, itemCount: 1 }])
    const { entries } = (await scene.admin.get('/api/browse', { libraryId, path: `folders/${name}` })).body
    expect(entries.map(({ itemKey }: Json) => itemKey)).toEqual([`mixed_file:${libraryId}:folders/${name}/${IN_FOLDER}`])
    expect(await getBytes(entries[0].itemKey)).toBe(`200 In ${label}`)
  })
})

test.each(FOLDER_TYPES)('every odd folder of a %s library is one item, titled as it is named, that serves its own bytes', async (type) => {
  const { keyOf, itemsEach } = FOLDERS[type]
  const id = scene.idOf(type)
  const scan = await scanWhole(type)
  firstScans.set(type, scan)
  const found = itemsEach * INDEXED_FOLDERS.length
  expect(outcomeOf(scan)).toEqual({ status: 'done', found, added: found, warningCount: UNDECODABLE })
  const entries = await listEntries(scene.admin, { libraryId: id })
  expect(entries.length).toBe(found)
  const titles = entries.filter(({ parentKey }) => parentKey === null).map(({ title }) => title)
  expect(titles.sort()).toEqual(INDEXED_FOLDERS.map(({ name }) => name).sort())
  const keys = new Set(entries.map(({ itemKey }) => itemKey))
  for (const { name, label } of INDEXED_FOLDERS) {
    const itemKey = keyOf(id, name)
    expect({ label, isListed: keys.has(itemKey) }).toEqual({ label, isListed: true })
    expect((await getItem(itemKey)).itemKey).toBe(itemKey)
    expect(await getBytes(itemKey)).toBe(`200 ${type} of ${label}`)
  }
})

test.each(['mixed', ...FOLDER_TYPES] as const)('a second scan of the %s library changes nothing and warns of the same', async (type) => {
  const first = firstScans.get(type)
  const before = await scene.index.dump()
  const again = await scanWhole(type)
  expect(outcomeOf(again)).toEqual({ status: 'done', found: first.found, warningCount: first.warningCount })
  expect(again.warnings).toEqual(first.warnings)
  expect(await scene.index.dump()).toEqual(before)
})

test('the log stays one JSON line an event, whatever the names are', () => {
  // The one other line is for people: the address.
  const lines = scene.server
    .output()
    .trimEnd()
    .split('\n')
    .filter((line) => !/^\w+ .*http:/.test(line))
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) {
    expect(JSON.parse(line)).toHaveProperty('event')
    expect(line).not.toMatch(/[\u0000-\u001f\u007f]/)
  }
})
