import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { searchKey } from '../../src/domain/name-key.ts'
import { sortTitle } from '../../src/domain/natural-sort.ts'
import { KODI_MOVIE, NFO_CORPUS, type NfoCase, NO_FIELDS } from '../media/nfo-corpus.ts'
import type { Tree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

/** The corpus over HTTP: every item first has all that a sound file says, then its file becomes the one of the corpus. */

const JOBS_LIMIT_MS = 60_000
const DEFAULT_STEM = 'Show S02E03'

const kodiFileOf = (root: string): string => KODI_MOVIE.replace('<movie>', `<${root}>`).replace('</movie>', `</${root}>`)

interface Placed extends NfoCase {
  libraryType: 'movies' | 'tv'
  /** Of the item, relative to the library; and of its NFO file. */
  path: string
  nfo: string
  /** What a scan calls it. */
  scanTitle: string
}

const place = (one: NfoCase, index: number): Placed => {
  const name = `Case ${index}`
  const stem = one.stem ?? DEFAULT_STEM
  if (one.itemType === 'movie') return { ...one, libraryType: 'movies', path: name, nfo: `${name}/movie.nfo`, scanTitle: name }
  if (one.itemType === 'tv_series') return { ...one, libraryType: 'tv', path: name, nfo: `${name}/tvshow.nfo`, scanTitle: name }
  return { ...one, libraryType: 'tv', path: `${name}/${stem}.mkv`, nfo: `${name}/${stem}.nfo`, scanTitle: stem }
}

const CASES = NFO_CORPUS.map(place)
const ROOTS = { movie: 'movie', tv_series: 'tvshow', tv_episode: 'episodedetails' } as const

const treeOf = (libraryType: Placed['libraryType']): Tree =>
  Object.fromEntries(
    CASES.filter((one) => one.libraryType === libraryType).flatMap(({ itemType, path, nfo, stem = DEFAULT_STEM }) => [
      [nfo, kodiFileOf(ROOTS[itemType])] as const,
      [itemType === 'tv_episode' ? path : `${path}/${itemType === 'movie' ? 'film' : stem}.mkv`, 100] as const,
    ]),
  )

setDefaultTimeout(60_000)

let scene: ScanScene
beforeAll(async () => {
  scene = await startScene({ movies: treeOf('movies'), tv: treeOf('tv') })
  for (const type of ['movies', 'tv'] as const) {
    const libraryId = scene.idOf(type)
    const { status, body } = await scene.admin.post('/api/nfo-refresh/library', { libraryId })
    expect([status, body.queued > 0]).toEqual([202, true])
    await waitFor(
      async () => ((await scene.admin.get('/api/nfo-refresh/library', { libraryId })).body.queued === 0 ? true : undefined),
      JOBS_LIMIT_MS,
      () => `Jobs are left; the server wrote:\n${scene.server.output()}`,
    )
  }
})
afterAll(() => scene[Symbol.asyncDispose]())

const keyOf = ({ itemType, libraryType, path }: Placed): string => `${itemType}:${scene.idOf(libraryType)}:${path}`

const COLUMNS = [
  ...['title', 'sort_title', 'search_title', 'plot', 'year', 'rating', 'genres', 'runtime_minutes', 'aired_at'],
  ...[
    'season_number',
    'episode_number',
    'episode_number_end',
    'item_key',
    'path',
    'nfo_path',
    'nfo_modified_at',
    'nfo_refreshed_at',
    'updated_at',
  ],
].join(', ')

const rowOf = async (one: Placed) => (await scene.index.query(`SELECT ${COLUMNS} FROM media_items WHERE item_key = ?`, [keyOf(one)]))[0]

test('every item of the corpus had a sound file first', async () => {
  const [{ total } = {}] = await scene.index.query(
    "SELECT count(*) AS total FROM media_items WHERE title = 'Amélie' AND rating = 8.3 AND nfo_refreshed_at IS NOT NULL",
  )
  expect(total).toBe(CASES.length)
})

for (const one of CASES)
  test(`${one.itemType}: ${JSON.stringify(one.name.slice(0, 120))} ${one.expected ? 'replaces every field' : 'changes nothing'}`, async () => {
    const before = await rowOf(one)
    const file = join(scene.rootOf(one.libraryType), one.nfo)
    writeFileSync(file, one.content)
    const { status, body } = await scene.admin.post('/api/nfo-refresh', { itemKey: keyOf(one) })
    const after = await rowOf(one)
    expect(Buffer.from(await Bun.file(file).bytes()).equals(Buffer.from(one.content))).toBe(true)
    if (one.expected === null) {
      expect([status, body.code]).toEqual([422, 'nfo_invalid'])
      expect(JSON.stringify(body)).not.toContain(dirname(file))
      expect(after).toEqual(before)
      return
    }
    const fields = { ...NO_FIELDS, ...one.expected }
    const title = fields.title ?? one.scanTitle
    expect(status).toBe(200)
    expect(body.item).toMatchObject({
      itemKey: keyOf(one),
      title,
      plot: fields.plot,
      year: fields.year,
      rating: fields.rating,
      genres: fields.genres,
      runtimeMinutes: fields.runtimeMinutes,
    })
    expect(after).toMatchObject({
      ...before,
      title,
      sort_title: sortTitle(fields.sortTitle ?? title),
      search_title: searchKey(title),
      plot: fields.plot,
      year: fields.year,
      rating: fields.rating,
      genres: fields.genres.length > 0 ? JSON.stringify(fields.genres) : null,
      runtime_minutes: fields.runtimeMinutes,
      aired_at: fields.airedAt,
      nfo_path: one.nfo,
      nfo_modified_at: expect.any(Number),
      nfo_refreshed_at: expect.any(Number),
      updated_at: expect.any(Number),
    })
  })

test('a scan after all that puts nothing back', async () => {
  const rows = async () =>
    (await scene.index.query(`SELECT ${COLUMNS} FROM media_items ORDER BY id`)).map(({ nfo_modified_at, updated_at, ...row }) => row)
  const before = await rows()
  for (const type of ['movies', 'tv'] as const) expect((await scene.scan(type)).status).toBe('done')
  expect(await rows()).toEqual(before)
})
