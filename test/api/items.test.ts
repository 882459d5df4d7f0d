import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { HttpClient, Json } from '../support/http-client.ts'
import { createLegacyDatabase, legacyItem, noLegacyRows } from '../support/legacy-database.ts'
import { makeTree } from '../support/library-tree.ts'
import { makePicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(120_000)
const SETTLED_LIMIT_MS = 60_000

/** API.md, 2 and 5: keys, and the whole item by type. */

let folder: TemporaryFolder
let server: TestServer
let user: HttpClient
const ids = { games: 0, movies: 0, tv: 0, manga: 0, mixed: 0 }

const GAMES = {
  Zelda: {
    'A Link to the Past': { 'link.zip': 7 },
    Ocarina: {
      'ocarina.zip': 11,
      'ocarina.tar.gz': 13,
      'ocarina.dmg': 17,
      'Ocarina.app': { Contents: { MacOS: { ocarina: 19 }, 'Info.plist': 23 } },
      manual: { 'manual.pdf': 2 },
      patches: { '1.1': { 'patch.zip': 3 }, 'Tool.app': { run: 4 } },
    },
  },
  Solo: { 'solo.zip': 5, screenshots: {} },
}
const MOVIES = {
  'Alien (1979)': { 'Alien (1979).mkv': 29, 'Alien (1979)-trailer.mkv': 3, 'movie.nfo': '<movie><title>From the NFO</title></movie>' },
  Léon: { 'Leon.mp4': 31 },
}
const TV = {
  Firefly: {
    'tvshow.nfo': '<tvshow/>',
    'Season 01': { 'Firefly S01E01.mkv': 5, 'Firefly S01E02-E03 Double.mkv': 7 },
    Specials: { 'Firefly S00E01 Blooper.mkv': 3 },
  },
  Flat: { 'Flat S01E01.mkv': 5, 'Flat S01E02.mkv': 5, 'Flat S02E01.mkv': 5 },
}
const MANGA = { Berserk: { 'Berserk v01.cbz': 5, 'Berserk v02': { '001.jpg': 3, '002.jpg': 3 }, 'Berserk c101.5.cbz': 4 } }
const MIXED = { '2020': { 'beach.jpg': 6, 'été.txt': 'x' }, 'no ending': 4, 'song.mp3': 5 }

const PICTURES = [
  ...[
    'games/Solo/cover.jpg',
    'games/Solo/widecover.jpg',
    'games/Solo/screenshots/shot-1600000000000.jpg',
    'games/Solo/screenshots/title.png',
  ],
  ...[
    'games/Zelda/Ocarina/cover.jpg',
    'movies/Alien (1979)/poster.jpg',
    'movies/Alien (1979)/fanart.jpg',
    'tv/Firefly/poster.jpg',
    'tv/Firefly/Season 01/poster.jpg',
  ],
]

beforeAll(async () => {
  folder = await temporaryFolder('items')
  const trees = { games: GAMES, movies: MOVIES, tv: TV, manga: MANGA, mixed: MIXED }
  for (const [name, tree] of Object.entries(trees)) makeTree(join(folder.path, name), tree)
  await Promise.all(PICTURES.map((path, seed) => makePicture(join(folder.path, path), { width: 40, height: 60, seed })))
  const types = Object.keys(trees) as (keyof typeof trees)[]
  server = await startServer({ libraries: types.map((type) => ({ type, name: type, path: join(folder.path, type) })) })
  await server.waitForScans()
  user = await server.as('user')
  for (const { name, id } of (await user.get('/api/libraries')).body.libraries) Object.assign(ids, { [name]: id })
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const get = async (itemKey: string): Promise<Json> => {
  const { status, body } = await user.get('/api/items', { itemKey })
  expect([itemKey, status]).toEqual([itemKey, 200])
  return body.item
}

const ENTRY = `itemKey itemType title parentKey libraryId coverUrl thumbnailUrl year rating childCount gameCount seasonNumber episodeNumber
  episodeNumberEnd mediaKind mimeType size width height durationSeconds hasExtractedText addedAt tagIds thumbhash progress`.split(/\s+/)
const EVERY_ITEM = ['description', 'extractedText', 'translation', 'aiTaggedAt', 'tags', 'missingSince']
const NFO = ['year', 'plot', 'rating', 'genres', 'runtimeMinutes', 'nfoRefreshedAt', 'nfoAvailable']
const TELEVISION = ['seasonCount', 'episodeCount', 'posterUrl', 'backdropUrl', 'plot', 'rating', 'genres', 'airedAt', 'runtimeMinutes']
const BY_TYPE: Record<string, string[]> = {
  game: ['files', 'coverUrl', 'wideCoverUrl', 'screenshots'],
  game_series: ['gameCount', 'coverUrl'],
  movie: ['files', 'posterUrl', 'backdropUrl', ...NFO],
  tv_series: TELEVISION,
  tv_season: TELEVISION,
  tv_episode: TELEVISION,
  manga_series: ['volumeCount', 'pageCount', 'volumeNumber', 'chapterNumber', 'readingDirection'],
  manga_volume: ['volumeCount', 'pageCount', 'volumeNumber', 'chapterNumber', 'readingDirection'],
  mixed_file: ['filePath', 'mimeType', 'width', 'height', 'durationSeconds'],
}

/** Key without type and library, title, and what it is in; by item type. */
const EXPECTED: [itemType: string, library: keyof typeof ids, path: string, title: string, parent: string | null][] = [
  ['game', 'games', 'Solo', 'Solo', null],
  ['game', 'games', 'Zelda/Ocarina', 'Ocarina', 'game_series:Zelda'],
  ['game_series', 'games', 'Zelda', 'Zelda', null],
  ['movie', 'movies', 'Alien (1979)', 'Alien (1979)', null],
  ['movie', 'movies', 'Léon', 'Léon', null],
  ['tv_series', 'tv', 'Firefly', 'Firefly', null],
  ['tv_season', 'tv', 'Firefly/Season 01', 'Season 01', 'tv_series:Firefly'],
  ['tv_season', 'tv', 'Firefly/Specials', 'Specials', 'tv_series:Firefly'],
  ['tv_episode', 'tv', 'Firefly/Season 01/Firefly S01E01.mkv', 'Firefly S01E01', 'tv_season:Firefly/Season 01'],
  ['tv_season', 'tv', 'Flat/#season-1', 'Season 1', 'tv_series:Flat'],
  ['tv_season', 'tv', 'Flat/#season-2', 'Season 2', 'tv_series:Flat'],
  ['tv_episode', 'tv', 'Flat/Flat S02E01.mkv', 'Flat S02E01', 'tv_season:Flat/#season-2'],
  ['manga_series', 'manga', 'Berserk', 'Berserk', null],
  ['manga_volume', 'manga', 'Berserk/Berserk v01.cbz', 'Berserk v01', 'manga_series:Berserk'],
  ['manga_volume', 'manga', 'Berserk/Berserk v02', 'Berserk v02', 'manga_series:Berserk'],
  ['mixed_file', 'mixed', '2020/beach.jpg', 'beach.jpg', null],
  ['mixed_file', 'mixed', 'no ending', 'no ending', null],
  ['mixed_file', 'mixed', '2020/été.txt', 'été.txt', null],
]

describe('an item has the key, the title from its folder or file, and the fields of its type', () => {
  for (const [itemType, library, path, title, parent] of EXPECTED)
    test(`${itemType} ${path}`, async () => {
      const itemKey = `${itemType}:${ids[library]}:${path}`
      const item = await get(itemKey)
      const parentKey = parent?.replace(':', `:${ids[library]}:`) ?? null
      expect(item).toMatchObject({ itemKey, itemType, title, parentKey, libraryId: ids[library] })
      const fields = [...ENTRY, ...EVERY_ITEM, ...(BY_TYPE[itemType] ?? [])]
      expect(fields.filter((field) => item[field] === undefined)).toEqual([])
      expect(item).toMatchObject({
        description: null,
        extractedText: null,
        translation: null,
        aiTaggedAt: null,
        tags: [],
        missingSince: null,
      })
      // What the list says and what the item says is the same, once the background has looked into both.
      const told = (source: Json) => ENTRY.map((field) => [field, source[field]])
      let seen: unknown[] = []
      await waitFor(
        async () => {
          const { entries } = (await user.get('/api/browse', { libraryId: ids[library], parentKey: parentKey ?? undefined })).body
          seen = [told(entries.find((candidate: Json) => candidate.itemKey === itemKey)), told(await get(itemKey))]
          return Bun.deepEquals(seen[0], seen[1]) || undefined
        },
        SETTLED_LIMIT_MS,
        () => `The list and the item differ: ${JSON.stringify(seen)}`,
      )
    })
})

test('every item is what the description says, has no member that is not described, and none twice', async () => {
  const { body: description } = await user.get('/api/openapi.json')
  const { schema } = description.paths['/api/items'].get.responses['200'].content['application/json']
  const described = Object.keys(schema.properties.item.properties)
  const answer = z.fromJSONSchema(z.record(z.string(), z.json()).parse(schema))
  for (const [itemType, library, path] of EXPECTED) {
    const itemKey = `${itemType}:${ids[library]}:${path}`
    const text = await (await user.fetch(`/api/items?${new URLSearchParams({ itemKey })}`)).text()
    const body = JSON.parse(text)
    expect([itemKey, answer.safeParse(body).error?.issues]).toEqual([itemKey, undefined])
    expect([itemKey, Object.keys(body.item).filter((member) => !described.includes(member))]).toEqual([itemKey, []])
    expect(text).toBe(JSON.stringify(body))
  }
})

describe('an item that is not there', () => {
  test('is not found, whatever is wrong with its key', async () => {
    const key = `movie:${ids.movies}:Alien (1979)`
    const wrong = [
      ...[
        key.toUpperCase(),
        `${key}/`,
        `${key} `,
        ` ${key}`,
        key.replace('movie', 'film'),
        key.replace('movie', 'game'),
        key.replace('movie:', 'movie:0'),
      ],
      ...[
        `movie:${ids.games}:Alien (1979)`,
        'movie',
        'movie:',
        'movie::',
        `movie:${ids.movies}:`,
        `movie:-1:Alien (1979)`,
        `${ids.movies}:Alien (1979)`,
      ],
      ...[
        `movie:${ids.movies}:Le\u0301on`,
        `movie:${ids.movies}:./Léon`,
        `movie:${ids.movies}:x/../Léon`,
        `movie:${ids.movies}:/Léon`,
        `movie:${ids.movies}:Léon\u0000`,
      ],
      ...[
        `movie:${ids.movies}.0:Léon`,
        `movie:0x${ids.movies}:Léon`,
        `movie:${'9'.repeat(30)}:Léon`,
        'null',
        'undefined',
        '[object Object]',
      ],
    ]
    for (const itemKey of wrong) {
      const { status, body } = await user.get('/api/items', { itemKey })
      expect([itemKey, status, body.code]).toEqual([itemKey, 404, 'not_found'])
    }
    for (const itemKey of ['', 'x'.repeat(4097)]) expect((await user.get('/api/items', { itemKey })).status).toBe(400)
  })
})

/** Whether an address in an answer leads to a picture. */
const isPicture = async (url: string): Promise<boolean> => {
  const response = await user.fetch(url)
  return response.status === 200 && (response.headers.get('content-type') ?? '').startsWith('image/')
}

describe('a game', () => {
  test('lists all its archives with platform, size and kind', async () => {
    const { files, size } = await get(`game:${ids.games}:Zelda/Ocarina`)
    expect(files).toEqual([
      { name: 'ocarina.zip', platform: 'windows', size: 11, kind: 'file' },
      { name: 'ocarina.tar.gz', platform: 'linux', size: 13, kind: 'file' },
      { name: 'Ocarina.app', platform: 'macos', size: 42, kind: 'app_bundle' },
      { name: 'ocarina.dmg', platform: 'macos', size: 17, kind: 'file' },
    ])
    expect(size).toBe(11 + 13 + 17 + 42)
  })

  test('lists apart what came with it', async () => {
    const { extras } = await get(`game:${ids.games}:Zelda/Ocarina`)
    expect(extras).toEqual([
      { name: 'manual/manual.pdf', size: 2, kind: 'file' },
      { name: 'patches/Tool.app', size: 4, kind: 'app_bundle' },
      { name: 'patches/1.1/patch.zip', size: 3, kind: 'file' },
    ])
    expect((await get(`game:${ids.games}:Solo`)).extras).toEqual([])
  })

  test('has its covers and its screenshots, by addresses that work', async () => {
    const { coverUrl, wideCoverUrl, screenshots, thumbnailUrl } = await get(`game:${ids.games}:Solo`)
    const byName = new Map(screenshots.map((shot: Json) => [shot.name, shot.takenAt]))
    expect(byName).toEqual(
      new Map([
        ['shot-1600000000000.jpg', '2020-09-13T12:26:40.000Z'],
        ['title.png', null],
      ]),
    )
    const urls = [coverUrl, wideCoverUrl, ...screenshots.map(({ url }: Json) => url)]
    expect(new Set(urls).size).toBe(4)
    for (const url of urls) expect([url, await isPicture(url)]).toEqual([expect.stringMatching(/^\/api\/artwork\?itemKey=.*&v=/), true])
    expect(thumbnailUrl).toMatch(/^\/api\/thumbnails\?itemKey=.*&size=small&v=/)
  })

  test('without pictures says so', async () => {
    expect(await get(`game:${ids.games}:Zelda/A Link to the Past`)).toMatchObject({
      coverUrl: null,
      wideCoverUrl: null,
      screenshots: [],
      thumbnailUrl: null,
    })
  })
})

test('a series of games counts them, and without a cover of its own shows that of a game', async () => {
  const series = await get(`game_series:${ids.games}:Zelda`)
  const ocarina = await get(`game:${ids.games}:Zelda/Ocarina`)
  expect(series).toMatchObject({ gameCount: 2, childCount: 2, size: null, coverUrl: ocarina.coverUrl, thumbnailUrl: ocarina.thumbnailUrl })
  expect(await isPicture(series.coverUrl)).toBe(true)
  await makePicture(join(folder.path, 'games/Zelda/cover.jpg'), { width: 40, height: 60 })
  await server.scanAndWait(ids.games)
  const own = await get(`game_series:${ids.games}:Zelda`)
  expect(own.coverUrl).toStartWith(`/api/artwork?itemKey=${encodeURIComponent(`game_series:${ids.games}:Zelda`)}&kind=cover`)
  expect(await isPicture(own.coverUrl)).toBe(true)
})

test('a film has its files by role, its pictures, its year, and knows of its NFO file without reading it', async () => {
  const alien = await get(`movie:${ids.movies}:Alien (1979)`)
  expect(alien).toMatchObject({
    title: 'Alien (1979)',
    year: 1979,
    plot: null,
    rating: null,
    genres: [],
    runtimeMinutes: null,
    nfoRefreshedAt: null,
    nfoAvailable: true,
    mediaKind: 'video',
  })
  expect(alien.files).toEqual([
    { name: 'Alien (1979).mkv', size: 29, role: 'main', label: null, media: null },
    { name: 'Alien (1979)-trailer.mkv', size: 3, role: 'extra', label: expect.any(String), media: null },
  ])
  for (const url of [alien.posterUrl, alien.backdropUrl, alien.coverUrl]) expect(await isPicture(url)).toBe(true)
  expect(alien.posterUrl).toBe(alien.coverUrl)
  expect(await get(`movie:${ids.movies}:Léon`)).toMatchObject({ year: null, posterUrl: null, backdropUrl: null, nfoAvailable: false })
})

test('a series, its seasons and its episodes count each other and know their numbers', async () => {
  const series = await get(`tv_series:${ids.tv}:Firefly`)
  expect(series).toMatchObject({ seasonCount: 2, episodeCount: 3, childCount: 2, seasonNumber: null })
  expect(await isPicture(series.posterUrl)).toBe(true)
  const season = await get(`tv_season:${ids.tv}:Firefly/Season 01`)
  expect(season).toMatchObject({ seasonNumber: 1, episodeCount: 2, childCount: 2 })
  expect(await isPicture(season.posterUrl)).toBe(true)
  expect(await get(`tv_season:${ids.tv}:Firefly/Specials`)).toMatchObject({ seasonNumber: 0, episodeCount: 1 })
  expect(await get(`tv_episode:${ids.tv}:Firefly/Season 01/Firefly S01E02-E03 Double.mkv`)).toMatchObject({
    seasonNumber: 1,
    episodeNumber: 2,
    episodeNumberEnd: 3,
    size: 7,
  })
  expect(await get(`tv_series:${ids.tv}:Flat`)).toMatchObject({ seasonCount: 2, episodeCount: 3 })
  expect(await get(`tv_season:${ids.tv}:Flat/#season-2`)).toMatchObject({ seasonNumber: 2, episodeCount: 1 })
})

test('a manga series counts its volumes, and a volume knows its number', async () => {
  expect(await get(`manga_series:${ids.manga}:Berserk`)).toMatchObject({ volumeCount: 3, childCount: 3 })
  expect(await get(`manga_volume:${ids.manga}:Berserk/Berserk v01.cbz`)).toMatchObject({ volumeNumber: 1, chapterNumber: null, size: 5 })
  expect(await get(`manga_volume:${ids.manga}:Berserk/Berserk v02`)).toMatchObject({ volumeNumber: 2, pageCount: 2 })
  expect(await get(`manga_volume:${ids.manga}:Berserk/Berserk c101.5.cbz`)).toMatchObject({ volumeNumber: null, chapterNumber: 101.5 })
})

test('a mixed file knows where it lies in its library, and what it is', async () => {
  expect(await get(`mixed_file:${ids.mixed}:2020/beach.jpg`)).toMatchObject({
    filePath: '2020/beach.jpg',
    mimeType: 'image/jpeg',
    mediaKind: 'image',
    size: 6,
  })
  expect(await get(`mixed_file:${ids.mixed}:song.mp3`)).toMatchObject({ filePath: 'song.mp3', mimeType: 'audio/mpeg', mediaKind: 'audio' })
  expect(await get(`mixed_file:${ids.mixed}:no ending`)).toMatchObject({ mimeType: null, mediaKind: 'other' })
})

test('a game of the oldest schema has a file of platform windows for each of its zip files', async () => {
  await using old = await temporaryFolder('legacy')
  const media = makeTree(join(old.path, 'games'), { Doom: { 'doom.zip': 'zip bytes', 'wad.zip': 8 } })
  mkdirSync(join(old.path, 'data'))
  const doom = legacyItem('game', 1, 'Doom')
  doom[5] = JSON.stringify({ zipFiles: ['doom.zip', 'wad.zip'] })
  const broken = legacyItem('game', 1, 'Broken')
  broken[5] = '{"zipFiles": "x"'
  await createLegacyDatabase(join(old.path, 'data/vitrine.db'), {
    ...noLegacyRows,
    libraries: [[1, 'Spiele', 'games', media]],
    media_items: [doom, broken],
  })
  await using legacy = await startServer({ dataDir: join(old.path, 'data'), env: { SCAN_ON_START: '0' } })
  const admin = await legacy.as('admin')
  const { item } = (await admin.get('/api/items', { itemKey: 'game:1:Doom' })).body
  expect(item.files).toEqual(['doom.zip', 'wad.zip'].map((name) => ({ name, platform: 'windows', size: null, kind: 'file' })))
  expect((await admin.get('/api/files', { itemKey: 'game:1:Doom', file: 'doom.zip' })).body).toBe('zip bytes')
  expect((await admin.get('/api/items', { itemKey: 'game:1:Broken' })).body.item.files).toEqual([])
  await legacy.scanAndWait(1)
  const scanned = (await admin.get('/api/items', { itemKey: 'game:1:Doom' })).body.item
  expect(scanned.files).toEqual([
    { name: 'doom.zip', platform: 'windows', size: 9, kind: 'file' },
    { name: 'wad.zip', platform: 'windows', size: 8, kind: 'file' },
  ])
})
