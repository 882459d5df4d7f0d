import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { link } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

const JOBS_LIMIT_MS = 60_000
setDefaultTimeout(120_000)
/** A server may be through with its work before it is killed; then all is tried again. */
const MAX_TRIES = 5

let scene: ScanScene
let admin: HttpClient
const movieKey = (path: string): string => `movie:${scene.idOf('movies')}:${path}`
const seriesKey = (path: string): string => `tv_series:${scene.idOf('tv')}:${path}`
const episodeKey = (path: string): string => `tv_episode:${scene.idOf('tv')}:${path}`

const ALIEN = `<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>
<movie>
  <title>Alien – the director's cut</title>
  <sorttitle>Alien 1</sorttitle>
  <year>1979</year>
  <plot>In space no one can hear you scream.</plot>
  <rating>8,5</rating>
  <genre>Horror / Science Fiction</genre>
  <runtime>117 min</runtime>
  <premiered>1979-05-25</premiered>
</movie>`

beforeAll(async () => {
  scene = await startScene({
    movies: {
      'Alien (1979)': { 'Alien.mkv': 10_000, 'movie.nfo': ALIEN },
      'Brazil (1985)': { 'Brazil.mkv': 10_000 },
      'Cube (1997)': { 'Cube.mkv': 10_000, 'Cube.nfo': '<movie><title>Cube' },
      'Dune (1984)': { 'Dune.mkv': 10_000, 'movie.nfo': link('../../outside.nfo') },
      'Eraserhead (1977)/Eraserhead.1977.1080p': {
        'eraserhead.mkv': 10_000,
        'eraserhead.nfo': '<movie><title>Eraserhead!</title></movie>',
      },
      'Fargo (1996)': { 'Fargo.mkv': 10_000, 'Fargo.nfo': '<movie><title>Fargo, retold</title></movie>' },
      'Gattaca (1997)': { 'Gattaca.mkv': 10_000, 'GATTACA.NFO': '<movie><plot>Genes.</plot></movie>' },
    },
    tv: {
      Firefly: {
        'tvshow.nfo': '<tvshow><title>Firefly (the series)</title><plot>Space cowboys.</plot><premiered>2002-09-20</premiered></tvshow>',
        'Season 01': {
          'Firefly S01E01.mkv': 1000,
          'Firefly S01E01.nfo': '<episodedetails><title>Serenity</title><season>9</season><episode>9</episode></episodedetails>',
          'Firefly S01E02-E03.mkv': 2000,
          'Firefly S01E02-E03.nfo': `<episodedetails><title>The Train Job</title><season>1</season><episode>2</episode></episodedetails>
            <episodedetails><title>Bushwhacked</title><season>1</season><episode>3</episode></episodedetails>`,
          'Firefly S01E04.mkv': 3000,
        },
      },
    },
    mixed: { 'a.txt': 'text', 'a.nfo': ALIEN },
  })
  admin = scene.admin
  writeFileSync(join(scene.folder, 'outside.nfo'), ALIEN)
})
afterAll(() => scene[Symbol.asyncDispose]())

const refresh = (itemKey: string, client = admin) => client.post('/api/nfo-refresh', { itemKey })
const getItem = async (itemKey: string): Promise<Json> => (await admin.get('/api/items', { itemKey })).body.item
/** A row, without what the background learns of its files. */
const rowOf = async (itemKey: string) => {
  const [row] = await scene.index.query('SELECT * FROM media_items WHERE item_key = ?', [itemKey])
  const { entry, inspected_version, inspect_error, content_hash, ...rest } = row ?? {}
  return rest
}
const refuse = async (itemKey: string, expected: { status: number; code: string }): Promise<void> => {
  const before = await rowOf(itemKey)
  const { status, body } = await refresh(itemKey)
  expect({ status, code: body.code }).toEqual(expected)
  expect(JSON.stringify(body)).not.toContain(scene.folder)
  expect(await rowOf(itemKey)).toEqual(before)
}

describe('a refresh is refused, and changes nothing,', () => {
  test('without a valid item key', async () => {
    for (const body of [undefined, {}, { itemKey: '' }, { itemKey: 1 }, { itemKey: 'movie:1:x', path: '/etc/passwd' }])
      expect((await admin.post('/api/nfo-refresh', body)).body.code).toBe('invalid_request')
  })

  test('of what does not exist', async () => {
    for (const key of [movieKey('No such film'), movieKey('../tv/Firefly'), 'movie:999:Alien (1979)', 'nonsense'])
      expect([key, (await refresh(key)).body.code]).toEqual([key, 'not_found'])
  })

  test('of items that have no NFO metadata', async () => {
    const season = `tv_season:${scene.idOf('tv')}:Firefly/Season 01`
    await refuse(season, { status: 400, code: 'nfo_not_supported' })
    await refuse(`mixed_file:${scene.idOf('mixed')}:a.txt`, { status: 400, code: 'nfo_not_supported' })
  })

  test('where there is no NFO file, or only a link that leads out of the library', async () => {
    await refuse(movieKey('Brazil (1985)'), { status: 404, code: 'nfo_not_found' })
    await refuse(movieKey('Dune (1984)'), { status: 404, code: 'nfo_not_found' })
    await refuse(episodeKey('Firefly/Season 01/Firefly S01E04.mkv'), { status: 404, code: 'nfo_not_found' })
  })

  test('while the folder of the library is away, or is empty as that of a disk that is not mounted', async () => {
    const root = scene.rootOf('movies')
    renameSync(root, `${root} elsewhere`)
    await refuse(movieKey('Alien (1979)'), { status: 503, code: 'unavailable' })
    mkdirSync(root)
    await refuse(movieKey('Alien (1979)'), { status: 503, code: 'unavailable' })
    rmdirSync(root)
    renameSync(`${root} elsewhere`, root)
  })

  test('by a broken file', async () => {
    await refuse(movieKey('Cube (1997)'), { status: 422, code: 'nfo_invalid' })
  })

  test('without the permission', async () => {
    const client = await scene.server.as('reader', { permissions: { editMetadata: false } })
    expect((await refresh(movieKey('Alien (1979)'), client)).body.code).toBe('forbidden')
    expect((await client.post('/api/nfo-refresh/library', { libraryId: scene.idOf('movies') })).body.code).toBe('forbidden')
    expect((await getItem(movieKey('Alien (1979)'))).title).toBe('Alien (1979)')
  })
})

describe('a refresh', () => {
  test('answers the item with every field that the file has', async () => {
    const key = movieKey('Alien (1979)')
    const before = await getItem(key)
    expect(before).toMatchObject({ title: 'Alien (1979)', plot: null, nfoAvailable: true, nfoRefreshedAt: null })
    const { status, body } = await refresh(key)
    expect(status).toBe(200)
    expect(body.item).toMatchObject({
      itemKey: key,
      title: "Alien – the director's cut",
      year: 1979,
      plot: 'In space no one can hear you scream.',
      rating: 8.5,
      genres: ['Horror', 'Science Fiction'],
      runtimeMinutes: 117,
      nfoAvailable: true,
      nfoNewer: false,
    })
    expect(Date.now() - Date.parse(body.item.nfoRefreshedAt)).toBeLessThan(60_000)
    expect(await getItem(key)).toEqual(body.item)
    expect(await rowOf(key)).toMatchObject({ aired_at: '1979-05-25', sort_title: 'alien 011' })
  })

  test('never writes the file', async () => {
    expect(await Bun.file(join(scene.rootOf('movies'), 'Alien (1979)/movie.nfo')).text()).toBe(ALIEN)
  })

  test('is seen in lists, in searches and in the order at once', async () => {
    const libraryId = scene.idOf('movies')
    const { entries } = (await admin.get('/api/browse', { libraryId })).body
    expect(entries[0]).toMatchObject({ title: "Alien – the director's cut", year: 1979, rating: 8.5 })
    const titlesFor = async (q: string) => (await admin.get('/api/browse', { libraryId, q })).body.entries.map(({ title }: Json) => title)
    expect(await titlesFor('director')).toEqual(["Alien – the director's cut"])
    expect(await titlesFor('(1979)')).toEqual([])
    const { body } = await admin.get('/api/search', { q: 'directors' })
    expect(body.entries).toEqual([])
    const found = await admin.get('/api/search', { q: "Director's" })
    expect(found.body.entries.map(({ title }: Json) => title)).toEqual(["Alien – the director's cut"])
  })

  test('takes away what the file no longer says, and falls back to the folder for the title', async () => {
    const key = movieKey('Fargo (1996)')
    const path = join(scene.rootOf('movies'), 'Fargo (1996)/Fargo.nfo')
    expect((await refresh(key)).body.item).toMatchObject({ title: 'Fargo, retold', year: null })
    writeFileSync(path, '<movie><year>1996</year><plot>Snow.</plot><rating>8</rating><genre>Crime</genre></movie>')
    expect((await refresh(key)).body.item).toMatchObject({ title: 'Fargo (1996)', year: 1996, plot: 'Snow.', rating: 8, genres: ['Crime'] })
    writeFileSync(path, '<movie/>')
    const { item } = (await refresh(key)).body
    expect(item).toMatchObject({ title: 'Fargo (1996)', year: null, plot: null, rating: null, genres: [], runtimeMinutes: null })
  })

  test('finds the file in any case, and beside a video that lies deeper', async () => {
    expect((await refresh(movieKey('Gattaca (1997)'))).body.item).toMatchObject({ title: 'Gattaca (1997)', plot: 'Genes.' })
    expect((await refresh(movieKey('Eraserhead (1977)'))).body.item.title).toBe('Eraserhead!')
  })

  test('finds a file that was added after the last scan', async () => {
    const key = movieKey('Brazil (1985)')
    const path = join(scene.rootOf('movies'), 'Brazil (1985)/movie.nfo')
    expect((await getItem(key)).nfoAvailable).toBe(false)
    writeFileSync(path, '<movie><title>Brasil</title></movie>')
    expect((await refresh(key)).body.item).toMatchObject({ title: 'Brasil', nfoAvailable: true })
    rmSync(path)
    await refuse(key, { status: 404, code: 'nfo_not_found' })
    await scene.scan('movies')
    expect(await getItem(key)).toMatchObject({ title: 'Brasil', nfoAvailable: false })
  })

  test('of a series and of episodes', async () => {
    expect((await refresh(seriesKey('Firefly'))).body.item).toMatchObject({
      title: 'Firefly (the series)',
      plot: 'Space cowboys.',
      airedAt: '2002-09-20',
      year: 2002,
    })
    const first = (await refresh(episodeKey('Firefly/Season 01/Firefly S01E01.mkv'))).body.item
    expect(first).toMatchObject({ title: 'Serenity', seasonNumber: 1, episodeNumber: 1, year: null })
    const second = (await refresh(episodeKey('Firefly/Season 01/Firefly S01E02-E03.mkv'))).body.item
    expect(second).toMatchObject({ title: 'The Train Job / Bushwhacked', seasonNumber: 1, episodeNumber: 2, episodeNumberEnd: 3 })
  })

  test('tells the plot of an episode in the list of its season, and follows a plot that changes alone', async () => {
    const path = 'Firefly/Season 01/Firefly S01E04.mkv'
    const plotInList = async () => {
      const { body } = await admin.get('/api/browse', {
        libraryId: scene.idOf('tv'),
        parentKey: `tv_season:${scene.idOf('tv')}:Firefly/Season 01`,
      })
      return body.entries.find(({ itemKey }: Json) => itemKey === episodeKey(path)).plot
    }
    expect(await plotInList()).toBeUndefined()
    for (const plot of ['Horses.', 'Two men and a horse.']) {
      writeFileSync(
        join(scene.rootOf('tv'), path.replace('.mkv', '.nfo')),
        `<episodedetails><title>Shindig</title><plot>${plot}</plot></episodedetails>`,
      )
      expect((await refresh(episodeKey(path))).status).toBe(200)
      expect(await plotInList()).toBe(plot)
    }
  })

  test('keeps tags, texts and progress', async () => {
    const key = movieKey('Gattaca (1997)')
    await scene.index.mark({ [key]: 'kept' })
    expect((await refresh(key)).status).toBe(200)
    expect(await scene.index.marks()).toMatchObject({ kept: { itemKey: key } })
  })

  test('is undone by no scan, not even of a changed or moved item', async () => {
    const title = "Alien – the director's cut"
    const inMovies = (path: string): string => join(scene.rootOf('movies'), path)
    const expectKept = async (path: string): Promise<void> => {
      expect(await getItem(movieKey(path))).toMatchObject({ title, year: 1979, rating: 8.5, genres: ['Horror', 'Science Fiction'] })
      expect(await rowOf(movieKey(path))).toMatchObject({ sort_title: 'alien 011', aired_at: '1979-05-25', runtime_minutes: 117 })
    }
    await scene.scan('movies')
    await expectKept('Alien (1979)')
    writeFileSync(inMovies('Alien (1979)/poster.jpg'), 'x')
    expect((await scene.scan('movies')).status).toBe('done')
    await expectKept('Alien (1979)')
    renameSync(inMovies('Alien (1979)'), inMovies('Xenomorph (1980)'))
    expect(await scene.scan('movies')).toMatchObject({ moved: 1 })
    await expectKept('Xenomorph (1980)')
    renameSync(inMovies('Xenomorph (1980)'), join(scene.folder, 'away'))
    expect(await scene.scan('movies')).toMatchObject({ missing: 1 })
    renameSync(join(scene.folder, 'away'), inMovies('Alien (1979)'))
    expect(await scene.scan('movies')).toMatchObject({ status: 'done', restored: 1 })
    await expectKept('Alien (1979)')
  })

  test('is marked as older than a file that changed after it', async () => {
    const key = movieKey('Gattaca (1997)')
    const path = join(scene.rootOf('movies'), 'Gattaca (1997)/GATTACA.NFO')
    await Bun.sleep(20)
    writeFileSync(path, '<movie><plot>More genes.</plot></movie>')
    await scene.scan('movies')
    expect(await getItem(key)).toMatchObject({ plot: 'Genes.', nfoNewer: true })
    expect((await refresh(key)).body.item).toMatchObject({ plot: 'More genes.', nfoNewer: false })
  })
})

describe('the refresh of a library', () => {
  const waitForJobs = (libraryId: number) =>
    waitFor(
      async () => ((await scene.admin.get('/api/nfo-refresh/library', { libraryId })).body.queued === 0 ? true : undefined),
      JOBS_LIMIT_MS,
      () => 'Jobs are left',
    )

  test('is refused for what is not there, and for libraries without NFO metadata', async () => {
    const post = async (body: unknown) => (await admin.post('/api/nfo-refresh/library', body)).body.code
    expect(await post({})).toBe('invalid_request')
    expect(await post({ libraryId: 999 })).toBe('not_found')
    expect(await post({ libraryId: scene.idOf('mixed') })).toBe('nfo_not_supported')
  })

  test('refreshes every item that has a file; one that is broken stops nothing', async () => {
    const libraryId = scene.idOf('movies')
    const before = await rowOf(movieKey('Cube (1997)'))
    writeFileSync(join(scene.rootOf('movies'), 'Brazil (1985)/movie.nfo'), '<movie><title>Brazil!</title></movie>')
    writeFileSync(join(scene.rootOf('movies'), 'Alien (1979)/movie.nfo'), ALIEN.replace('8,5', '9'))
    await scene.scan('movies')
    await scene.index.query('UPDATE media_items SET nfo_refreshed_at = NULL WHERE library_id = ?', [libraryId])
    const unread = async () => (await admin.get('/api/nfo-refresh/library', { libraryId })).body.unread
    // Of seven films; where a link leads out of the library there is none.
    expect(await unread()).toBe(6)
    const { status, body } = await admin.post('/api/nfo-refresh/library', { libraryId })
    expect([status, body]).toEqual([202, { queued: 7 }])
    await waitForJobs(libraryId)
    expect((await getItem(movieKey('Brazil (1985)'))).title).toBe('Brazil!')
    expect((await getItem(movieKey('Alien (1979)'))).rating).toBe(9)
    expect(await rowOf(movieKey('Cube (1997)'))).toEqual(before)
    const { failures, ...counts } = (await admin.get('/api/nfo-refresh/library', { libraryId })).body
    expect(counts).toEqual({ queued: 0, unread: 1, refreshed: 5, without: 1, failed: 1 })
    expect(failures).toEqual([{ itemKey: movieKey('Cube (1997)'), title: 'Cube (1997)', code: 'nfo_invalid', detail: expect.any(String) }])
    await waitFor(
      () => /"nfo_refresh_finished".*"refreshed":5,"without":1,"failed":1/.test(scene.server.output()) || undefined,
      JOBS_LIMIT_MS,
      scene.server.output,
    )
    expect(scene.server.output()).toContain('"nfo_not_applied"')
  })

  test('goes on after a kill', async () => {
    const libraryId = scene.idOf('tv')
    const stems = Array.from({ length: 400 }, (_, index) => `Long/Season 01/Long S01E${String(index + 1).padStart(4, '0')}`)
    for (const [index, stem] of stems.entries()) {
      const path = join(scene.rootOf('tv'), stem)
      if (index === 0) mkdirSync(dirname(path), { recursive: true })
      writeFileSync(`${path}.mkv`, `video ${index}`)
    }
    expect((await scene.scan('tv')).status).toBe('done')
    /** How many items had not had their turn when the server was killed. */
    const killDuring = async (attempt: number): Promise<number> => {
      for (const [index, stem] of stems.entries())
        writeFileSync(
          join(scene.rootOf('tv'), `${stem}.nfo`),
          `<episodedetails><title>Take ${attempt}, part ${index + 1}</title></episodedetails>`,
        )
      expect((await admin.post('/api/nfo-refresh/library', { libraryId })).body).toEqual({ queued: 405 })
      await scene.server.kill()
      const [{ open } = {}] = await scene.index.query('SELECT count(*) AS open FROM nfo_jobs')
      await scene.restart({ isKilled: true })
      admin = scene.admin
      await waitForJobs(libraryId)
      const [{ done, left } = {}] = await scene.index.query(
        `SELECT sum(title LIKE 'Take ${attempt}, part %') AS done, (SELECT count(*) FROM nfo_jobs) AS left FROM media_items WHERE path LIKE 'Long/%' AND item_type = 'tv_episode'`,
      )
      expect([done, left]).toEqual([400, 0])
      return Number(open)
    }
    let open = await killDuring(1)
    for (let attempt = 2; open === 0 && attempt <= MAX_TRIES; attempt++) open = await killDuring(attempt)
    expect(open).toBeGreaterThan(0)
  })
})
