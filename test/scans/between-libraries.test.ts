import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type IndexDatabase, openIndexOf } from '../support/index-database.ts'
import { makeTree, type Tree } from '../support/library-tree.ts'
import { listEntries, NOTHING_PLAYS, outcomeOf } from '../support/scan-scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

/**
 * What is moved to another library of the same type goes along with everything on it, whichever library is scanned first,
 * and whether it was renamed or copied and deleted. A copy that was there before is no move, and what only looks lost stays.
 */

type Side = 'old' | 'new'
const TYPES: LibraryType[] = ['movies', 'tv', 'manga', 'games', 'mixed']
/** So that no library is ever empty, which it could be because its disk is away. */
const residentOf = (type: LibraryType, side: Side): Tree => {
  const name = `Resident of ${side}`
  const trees: Record<LibraryType, Tree> = {
    movies: { [`${name} (1980)`]: { 'film.mkv': name } },
    tv: { [name]: { 'Season 1': { 'Resident S01E01.mkv': name } } },
    manga: { [name]: { 'Resident v01.cbz': name } },
    games: { [name]: { 'resident.zip': name } },
    mixed: { 'resident.txt': name },
  }
  return trees[type]
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: TestServer
let admin: HttpClient
let index: IndexDatabase
const ids = new Map<string, number>()

const rootOf = (type: LibraryType, side: Side): string => join(folder.path, `${type} ${side}`)
const idOf = (type: LibraryType, side: Side): number => ids.get(rootOf(type, side)) ?? 0
const keyOf = (type: LibraryType, side: Side, place: string): string => place.replace(':', `:${idOf(type, side)}:`)
const scan = async (type: LibraryType, side: Side): Promise<Json> => outcomeOf(await server.scanAndWait(idOf(type, side)))

beforeAll(async () => {
  folder = await temporaryFolder('between-libraries')
  const libraries = TYPES.flatMap((type) => (['old', 'new'] as const).map((side) => ({ type, side, path: rootOf(type, side) })))
  for (const { type, side, path } of libraries) makeTree(path, residentOf(type, side))
  server = await startServer({ dataDir: join(folder.path, 'data'), hasIndex: true, libraries, env: NOTHING_PLAYS })
  index = openIndexOf(server)
  admin = await server.as('admin')
  await server.waitForScans()
  for (const { id, path } of (await admin.get('/api/libraries')).body.libraries) ids.set(path, id)
})
afterAll(async () => {
  index.close()
  await server.stop().finally(folder.remove)
})

/** Whatever another test has left is gone. */
const clear = async (type: LibraryType): Promise<void> => {
  for (const side of ['old', 'new'] as const) {
    rmSync(rootOf(type, side), { recursive: true })
    makeTree(rootOf(type, side), residentOf(type, side))
    const { status } = await scan(type, side)
    if (status === 'held') await applyHeld(type, side)
  }
  for (const side of ['old', 'new'] as const) await admin.post(`/api/libraries/${idOf(type, side)}/purge-missing`)
}

const applyHeld = async (type: LibraryType, side: Side): Promise<Json> => {
  const [{ id }] = (await admin.get('/api/scans', { libraryId: idOf(type, side), limit: 1 })).body.scans
  return outcomeOf((await admin.post(`/api/scans/${id}/apply`)).body.scan)
}

const at = (type: LibraryType, side: Side, path: string): string => join(rootOf(type, side), path)

interface Way {
  name: string
  move: (from: string, to: string) => void
}

const WAYS: Way[] = [
  { name: 'renamed', move: (from, to) => renameSync(from, to) },
  {
    name: 'copied to another disk and deleted',
    move: (from, to) => {
      cpSync(from, to, { recursive: true })
      rmSync(from, { recursive: true })
    },
  },
]

const move = ({ move: go }: Way, type: LibraryType, { from, to, back = false }: { from: string; to: string; back?: boolean }): void => {
  const target = at(type, back ? 'old' : 'new', to)
  mkdirSync(dirname(target), { recursive: true })
  go(at(type, back ? 'new' : 'old', from), target)
}

/** Has a tree scanned and read in the old library, and puts a mark on each place, named as the place. */
const prepare = async (type: LibraryType, tree: Tree, marked: string[]): Promise<void> => {
  makeTree(rootOf(type, 'old'), tree)
  await scan(type, 'old')
  await index.waitForHashes()
  await index.mark(Object.fromEntries(marked.map((place) => [keyOf(type, 'old', place), place])))
}

/** Where the marks are: `old` or `new`, and the place in it. */
const placesOf = async (type: LibraryType, names: string[]): Promise<Record<string, string>> => {
  const marks = await index.marks()
  const placeOf = (name: string): string => {
    const found = marks[name]
    if (!found) return 'torn apart'
    const side = found.itemKey.includes(`:${idOf(type, 'old')}:`) ? 'old' : 'new'
    return `${found.isMissing ? 'missing from ' : ''}${side} ${found.itemKey.replace(`:${idOf(type, side)}:`, ':')}`
  }
  return Object.fromEntries(names.map((name) => [name, placeOf(name)]))
}

const listKeys = async (type: LibraryType, side: Side): Promise<string[]> =>
  (await listEntries(admin, { libraryId: idOf(type, side) })).map(({ itemKey }) => itemKey)

const inNew = (places: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(places).map(([name, place]) => [name, `new ${place}`]))

/** The figures that lists and panels are made from are those of the rows themselves. */
const expectTrueCounts = async (): Promise<void> => {
  const wrong = await index.query(`SELECT l.id, l.item_count FROM libraries l WHERE item_count <>
    (SELECT count(*) FROM media_items WHERE library_id = l.id AND parent_id IS NULL AND missing_since IS NULL)`)
  const strayed =
    await index.query(`SELECT item.item_key, parent.item_key AS parent FROM media_items item JOIN media_items parent ON parent.id = item.parent_id
    WHERE item.library_id <> parent.library_id OR item.item_key NOT LIKE item.item_type || ':' || item.library_id || ':%'`)
  const miscounted = await index.query(`SELECT t.* FROM library_tags t WHERE present <> (SELECT count(*) FROM item_tags i
    JOIN media_items m ON m.id = i.item_id WHERE i.tag_id = t.tag_id AND m.library_id = t.library_id AND m.missing_since IS NULL)`)
  expect({ wrong, strayed, miscounted }).toEqual({ wrong: [], strayed: [], miscounted: [] })
  await index.check()
}

interface Case {
  type: LibraryType
  tree: Tree
  from: string
  to: string
  /** What is marked, and where the mark is afterwards. */
  places: Record<string, string>
}

const CASES: Case[] = [
  {
    type: 'mixed',
    tree: { 'inbox/picture.bin': 'of the file' },
    from: 'inbox/picture.bin',
    to: 'sorted/2026/picture.bin',
    places: { 'mixed_file:inbox/picture.bin': 'mixed_file:sorted/2026/picture.bin' },
  },
  {
    type: 'movies',
    tree: { 'Alien (1979)': { 'Alien.mkv': 1001, 'poster.jpg': 51 } },
    from: 'Alien (1979)',
    to: 'Alien (1979)',
    places: { 'movie:Alien (1979)': 'movie:Alien (1979)' },
  },
  {
    type: 'tv',
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
    tree: { Berserk: { 'Berserk v01.cbz': 1201, 'Berserk v02.cbz': 1202 } },
    from: 'Berserk',
    to: 'Berserk',
    places: {
      'manga_series:Berserk': 'manga_series:Berserk',
      'manga_volume:Berserk/Berserk v01.cbz': 'manga_volume:Berserk/Berserk v01.cbz',
      'manga_volume:Berserk/Berserk v02.cbz': 'manga_volume:Berserk/Berserk v02.cbz',
    },
  },
  {
    type: 'games',
    tree: { Zelda: { 'zelda.zip': 1301 } },
    from: 'Zelda',
    to: 'Hyrule/Zelda',
    places: { 'game:Zelda': 'game:Hyrule/Zelda' },
  },
]

const ORDERS: { order: string; scanBoth: (type: LibraryType, left: Side, entered: Side) => Promise<unknown> }[] = [
  {
    order: 'the library that it left is scanned first',
    scanBoth: async (type, left, entered) => {
      await scan(type, left)
      return scan(type, entered)
    },
  },
  {
    order: 'the library that it left is scanned last',
    scanBoth: async (type, left, entered) => {
      await scan(type, entered)
      return scan(type, left)
    },
  },
  {
    order: 'the library that it left is scanned last, before anybody has read the other',
    scanBoth: async (type, left, entered) => {
      await scan(type, entered)
      await index.query('UPDATE media_items SET content_hash = NULL WHERE library_id = ?', [idOf(type, entered)])
      await scan(type, left)
      await index.query('UPDATE media_items SET inspected_version = NULL WHERE content_hash IS NULL')
      await scan(type, entered)
    },
  },
  {
    order: 'both are scanned at once',
    scanBoth: async (type, left, entered) => {
      await Promise.all([scan(type, left), scan(type, entered)])
      // Where both end at the same moment neither can tell; the next scan can.
      await scan(type, entered)
    },
  },
]

/** All that there is for a single file and for a series; the other types are only other rows. */
const TRIED = CASES.flatMap((one) =>
  WAYS.flatMap((way, w) =>
    ORDERS.filter((_, o) => one.type === 'mixed' || one.type === 'tv' || o === w).map((order) => ({ ...one, way, ...order })),
  ),
)

test.each(TRIED.map((one) => [`${one.type}: ${one.from}`, one.way.name, one.order, one] as const))(
  '%s, %s, is in the other library what it was, where %s; and back',
  async (_title, _way, _order, { type, tree, from, to, places, way, scanBoth }) => {
    await clear(type)
    const names = Object.keys(places)
    await prepare(type, tree, names)
    const before = await index.marks()
    move(way, type, { from, to })
    await scanBoth(type, 'old', 'new')
    expect(await placesOf(type, names)).toEqual(inNew(places))
    const after = await index.marks()
    expect(names.map((name) => after[name]?.id)).toEqual(names.map((name) => before[name]?.id))
    await expectTrueCounts()
    const newKey = keyOf(type, 'new', places[names[0] ?? ''] ?? '')
    const { item } = (await admin.get('/api/items', { itemKey: newKey })).body
    expect(item.tags.map(({ name }: { name: string }) => name)).toEqual([names[0]])
    expect(item.libraryId).toBe(idOf(type, 'new'))
    const left = await listKeys(type, 'old')
    expect(names.filter((name) => left.includes(keyOf(type, 'old', name)))).toEqual([])
    await index.waitForHashes()
    move(way, type, { from: to, to: from, back: true })
    await scanBoth(type, 'new', 'old')
    expect(await placesOf(type, names)).toEqual(Object.fromEntries(names.map((name) => [name, `old ${name}`])))
    await expectTrueCounts()
  },
)

test('the two scans count what has moved as moved, and a filter by its tag finds it in the new library alone', async () => {
  await clear('mixed')
  const place = 'mixed_file:counted.bin'
  await prepare('mixed', { 'counted.bin': 'counted' }, [place])
  const [tag] = (await admin.get('/api/items', { itemKey: keyOf('mixed', 'old', place) })).body.item.tags
  const filter = async (side: Side): Promise<string[]> => {
    const { body } = await admin.get('/api/browse', { libraryId: idOf('mixed', side), tags: tag.id })
    return body.entries.map(({ itemKey }: { itemKey: string }) => itemKey)
  }
  expect([await filter('old'), await filter('new')]).toEqual([[keyOf('mixed', 'old', place)], []])
  renameSync(at('mixed', 'old', 'counted.bin'), at('mixed', 'new', 'counted.bin'))
  expect(await scan('mixed', 'new')).toEqual({ status: 'done', found: 2, added: 1 })
  expect(await scan('mixed', 'old')).toEqual({ status: 'done', found: 1, moved: 1 })
  expect([await filter('old'), await filter('new')]).toEqual([[], [keyOf('mixed', 'new', place)]])
  // Nobody misses it: the row that the scan of the new library had made is not to be seen anywhere.
  const { contents } = (await admin.get(`/api/libraries/${idOf('mixed', 'old')}/contents`)).body
  expect(contents).toEqual({ items: 1, assignments: 0, missing: 0, missingAssignments: 0 })
  expect((await admin.get('/api/browse', { libraryId: idOf('mixed', 'old'), missing: 1 })).body.entries).toEqual([])
  renameSync(at('mixed', 'new', 'counted.bin'), at('mixed', 'old', 'another.bin'))
  expect(await scan('mixed', 'new')).toEqual({ status: 'done', found: 1, missing: 1 })
  expect(await scan('mixed', 'old')).toEqual({ status: 'done', found: 2, moved: 1 })
  expect(await filter('old')).toEqual([keyOf('mixed', 'old', 'mixed_file:another.bin')])
  expect((await admin.post(`/api/libraries/${idOf('mixed', 'new')}/purge-missing`)).body).toEqual({ purged: 0 })
  expect(
    await index.query('SELECT id FROM media_items WHERE library_id = ? AND missing_since IS NOT NULL', [idOf('mixed', 'new')]),
  ).toEqual([])
})

describe.each(['old', 'new'] as const)(
  'what is moved over a copy of it in another library, and is scanned first in the %s one',
  (first) => {
    test('goes along', async () => {
      await clear('mixed')
      const place = 'mixed_file:over.bin'
      makeTree(rootOf('mixed', 'old'), { 'over.bin': 'over' })
      cpSync(at('mixed', 'old', 'over.bin'), at('mixed', 'new', 'over.bin'), { preserveTimestamps: true })
      await scan('mixed', 'new')
      await prepare('mixed', {}, [place])
      await scan('mixed', 'old')
      renameSync(at('mixed', 'old', 'over.bin'), at('mixed', 'new', 'over.bin'))
      for (const side of first === 'old' ? (['old', 'new'] as const) : (['new', 'old'] as const)) await scan('mixed', side)
      expect(await placesOf('mixed', [place])).toEqual({ [place]: `new ${place}` })
    })
  },
)

describe('what stays as it is', () => {
  const place = 'mixed_file:kept.bin'
  const copy = (): void => cpSync(at('mixed', 'old', 'kept.bin'), at('mixed', 'new', 'kept.bin'))
  const lose = async (): Promise<Json> => {
    rmSync(at('mixed', 'old', 'kept.bin'))
    return scan('mixed', 'old')
  }
  const begin = async (): Promise<void> => {
    await clear('mixed')
    await prepare('mixed', { 'kept.bin': 'kept' }, [place])
  }
  const whereItIs = (): Promise<Record<string, string>> => placesOf('mixed', [place])

  test('a copy that was there while the original still was, as in a backup', async () => {
    await begin()
    copy()
    await scan('mixed', 'new')
    await index.waitForHashes()
    await scan('mixed', 'old')
    expect(await lose()).toMatchObject({ missing: 1 })
    await scan('mixed', 'new')
    expect(await whereItIs()).toEqual({ [place]: `missing from old ${place}` })
    makeTree(rootOf('mixed', 'old'), { 'kept.bin': 'kept' })
    expect(await scan('mixed', 'old')).toMatchObject({ restored: 1 })
    expect(await whereItIs()).toEqual({ [place]: `old ${place}` })
  })

  test('a hard link that was there while the original still was, as in a snapshot', async () => {
    await begin()
    linkSync(at('mixed', 'old', 'kept.bin'), at('mixed', 'new', 'kept.bin'))
    await scan('mixed', 'new')
    await scan('mixed', 'old')
    expect(await lose()).toMatchObject({ missing: 1 })
    await scan('mixed', 'new')
    expect(await whereItIs()).toEqual({ [place]: `missing from old ${place}` })
  })

  test('what gets a newer version, as a hard link of what another library has', async () => {
    await begin()
    makeTree(rootOf('mixed', 'new'), { 'newer.bin': 'a newer version' })
    await scan('mixed', 'new')
    rmSync(at('mixed', 'old', 'kept.bin'))
    linkSync(at('mixed', 'new', 'newer.bin'), at('mixed', 'old', 'kept.bin'))
    expect(await scan('mixed', 'old')).toEqual({ status: 'done', found: 2, updated: 1 })
    expect(await whereItIs()).toEqual({ [place]: `old ${place}` })
  })

  test('a copy that somebody has tagged already', async () => {
    await begin()
    copy()
    await scan('mixed', 'new')
    await index.mark({ [keyOf('mixed', 'new', place)]: 'of the copy' })
    expect(await lose()).toMatchObject({ missing: 1 })
    expect(await placesOf('mixed', [place, 'of the copy'])).toEqual({ [place]: `missing from old ${place}`, 'of the copy': `new ${place}` })
  })

  test('where two could be meant', async () => {
    await begin()
    for (const name of ['one.bin', 'other.bin']) cpSync(at('mixed', 'old', 'kept.bin'), at('mixed', 'new', name))
    await scan('mixed', 'new')
    expect(await lose()).toMatchObject({ missing: 1 })
    await scan('mixed', 'new')
    expect(await whereItIs()).toEqual({ [place]: `missing from old ${place}` })
  })

  test('where a copy within the library takes the place', async () => {
    await begin()
    copy()
    cpSync(at('mixed', 'old', 'kept.bin'), at('mixed', 'old', 'near.bin'))
    await scan('mixed', 'new')
    expect(await lose()).toMatchObject({ moved: 1 })
    await scan('mixed', 'new')
    expect(await whereItIs()).toEqual({ [place]: 'old mixed_file:near.bin' })
  })

  test('a film in a backup, though its metadata are read anew after the original was last seen', async () => {
    const film = 'movie:Backup (1999)'
    await clear('movies')
    await prepare('movies', { 'Backup (1999)': { 'film.mkv': 'of the backup', 'movie.nfo': '<movie><title>B</title></movie>' } }, [film])
    cpSync(at('movies', 'old', 'Backup (1999)'), at('movies', 'new', 'Backup (1999)'), { recursive: true })
    for (const side of ['new', 'old'] as const) await scan('movies', side)
    await index.waitForHashes()
    expect((await admin.post('/api/nfo-refresh', { itemKey: keyOf('movies', 'new', film) })).status).toBe(200)
    rmSync(at('movies', 'old', 'Backup (1999)'), { recursive: true })
    await scan('movies', 'old')
    expect(await placesOf('movies', [film])).toEqual({ [film]: `missing from old ${film}` })
  })

  test('what lies in the trash, from which it comes back with everything', async () => {
    const film = 'movie:Trashed (1999)'
    await clear('movies')
    await prepare('movies', { 'Trashed (1999)': { 'film.mkv': 'of the film' } }, [film])
    const id = idOf('movies', 'old')
    await admin.patch(`/api/libraries/${id}`, { trashDays: 5 })
    cpSync(at('movies', 'old', 'Trashed (1999)'), at('movies', 'new', 'Trashed (1999)'), { recursive: true })
    const itemKey = keyOf('movies', 'old', film)
    expect((await admin.delete('/api/items', { itemKey })).status).toBe(204)
    await scan('movies', 'new')
    await scan('movies', 'old')
    expect(await placesOf('movies', [film])).toEqual({ [film]: `missing from old ${film}` })
    const [{ id: deletion }] = (await admin.get('/api/trash')).body.entries
    expect((await admin.post(`/api/trash/${deletion}/restore`)).status).toBe(200)
    expect(await placesOf('movies', [film])).toEqual({ [film]: `old ${film}` })
  })
})

test('however much has been renamed into another library is moved, and not held', async () => {
  await clear('mixed')
  const paths = Array.from({ length: 60 }, (_, n) => `shelf/${n}.bin`)
  await prepare(
    'mixed',
    Object.fromEntries(paths.map((path) => [path, `on ${path}`])),
    paths.map((path) => `mixed_file:${path}`),
  )
  renameSync(at('mixed', 'old', 'shelf'), at('mixed', 'new', 'shelf'))
  await scan('mixed', 'new')
  expect(await scan('mixed', 'old')).toEqual({ status: 'done', found: 1, moved: 60 })
  const places = paths.map((path) => `mixed_file:${path}`)
  expect(await placesOf('mixed', places)).toEqual(inNew(Object.fromEntries(places.map((place) => [place, place]))))
  await expectTrueCounts()
})

test('much that was copied to another disk and deleted is held, as its folder may only be away; applied, it has moved', async () => {
  await clear('mixed')
  const paths = Array.from({ length: 60 }, (_, n) => `rack/${n}.bin`)
  await prepare(
    'mixed',
    Object.fromEntries(paths.map((path) => [path, `in ${path}`])),
    paths.map((path) => `mixed_file:${path}`),
  )
  cpSync(at('mixed', 'old', 'rack'), at('mixed', 'new', 'rack'), { recursive: true })
  rmSync(at('mixed', 'old', 'rack'), { recursive: true })
  await scan('mixed', 'new')
  expect(await scan('mixed', 'old')).toMatchObject({ status: 'held', found: 1 })
  expect(await scan('mixed', 'new')).toEqual({ status: 'done', found: 61 })
  expect(await applyHeld('mixed', 'old')).toEqual({ status: 'done', found: 1, moved: 60 })
  const places = paths.map((path) => `mixed_file:${path}`)
  expect(await placesOf('mixed', places)).toEqual(inNew(Object.fromEntries(places.map((place) => [place, place]))))
  await expectTrueCounts()
})

test('what has come from elsewhere does not make a loss look smaller', async () => {
  await clear('mixed')
  const paths = Array.from({ length: 100 }, (_, n) => `case/${n}.bin`)
  await prepare('mixed', Object.fromEntries(paths.map((path) => [path, `of ${path}`])), [])
  makeTree(rootOf('mixed', 'new'), { own: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}.bin`, `own ${n}`])) })
  await scan('mixed', 'new')
  renameSync(at('mixed', 'old', 'case'), at('mixed', 'new', 'case'))
  expect(await scan('mixed', 'old')).toMatchObject({ status: 'held' })
  expect(await applyHeld('mixed', 'old')).toMatchObject({ missing: 100 })
  for (let n = 0; n < 26; n += 1) rmSync(at('mixed', 'new', `own/${n}.bin`))
  expect(await scan('mixed', 'new')).toEqual({ status: 'held', found: 115, moved: 100 })
  await expectTrueCounts()
})

test('a folder that becomes a library of its own takes everything along, in its first scan', async () => {
  await clear('mixed')
  const places = ['mixed_file:album/a.bin', 'mixed_file:album/b.bin']
  await prepare('mixed', { album: { 'a.bin': 'of a', 'b.bin': 'of b' } }, places)
  const path = join(folder.path, 'album')
  renameSync(at('mixed', 'old', 'album'), path)
  expect(await scan('mixed', 'old')).toMatchObject({ missing: 2 })
  const { id } = (await admin.post('/api/libraries', { name: 'Album', type: 'mixed', path })).body.library
  expect(outcomeOf(await server.scanAndWait(id))).toEqual({ status: 'done', found: 2, moved: 2 })
  const marks = await index.marks()
  expect(places.map((place) => marks[place])).toMatchObject(
    ['a', 'b'].map((name) => ({ itemKey: `mixed_file:${id}:${name}.bin`, isMissing: false })),
  )
  await expectTrueCounts()
})

describe('where a name is used again', () => {
  const place = 'mixed_file:shot.bin'
  const OF_OLD = 'of the old library'
  const OF_NEW = 'of the new library'
  const begin = async (): Promise<void> => {
    await clear('mixed')
    for (const side of ['old', 'new'] as const) {
      makeTree(rootOf('mixed', side), { 'shot.bin': `a shot, ${side}` })
      await scan('mixed', side)
    }
    await index.waitForHashes()
    await index.mark({ [keyOf('mixed', 'old', place)]: OF_OLD, [keyOf('mixed', 'new', place)]: OF_NEW })
  }
  const file = (side: Side): string => at('mixed', side, 'shot.bin')

  test.each([['old', 'new'] as const, ['new', 'old'] as const])(
    'two that change places under one name go each its way, where the %s library is scanned first',
    async (first, last) => {
      await begin()
      const aside = join(folder.path, 'aside.bin')
      renameSync(file('old'), aside)
      renameSync(file('new'), file('old'))
      renameSync(aside, file('new'))
      for (const side of [first, last, first]) await scan('mixed', side)
      expect(await placesOf('mixed', [OF_OLD, OF_NEW])).toEqual({ [OF_OLD]: `new ${place}`, [OF_NEW]: `old ${place}` })
      await expectTrueCounts()
    },
  )

  test('the one that has left takes nothing from the file that came after it, and leaves it nothing', async () => {
    await begin()
    renameSync(file('old'), at('mixed', 'new', 'sorted.bin'))
    makeTree(rootOf('mixed', 'old'), { 'shot.bin': 'another shot' })
    await scan('mixed', 'new')
    expect(await scan('mixed', 'old')).toEqual({ status: 'done', found: 2, added: 1, moved: 1 })
    expect(await placesOf('mixed', [OF_OLD])).toEqual({ [OF_OLD]: 'new mixed_file:sorted.bin' })
    const { item } = (await admin.get('/api/items', { itemKey: keyOf('mixed', 'old', place) })).body
    expect(item).toMatchObject({ tags: [], description: null })
    await expectTrueCounts()
  })

  test('again and again, the scan still finds a place for the one that has left', async () => {
    await begin()
    for (const time of ['first', 'second', 'third']) {
      renameSync(file('old'), at('mixed', 'new', `${time}.bin`))
      makeTree(rootOf('mixed', 'old'), { 'shot.bin': `the ${time} shot after it` })
      await scan('mixed', 'new')
      expect(await scan('mixed', 'old')).toMatchObject({ status: 'done', moved: 1 })
      expect(await placesOf('mixed', [OF_OLD])).toEqual({ [OF_OLD]: `new mixed_file:${time}.bin` })
      rmSync(file('old'))
      renameSync(at('mixed', 'new', `${time}.bin`), file('old'))
      for (const side of ['new', 'old', 'new'] as const) await scan('mixed', side)
      expect(await placesOf('mixed', [OF_OLD])).toEqual({ [OF_OLD]: `old ${place}` })
    }
    await expectTrueCounts()
  })

  test('the one that comes is not the one that was lost under that name', async () => {
    await begin()
    rmSync(file('new'))
    await scan('mixed', 'new')
    renameSync(file('old'), file('new'))
    await scan('mixed', 'new')
    await scan('mixed', 'old')
    const places = await placesOf('mixed', [OF_OLD, OF_NEW])
    expect(places).toEqual({ [OF_OLD]: `new ${place}`, [OF_NEW]: expect.stringContaining(`missing from new ${place}/#missing-`) })
    await expectTrueCounts()
  })
})

describe.each(WAYS.map((way) => [way.name, way] as const))('what comes to where something lay before, %s,', (_name, way) => {
  const place = 'mixed_file:kept.bin'
  const orders: [first: Side, order: Side[]][] = [
    ['old', ['old', 'new']],
    ['new', ['new', 'old']],
  ]
  const expectMoved = async (order: readonly Side[], to = place): Promise<void> => {
    for (const side of order) await scan('mixed', side)
    expect(await placesOf('mixed', [place])).toEqual({ [place]: `new ${to}` })
    await expectTrueCounts()
  }

  test.each(orders)('is itself where its name was that of another one that left (%s first)', async (_first, order) => {
    await clear('mixed')
    makeTree(rootOf('mixed', 'new'), { 'kept.bin': 'who had the name' })
    await scan('mixed', 'new')
    renameSync(at('mixed', 'new', 'kept.bin'), at('mixed', 'old', 'who had the name.bin'))
    for (const side of ['old', 'new'] as const) await scan('mixed', side)
    await prepare('mixed', { 'kept.bin': 'who has it now' }, [place])
    move(way, 'mixed', { from: 'kept.bin', to: 'kept.bin' })
    await expectMoved(order)
  })

  test.each(orders)('is itself where a copy of it lay there and was deleted (%s first)', async (_first, order) => {
    await clear('mixed')
    await prepare('mixed', { 'kept.bin': 'kept' }, [place])
    cpSync(at('mixed', 'old', 'kept.bin'), at('mixed', 'new', 'copy.bin'))
    for (const side of ['new', 'old'] as const) await scan('mixed', side)
    await index.waitForHashes()
    rmSync(at('mixed', 'new', 'copy.bin'))
    for (const side of ['new', 'old'] as const) await scan('mixed', side)
    move(way, 'mixed', { from: 'kept.bin', to: 'sorted.bin' })
    await expectMoved(order, 'mixed_file:sorted.bin')
  })

  test('is itself where a copy of it lay there and was deleted, and both were scanned while it was on its way', async () => {
    await clear('mixed')
    await prepare('mixed', { 'kept.bin': 'kept' }, [place])
    cpSync(at('mixed', 'old', 'kept.bin'), at('mixed', 'new', 'copy.bin'))
    for (const side of ['new', 'old'] as const) await scan('mixed', side)
    await index.waitForHashes()
    rmSync(at('mixed', 'new', 'copy.bin'))
    const stick = join(folder.path, 'stick.bin')
    way.move(at('mixed', 'old', 'kept.bin'), stick)
    for (const side of ['old', 'new'] as const) await scan('mixed', side)
    way.move(stick, at('mixed', 'new', 'sorted.bin'))
    await expectMoved(['old', 'new'], 'mixed_file:sorted.bin')
  })

  test.each(orders)('is itself where a copy of it lay beside it and was deleted (%s first)', async (_first, order) => {
    await clear('mixed')
    await prepare('mixed', { 'kept.bin': 'kept' }, [place])
    cpSync(at('mixed', 'old', 'kept.bin'), at('mixed', 'old', 'copy.bin'))
    await scan('mixed', 'old')
    await index.waitForHashes()
    rmSync(at('mixed', 'old', 'copy.bin'))
    await scan('mixed', 'old')
    move(way, 'mixed', { from: 'kept.bin', to: 'sorted.bin' })
    await expectMoved(order, 'mixed_file:sorted.bin')
  })
})

test('a series that moves season by season takes along what is on the whole of it', async () => {
  await clear('tv')
  const seasons = [1, 2, 3].map((n) => ({
    folder: `Lost/Season ${n}`,
    files: { [`Lost S0${n}E01.mkv`]: 1400 + n, [`Lost S0${n}E02.mkv`]: 1500 + n },
  }))
  const places = ['tv_series:Lost', ...seasons.map((season) => `tv_season:${season.folder}`)]
  await prepare('tv', Object.fromEntries(seasons.map((season) => [season.folder, season.files])), places)
  mkdirSync(at('tv', 'new', 'Lost'))
  for (const season of seasons) {
    renameSync(at('tv', 'old', season.folder), at('tv', 'new', season.folder))
    if (season === seasons.at(-1)) rmSync(at('tv', 'old', 'Lost'), { recursive: true })
    await scan('tv', 'new')
    await scan('tv', 'old')
  }
  expect(await placesOf('tv', places)).toEqual(inNew(Object.fromEntries(places.map((place) => [place, place]))))
  await expectTrueCounts()
})

test('a series of which a few episodes have come and the others may come back keeps its place', async () => {
  await clear('tv')
  const names = Array.from({ length: 5 }, (_, n) => `Oz S01E0${n + 1}.mkv`)
  await prepare('tv', { 'Oz/Season 1': Object.fromEntries(names.map((name, n) => [name, 1600 + n])) }, ['tv_series:Oz'])
  mkdirSync(at('tv', 'new', 'Oz/Season 1'), { recursive: true })
  for (const name of names.slice(0, 2)) renameSync(at('tv', 'old', `Oz/Season 1/${name}`), at('tv', 'new', `Oz/Season 1/${name}`))
  const away = join(folder.path, 'away')
  renameSync(at('tv', 'old', 'Oz'), away)
  await scan('tv', 'old')
  await scan('tv', 'new')
  renameSync(away, at('tv', 'old', 'Oz'))
  await scan('tv', 'old')
  expect(await placesOf('tv', ['tv_series:Oz'])).toEqual({ 'tv_series:Oz': 'old tv_series:Oz' })
  await expectTrueCounts()
})

test.each([['first'], ['last']])(
  'what has passed through a library comes to the third one whole, where the one in between is scanned %s',
  async (order) => {
    await clear('mixed')
    const place = 'mixed_file:traveller.bin'
    await prepare('mixed', { 'traveller.bin': 'a traveller' }, [place])
    const path = join(folder.path, `third ${order}`)
    makeTree(path, { 'resident.txt': `third ${order}` })
    const { id } = (await admin.post('/api/libraries', { name: `Third ${order}`, type: 'mixed', path })).body.library
    await server.scanAndWait(id)
    renameSync(at('mixed', 'old', 'traveller.bin'), at('mixed', 'new', 'traveller.bin'))
    await scan('mixed', 'new')
    renameSync(at('mixed', 'new', 'traveller.bin'), join(path, 'traveller.bin'))
    const sides: Side[] = order === 'first' ? ['new', 'old'] : ['old', 'new']
    const [first, last] = sides
    await scan('mixed', first ?? 'old')
    if (order === 'last') await server.scanAndWait(id)
    await scan('mixed', last ?? 'old')
    await server.scanAndWait(id)
    const { [place]: mark } = await index.marks()
    expect(mark).toMatchObject({ itemKey: place.replace(':', `:${id}:`), isMissing: false })
    await expectTrueCounts()
    await admin.delete(`/api/libraries/${id}`)
  },
)
describe('a version of a film that is put into the folder of that in another library', () => {
  const film = 'movie:Heat (1995)'
  const small = { 'Heat (1995)': { 'Heat (1995) - 1080p.mkv': 2101 } }
  const tagsInNew = async (): Promise<string[]> => {
    const { body } = await admin.get('/api/tags/assignments', { itemKey: keyOf('movies', 'new', film) })
    return body.tags.map(({ name }: { name: string }) => name).toSorted()
  }
  const begin = async (from = 'Heat (1995)'): Promise<void> => {
    await clear('movies')
    makeTree(rootOf('movies', 'new'), small)
    await scan('movies', 'new')
    await index.mark({ [keyOf('movies', 'new', film)]: 'small' })
    await prepare('movies', { [from]: { 'Heat (1995) - 2160p.mkv': 2102 } }, [`movie:${from}`])
  }
  const put = ([way]: Way[], from = 'Heat (1995)'): void => {
    const name = 'Heat (1995) - 2160p.mkv'
    way?.move(at('movies', 'old', `${from}/${name}`), at('movies', 'new', `Heat (1995)/${name}`))
    rmSync(at('movies', 'old', from), { recursive: true })
  }
  const SIDES: ['old' | 'new', 'old' | 'new'][] = [
    ['new', 'old'],
    ['old', 'new'],
  ]

  test.each(SIDES)('has its tags on that, where the %s library is scanned first', async (first, second) => {
    for (const way of WAYS) {
      await begin()
      put([way])
      await scan('movies', first)
      await scan('movies', second)
      expect(await tagsInNew()).toEqual([film, 'small'])
      await scan('movies', first)
      expect(await scan('movies', second)).toEqual({ status: 'done', found: expect.any(Number) })
      expect(await tagsInNew()).toEqual([film, 'small'])
      await expectTrueCounts()
    }
  })

  test.each(SIDES)('leaves nothing to another film, where the %s library is scanned first', async (first, second) => {
    await begin('Heat (1986)')
    put(WAYS, 'Heat (1986)')
    await scan('movies', first)
    await scan('movies', second)
    expect(await tagsInNew()).toEqual(['small'])
  })

  test('leaves nothing to a copy that was there before, as in a backup', async () => {
    await begin()
    cpSync(at('movies', 'old', 'Heat (1995)'), at('movies', 'new', 'Heat (1995)'), { recursive: true })
    for (const side of ['new', 'old'] as const) await scan('movies', side)
    rmSync(at('movies', 'old', 'Heat (1995)'), { recursive: true })
    for (const side of ['old', 'new'] as const) await scan('movies', side)
    expect(await tagsInNew()).toEqual(['small'])
  })
})

describe('an address from before', () => {
  const OLD = 'movie:Arrival (2016)'
  const NEWER = 'movie:Arrival [4K] (2016)'
  const get = async (client: HttpClient, key: string, moved = 1): Promise<unknown> => {
    const { status, body } = await client.get('/api/items', { itemKey: key, moved })
    return status === 200 ? [body.item.itemKey, body.item.missingSince !== null] : status
  }

  test('leads to where the item is now, as far as somebody may see it, and only where nothing lies there', async () => {
    await clear('movies')
    makeTree(rootOf('movies', 'old'), { 'Arrival (2016)': { 'film.mkv': 'Arrival' } })
    await scan('movies', 'old')
    const [before, renamed, after] = [keyOf('movies', 'old', OLD), keyOf('movies', 'old', NEWER), keyOf('movies', 'new', NEWER)]
    renameSync(at('movies', 'old', 'Arrival (2016)'), at('movies', 'old', 'Arrival [4K] (2016)'))
    await scan('movies', 'old')
    expect([await get(admin, before), await get(admin, before, 0)]).toEqual([[renamed, false], 404])
    renameSync(at('movies', 'old', 'Arrival [4K] (2016)'), at('movies', 'new', 'Arrival [4K] (2016)'))
    await scan('movies', 'old')
    // It is nowhere: as good as never moved.
    expect([await get(admin, before), await get(admin, renamed)]).toEqual([404, [renamed, true]])
    await scan('movies', 'new')
    expect([await get(admin, before), await get(admin, renamed), await get(admin, renamed, 0)]).toEqual([
      [after, false],
      [after, false],
      [renamed, true],
    ])
    const other = await server.as('bob', { libraryIds: [idOf('movies', 'old')] })
    expect([await get(other, before), await get(other, renamed), await get(other, after)]).toEqual([404, [renamed, true], 404])
    // Whoever is shown it as missing can look at all of it.
    const libraryId = idOf('movies', 'old')
    const looks = await Promise.all([
      other.get('/api/browse', { libraryId, parentKey: renamed }),
      other.get('/api/facets', { libraryId, parentKey: renamed }),
      ...['ai-tagging/fields', 'ai-tagging/pages', 'tags/assignments', 'progress'].map((path) =>
        other.get(`/api/${path}`, { itemKey: renamed }),
      ),
    ])
    expect(looks.map(({ status }) => status)).toEqual(looks.map(() => 200))
    const stranger = await server.as('eve', { libraryIds: [idOf('movies', 'new')] })
    expect(await get(stranger, before)).toBe(404)
    makeTree(rootOf('movies', 'old'), { 'Arrival (2016)': { 'film.mkv': 'another one' } })
    await scan('movies', 'old')
    expect(await get(admin, before)).toEqual([before, false])
  })

  test.each([['old', 'new'] as const, ['new', 'old'] as const])(
    'takes nothing that is put on it, which nobody would see, where the %s library is scanned first',
    async (first, last) => {
      await clear('movies')
      const film = 'movie:Heat (1995)'
      await prepare('movies', { 'Heat (1995)': { 'film.mkv': 'Heat' } }, [film])
      renameSync(at('movies', 'old', 'Heat (1995)'), at('movies', 'new', 'Heat (1995)'))
      for (const side of [first, last]) await scan('movies', side)
      const [itemKey, now] = [keyOf('movies', 'old', film), keyOf('movies', 'new', film)]
      const [{ id: tagId }] = (await admin.get('/api/tags/assignments', { itemKey: now })).body.tags
      const answers = await Promise.all([
        admin.put('/api/progress', { itemKey, positionSeconds: 60, durationSeconds: 600 }),
        admin.post('/api/progress/bulk', { itemKeys: [itemKey], completed: true }),
        admin.put('/api/tags/assignments', { itemKey, tagId }),
        admin.post('/api/tags/assignments/bulk', { itemKeys: [itemKey], add: [tagId], remove: [] }),
        admin.patch('/api/ai-tagging/fields', { itemKey, extractedText: 'edited' }),
      ])
      expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'not_found'))
      expect(await get(admin, itemKey)).toEqual([now, false])
    },
  )

  test('takes the tags of a file that was exported before the move to where the item is now, as far as somebody may see it', async () => {
    await clear('movies')
    await prepare('movies', { 'Ran (1985)': { 'film.mkv': 'Ran' }, 'Ikiru (1952)': { 'film.mkv': 'Ikiru' } }, ['movie:Ran (1985)'])
    const films = ['movie:Ran (1985)', 'movie:Ikiru (1952)']
    const exported = { assignments: films.map((film) => ({ itemKey: keyOf('movies', 'old', film), tags: ['Directors/Kurosawa'] })) }
    const file = { categories: [{ name: 'Directors', tags: [{ name: 'Kurosawa' }] }], ...exported }
    renameSync(at('movies', 'old', 'Ran (1985)'), at('movies', 'new', 'Ran (1985)'))
    renameSync(at('movies', 'old', 'Ikiru (1952)'), at('movies', 'old', 'Ikiru [4K] (1952)'))
    for (const side of ['old', 'new'] as const) await scan('movies', side)
    const other = await server.as('olga', { libraryIds: [idOf('movies', 'old')] })
    const { body: seen } = await other.post('/api/tags/import?dryRun=1', file)
    const [moved] = exported.assignments
    expect([seen.assigned, seen.skipped]).toEqual([1, [{ row: 1, reason: 'unknown_item', value: moved?.itemKey }]])
    expect((await admin.post('/api/tags/import', file)).body).toMatchObject({ assigned: 2, skippedCount: 0 })
    const places = [keyOf('movies', 'new', 'movie:Ran (1985)'), keyOf('movies', 'old', 'movie:Ikiru [4K] (1952)')]
    for (const itemKey of places) {
      const { tags } = (await admin.get('/api/tags/assignments', { itemKey })).body
      expect(tags.map(({ name }: Json) => name)).toContain('Kurosawa')
    }
  })
})

test.each([
  { first: 'old', last: 'new' },
  { first: 'new', last: 'old' },
] as const)(
  'what two libraries have exchanged keeps everything, where both scans are held and that of the $first one is applied first',
  async ({ first, last }) => {
    await clear('mixed')
    const sides = ['old', 'new'] as const
    // More than 25.
    const numbers = Array.from({ length: 30 }, (_, number) => number)
    for (const side of sides) {
      makeTree(rootOf('mixed', side), {
        [`of ${side}`]: Object.fromEntries(numbers.map((number) => [`${number}.txt`, `${side} ${number}`])),
      })
      await scan('mixed', side)
    }
    await index.waitForHashes()
    const places = ['old', 'new'].map((side) => `mixed_file:of ${side}/0.txt`)
    await index.mark(Object.fromEntries(sides.map((side, place) => [keyOf('mixed', side, places[place] ?? ''), side])))
    renameSync(at('mixed', 'old', 'of old'), at('mixed', 'new', 'of old'))
    renameSync(at('mixed', 'new', 'of new'), at('mixed', 'old', 'of new'))
    for (const side of sides) expect(await scan('mixed', side)).toMatchObject({ status: 'held' })
    for (const side of [first, last]) await applyHeld('mixed', side)
    for (const side of sides) await scan('mixed', side)
    expect(await placesOf('mixed', [...sides])).toEqual({ old: `new ${places[0]}`, new: `old ${places[1]}` })
  },
)
