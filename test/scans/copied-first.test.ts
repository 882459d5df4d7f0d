import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import { makeTree, type Tree } from '../support/library-tree.ts'
import { listEntries, type ScanScene, startScene } from '../support/scan-scene.ts'

/**
 * What is copied to its new place, scanned, and only then deleted in the old one is the same item, although the copy was
 * an item of its own in between. What somebody has touched meanwhile, and what cannot be told, stays as it is.
 */

let scene: ScanScene

beforeAll(async () => {
  scene = await startScene({
    movies: { 'Always (1989)': { 'Always.mkv': 900 } },
    tv: { Always: { 'Season 1': { 'Always S01E01.mkv': 901 } } },
    manga: { Always: { 'Always v01.cbz': 902 } },
    games: { Always: { 'always.zip': 903 } },
    mixed: { 'always.txt': 'always' },
  })
})
afterAll(() => scene[Symbol.asyncDispose]())

const at = (type: LibraryType, path: string): string => join(scene.rootOf(type), path)
/** `<item_type>:<path>` as a key. */
const keyOf = (type: LibraryType, place: string): string => place.replace(':', `:${scene.idOf(type)}:`)
const copy = (type: LibraryType, from: string, to: string): void => {
  mkdirSync(dirname(at(type, to)), { recursive: true })
  cpSync(at(type, from), at(type, to), { recursive: true })
}
const remove = (type: LibraryType, path: string): void => rmSync(at(type, path), { recursive: true })

/** Has a tree scanned and read, and puts a mark on each place, named as the place. */
const prepare = async (type: LibraryType, tree: Tree, marked: string[]): Promise<void> => {
  makeTree(scene.rootOf(type), tree)
  await scene.scan(type)
  await scene.index.waitForHashes()
  await scene.index.mark(Object.fromEntries(marked.map((place) => [keyOf(type, place), place])))
}

const placesOf = async (type: LibraryType, ...names: string[]): Promise<Record<string, string>> => {
  const marks = await scene.index.marks()
  const placeOf = (name: string): string => {
    const mark = marks[name]
    return !mark ? 'torn apart' : mark.isMissing ? 'missing' : mark.itemKey.replace(`:${scene.idOf(type)}:`, ':')
  }
  return Object.fromEntries(names.map((name) => [name, placeOf(name)]))
}

interface Case {
  type: LibraryType
  what: string
  tree: Tree
  from: string
  to: string
  /** What is marked, and where the mark is afterwards. */
  places: Record<string, string>
}

const CASES: Case[] = [
  {
    type: 'mixed',
    what: 'a file',
    tree: { 'old/picture.bin': 'of the file' },
    from: 'old/picture.bin',
    to: 'new/other name.bin',
    places: { 'mixed_file:old/picture.bin': 'mixed_file:new/other name.bin' },
  },
  {
    type: 'movies',
    what: 'a film',
    tree: { 'Alien (1979)': { 'Alien.mkv': 1001, 'poster.jpg': 51 } },
    from: 'Alien (1979)',
    to: 'Crime/Alien - Directors Cut (1979)',
    places: { 'movie:Alien (1979)': 'movie:Crime/Alien - Directors Cut (1979)' },
  },
  {
    type: 'tv',
    what: 'a series with its seasons',
    tree: {
      'Firefly (2002)': {
        'Season 1': { 'Firefly S01E01.mkv': 1101, 'Firefly S01E02.mkv': 1102 },
        'Season 2': { 'Firefly S02E01.mkv': 1103 },
      },
    },
    from: 'Firefly (2002)',
    to: 'Serenity',
    places: {
      'tv_series:Firefly (2002)': 'tv_series:Serenity',
      'tv_season:Firefly (2002)/Season 1': 'tv_season:Serenity/Season 1',
      'tv_season:Firefly (2002)/Season 2': 'tv_season:Serenity/Season 2',
      'tv_episode:Firefly (2002)/Season 1/Firefly S01E01.mkv': 'tv_episode:Serenity/Season 1/Firefly S01E01.mkv',
      'tv_episode:Firefly (2002)/Season 1/Firefly S01E02.mkv': 'tv_episode:Serenity/Season 1/Firefly S01E02.mkv',
      'tv_episode:Firefly (2002)/Season 2/Firefly S02E01.mkv': 'tv_episode:Serenity/Season 2/Firefly S02E01.mkv',
    },
  },
  {
    type: 'manga',
    what: 'a manga series',
    tree: { Berserk: { 'Berserk v01.cbz': 1201, 'Berserk v02.cbz': 1202 } },
    from: 'Berserk',
    to: 'Guts',
    places: {
      'manga_series:Berserk': 'manga_series:Guts',
      'manga_volume:Berserk/Berserk v01.cbz': 'manga_volume:Guts/Berserk v01.cbz',
      'manga_volume:Berserk/Berserk v02.cbz': 'manga_volume:Guts/Berserk v02.cbz',
    },
  },
  {
    type: 'games',
    what: 'a game that gets a series',
    tree: { Zelda: { 'zelda.zip': 1301 } },
    from: 'Zelda',
    to: 'Hyrule/Zelda',
    places: { 'game:Zelda': 'game:Hyrule/Zelda' },
  },
]

describe.each(CASES)('$what that is copied, scanned and then deleted', ({ type, tree, from, to, places }) => {
  test('keeps its row, with everything on it', async () => {
    const names = Object.keys(places)
    await prepare(type, tree, names)
    const before = await scene.index.marks()
    copy(type, from, to)
    await scene.scan(type)
    expect(await placesOf(type, ...names)).toEqual(Object.fromEntries(names.map((name) => [name, name])))
    const withBoth = await scene.keys(type)
    remove(type, from)
    expect(await scene.scan(type)).toEqual({ status: 'done', found: expect.any(Number), moved: names.length })
    expect(await placesOf(type, ...names)).toEqual(places)
    const after = await scene.index.marks()
    expect(names.map((name) => after[name]?.id)).toEqual(names.map((name) => before[name]?.id))
    // Nothing else has come or gone, and the levels stand in each other as they did.
    expect(await scene.keys(type)).toEqual(withBoth.filter((key) => !names.some((name) => key === keyOf(type, name))))
    const containers = (await listEntries(scene.admin, { libraryId: scene.idOf(type) })).filter(({ childCount }) => childCount !== null)
    for (const { itemKey, childCount } of containers) {
      const { entries } = (await scene.admin.get('/api/browse', { libraryId: scene.idOf(type), parentKey: itemKey })).body
      expect([itemKey, entries.length]).toEqual([itemKey, childCount])
    }
    const { item } = (await scene.admin.get('/api/items', { itemKey: keyOf(type, places[names[0] ?? ''] ?? '') })).body
    expect(item.tags.map(({ name }: { name: string }) => name)).toEqual([names[0]])
    await scene.index.check()
    expect(await scene.scan(type)).toEqual({ status: 'done', found: expect.any(Number) })
  })

  test('moves on like any other item, and the old place is free', async () => {
    const [[name, place] = ['', '']] = Object.entries(places)
    await scene.index.waitForHashes()
    const pathOf = (of: string): string => of.slice(of.indexOf(':') + 1)
    // As to another disk: another inode, so that what is left of the copy's row would stand in the way.
    copy(type, pathOf(place), `${pathOf(place)} again`)
    remove(type, pathOf(place))
    await scene.scan(type)
    const further = `${place} again`
    expect(await placesOf(type, name)).toEqual({ [name]: further })
    // What turns up in the old place is a copy, and brings nothing along.
    copy(type, pathOf(further), from)
    expect(await scene.scan(type)).toMatchObject({ status: 'done' })
    expect(await placesOf(type, name)).toEqual({ [name]: further })
    const { item } = (await scene.admin.get('/api/items', { itemKey: keyOf(type, name) })).body
    expect(item.tags).toEqual([])
  })
})

const mixedKey = (path: string): string => keyOf('mixed', `mixed_file:${path}`)

test('a hard link that is made first is told by its inode, read or not', async () => {
  await prepare('mixed', { 'links/a': 'linked' }, ['mixed_file:links/a'])
  linkSync(at('mixed', 'links/a'), at('mixed', 'links/b'))
  await scene.scan('mixed')
  remove('mixed', 'links/a')
  expect(await scene.scan('mixed')).toMatchObject({ moved: 1 })
  expect(await placesOf('mixed', 'mixed_file:links/a')).toEqual({ 'mixed_file:links/a': 'mixed_file:links/b' })
})

test('what a model found in the copy is kept where the original had nothing', async () => {
  makeTree(scene.rootOf('mixed'), { 'model/a': 'seen by a model' })
  await scene.scan('mixed')
  await scene.index.waitForHashes()
  copy('mixed', 'model/a', 'model/b')
  await scene.scan('mixed')
  const tag = async (name: string, source: string, path: string): Promise<void> => {
    await scene.index.query(`INSERT INTO tag_categories (name, name_key) VALUES ('Seen', 'seen') ON CONFLICT DO NOTHING`)
    await scene.index.query(`INSERT INTO tags (category_id, name, name_key) SELECT id, ?1, ?1 FROM tag_categories WHERE name = 'Seen'`, [
      name,
    ])
    await scene.index.query(
      'INSERT INTO item_tags (tag_id, item_id, source, created_at) SELECT t.id, m.id, ?2, 1 FROM tags t, media_items m WHERE t.name = ?1 AND m.item_key = ?3',
      [name, source, mixedKey(path)],
    )
  }
  await tag('by hand', 'user', 'model/a')
  await tag('by model', 'ai', 'model/b')
  await scene.index.query('UPDATE media_items SET description = ? WHERE item_key = ?', ['of the model', mixedKey('model/b')])
  const runs = await scene.index.query<{ id: number; activity: string }>(
    `INSERT INTO ai_runs (library_id, activity, "trigger", created_at) VALUES (?1, 'tagging', 'scan', 1), (?1, 'description', 'scan', 1)
      RETURNING id, activity`,
    [scene.idOf('mixed')],
  )
  await scene.index.query(
    `INSERT INTO ai_jobs (item_id, activity, status, created_at, run_id, effect) SELECT m.id, r.activity, 'done', 1, r.id,
        iif(r.activity = 'tagging', json_object('before', json('[]'), 'after', json_array(t.id)), json_object('before', NULL))
      FROM media_items m, ai_runs r, tags t WHERE m.item_key = ? AND t.name = 'by model'`,
    [mixedKey('model/b')],
  )
  remove('mixed', 'model/a')
  expect(await scene.scan('mixed')).toMatchObject({ moved: 1 })
  const { item } = (await scene.admin.get('/api/items', { itemKey: mixedKey('model/b') })).body
  expect(item.tags.map(({ name }: { name: string }) => name).sort()).toEqual(['by hand', 'by model'])
  expect(item.description).toBe('of the model')
  for (const { id } of runs) expect((await scene.admin.post(`/api/ai-tagging/runs/${id}/undo`)).body).toMatchObject({ undone: 1, kept: 0 })
  const undone = (await scene.admin.get('/api/items', { itemKey: mixedKey('model/b') })).body.item
  expect([undone.tags.map(({ name }: { name: string }) => name), undone.description]).toEqual([['by hand'], null])
})

test.each([
  [
    'somebody has tagged the copy',
    async () => {
      await scene.index.mark({ [mixedKey('tagged/b')]: 'the copy' })
    },
    'tagged',
  ],
  [
    'there are two copies',
    async () => {
      copy('mixed', 'two/a', 'two/c')
      await scene.scan('mixed')
    },
    'two',
  ],
  [
    'the copy was changed, and is as large',
    async () => {
      writeFileSync(at('mixed', 'changed/b'), 'CHANGED: the original')
      await scene.scan('mixed')
    },
    'changed',
  ],
])('nothing is decided where %s', async (_, meanwhile, folder) => {
  const name = `mixed_file:${folder}/a`
  await prepare('mixed', { [`${folder}/a`]: `${folder}: the original` }, [name])
  copy('mixed', `${folder}/a`, `${folder}/b`)
  await scene.scan('mixed')
  await meanwhile()
  remove('mixed', `${folder}/a`)
  expect(await scene.scan('mixed')).toMatchObject({ status: 'done', missing: 1 })
  expect(await placesOf('mixed', name)).toEqual({ [name]: 'missing' })
  expect((await scene.admin.get('/api/items', { itemKey: mixedKey(`${folder}/b`) })).status).toBe(200)
})

test('a series with one of the other’s episodes among its own is not that series', async () => {
  const [old, other] = ['Old Show', 'Other Show']
  await prepare('tv', { [old]: { 'Season 1': { 'Old Show S01E01.mkv': 1501 } } }, [
    `tv_series:${old}`,
    `tv_season:${old}/Season 1`,
    `tv_episode:${old}/Season 1/Old Show S01E01.mkv`,
  ])
  makeTree(scene.rootOf('tv'), { [other]: { 'Season 1': { 'Other S01E01.mkv': 1601, 'Other S01E02.mkv': 1602 } } })
  copy('tv', `${old}/Season 1/Old Show S01E01.mkv`, `${other}/Season 1/Other S01E03.mkv`)
  await scene.scan('tv')
  remove('tv', old)
  expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 1, missing: 2 })
  expect(await placesOf('tv', `tv_series:${old}`, `tv_season:${old}/Season 1`, `tv_episode:${old}/Season 1/Old Show S01E01.mkv`)).toEqual({
    [`tv_series:${old}`]: 'missing',
    [`tv_season:${old}/Season 1`]: 'missing',
    [`tv_episode:${old}/Season 1/Old Show S01E01.mkv`]: `tv_episode:${other}/Season 1/Other S01E03.mkv`,
  })
  await scene.index.check()
})

test('an older twin takes nothing over', async () => {
  await prepare('mixed', { 'older/b': 'alike' }, [])
  copy('mixed', 'older/b', 'older/a')
  await prepare('mixed', {}, ['mixed_file:older/a'])
  remove('mixed', 'older/a')
  expect(await scene.scan('mixed')).toMatchObject({ missing: 1 })
  expect(await placesOf('mixed', 'mixed_file:older/a')).toEqual({ 'mixed_file:older/a': 'missing' })
})

test.each<[what: string, game: (data: number) => Tree]>([
  ['beside it', (data) => ({ 'start.exe': data, 'data1.cab': 2_000_000 + data })],
  ['in a folder', (data) => ({ data: { 'data1.cab': 20_000 + data } })],
])('another game with the same installer, and data of its own %s, takes nothing over from one that is deleted', async (what, game) => {
  const [kings, coaster] = [`Kings ${what}`, `Coaster ${what}`]
  const withSetup = (data: number): Tree => ({ 'setup.exe': `InstallShield ${what}`.repeat(100), ...game(data) })
  await prepare('games', { [kings]: withSetup(1401) }, [`game:${kings}`])
  await prepare('games', { [coaster]: withSetup(1402) }, [])
  remove('games', kings)
  expect(await scene.scan('games')).toMatchObject({ status: 'done', missing: 1 })
  expect(await placesOf('games', `game:${kings}`)).toEqual({ [`game:${kings}`]: 'missing' })
})

test('a game is the same with larger files beside it, and without', async () => {
  const [rayman, gex, duke] = ['game:Rayman', 'game:Gex', 'game:Duke']
  const setup = { 'setup.exe': 'Wise'.repeat(99), data: { 'data1.cab': 31_000 } }
  await prepare('games', { Rayman: { 'rayman.zip': 3001, 'rayman.dmg': 4501 }, Gex: { 'setup_gex.exe': 2001 }, Duke: setup }, [
    rayman,
    gex,
    duke,
  ])
  const move = (from: string, to: string): void => {
    mkdirSync(dirname(at('games', to)), { recursive: true })
    renameSync(at('games', from), at('games', to))
  }
  move('Rayman/rayman.zip', 'Rayman (1995)/rayman.zip')
  move('Gex/setup_gex.exe', 'Gex (1995)/setup_gex.exe')
  makeTree(at('games', 'Gex (1995)'), { 'setup_gex-1.bin': 8001 })
  for (const name of ['setup.exe', 'data']) move(`Duke/${name}`, `Duke (1996)/${name}`)
  makeTree(at('games', 'Duke (1996)'), { 'Duke Soundtrack.zip': 40_001 })
  for (const name of ['Rayman', 'Gex', 'Duke']) remove('games', name)
  expect(await scene.scan('games')).toMatchObject({ status: 'done', moved: 3 })
  expect(await placesOf('games', rayman, gex, duke)).toEqual({
    [rayman]: 'game:Rayman (1995)',
    [gex]: 'game:Gex (1995)',
    [duke]: 'game:Duke (1996)',
  })
})

test('a copy in a folder that cannot be seen is not taken for there', async () => {
  await prepare('mixed', { 'shown/a': 'half hidden' }, ['mixed_file:shown/a'])
  copy('mixed', 'shown/a', 'hidden/b')
  await scene.scan('mixed')
  renameSync(at('mixed', 'hidden'), at('mixed', '.hidden'))
  remove('mixed', 'shown/a')
  expect(await scene.scan('mixed')).toMatchObject({ missing: 2 })
  expect(await placesOf('mixed', 'mixed_file:shown/a')).toEqual({ 'mixed_file:shown/a': 'missing' })
})

test('a library that was copied within itself and deleted in the old place is held, as its folder may only be away; applied, it has moved', async () => {
  const paths = Array.from({ length: 60 }, (_, i) => `shelf/${i}.bin`)
  await prepare('mixed', Object.fromEntries(paths.map((path, i) => [path, `shelved as number ${i}`])), [])
  await scene.index.mark(Object.fromEntries(paths.map((path) => [mixedKey(path), path])))
  copy('mixed', 'shelf', 'other shelf')
  await scene.scan('mixed')
  await scene.index.waitForHashes()
  // As if the background had not come to the copies yet: then the scan reads them.
  await scene.index.query(`UPDATE media_items SET content_hash = NULL WHERE path LIKE 'other shelf/%'`)
  remove('mixed', 'shelf')
  expect(await scene.scan('mixed')).toMatchObject({ status: 'held' })
  const held = await scene.index.marks()
  expect(paths.map((path) => held[path]?.itemKey)).toEqual(paths.map(mixedKey))
  const [{ id }] = (await scene.admin.get('/api/scans', { libraryId: scene.idOf('mixed'), limit: 1 })).body.scans
  const apply = () => scene.admin.post(`/api/scans/${id}/apply`)
  const answers = await Promise.all([apply(), apply()])
  expect(answers[0].body.scan).toMatchObject({ status: 'done', moved: 60, missing: 0 })
  expect([200, 409]).toContain(answers[1].status)
  // What a crash before the last word leaves, and somebody applies again.
  await scene.index.query(`UPDATE scans SET status = 'held' WHERE id = ?`, [id])
  expect((await apply()).status).toBe(200)
  const marks = await scene.index.marks()
  expect(paths.map((path) => marks[path]?.itemKey)).toEqual(paths.map((path) => mixedKey(`other ${path}`)))
  expect(Object.values(marks).filter(({ isMissing, itemKey }) => isMissing && itemKey.includes(':other shelf/'))).toEqual([])
})
