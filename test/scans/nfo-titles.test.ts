import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import type { Json } from '../support/http-client.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

setDefaultTimeout(60_000)

const TITLES = {
  none: '<plot>Told.</plot>',
  own: '<title>Own name</title>',
  'as its folder': '<title>As its folder</title>',
  'to be ordered': '<sorttitle>Zz 2</sorttitle><plot>Told.</plot>',
} as const

let scene: ScanScene
beforeAll(async () => {
  const films = Object.entries(TITLES).map(([name, fields]) => [name, { [`${name}.mkv`]: name, 'movie.nfo': `<movie>${fields}</movie>` }])
  scene = await startScene({
    movies: Object.fromEntries(films),
    tv: {
      Show: {
        'tvshow.nfo': `<tvshow>${TITLES.none}</tvshow>`,
        'Season 1': { 'Show S01E01.mkv': 'one', 'Show S01E01.nfo': `<episodedetails>${TITLES.none}</episodedetails>` },
      },
    },
  })
})
afterAll(() => scene[Symbol.asyncDispose]())

const refresh = async (itemKey: string): Promise<Json> => (await scene.admin.post('/api/nfo-refresh', { itemKey })).body.item
const getItem = async (itemKey: string): Promise<Json> => (await scene.admin.get('/api/items', { itemKey })).body.item
const rename = (type: LibraryType, from: string, to: string): void =>
  renameSync(join(scene.rootOf(type), from), join(scene.rootOf(type), to))
const namesOf = async (itemKey: string) =>
  (await scene.index.query('SELECT title, sort_title, search_title FROM media_items WHERE item_key = ?', [itemKey]))[0]

test('a film that is renamed keeps of its titles what its NFO file gave, and has the rest from its folder', async () => {
  const key = (folder: string): string => `movie:${scene.idOf('movies')}:${folder}`
  for (const name of Object.keys(TITLES)) await refresh(key(name))
  for (const name of Object.keys(TITLES)) rename('movies', name, `New ${name}`)
  expect(await scene.scan('movies')).toMatchObject({ moved: 4 })
  const expected = {
    none: { title: 'New none', sort_title: 'new none', search_title: 'new none' },
    own: { title: 'Own name', sort_title: 'own name', search_title: 'own name' },
    'as its folder': { title: 'As its folder', sort_title: 'as its folder', search_title: 'as its folder' },
    'to be ordered': { title: 'New to be ordered', sort_title: 'zz 012', search_title: 'new to be ordered' },
  }
  for (const [name, names] of Object.entries(expected)) expect(await namesOf(key(`New ${name}`))).toEqual(names)
  expect(await getItem(key('New none'))).toMatchObject({ plot: 'Told.', nfoNewer: false })
})

test('so has a series, and an episode, which are found by their new names', async () => {
  const id = scene.idOf('tv')
  await refresh(`tv_series:${id}:Show`)
  expect((await refresh(`tv_episode:${id}:Show/Season 1/Show S01E01.mkv`)).title).toBe('Show S01E01')
  for (const ending of ['mkv', 'nfo']) rename('tv', `Show/Season 1/Show S01E01.${ending}`, `Show/Season 1/Better S01E01.${ending}`)
  rename('tv', 'Show', 'Shiny')
  await scene.scan('tv')
  const episodeKey = `tv_episode:${id}:Shiny/Season 1/Better S01E01.mkv`
  expect(await getItem(episodeKey)).toMatchObject({ title: 'Better S01E01', plot: 'Told.' })
  expect(await getItem(`tv_series:${id}:Shiny`)).toMatchObject({ title: 'Shiny', plot: 'Told.' })
  const { body } = await scene.admin.get('/api/search', { q: 'Better' })
  expect(body.entries.map(({ itemKey }: Json) => itemKey)).toEqual([episodeKey])
})
