import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Buffer } from 'node:buffer'
import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderContents, withoutFolder } from '../support/folder-contents.ts'
import type { HttpClient } from '../support/http-client.ts'
import { file, folder, link, makeTree, type Tree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)
const REMOVAL_LIMIT_MS = 20_000

/** Folders that are deleted one after the other in one library; `tree` lies in a folder of this very name, where it is not a whole one. */
interface Layout {
  what: string
  /** The item's folder, relative to the library's root. */
  folder: string
  tree: Tree
  /** Done after the scan, before the deletion. */
  before?: (root: string) => void
  /** The problem's code; gone without one. */
  refused?: string
}

const deep = (levels: number): Tree => (levels === 0 ? { 'deep.txt': 'deep' } : { level: deep(levels - 1) })

const FILMS: Layout[] = [
  { what: 'one file', folder: 'Alien (1979)', tree: { 'Alien.mkv': 100 } },
  { what: 'a name that starts like a neighbour’s', folder: 'Aliens', tree: { 'a.mkv': 100 } },
  {
    what: 'everything that goes with a film',
    folder: 'Brazil (1985)',
    tree: { 'b.mkv': 1, 'b.nfo': '<movie/>', 'b.de.srt': 'x', 'poster.jpg': 5, Extras: { 'making of.mkv': 1 }, Subs: { 'en.srt': 'y' } },
  },
  {
    what: 'a folder that it was released with',
    folder: 'Cube (1997)',
    tree: { 'Cube.1997.1080p.x264-GRP': { 'cube.mkv': 1, Sample: { 's.mkv': 1 } } },
  },
  { what: 'a release named like the film', folder: 'Coda (2021)', tree: { 'Coda (2021) [1080p]': { 'coda.mkv': 1 } } },
  { what: 'a film of a collection', folder: 'Saga/One (1990)', tree: { 'one.mkv': 1 } },
  { what: 'versions', folder: 'Dune (1984)', tree: { 'Dune - 720p.mkv': 1, 'Dune - 2160p.mkv': 2 } },
  { what: 'a disc', folder: 'Ed Wood (1994)', tree: { VIDEO_TS: { 'VIDEO_TS.IFO': 1, 'VTS_01_1.VOB': 10 } } },
  { what: 'parts in folders', folder: 'Fargo (1996)', tree: { CD1: { 'f.avi': 1 }, CD2: { 'f.avi': 2 } } },
  { what: 'decomposed letters', folder: 'Ame\u0301lie (2001)', tree: { 'a.mkv': 1 } },
  { what: 'signs of addresses', folder: '100% #1 & ?=+ (2000)', tree: { 'p.mkv': 1 } },
  { what: 'signs of SQL and shells', folder: `It's "$(here)"; -- _% (2001)`, tree: { 'q.mkv': 1 } },
  { what: 'a leading dash', folder: '-rf (2002)', tree: { 'r.mkv': 1 } },
  { what: 'leading dots', folder: '...And Justice (1979)', tree: { 's.mkv': 1 } },
  { what: 'a newline', folder: 'Two\nLines (2003)', tree: { 't.mkv': 1 } },
  { what: 'emoji', folder: '🎬 (2004)', tree: { '🎬.mkv': 1 } },
  { what: 'hidden files', folder: 'Gattaca (1997)', tree: { 'g.mkv': 1, '.hidden': 'x', '.folder': { '.deep': 'y' }, 'Thumbs.db': 'z' } },
  { what: 'empty folders', folder: 'Heat (1995)', tree: { 'h.mkv': 1, a: {}, b: { c: {} } } },
  { what: 'many levels', folder: 'Inception (2010)', tree: { 'i.mkv': 1, ...deep(40) } },
  {
    what: 'files that may not be written',
    folder: 'Jaws (1975)',
    tree: { 'j.mkv': file({ bytes: 1, mode: 0o444 }), ro: folder({ x: 1 }, { mode: 0o500 }) },
  },
  { what: 'a broken link', folder: 'Kes (1969)', tree: { 'k.mkv': 1, gone: link('nowhere') } },
  { what: 'a link to a neighbour’s file', folder: 'Lola (1998)', tree: { 'l.mkv': 1, 'other.mkv': link('../Neighbour (1999)/n.mkv') } },
  { what: 'a link to a neighbour', folder: 'Memento (2000)', tree: { 'm.mkv': 1, other: link('../Neighbour (1999)') } },
  { what: 'a link out of the library', folder: 'Network (1976)', tree: { 'n.mkv': 1, out: link('../../outside') } },
  { what: 'a link to the root', folder: 'Oldboy (2003)', tree: { 'o.mkv': 1, root: link('..') } },
  {
    what: 'a file with a second name elsewhere',
    folder: 'Pi (1998)',
    tree: { 'p.mkv': 10 },
    before: (root) => linkSync(join(root, 'Pi (1998)/p.mkv'), join(root, 'Neighbour (1999)/second name.mkv')),
  },
  {
    what: 'a name that is no UTF-8',
    folder: 'Rashomon (1950)',
    tree: { 'r.mkv': 1 },
    before: (root) => writeFileSync(Buffer.concat([Buffer.from(`${root}/Rashomon (1950)/`), Buffer.from([0xff, 0xfe])]), 'odd'),
  },
  {
    what: 'files that came after the scan',
    folder: 'Stalker (1979)',
    tree: { 's.mkv': 1 },
    before: (root) => writeFileSync(join(root, 'Stalker (1979)/new.srt'), 'x'),
  },
  {
    what: 'another film put into it',
    folder: 'Tenet (2020)',
    tree: { 't.mkv': 1, 'Titanic (1997)': { 'titanic.mkv': 1 } },
    refused: 'unsafe_delete',
  },
  {
    what: 'another film put into it after the scan',
    folder: 'Up (2009)',
    tree: { 'u.mkv': 1 },
    before: (root) => {
      mkdirSync(join(root, 'Up (2009)/old/Vertigo (1958)'), { recursive: true })
      writeFileSync(join(root, 'Up (2009)/old/Vertigo (1958)/v.mkv'), 'v')
    },
    refused: 'unsafe_delete',
  },
  {
    what: 'different films loose in one folder',
    folder: 'Verne',
    tree: { 'Nautilus (1954).mkv': 1, 'The Island (1961).mkv': 1, 'Around (1956) cd1.mkv': 1, 'Around (1956) cd2.mkv': 1 },
    refused: 'unsafe_delete',
  },
  {
    what: 'another film loose in its folder',
    folder: 'Vampyr (1932)',
    tree: { 'Vampyr (1932).mkv': 1, 'Nosferatu (1922).mkv': 1 },
    refused: 'unsafe_delete',
  },
  {
    what: 'a film and those that follow it loose in one folder',
    folder: 'Rocky',
    tree: { 'Rocky (1976).mkv': 1, 'Rocky II (1979).mkv': 1, 'Rocky III (1982).mkv': 1 },
    refused: 'unsafe_delete',
  },
  {
    what: 'different films loose in one folder, as they were released',
    folder: 'Marvel',
    tree: { 'Iron.Man.2008.1080p.BluRay.x264-GRP.mkv': 1, 'Thor.2011.1080p.BluRay.x264-GRP.mkv': 1 },
    refused: 'unsafe_delete',
  },
  {
    what: 'what tells of other years in names of its own and of extras',
    folder: 'Vertigo (1958)',
    tree: {
      'Vertigo (1958).mkv': 1,
      'Vertigo Restored (1996).mkv': 1,
      'Vertigo Redux (2001).mkv': 1,
      'Making of (1997)-featurette.mkv': 1,
      'Making of (2003).mkv': 1,
      'The Other Name (1958).mkv': 1,
    },
  },
  {
    what: 'versions in folders, and a disc of extras',
    folder: 'Vivarium (2019)',
    tree: { '1080p': { 'Vivarium.mkv': 1 }, '2160p': { 'Vivarium.mkv': 2 }, 'Bonus Disc': { VIDEO_TS: { 'VTS_01_1.VOB': 1 } } },
  },
  {
    what: 'another film put into the folder of a version',
    folder: 'Violette (2013)',
    tree: { '4K': { 'Violette.mkv': 1 }, HD: { 'Violette.mkv': 1 } },
    before: (root) => writeFileSync(join(root, 'Violette (2013)/HD/Dune (2021).mkv'), 'd'),
    refused: 'unsafe_delete',
  },
  {
    what: 'another film put into the folder of a version beside it',
    folder: 'Vitti (1967)',
    tree: { 'Vitti (1967).mkv': 1, '4K': { 'Vitti.mkv': 1 } },
    before: (root) => writeFileSync(join(root, 'Vitti (1967)/4K/Dune (2021).mkv'), 'd'),
    refused: 'unsafe_delete',
  },
  {
    what: 'different films in folders called like parts of one',
    folder: 'Viridiana (1961)',
    tree: { CD1: { 'Soul (2020).mkv': 1 }, CD2: { 'Dune (2021).mkv': 1 } },
    refused: 'unsafe_delete',
  },
  {
    what: 'a link in its place',
    folder: 'Wanda (1970)',
    tree: { 'w.mkv': 1 },
    before: (root) => {
      renameSync(join(root, 'Wanda (1970)'), join(root, '../moved away'))
      symlinkSync('../moved away', join(root, 'Wanda (1970)'))
    },
    refused: 'unsafe_delete',
  },
  {
    what: 'a link to a neighbour in its place',
    folder: 'Xala (1975)',
    tree: { 'x.mkv': 1 },
    before: (root) => {
      rmSync(join(root, 'Xala (1975)'), { recursive: true })
      symlinkSync('Neighbour (1999)', join(root, 'Xala (1975)'))
    },
    refused: 'unsafe_delete',
  },
  {
    what: 'a link on the way to it',
    folder: 'Trilogy/Yi Yi (2000)',
    tree: { 'y.mkv': 1 },
    before: (root) => {
      renameSync(join(root, 'Trilogy'), join(root, '.kept'))
      symlinkSync('.kept', join(root, 'Trilogy'))
    },
    refused: 'unsafe_delete',
  },
  {
    what: 'nothing in its place',
    folder: 'Zodiac (2007)',
    tree: { 'z.mkv': 1 },
    before: (root) => rmSync(join(root, 'Zodiac (2007)'), { recursive: true }),
    refused: 'conflict',
  },
  {
    what: 'a file in its place',
    folder: 'Zulu (1964)',
    tree: { 'z.mkv': 1 },
    before: (root) => {
      rmSync(join(root, 'Zulu (1964)'), { recursive: true })
      writeFileSync(join(root, 'Zulu (1964)'), 'a file')
    },
    refused: 'conflict',
  },
]

const SERIES: Layout[] = [
  {
    what: 'seasons',
    folder: 'Firefly',
    tree: { 'tvshow.nfo': '<tvshow/>', 'Season 01': { 'S01E01.mkv': 1, 'S01E01.nfo': 'x' }, 'Season 02': { 'S02E01.mkv': 1 } },
  },
  { what: 'no season folders', folder: 'Dark (2017)', tree: { 'Dark S01E01.mkv': 1, 'Dark S01E02.mkv': 2 } },
  {
    what: 'specials and extras',
    folder: 'Lost',
    tree: { Specials: { 'S00E01.mkv': 1 }, S01: { 'S01E01.mkv': 1, extras: { 'x.mkv': 1 } } },
  },
  {
    what: 'another series in it',
    folder: 'Trek',
    tree: { 'S01E01.mkv': 1, 'Next Generation': { 'tvshow.nfo': '<tvshow/>', 'S01E01.mkv': 1 } },
    refused: 'unsafe_delete',
  },
  {
    what: 'several series in it',
    folder: 'Kids',
    tree: { 'Bluey (2018)': { 'Season 01': { 'S01E01.mkv': 1 } }, 'Peppa Pig (2004)': { 'Season 01': { 'S01E01.mkv': 2 } } },
    refused: 'unsafe_delete',
  },
  {
    what: 'another series beside the one that is called as the folder',
    folder: 'Bleach',
    tree: {
      'Bleach (2004)': { 'Season 1': { 'S01E01.mkv': 1 } },
      'Bleach Thousand-Year Blood War (2022)': { 'Season 1': { 'S01E01.mkv': 2 } },
    },
    refused: 'unsafe_delete',
  },
  {
    what: 'the same seasons twice',
    folder: 'Naruto',
    tree: { 'German Dub': { 'Season 01': { 'S01E01.mkv': 1 } }, 'Naruto [720p]': { 'Season 01': { 'S01E01.mkv': 2 } } },
  },
]

const treeOf = (layouts: readonly Layout[]): Tree => Object.fromEntries(layouts.map(({ folder: name, tree }) => [name, tree]))

let scene: ScanScene
let admin: HttpClient
beforeAll(async () => {
  scene = await startScene({
    movies: {
      ...treeOf(FILMS),
      'Neighbour (1999)': { 'n.mkv': 'neighbour' },
      'Saga/Two (1991)': { 'two.mkv': 1 },
      'Trilogy/Other (2001)': { 'o.mkv': 1 },
    },
    tv: { ...treeOf(SERIES), Neighbour: { 'S01E01.mkv': 1 } },
    games: { Quake: { 'quake.zip': 10 } },
    manga: { Berserk: { 'v01.cbz': 10 } },
    mixed: { 'a.txt': 'text' },
  })
  admin = scene.admin
  mkdirSync(join(scene.folder, 'outside'))
  writeFileSync(join(scene.folder, 'outside/precious.txt'), 'precious')
})
afterAll(() => scene[Symbol.asyncDispose]())

const plan = (itemKey: string) => admin.get('/api/items/delete-plan', { itemKey })
const remove = (itemKey: string) => admin.delete('/api/items', { itemKey })

const waitUntilRemoved = (root: string): Promise<true> =>
  waitFor(
    () => (readdirSync(root).some((name) => name.startsWith('.vitrine-trash-')) ? undefined : true),
    REMOVAL_LIMIT_MS,
    () => `The files in ${root} were not removed`,
  )

const tryLayout = async (type: 'movies' | 'tv', itemType: string, layout: Layout): Promise<void> => {
  const root = scene.rootOf(type)
  const itemKey = `${itemType}:${scene.idOf(type)}:${layout.folder}`
  expect((await admin.get('/api/items', { itemKey })).status).toBe(200)
  layout.before?.(root)
  const before = folderContents(scene.folder)
  const outcome = async (): Promise<Map<string, string>> =>
    new Map([...folderContents(scene.folder)].filter(([path]) => !path.startsWith('data/')))
  const kept = new Map([...before].filter(([path]) => !path.startsWith('data/')))

  const planned = await plan(itemKey)
  if (layout.refused !== undefined) {
    const answer = await remove(itemKey)
    expect([planned.body.code, answer.body.code]).toEqual([layout.refused, layout.refused])
    expect(await outcome()).toEqual(kept)
    expect((await admin.get('/api/items', { itemKey })).status).toBe(200)
    return
  }
  const place = `${type}/${layout.folder}`
  const files = [...kept].filter(([path, what]) => path.startsWith(`${place}/`) && what !== 'folder')
  const bytes = files.reduce((sum, [, what]) => sum + (what.startsWith('file') ? Number(what.split(' ')[1]) : 0), 0)
  expect(planned).toMatchObject({ status: 200, body: { files: files.length, bytes, folder: layout.folder } })
  expect((await remove(itemKey)).status).toBe(204)
  await waitUntilRemoved(root)
  expect(await outcome()).toEqual(withoutFolder(kept, place))
  expect((await admin.get('/api/items', { itemKey })).status).toBe(404)
  expect((await remove(itemKey)).status).toBe(404)
}

test('nothing is concluded from a library that is empty all at once: its disk is away', async () => {
  const root = scene.rootOf('tv')
  const itemKey = `tv_series:${scene.idOf('tv')}:Neighbour`
  renameSync(root, `${root} kept`)
  // What systems leave in the folder on which the disk is to be mounted.
  makeTree(root, { '.DS_Store': 'x', 'lost+found': {} })
  const answers = [await plan(itemKey), await remove(itemKey)]
  rmSync(root, { recursive: true })
  renameSync(`${root} kept`, root)
  expect(answers.map(({ body }) => body.code)).toEqual(['unavailable', 'unavailable'])
})

describe('what is neither a film nor a series cannot be deleted', () => {
  const keys: [string, () => string][] = [
    ['a season', () => `tv_season:${scene.idOf('tv')}:Firefly/Season 01`],
    ['an episode', () => `tv_episode:${scene.idOf('tv')}:Firefly/Season 01/S01E01.mkv`],
    ['a game', () => `game:${scene.idOf('games')}:Quake`],
    ['a manga series', () => `manga_series:${scene.idOf('manga')}:Berserk`],
    ['a manga volume', () => `manga_volume:${scene.idOf('manga')}:Berserk/v01.cbz`],
    ['a mixed file', () => `mixed_file:${scene.idOf('mixed')}:a.txt`],
  ]
  test.each(keys)('%s', async (_, key) => {
    const before = folderContents(scene.folder)
    const answers = [await plan(key()), await remove(key())]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'delete_not_supported'],
      [400, 'delete_not_supported'],
    ])
    for (const type of ['tv', 'games', 'manga', 'mixed'] as const)
      for (const [path, what] of folderContents(scene.rootOf(type))) expect(before.get(`${type}/${path}`)).toBe(what)
  })
})

describe('who may not delete changes nothing', () => {
  test('without the permission it is forbidden, the plan too', async () => {
    const user = await scene.server.as('someone')
    const itemKey = `movie:${scene.idOf('movies')}:Neighbour (1999)`
    expect((await user.get('/api/items/delete-plan', { itemKey })).status).toBe(403)
    expect((await user.delete('/api/items', { itemKey })).status).toBe(403)
    expect((await user.get('/api/trash')).status).toBe(403)
  })
  test('without the library there is no such film', async () => {
    const user = await scene.server.as('stranger', { permissions: { delete: true }, libraryIds: [scene.idOf('tv')] })
    const itemKey = `movie:${scene.idOf('movies')}:Neighbour (1999)`
    expect((await user.get('/api/items/delete-plan', { itemKey })).status).toBe(404)
    expect((await user.delete('/api/items', { itemKey })).status).toBe(404)
  })
  test('a key that leaves the library is nothing', async () => {
    for (const path of ['..', '.', 'Neighbour (1999)/..', '/etc', 'a/../../outside'])
      expect((await remove(`movie:${scene.idOf('movies')}:${path}`)).status).toBe(404)
  })
})

describe('deleting takes the planned folder and nothing else', () => {
  test.each(FILMS.map((layout) => [layout.what, layout] as const))('film: %s', (_, layout) => tryLayout('movies', 'movie', layout))
  test.each(SERIES.map((layout) => [layout.what, layout] as const))('series: %s', (_, layout) => tryLayout('tv', 'tv_series', layout))

  test('the index holds what the disk holds, and the next scan finds nothing new', async () => {
    const [films, series] = [await scene.keys('movies'), await scene.keys('tv')]
    const present = (layouts: readonly Layout[]) =>
      layouts.filter(({ refused }) => refused === 'unsafe_delete').map(({ folder: name }) => name)
    const id = scene.idOf('movies')
    const lost = ['Zodiac (2007)', 'Zulu (1964)']
    expect(films).toEqual(
      [...present(FILMS), ...lost, 'Neighbour (1999)', 'Saga/Two (1991)', 'Trilogy/Other (2001)']
        .map((name) => `movie:${id}:${name}`)
        .sort(),
    )
    expect(series.filter((key) => key.startsWith('tv_series')).sort()).toEqual(
      [...present(SERIES), 'Neighbour'].map((name) => `tv_series:${scene.idOf('tv')}:${name}`).sort(),
    )
    const { added, restored } = await scene.scan('movies')
    expect({ added, restored }).toEqual({ added: undefined, restored: undefined })
    const library = (await admin.get(`/api/libraries/${id}`)).body.library
    expect(library.itemCount).toBe((await scene.keys('movies')).length)
  })
})
