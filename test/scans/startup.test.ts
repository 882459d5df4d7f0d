import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { openIndexOf } from '../support/index-database.ts'
import { createLegacyDatabase, type LegacyRows, legacyItem, noLegacyRows } from '../support/legacy-database.ts'
import { makeTree } from '../support/library-tree.ts'
import { listEntries, NOTHING_PLAYS, outcomeOf } from '../support/scan-scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer } from '../support/test-server.ts'

/** What a start does with libraries: those of its flags, those of its database, and those of a database years old. */

const names = async (client: HttpClient): Promise<string[]> =>
  (await client.get('/api/libraries')).body.libraries.map(({ name }: Json) => name)
const triggers = async (client: HttpClient): Promise<string[]> =>
  (await client.get('/api/scans')).body.scans.map(({ libraryId, trigger }: Json) => `${libraryId} ${trigger}`).sort()

describe('libraries of the command line', () => {
  test('one that is there already and has become a file fails its scan, and not the start', async () => {
    await using folder = await temporaryFolder('startup')
    makeTree(folder.path, { films: { 'Alien (1979)/Alien.mkv': 5 }, photos: { 'a.jpg': 1 } })
    const dataDir = join(folder.path, 'data')
    const [films, photos] = [join(folder.path, 'films'), join(folder.path, 'photos')]
    const libraries = [
      { type: 'movies', path: films },
      { type: 'mixed', path: photos },
    ] as const
    const outcomes = async (): Promise<string[]> => {
      await using server = await startServer({ dataDir, libraries: [...libraries], env: NOTHING_PLAYS })
      await server.waitForScans()
      const { scans } = (await (await server.as('admin')).get('/api/scans')).body
      return scans
        .slice(0, libraries.length)
        .map(({ libraryId, status }: Json) => `${libraryId} ${status}`)
        .sort()
    }
    expect(await outcomes()).toEqual(['1 done', '2 done'])
    renameSync(films, `${films} of before`)
    makeTree(folder.path, { films: 'a file' })
    expect(await outcomes()).toEqual(['1 failed', '2 done'])
  })

  test('are made once, scanned at every start, and only the new ones where SCAN_ON_START is 0', async () => {
    await using folder = await temporaryFolder('startup')
    makeTree(folder.path, { films: { 'Alien (1979)/Alien.mkv': 5 }, photos: { 'a.jpg': 1 } })
    const dataDir = join(folder.path, 'data')
    const films = { type: 'movies', path: join(folder.path, 'films'), name: 'Films: the best' } as const
    const photos = { type: 'mixed', path: join(folder.path, 'photos') } as const
    const run = async (libraries: (typeof films | typeof photos)[], env: Record<string, string>) => {
      await using server = await startServer({ dataDir, libraries, env })
      await server.waitForScans()
      const admin = await server.as('admin')
      return { names: await names(admin), triggers: await triggers(admin) }
    }
    expect(await run([films], {})).toEqual({ names: ['Films: the best'], triggers: ['1 startup'] })
    expect(await run([films, photos], { SCAN_ON_START: '0' })).toEqual({
      names: ['Films: the best', 'photos'],
      triggers: ['1 startup', '2 startup'],
    })
    expect(await run([films, photos], { SCAN_ON_START: '0' })).toEqual({
      names: ['Films: the best', 'photos'],
      triggers: ['1 startup', '2 startup'],
    })
    // Without the flags they stay; with the variable they are the same ones.
    const variable = { LIBRARIES: `Films: the best:movies=${films.path};mixed=${photos.path}` }
    expect(await run([], variable)).toEqual({
      names: ['Films: the best', 'photos'],
      triggers: ['1 startup', '1 startup', '2 startup', '2 startup'],
    })
  })

  test('that a start has made which was killed before it scanned them are scanned by the next one', async () => {
    await using folder = await temporaryFolder('startup')
    const paths = Array.from({ length: 20 }, (_, at) => join(folder.path, `library ${at}`))
    for (const path of paths) makeTree(path, { 'a.jpg': 1 })
    const dataDir = join(folder.path, 'data')
    const flags = ['--port', '0', '--host', '127.0.0.1', '--data', dataDir, ...paths.flatMap((path) => ['--library', `mixed=${path}`])]
    const killed = Bun.spawn([process.execPath, 'src/main.ts', ...flags], {
      cwd: join(import.meta.dir, '../..'),
      env: { PATH: process.env.PATH, HOME: '/tmp', SCAN_ON_START: '0' },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    for await (const chunk of killed.stdout.pipeThrough(new TextDecoderStream()))
      if (chunk.includes('library_created')) killed.kill('SIGKILL')
    await killed.exited
    const libraries = paths.map((path) => ({ type: 'mixed', path }) as const)
    await using server = await startServer({ dataDir, libraries, env: { SCAN_ON_START: '0' } })
    await server.waitForScans()
    const { body } = await (await server.as('admin')).get('/api/libraries')
    expect(body.libraries.map(({ itemCount }: Json) => itemCount)).toEqual(paths.map(() => 1))
  })

  test('that were changed in Manage since do not refuse the start', async () => {
    await using folder = await temporaryFolder('startup')
    makeTree(folder.path, { films: { 'new/Alien (1979)/Alien.mkv': 5 }, photos: { 'a.jpg': 1 } })
    const dataDir = join(folder.path, 'data')
    const libraries = [
      { type: 'movies', path: join(folder.path, 'films') },
      { type: 'mixed', path: join(folder.path, 'photos') },
    ] as const
    for (let round = 0; round < 2; round += 1) {
      await using server = await startServer({ dataDir, libraries: [...libraries], env: NOTHING_PLAYS })
      const admin = await server.as('admin')
      await admin.patch('/api/libraries/1', { name: 'Other films', path: join(folder.path, 'films/new') })
      expect(await names(admin)).toEqual(['Other films', 'photos'])
    }
  })

  test('that cannot be made now are told of, and the server starts all the same', async () => {
    await using folder = await temporaryFolder('startup')
    makeTree(folder.path, { photos: { 'a.jpg': 1 } })
    const away = join(folder.path, 'away')
    await using server = await startServer({
      libraries: [
        { type: 'movies', path: away },
        { type: 'mixed', path: join(folder.path, 'photos') },
      ],
    })
    expect(await names(await server.as('admin'))).toEqual(['photos'])
    const line = server
      .output()
      .split('\n')
      .find((each) => each.includes('library_not_created'))
    const told = { level: 'error', path: away, reason: `There is no folder ${away}.`, advice: expect.stringContaining('start again') }
    expect(JSON.parse(line ?? '{}')).toMatchObject(told)
    expect(line).not.toContain('"stack"')
  })
})

describe('a database of the oldest schema', () => {
  /** Items on disk and in the database, one that is no longer on disk, and file names that fit several items. */
  const legacyRows = (media: string): LegacyRows => ({
    ...noLegacyRows,
    libraries: [
      [1, 'Spiele', 'games', join(media, 'games')],
      [2, 'Filme', 'movies', join(media, 'movies')],
      [3, 'Séries', 'tv', join(media, 'tv')],
    ],
    media_items: [
      legacyItem('game_series', 1, 'Zelda', 'The Legend of Zelda'),
      ['game:1:Zelda/Ocarina', 1, 'game', 'Ocarina', 'Zelda/Ocarina', JSON.stringify({ zipFiles: ['ocarina.zip', 'patch.zip'] })],
      ['game:1:Doom', 1, 'game', 'Doom', 'Doom', JSON.stringify({ zipFiles: ['doom.zip'] })],
      ['game:1:Gone', 1, 'game', 'Gone', 'Gone', JSON.stringify({ zipFiles: ['gone.zip'] })],
      legacyItem('movie', 2, 'Alien (1979)'),
      legacyItem('tv_series', 3, 'Élan'),
      legacyItem('tv_season', 3, 'Élan/Season 1', 'Season 1'),
      legacyItem('tv_episode', 3, 'Élan/Season 1/S01E01.mkv', 'S01E01'),
      legacyItem('tv_series', 3, 'Other'),
      legacyItem('tv_season', 3, 'Other/Staffel 1', 'Staffel 1'),
      legacyItem('tv_episode', 3, 'Other/Staffel 1/S01E01.mkv', 'S01E01'),
      legacyItem('tv_episode', 3, 'Other/Staffel 1/Other S01E02.mkv', 'Other S01E02'),
    ],
    tag_categories: [[1, 'Genre']],
    tags: [
      [1, 1, 'Action'],
      [2, 1, 'Horror'],
    ],
    tag_assignments: [
      ['1:Ocarina', 1],
      ['1:Zelda', 2],
      ['1:Gone', 1],
      ['2:Alien (1979)', 2],
      ['3:Élan', 1],
      ['3:Season 1', 2],
      ['3:Other S01E02.mkv', 2],
      // Fits two episodes: nobody can say which.
      ['3:S01E01.mkv', 1],
      ['3:no such file.mkv', 1],
    ],
    ai_jobs: [[1, '2:Alien (1979)', 'tag', 'queued', null, '2026-01-02 03:04:05']],
  })

  const tree = {
    games: { Zelda: { Ocarina: { 'ocarina.zip': 20, 'patch.zip': 3 } }, Doom: { 'doom.zip': 10 } },
    movies: { 'Alien (1979)': { 'Alien.mkv': 100 }, 'Heat (1995)': { 'Heat.mkv': 50 } },
    tv: {
      Élan: { 'Season 1': { 'S01E01.mkv': 30 } },
      Other: { 'Staffel 1': { 'S01E01.mkv': 31, 'Other S01E02.mkv': 32 } },
    },
  }

  const KEPT_TAGS = {
    'game:1:Zelda/Ocarina': ['Action'],
    'game_series:1:Zelda': ['Horror'],
    'game:1:Doom': [],
    'game:1:Gone': ['Action'],
    'movie:2:Alien (1979)': ['Horror'],
    'tv_series:3:Élan': ['Action'],
    'tv_season:3:Élan/Season 1': ['Horror'],
    'tv_episode:3:Élan/Season 1/S01E01.mkv': [],
    'tv_episode:3:Other/Staffel 1/S01E01.mkv': [],
    'tv_episode:3:Other/Staffel 1/Other S01E02.mkv': ['Horror'],
  }

  const readTags = async (admin: HttpClient): Promise<Record<string, string[]>> => {
    const tags: Record<string, string[]> = {}
    for (const itemKey of Object.keys(KEPT_TAGS))
      tags[itemKey] = (await admin.get('/api/items', { itemKey })).body.item.tags.map(({ name }: Json) => name)
    return tags
  }

  const prepare = async (folder: string): Promise<string> => {
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    makeTree(join(folder, 'media'), tree)
    await createLegacyDatabase(join(dataDir, 'vitrine.db'), legacyRows(join(folder, 'media')))
    return dataDir
  }

  test('is migrated, kept as a backup, browsable before any scan, and its games still have their files', async () => {
    await using folder = await temporaryFolder('legacy')
    const dataDir = await prepare(folder.path)
    await using server = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
    const admin = await server.as('admin')
    expect(readdirSync(dataDir).filter((name) => name.startsWith('vitrine.db.bak-')).length).toBeGreaterThan(0)
    expect(await names(admin)).toEqual(['Filme', 'Séries', 'Spiele'])
    expect(await readTags(admin)).toEqual(KEPT_TAGS)
    const { item } = (await admin.get('/api/items', { itemKey: 'game:1:Zelda/Ocarina' })).body
    expect(item.files).toEqual(['ocarina.zip', 'patch.zip'].map((name) => ({ name, platform: 'windows', size: null, kind: 'file' })))
    const file = await admin.fetch(`/api/files?${new URLSearchParams({ itemKey: 'game:1:Zelda/Ocarina', file: 'patch.zip' })}`)
    expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, 3])
    expect((await admin.get('/api/browse', { libraryId: 1 })).body.entries.map(({ itemKey }: Json) => itemKey)).toContain('game:1:Doom')
  })

  test('is scanned without a doubled, moved or lost item, and every tag is where it was', async () => {
    await using folder = await temporaryFolder('legacy')
    const dataDir = await prepare(folder.path)
    await using server = await startServer({ dataDir })
    await server.waitForScans()
    const admin = await server.as('admin')
    const outcomes = new Map(
      (await admin.get('/api/libraries')).body.libraries.map(({ name, lastScan }: Json) => [name, outcomeOf(lastScan)]),
    )
    expect(outcomes.get('Spiele')).toMatchObject({ status: 'done', found: 3, missing: 1 })
    expect(outcomes.get('Filme')).toMatchObject({ status: 'done', found: 2, added: 1 })
    expect(outcomes.get('Séries')).toMatchObject({ status: 'done', found: 7 })
    for (const outcome of outcomes.values()) expect(outcome).not.toHaveProperty('moved')
    expect(await readTags(admin)).toEqual(KEPT_TAGS)
    const ocarina = (await admin.get('/api/items', { itemKey: 'game:1:Zelda/Ocarina' })).body.item
    expect(ocarina).toMatchObject({
      parentKey: 'game_series:1:Zelda',
      files: [
        { name: 'ocarina.zip', size: 20 },
        { name: 'patch.zip', size: 3 },
      ],
    })
    expect((await admin.get('/api/items', { itemKey: 'game:1:Gone' })).body.item.missingSince).not.toBeNull()
    const keys = (await Promise.all([1, 2, 3].map((libraryId) => listEntries(admin, { libraryId })))).flat().map(({ itemKey }) => itemKey)
    const present = Object.keys(KEPT_TAGS).filter((key) => key !== 'game:1:Gone')
    expect(keys.sort()).toEqual([...present, 'movie:2:Heat (1995)', 'tv_series:3:Other', 'tv_season:3:Other/Staffel 1'].sort())
    // Its types are today's, too.
    makeTree(join(folder.path, 'media'), { manga: { Akira: { 'v01.cbz': 5 } } })
    const made = await admin.post('/api/libraries', { name: 'Manga', type: 'manga', path: join(folder.path, 'media', 'manga') })
    expect(await server.scanAndWait(made.body.library.id)).toMatchObject({ status: 'done', added: 2 })
  })

  test('lists what its first scan misses, counts it, and forgets it only when it is purged', async () => {
    await using folder = await temporaryFolder('legacy')
    await using server = await startServer({ dataDir: await prepare(folder.path) })
    await server.waitForScans()
    const admin = await server.as('admin')
    const missing = { libraryId: 1, missing: 1 }
    expect((await admin.get('/api/browse', missing)).body.entries.map(({ itemKey }: Json) => itemKey)).toEqual(['game:1:Gone'])
    expect((await admin.get('/api/libraries/1/contents')).body.contents).toMatchObject({ missing: 1, missingAssignments: 1 })
    expect((await admin.post('/api/libraries/1/purge-missing')).body).toEqual({ purged: 1 })
    expect((await admin.get('/api/browse', missing)).body.entries).toEqual([])
    expect((await admin.get('/api/items', { itemKey: 'game:1:Gone' })).status).toBe(404)
  })

  test('keeps the titles that its NFO files gave, and has the others from the folders', async () => {
    await using folder = await temporaryFolder('legacy')
    const tv = { 'Élan (2011)': { 'Season 1': { 'S01E01.mkv': 30, 'S01E02.mkv': 31 } } }
    makeTree(join(folder.path, 'media'), { movies: { 'Alien (1979)': { 'Alien.mkv': 100 }, 'Heat (1995)': { 'Heat.mkv': 50 } }, tv })
    const dataDir = join(folder.path, 'data')
    mkdirSync(dataDir)
    await createLegacyDatabase(join(dataDir, 'vitrine.db'), {
      ...noLegacyRows,
      libraries: [
        [1, 'Filme', 'movies', join(folder.path, 'media', 'movies')],
        [2, 'Séries', 'tv', join(folder.path, 'media', 'tv')],
      ],
      media_items: [
        legacyItem('movie', 1, 'Alien (1979)', 'Alien: Director’s Cut'),
        legacyItem('movie', 1, 'Heat (1995)'),
        legacyItem('tv_series', 2, 'Élan (2011)', 'Élan'),
        legacyItem('tv_season', 2, 'Élan (2011)/Season 1', 'One'),
        legacyItem('tv_episode', 2, 'Élan (2011)/Season 1/S01E01.mkv', 'Pilot'),
        legacyItem('tv_episode', 2, 'Élan (2011)/Season 1/S01E02.mkv', 'S01E02.mkv'),
      ],
    })
    await using server = await startServer({ dataDir })
    await server.waitForScans()
    const admin = await server.as('admin')
    const titleOf = async (itemKey: string): Promise<unknown[]> => {
      const { item } = (await admin.get('/api/items', { itemKey })).body
      return [item.title, item.year ?? null, item.nfoRefreshedAt ?? null]
    }
    const expected = {
      'movie:1:Alien (1979)': ['Alien: Director’s Cut', 1979, null],
      'movie:1:Heat (1995)': ['Heat (1995)', 1995, null],
      'tv_series:2:Élan (2011)': ['Élan', 2011, null],
      'tv_season:2:Élan (2011)/Season 1': ['Season 1', null, null],
      'tv_episode:2:Élan (2011)/Season 1/S01E01.mkv': ['Pilot', null, null],
      'tv_episode:2:Élan (2011)/Season 1/S01E02.mkv': ['S01E02', null, null],
    }
    for (const [key, values] of Object.entries(expected)) expect([key, ...(await titleOf(key))]).toEqual([key, ...values])
    renameSync(join(folder.path, 'media', 'movies', 'Alien (1979)'), join(folder.path, 'media', 'movies', 'Alien - Remastered (1980)'))
    await server.scanAndWait(1)
    expect(await titleOf('movie:1:Alien - Remastered (1980)')).toEqual(['Alien: Director’s Cut', 1980, null])
  })

  test('is nothing special any more at its second start', async () => {
    await using folder = await temporaryFolder('legacy')
    const dataDir = await prepare(folder.path)
    const first = await startServer({ dataDir })
    await first.waitForScans()
    await using index = openIndexOf(first)
    const schema = () =>
      index.query("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'search_t%' ORDER BY name")
    const before = { rows: await index.dump(), schema: await schema(), files: readdirSync(dataDir).filter((name) => name.includes('bak')) }
    await first.stop()
    await using second = await startServer({ dataDir })
    await second.waitForScans()
    const after = { rows: await index.dump(), schema: await schema(), files: readdirSync(dataDir).filter((name) => name.includes('bak')) }
    expect(after).toEqual(before)
    expect(second.output()).not.toMatch(/"event":"(?:migration|database_created)"/)
    for (const { lastScan } of (await (await second.as('admin')).get('/api/libraries')).body.libraries)
      expect(lastScan).toMatchObject({ status: 'done', trigger: 'startup', added: 0, updated: 0, moved: 0, missing: 0, restored: 0 })
    await index.check()
  })

  test('whose folders are away keeps everything until they are back', async () => {
    await using folder = await temporaryFolder('legacy')
    const dataDir = await prepare(folder.path)
    const media = join(folder.path, 'media')
    renameSync(media, `${media}-away`)
    await using server = await startServer({ dataDir })
    await server.waitForScans()
    const admin = await server.as('admin')
    for (const { lastScan, available } of (await admin.get('/api/libraries')).body.libraries)
      expect({ available, lastScan }).toMatchObject({
        available: false,
        lastScan: { status: 'failed', error: 'root_unavailable', missing: 0 },
      })
    expect(await readTags(admin)).toEqual(KEPT_TAGS)
    renameSync(`${media}-away`, media)
    for (const id of [1, 2, 3]) expect(await server.scanAndWait(id)).toMatchObject({ status: 'done' })
    expect(await readTags(admin)).toEqual(KEPT_TAGS)
  })
})
