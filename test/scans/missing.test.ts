import { afterAll, beforeAll, expect, test } from 'bun:test'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

/** What is no longer on disk is kept, hidden, comes back, and is forgotten only when somebody says so. */

let scene: ScanScene
const LOOSE_ARCHIVES = 1_100
const WARNINGS_KEPT = 1_000

beforeAll(async () => {
  const loose = Object.fromEntries(Array.from({ length: LOOSE_ARCHIVES }, (_, i) => [`loose ${i}.zip`, 1]))
  scene = await startScene({
    mixed: {
      'stays.txt': 11,
      'comes back.txt': 12,
      'comes back elsewhere.txt': 13,
      'is purged.txt': 14,
      album: { 'one.jpg': 15, 'two.jpg': 16 },
    },
    tv: { Firefly: { 'Season 1': { 'S01E01.mkv': 100, 'S01E02.mkv': 101 }, 'Season 2': { 'S02E01.mkv': 102 } } },
    games: { ...loose, Doom: { 'doom.zip': 20, Ultimate: { 'ultimate.zip': 30 } } },
    movies: { 'loose.mkv': 5, 'Only text': { 'readme.txt': 'x' }, 'Alien (1979)': { 'Alien.mkv': 50 } },
  })
})
afterAll(() => scene[Symbol.asyncDispose]())

const key = (name: string): string => `mixed_file:${scene.idOf('mixed')}:${name}`
const path = (name: string): string => join(scene.rootOf('mixed'), name)
const away = (name: string): string => join(scene.folder, name)
const getItem = async (itemKey: string): Promise<Json> => (await scene.admin.get('/api/items', { itemKey })).body.item
const listMissing = async (type: 'mixed' | 'tv'): Promise<string[]> =>
  (await scene.admin.get('/api/browse', { libraryId: scene.idOf(type), missing: 1 })).body.entries
    .map(({ itemKey }: Json) => itemKey)
    .sort()

test('a file that is gone is hidden from lists and counts, with all that people put on it kept, and comes back with it', async () => {
  const name = 'comes back.txt'
  await scene.index.mark({ [key(name)]: 'back' })
  const before = { marks: await scene.index.marks(), item: await getItem(key(name)), keys: await scene.keys('mixed') }
  renameSync(path(name), away(name))
  expect(await scene.scan('mixed')).toEqual({ status: 'done', found: 5, missing: 1 })
  expect(await scene.keys('mixed')).toEqual(before.keys.filter((each) => each !== key(name)))
  const { total } = (await scene.admin.get('/api/browse', { libraryId: scene.idOf('mixed') })).body
  expect(total).toBe(5)
  expect((await scene.admin.get(`/api/libraries/${scene.idOf('mixed')}`)).body.library.itemCount).toBe(5)
  expect(await getItem(key(name))).toMatchObject({
    missingSince: expect.stringMatching(/Z$/),
    description: 'description of back',
    tags: [{ name: 'back' }],
  })
  expect(await listMissing('mixed')).toEqual([key(name)])
  // Missing once is missing: the next scan counts nothing again.
  expect(await scene.scan('mixed')).toEqual({ status: 'done', found: 5 })
  renameSync(away(name), path(name))
  expect(await scene.scan('mixed')).toEqual({ status: 'done', found: 6, restored: 1 })
  expect(await scene.keys('mixed')).toEqual(before.keys)
  expect(await scene.index.marks()).toEqual(before.marks)
  expect(await getItem(key(name))).toEqual(before.item)
})

test('missing items are for administrators to list', async () => {
  const user = await scene.server.as('member')
  expect((await user.get('/api/browse', { libraryId: scene.idOf('mixed'), missing: 1 })).status).toBe(403)
})

test('a file that comes back under another name and in another folder is the same item', async () => {
  const name = 'comes back elsewhere.txt'
  await scene.index.mark({ [key(name)]: 'elsewhere' })
  const { elsewhere: before } = await scene.index.marks()
  renameSync(path(name), away(name))
  await scene.scan('mixed')
  renameSync(away(name), path('album/new name.txt'))
  expect(await scene.scan('mixed')).toEqual({ status: 'done', found: 6, moved: 1, restored: 1 })
  expect((await scene.index.marks()).elsewhere).toEqual({ id: before?.id ?? 0, itemKey: key('album/new name.txt'), isMissing: false })
  expect(await listMissing('mixed')).toEqual([])
})

test('a series that is gone takes its seasons and episodes along, one by one, and brings them back', async () => {
  const id = scene.idOf('tv')
  const [series, season, episode] = [
    `tv_series:${id}:Firefly`,
    `tv_season:${id}:Firefly/Season 1`,
    `tv_episode:${id}:Firefly/Season 1/S01E01.mkv`,
  ]
  await scene.index.mark({ [series]: 'series', [season]: 'season', [episode]: 'episode' })
  const before = { marks: await scene.index.marks(), keys: await scene.keys('tv') }
  const root = scene.rootOf('tv')
  renameSync(join(root, 'Firefly/Season 2'), away('Season 2'))
  expect(await scene.scan('tv')).toMatchObject({ missing: 2 })
  expect(await listMissing('tv')).toEqual([`tv_episode:${id}:Firefly/Season 2/S02E01.mkv`, `tv_season:${id}:Firefly/Season 2`])
  expect((await getItem(series)).seasonCount).toBe(1)
  // Something else must stay in the root: an empty one is an absent disk.
  makeTree(root, { Other: { 'S01E01.mkv': 7 } })
  renameSync(join(root, 'Firefly'), away('Firefly'))
  expect(await scene.scan('tv')).toEqual({ status: 'done', found: 3, added: 3, missing: 4 })
  expect((await scene.keys('tv')).every((each) => each.includes('Other'))).toBe(true)
  renameSync(away('Season 2'), join(away('Firefly'), 'Season 2'))
  renameSync(away('Firefly'), join(root, 'Firefly'))
  expect(await scene.scan('tv')).toEqual({ status: 'done', found: 9, restored: 6 })
  expect(await scene.index.marks()).toEqual(before.marks)
  expect(await scene.keys('tv')).toEqual(expect.arrayContaining(before.keys))
  expect((await getItem(series)).seasonCount).toBe(2)
})

test('purging a series counts it with its seasons and episodes', async () => {
  const series = join(scene.rootOf('tv'), 'Purged')
  makeTree(series, { 'Season 1/Purged S01E01.mkv': 5, 'Season 1/Purged S01E02.mkv': 6, 'Season 2/Purged S02E01.mkv': 7 })
  await scene.scan('tv')
  const before = await scene.keys('tv')
  rmSync(series, { recursive: true })
  await scene.scan('tv')
  const { body } = await scene.admin.post(`/api/libraries/${scene.idOf('tv')}/purge-missing`)
  expect(body).toEqual({ purged: 6 })
  expect(await scene.keys('tv')).toEqual(before.filter((each) => !each.includes('Purged')))
})

test('purging forgets what is missing and nothing else; a purged file that comes back is a new one', async () => {
  const name = 'is purged.txt'
  await scene.index.mark({ [key(name)]: 'purged', [key('stays.txt')]: 'stays' })
  const { purged: old } = await scene.index.marks()
  const kept = await scene.keys('mixed')
  renameSync(path(name), away(name))
  rmSync(path('album/one.jpg'))
  await scene.scan('mixed')
  const purge = () => scene.admin.post(`/api/libraries/${scene.idOf('mixed')}/purge-missing`)
  expect((await purge()).body).toEqual({ purged: 2 })
  expect((await purge()).body).toEqual({ purged: 0 })
  expect((await scene.admin.get('/api/items', { itemKey: key(name) })).status).toBe(404)
  expect(await listMissing('mixed')).toEqual([])
  expect(Object.keys(await scene.index.marks()).sort()).toEqual(['back', 'elsewhere', 'episode', 'season', 'series', 'stays'])
  renameSync(away(name), path(name))
  expect(await scene.scan('mixed')).toEqual({ status: 'done', found: 5, added: 1 })
  expect(await scene.keys('mixed')).toEqual(kept.filter((each) => each !== key('album/one.jpg')))
  expect(await getItem(key(name))).toMatchObject({ tags: [], description: null })
  const [row] = await scene.index.query<{ id: number }>('SELECT id FROM media_items WHERE item_key = ?', [key(name)])
  expect(row?.id).toBeGreaterThan(old?.id ?? 0)
})

test('warnings name their place relative to the root and their kind', async () => {
  const { scans } = (await scene.admin.get('/api/scans', { libraryId: scene.idOf('movies') })).body
  expect(scans[0]).toMatchObject({ warningCount: 2, found: 1 })
  expect(scans[0].warnings.map(({ path: place, code }: Json) => [place, code]).sort()).toEqual([
    ['Only text', 'no_video'],
    ['loose.mkv', 'loose_file'],
  ])
  for (const { message } of scans[0].warnings) expect(message.length).toBeGreaterThan(10)
  expect(JSON.stringify(scans)).not.toContain(scene.folder)
})

test('all warnings are counted, and the first thousand are kept', async () => {
  const { scans } = (await scene.admin.get('/api/scans', { libraryId: scene.idOf('games') })).body
  expect(scans[0]).toMatchObject({ status: 'done', found: 1, warningCount: LOOSE_ARCHIVES + 1 })
  expect(scans[0].warnings.length).toBe(WARNINGS_KEPT)
  expect(await scene.keys('games')).toEqual([`game:${scene.idOf('games')}:Doom`])
})

test('people without administration see neither warnings nor errors of the last scan', async () => {
  const user = await scene.server.as('member')
  const { libraries } = (await user.get('/api/libraries')).body
  for (const { lastScan } of libraries) expect(lastScan).toMatchObject({ warnings: [], error: null })
})
