import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

const HOUR = 3600
const NEVER = { positionSeconds: null, durationSeconds: null, page: null, completed: null, updatedAt: null }

const DVD = { VIDEO_TS: { 'VIDEO_TS.VOB': 5, 'VTS_01_1.VOB': 500, 'VTS_01_2.VOB': 400 } }

const volumes = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { '1.jpg': 7 }]))

setDefaultTimeout(60_000)

let scene: ScanScene
let admin: HttpClient
beforeAll(async () => {
  const seasons = {
    'Season 01': { 'Show S01E01.mkv': 101, 'Show S01E02.mkv': 102, 'Show S01E02 720p.mkv': 103, 'Show S01E10.mkv': 110 },
    'Season 02': { 'Show S02E01-E02.mkv': 201, 'Show S02E03.mkv': 203 },
    Specials: { 'Show S00E01.mkv': 901, 'Show S00E02.mkv': 902 },
  }
  scene = await startScene({
    tv: {
      Show: seasons,
      Flat: { 'Flat S01E01.mkv': 1, 'Flat S02E01.mkv': 2 },
      Third: {
        Extras: { 'Making of.mkv': 5 },
        'S01E01.mkv': 3,
        'S01E02.mkv': 4,
      },
      Discs: { 'Season 1': { 'Disc 1': DVD } },
      Split: { 'Season 1': { 'S01E01 Part 1.mkv': 510, 'S01E01 Part 2.mkv': 520, 'S01E02.mkv': 530 } },
    },
    movies: {
      'Alien (1979)': { 'Alien.mkv': 10 },
      'Brazil (1985)': { 'Brazil.mkv': 20 },
      'Reds (1981)': { 'Reds cd1.mkv': 60, 'Reds cd2.mkv': 61, 'Reds cd3.mkv': 62, 'Reds-trailer.mkv': 63 },
      'Solaris (1972)': { 'Solaris (1972) - 1080p.mkv': 70, 'Solaris (1972) - 720p.mkv': 71 },
    },
    manga: {
      Berserk: {
        'Berserk v01': { '1.jpg': 1, '2.jpg': 2, '3.jpg': 3 },
        'Berserk v02': { '1.jpg': 4, '2.jpg': 5 },
        'Berserk v10': { '1.jpg': 6 },
      },
      Jo: { 'Part 1': volumes('v01', 'v02'), 'Part 2': volumes('v01', 'v02') },
      Halves: volumes('c001 Part 1', 'c001 Part 2', 'Chapter 2-1', 'Chapter 2-2', 'Chapter 3 (1)', 'Chapter 3 (2)', 'Ch 4a', 'Ch 4b'),
    },
    mixed: { 'clip.mp4': 30, 'photo.jpg': 40 },
    games: { Doom: { 'doom.zip': 50 } },
  })
  admin = scene.admin
})
afterAll(() => scene[Symbol.asyncDispose]())

const movie = (name: string): string => `movie:${scene.idOf('movies')}:${name}`
const episode = (path: string): string => `tv_episode:${scene.idOf('tv')}:${path}`
const show = (season: string, name: string): string => episode(`Show/${season}/Show ${name}.mkv`)
const volume = (name: string): string => `manga_volume:${scene.idOf('manga')}:Berserk/Berserk ${name}`
const clip = (): string => `mixed_file:${scene.idOf('mixed')}:clip.mp4`

const put = (client: HttpClient, itemKey: string, report: Record<string, unknown>) => client.put('/api/progress', { itemKey, ...report })
/** What is saved next is later by the clock, which counts milliseconds. */
const save = async (client: HttpClient, itemKey: string, report: Record<string, unknown>): Promise<Json> => {
  const { status, body } = await put(client, itemKey, report)
  expect([status, itemKey, body]).toEqual([200, itemKey, body])
  while (Date.now() <= Date.parse(body.updatedAt)) await Bun.sleep(1)
  return body
}
const halfway = { positionSeconds: HOUR / 2, durationSeconds: HOUR }
const atEnd = { positionSeconds: 0.95 * HOUR, durationSeconds: HOUR }
const continued = async (client: HttpClient, query: Record<string, number | string> = {}): Promise<string[]> => {
  const { status, body } = await client.get('/api/progress/continue', query)
  expect(status).toBe(200)
  return body.entries.map(({ itemKey }: Json) => itemKey)
}
/** Somebody who has not opened anything. */
let people = 0
const somebody = (spec = {}): Promise<HttpClient> => scene.server.as(`viewer ${++people}`, spec)

describe('progress is refused', () => {
  test('for what does not exist', async () => {
    for (const itemKey of [movie('None'), 'movie:999:Alien (1979)', 'nonsense', movie('../movies/Alien (1979)')]) {
      expect((await admin.get('/api/progress', { itemKey })).body.code).toBe('not_found')
      expect((await put(admin, itemKey, halfway)).body.code).toBe('not_found')
    }
  })

  test('with values that are none', async () => {
    const wrong = [
      { positionSeconds: -1 },
      { positionSeconds: '5' },
      { positionSeconds: 1e12 },
      { durationSeconds: -1 },
      { page: -1 },
      { page: 1.5 },
      { completed: 'yes' },
      { userId: 1 },
    ]
    for (const report of wrong) expect([report, (await put(admin, movie('Alien (1979)'), report)).status]).toEqual([report, 400])
    expect((await admin.put('/api/progress', {})).status).toBe(400)
    for (const limit of [0, 501]) expect((await admin.get('/api/progress/continue', { limit })).status).toBe(400)
    expect((await admin.get('/api/progress', { itemKey: movie('Alien (1979)') })).body).toEqual(NEVER)
  })

  test('for groups of items', async () => {
    const keys = [
      `tv_series:${scene.idOf('tv')}:Show`,
      `tv_season:${scene.idOf('tv')}:Show/Season 01`,
      `manga_series:${scene.idOf('manga')}:Berserk`,
    ]
    for (const key of keys) expect((await put(admin, key, { completed: true })).body.code).toBe('invalid_request')
  })

  test('for libraries that one may not see, and they are in no list', async () => {
    const client = await somebody({ libraryIds: [scene.idOf('movies'), scene.idOf('tv')] })
    await save(client, movie('Alien (1979)'), halfway)
    await save(client, show('Season 01', 'S01E01'), halfway)
    const { user } = (await client.get('/api/auth/me')).body
    expect((await admin.patch(`/api/users/${user.id}`, { libraryIds: [scene.idOf('tv')] })).status).toBe(200)
    expect((await client.get('/api/progress', { itemKey: movie('Alien (1979)') })).body.code).toBe('not_found')
    expect((await put(client, movie('Alien (1979)'), atEnd)).body.code).toBe('not_found')
    expect(await continued(client)).toEqual([show('Season 01', 'S01E01')])
    expect((await admin.patch(`/api/users/${user.id}`, { libraryIds: [] })).status).toBe(200)
    expect(await continued(client)).toEqual([])
  })
})

describe('progress', () => {
  test('of what is removed while it is being saved is that of nothing', async () => {
    const client = await somebody()
    // As a deletion that comes between the look at the item and the row.
    await scene.index.query('CREATE TRIGGER removed BEFORE INSERT ON progress BEGIN DELETE FROM media_items WHERE id = NEW.item_id; END')
    const answer = await put(client, movie('Alien (1979)'), halfway)
    await scene.index.query('DROP TRIGGER removed')
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect((await put(client, movie('Alien (1979)'), halfway)).status).toBe(200)
  })

  test('is null all over for what was never opened', async () => {
    expect((await (await somebody()).get('/api/progress', { itemKey: clip() })).body).toEqual(NEVER)
  })

  test('is kept as it was told up to the end, and shown with the item', async () => {
    const client = await somebody()
    const itemKey = movie('Alien (1979)')
    const saved = await save(client, itemKey, halfway)
    expect(saved).toEqual({ ...halfway, page: null, completed: false, updatedAt: saved.updatedAt })
    expect(Math.abs(Date.now() - Date.parse(saved.updatedAt))).toBeLessThan(60_000)
    expect((await client.get('/api/progress', { itemKey })).body).toEqual(saved)
    const shown = { ...halfway, page: null, completed: false }
    expect((await client.get('/api/items', { itemKey })).body.item.progress).toEqual(shown)
    const { entries } = (await client.get('/api/browse', { libraryId: scene.idOf('movies') })).body
    expect(entries.map(({ progress }: Json) => progress)).toEqual([shown, null, null, null])
    expect(await save(client, itemKey, atEnd)).toMatchObject({ ...atEnd, completed: true })
    expect(await save(client, itemKey, { completed: false })).toMatchObject({ positionSeconds: null, completed: false })
    const beginning = { positionSeconds: 10, durationSeconds: HOUR }
    expect(await save(client, itemKey, beginning)).toMatchObject({ ...beginning, completed: false })
    // Nobody goes on with what was hardly begun.
    expect(await continued(client)).toEqual([])
  })

  test('of a volume is its page, and the last page is its end', async () => {
    const client = await somebody()
    expect(await save(client, volume('v01'), { page: 1 })).toMatchObject({ page: 1, completed: false })
    expect(await save(client, volume('v01'), { page: 2 })).toMatchObject({ page: 2, completed: true })
    expect(await save(client, volume('v10'), { page: 0 })).toMatchObject({ page: 0, completed: true })
  })

  test('of one person is nothing to another', async () => {
    const [one, other] = [await somebody(), await somebody()]
    await save(one, clip(), halfway)
    expect((await other.get('/api/progress', { itemKey: clip() })).body).toEqual(NEVER)
    expect(await continued(other)).toEqual([])
    expect((await other.get('/api/items', { itemKey: clip() })).body.item.progress).toBeNull()
  })

  test('stays with an item that is moved', async () => {
    const client = await somebody()
    const inRoot = (name: string): string => join(scene.rootOf('movies'), name)
    await save(client, movie('Brazil (1985)'), halfway)
    renameSync(inRoot('Brazil (1985)'), inRoot('Brasil (1985)'))
    expect(await scene.scan('movies')).toMatchObject({ moved: 1 })
    expect((await client.get('/api/progress', { itemKey: movie('Brasil (1985)') })).body).toMatchObject(halfway)
    expect(await continued(client)).toEqual([movie('Brasil (1985)')])
    renameSync(inRoot('Brasil (1985)'), inRoot('Brazil (1985)'))
    expect(await scene.scan('movies')).toMatchObject({ moved: 1 })
  })
})

describe('the list of what to go on with', () => {
  test('is empty for who has opened nothing, or hardly anything', async () => {
    const client = await somebody()
    expect(await continued(client)).toEqual([])
    await save(client, movie('Alien (1979)'), { positionSeconds: 10, durationSeconds: HOUR })
    await save(client, clip(), { positionSeconds: 100, durationSeconds: 200 })
    await save(client, volume('v01'), { page: 0 })
    expect(await continued(client)).toEqual([])
  })

  test('has what was begun in every library, the latest first, as entries with their progress', async () => {
    const client = await somebody()
    const keys = [movie('Alien (1979)'), show('Season 01', 'S01E01'), clip()]
    for (const key of keys) await save(client, key, halfway)
    await save(client, volume('v01'), { page: 1 })
    const latestFirst = [volume('v01'), ...keys.toReversed()]
    expect(await continued(client)).toEqual(latestFirst)
    await save(client, movie('Alien (1979)'), halfway)
    expect((await continued(client))[0]).toBe(movie('Alien (1979)'))
    expect(await continued(client, { limit: 2 })).toHaveLength(2)
    expect(await continued(client, { limit: 500 })).toHaveLength(4)
    const { entries } = (await client.get('/api/progress/continue')).body
    const { entries: level } = (await client.get('/api/browse', { libraryId: scene.idOf('movies') })).body
    expect(entries[0]).toEqual(level[0])
    expect(entries[0].progress).toEqual({ ...halfway, page: null, completed: false })
  })

  test('has short films and short parts of long ones, but no short clips', async () => {
    const client = await somebody()
    await save(client, movie('Alien (1979)'), { positionSeconds: 4, durationSeconds: 10 })
    await save(client, show('Season 01', 'S01E01'), { positionSeconds: 42, durationSeconds: HOUR })
    await save(client, clip(), { positionSeconds: 4, durationSeconds: 10 })
    expect(await continued(client)).toEqual([show('Season 01', 'S01E01'), movie('Alien (1979)')])
  })

  test('leaves out films, games and files that are completed', async () => {
    const client = await somebody()
    for (const key of [movie('Alien (1979)'), clip(), `game:${scene.idOf('games')}:Doom`]) await save(client, key, { completed: true })
    expect(await continued(client)).toEqual([])
  })

  test('has the next episode in place of a completed one, across seasons, and nothing after the last', async () => {
    const client = await somebody()
    const steps: [done: string, next: string[]][] = [
      [show('Season 01', 'S01E01'), [show('Season 01', 'S01E02')]],
      [show('Season 01', 'S01E02'), [show('Season 01', 'S01E10')]],
      [show('Season 01', 'S01E10'), [show('Season 02', 'S02E01-E02')]],
      [show('Season 02', 'S02E01-E02'), [show('Season 02', 'S02E03')]],
      [show('Season 02', 'S02E03'), []],
    ]
    for (const [done, next] of steps) {
      await save(client, done, atEnd)
      expect([done, await continued(client)]).toEqual([done, next])
    }
  })

  test('has the next special after a special, and no season after the last one', async () => {
    const client = await somebody()
    await save(client, show('Specials', 'S00E01'), atEnd)
    expect(await continued(client)).toEqual([show('Specials', 'S00E02')])
    await save(client, show('Specials', 'S00E02'), atEnd)
    expect(await continued(client)).toEqual([])
  })

  test('passes over what was seen already, and goes by the episode that was seen last', async () => {
    const client = await somebody()
    await save(client, show('Season 01', 'S01E02'), { completed: true })
    await save(client, show('Season 01', 'S01E02 720p'), { completed: true })
    await save(client, show('Season 01', 'S01E01'), { completed: true })
    expect(await continued(client)).toEqual([show('Season 01', 'S01E10')])
    await save(client, show('Season 02', 'S02E01-E02'), { completed: true })
    expect(await continued(client)).toEqual([show('Season 02', 'S02E03')])
  })

  test('names one place of a series: the next episode where that was begun, and no other while one is watched', async () => {
    const client = await somebody()
    await save(client, show('Season 01', 'S01E02'), halfway)
    await save(client, show('Season 01', 'S01E01'), atEnd)
    expect(await continued(client)).toEqual([show('Season 01', 'S01E02')])
    await save(client, show('Season 02', 'S02E03'), halfway)
    expect(await continued(client)).toEqual([show('Season 02', 'S02E03'), show('Season 01', 'S01E02')])
  })

  test('of one series alone has what is gone on with there, however much was begun since', async () => {
    const client = await somebody()
    const series = { tv: `tv_series:${scene.idOf('tv')}:Show`, manga: `manga_series:${scene.idOf('manga')}:Berserk` }
    await save(client, show('Season 01', 'S01E02'), atEnd)
    await save(client, volume('v01'), { page: 1 })
    await save(client, movie('Alien (1979)'), halfway)
    expect(await continued(client, { limit: 1 })).toEqual([movie('Alien (1979)')])
    expect(await continued(client, { limit: 1, seriesKey: series.tv })).toEqual([show('Season 01', 'S01E10')])
    expect(await continued(client, { limit: 1, seriesKey: series.manga })).toEqual([volume('v01')])
    expect(await continued(client, { seriesKey: `tv_series:${scene.idOf('tv')}:Flat` })).toEqual([])
    const unknown = await client.get('/api/progress/continue', { seriesKey: `tv_series:${scene.idOf('tv')}:None` })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
  })

  test('crosses the seasons of a series without season folders', async () => {
    const client = await somebody()
    await save(client, episode('Flat/Flat S01E01.mkv'), atEnd)
    expect(await continued(client)).toEqual([episode('Flat/Flat S02E01.mkv')])
  })

  test('has the next volume in place of one that was read', async () => {
    const client = await somebody()
    await save(client, volume('v01'), { page: 2 })
    expect(await continued(client)).toEqual([volume('v02')])
    await save(client, volume('v02'), { completed: true })
    expect(await continued(client)).toEqual([volume('v10')])
    await save(client, volume('v10'), { page: 0 })
    expect(await continued(client)).toEqual([])
    // Read again.
    await save(client, volume('v01'), { page: 1 })
    expect(await continued(client)).toEqual([volume('v01')])
  })

  test.each([
    ['Jo', ['Part 1/v01', 'Part 1/v02', 'Part 2/v01', 'Part 2/v02']],
    ['Halves', ['c001 Part 1', 'c001 Part 2', 'Chapter 2-1', 'Chapter 2-2', 'Chapter 3 (1)', 'Chapter 3 (2)', 'Ch 4a', 'Ch 4b']],
  ])('leaves out no volume whose number is there twice: %s', async (series, names) => {
    const client = await somebody()
    const keys = names.map((name) => `manga_volume:${scene.idOf('manga')}:${series}/${name}`)
    for (const [index, key] of keys.entries()) {
      await save(client, key, { completed: true })
      expect(await continued(client)).toEqual(keys.slice(index + 1, index + 2))
    }
  })

  test('goes on after an episode whose file was removed once it was seen, and hides what is missing', async () => {
    const client = await somebody()
    const inRoot = (name: string): string => join(scene.rootOf('tv'), 'Third', name)
    await save(client, episode('Third/S01E01.mkv'), atEnd)
    mkdirSync(join(scene.folder, 'away'), { recursive: true })
    renameSync(inRoot('S01E01.mkv'), join(scene.folder, 'away/S01E01.mkv'))
    expect(await scene.scan('tv')).toMatchObject({ missing: 1 })
    expect(await continued(client)).toEqual([episode('Third/S01E02.mkv')])
    await save(client, episode('Third/S01E02.mkv'), halfway)
    rmSync(join(scene.rootOf('tv'), 'Third'), { recursive: true })
    await scene.scan('tv')
    expect(await continued(client)).toEqual([])
  })
})

test('what to go on with says which series it is of, and a season lists its episodes without', async () => {
  const client = await somebody()
  await save(client, episode('Flat/Flat S01E01.mkv'), halfway)
  await save(client, show('Season 01', 'S01E01'), halfway)
  await save(client, volume('v01'), { page: 1 })
  await save(client, movie('Alien (1979)'), halfway)
  const { entries } = (await client.get('/api/progress/continue')).body
  expect(entries.map(({ itemKey, seriesTitle }: Json) => [itemKey, seriesTitle])).toEqual([
    [movie('Alien (1979)'), undefined],
    [volume('v01'), 'Berserk'],
    [show('Season 01', 'S01E01'), 'Show'],
    [episode('Flat/Flat S01E01.mkv'), 'Flat'],
  ])
  const season = `tv_season:${scene.idOf('tv')}:Show/Season 01`
  const { body } = await client.get('/api/browse', { libraryId: scene.idOf('tv'), parentKey: season })
  expect(body.entries.some((entry: Json) => 'seriesTitle' in entry)).toBe(false)
})

describe('a film in several parts', () => {
  const reds = (): string => movie('Reds (1981)')
  const cd = (number: number): string => `Reds cd${number}.mkv`
  const at = async (client: HttpClient, itemKey: string, file?: string) =>
    (await client.get('/api/progress', { itemKey, ...(file && { file }) })).body.positionSeconds

  test('is gone on with in the part where one was, and no other part begins there', async () => {
    const client = await somebody()
    const saved = await save(client, reds(), { ...halfway, file: cd(2) })
    expect(saved).toEqual({ ...halfway, page: null, completed: false, file: cd(2), updatedAt: saved.updatedAt })
    expect((await client.get('/api/progress', { itemKey: reds() })).body).toEqual(saved)
    expect([await at(client, reds(), cd(1)), await at(client, reds(), cd(2)), await at(client, reds(), cd(3))]).toEqual([
      null,
      HOUR / 2,
      null,
    ])
    expect((await client.get('/api/items', { itemKey: reds() })).body.item.progress.file).toBe(cd(2))
    await save(client, reds(), { ...halfway, file: cd(1) })
    expect((await client.get('/api/progress', { itemKey: reds() })).body.file).toBeUndefined()
    expect([await at(client, reds(), cd(1)), await at(client, reds(), cd(2))]).toEqual([HOUR / 2, null])
  })

  test('has been seen at the end of its last part, and goes on from the first seconds of any but the first', async () => {
    const client = await somebody()
    expect(await save(client, reds(), { ...atEnd, file: cd(1) })).toMatchObject({ completed: false, file: cd(1) })
    expect(await continued(client)).toEqual([reds()])
    await save(client, reds(), { positionSeconds: 3, durationSeconds: HOUR, file: cd(2) })
    expect(await continued(client)).toEqual([reds()])
    const seen = await save(client, reds(), { ...atEnd, file: cd(3) })
    expect([seen.completed, seen.file, await continued(client)]).toEqual([true, undefined, []])
  })

  test('is at the first part for who names none, as scripts do', async () => {
    const client = await somebody()
    await save(client, reds(), { ...halfway, file: cd(2) })
    expect((await save(client, reds(), halfway)).file).toBeUndefined()
    expect([await at(client, reds(), cd(1)), await at(client, reds(), cd(2))]).toEqual([HOUR / 2, null])
  })

  test('is no further by its trailer, and has no files but its own', async () => {
    const client = await somebody()
    const trailer = 'Reds-trailer.mkv'
    await save(client, reds(), { ...halfway, file: cd(2) })
    expect((await put(client, reds(), { positionSeconds: 60, durationSeconds: 60, file: trailer })).body).toMatchObject(halfway)
    expect([await at(client, reds(), trailer), await at(client, reds(), cd(2))]).toEqual([null, HOUR / 2])
    for (const file of ['Reds cd9.mkv', '../Alien (1979)/Alien.mkv'])
      expect((await put(client, reds(), { ...halfway, file })).body.code).toBe('not_found')
  })

  test('is nowhere in a series by the extras of it', async () => {
    const client = await somebody()
    const itemKey = `tv_series:${scene.idOf('tv')}:Third`
    const file = 'Extras/Making of.mkv'
    expect(await save(client, itemKey, { ...halfway, file })).toMatchObject({ positionSeconds: null, completed: null })
    expect([await at(client, itemKey, file), await continued(client)]).toEqual([null, []])
    expect((await put(client, itemKey, { ...halfway, file: 'S01E01.mkv' })).body.code).toBe('not_found')
    expect((await put(client, itemKey, halfway)).body.code).toBe('invalid_request')
  })

  test('is an episode in several files, which go on to the next episode together', async () => {
    const client = await somebody()
    const itemKey = episode('Split/Season 1/S01E01 Part 1.mkv')
    const sizes = ['S01E01 Part 1.mkv', 'S01E01 Part 2.mkv'].map(async (file) =>
      (await client.get('/api/files', { itemKey, file })).headers.get('content-length'),
    )
    expect(await Promise.all(sizes)).toEqual(['510', '520'])
    expect((await client.get('/api/files', { itemKey, file: 'S01E02.mkv' })).body.code).toBe('not_found')
    expect((await save(client, itemKey, { ...atEnd, file: 'S01E01 Part 1.mkv' })).completed).toBe(false)
    expect(await continued(client)).toEqual([itemKey])
    expect((await save(client, itemKey, { ...atEnd, file: 'S01E01 Part 2.mkv' })).completed).toBe(true)
    expect(await continued(client)).toEqual([episode('Split/Season 1/S01E02.mkv')])
  })

  test('is a DVD among episodes as well, each of whose pieces can be had', async () => {
    const client = await somebody()
    const itemKey = episode('Discs/Season 1/Disc 1/VIDEO_TS/VTS_01_1.VOB')
    const sizes = ['VTS_01_1.VOB', 'VTS_01_2.VOB'].map(async (file) =>
      (await client.get('/api/files', { itemKey, file })).headers.get('content-length'),
    )
    expect(await Promise.all(sizes)).toEqual(['500', '400'])
    for (const file of ['VIDEO_TS.VOB', '../../Disc 1/VIDEO_TS/VTS_01_2.VOB'])
      expect((await client.get('/api/files', { itemKey, file })).body.code).toBe('not_found')
    expect((await save(client, itemKey, { ...atEnd, file: 'VTS_01_1.VOB' })).completed).toBe(false)
    expect((await save(client, itemKey, { ...atEnd, file: 'VTS_01_2.VOB' })).completed).toBe(true)
  })

  test('whose part is gone begins anew', async () => {
    const client = await somebody()
    await save(client, reds(), { ...halfway, file: cd(3) })
    const path = join(scene.rootOf('movies'), 'Reds (1981)', cd(3))
    renameSync(path, join(scene.folder, 'kept.mkv'))
    await scene.scan('movies')
    const { progress } = (await client.get('/api/items', { itemKey: reds() })).body.item
    expect([progress.positionSeconds, progress.file]).toEqual([null, undefined])
    // Where nothing else than one file is left, its player names none.
    expect([await at(client, reds(), cd(1)), await at(client, reds())]).toEqual([null, null])
    // Nor is what is left as long as that part was.
    expect(progress.durationSeconds).toBeNull()
    renameSync(join(scene.folder, 'kept.mkv'), path)
    await scene.scan('movies')
    expect((await client.get('/api/items', { itemKey: reds() })).body.item.progress.file).toBe(cd(3))
  })

  test('which is one file by now begins anew, as its card says', async () => {
    const client = await somebody()
    await save(client, reds(), { ...halfway, file: cd(2) })
    const listed = async (): Promise<Json> => {
      const { entries } = (await client.get('/api/browse', { libraryId: scene.idOf('movies') })).body
      return entries.find((entry: Json) => entry.itemKey === reds()).progress
    }
    expect((await listed()).positionSeconds).toBe(HOUR / 2)
    const away = (number: number): [string, string] => [
      join(scene.rootOf('movies'), 'Reds (1981)', cd(number)),
      join(scene.folder, `kept ${number}.mkv`),
    ]
    for (const number of [2, 3]) renameSync(...away(number))
    await scene.scan('movies')
    const { entries } = (await client.get('/api/progress/continue')).body
    expect([entries[0].progress.positionSeconds, (await listed()).positionSeconds]).toEqual([null, null])
    for (const number of [2, 3]) renameSync(away(number)[1], away(number)[0])
    await scene.scan('movies')
    expect((await listed()).positionSeconds).toBe(HOUR / 2)
  })

  test('whose files have other names now is gone on with where one was in the part of that number', async () => {
    const client = await somebody()
    await save(client, reds(), { ...halfway, file: cd(2) })
    const named = (number: number): string => `Reds 1080p part${number}.mp4`
    const rename = (from: (number: number) => string, to: (number: number) => string): void => {
      const folder = join(scene.rootOf('movies'), 'Reds (1981)')
      for (const number of [1, 2, 3]) renameSync(join(folder, from(number)), join(folder, to(number)))
    }
    rename(cd, named)
    await scene.scan('movies')
    const { progress } = (await client.get('/api/items', { itemKey: reds() })).body.item
    expect([progress.positionSeconds, progress.file]).toEqual([HOUR / 2, named(2)])
    expect([await at(client, reds(), named(1)), await at(client, reds(), named(2))]).toEqual([null, HOUR / 2])
    expect((await client.get('/api/progress', { itemKey: reds() })).body.file).toBe(named(2))
    rename(named, cd)
    await scene.scan('movies')
    expect((await client.get('/api/items', { itemKey: reds() })).body.item.progress.file).toBe(cd(2))
  })

  test('is taken back to where it was when a mark is', async () => {
    const client = await somebody()
    const before = await save(client, reds(), { ...halfway, file: cd(2) })
    const { marks } = (await client.post('/api/progress/bulk', { itemKeys: [reds()], completed: true })).body
    expect((await client.get('/api/progress', { itemKey: reds() })).body.file).toBeUndefined()
    expect((await client.post('/api/progress/restore', { marks })).status).toBe(204)
    expect((await client.get('/api/progress', { itemKey: reds() })).body).toEqual(before)
  })

  test('has one place in all of its versions, where these are whole films', async () => {
    const client = await somebody()
    const solaris = movie('Solaris (1972)')
    await save(client, solaris, { ...halfway, file: 'Solaris (1972) - 720p.mkv' })
    expect(await at(client, solaris, 'Solaris (1972) - 1080p.mkv')).toBe(HOUR / 2)
    expect((await save(client, solaris, { ...atEnd, file: 'Solaris (1972) - 720p.mkv' })).completed).toBe(true)
  })
})
