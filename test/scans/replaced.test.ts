import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import { makeTree, type Tree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

/**
 * A film, a game, an episode or a volume of which a better file comes under another name stays the item that it was: its name
 * and year, or its place in its series, say which one it is, where its bytes say nothing. What two could be is nobody's.
 */

let scene: ScanScene

beforeAll(async () => {
  scene = await startScene({
    movies: { 'Always (1989)': { 'Always.mkv': 900 } },
    tv: { Always: { 'Season 1': { 'Always S01E01.mkv': 901 } } },
    manga: { Always: { 'Always v01.cbz': 902 } },
    games: { Always: { 'always.zip': 903 } },
  })
})
afterAll(() => scene[Symbol.asyncDispose]())

/** `<item_type>:<path>` as a key. */
const keyOf = (type: LibraryType, place: string): string => place.replace(':', `:${scene.idOf(type)}:`)
const remove = (type: LibraryType, path: string): void => rmSync(join(scene.rootOf(type), path), { recursive: true })

/** Times of their own, so that nothing is told by chance. */
let clock = 1_600_000_000
const write = (type: LibraryType, tree: Tree, ...paths: string[]): void => {
  makeTree(scene.rootOf(type), tree)
  for (const path of paths) utimesSync(join(scene.rootOf(type), path), clock, clock++)
}

/** Has a tree scanned, and puts a mark on each place, named as the place. */
const prepare = async (type: LibraryType, tree: Tree, ...marked: string[]): Promise<void> => {
  write(type, tree)
  await scene.scan(type)
  await scene.index.mark(Object.fromEntries(marked.map((place) => [keyOf(type, place), place])))
}

const placeOf = async (type: LibraryType, name: string): Promise<string> => {
  const mark = (await scene.index.marks())[name]
  return !mark ? 'torn apart' : mark.isMissing ? 'missing' : mark.itemKey.replace(`:${scene.idOf(type)}:`, ':')
}

interface Case {
  type: LibraryType
  what: string
  old: Tree
  from: string
  better: Tree
  to: string
}

const CASES: Case[] = [
  {
    type: 'tv',
    what: 'an episode in a better encode',
    old: { Firefly: { 'Season 1': { 'Firefly S01E01 - Serenity.avi': 1001, 'Firefly S01E02.avi': 1002 } } },
    from: 'tv_episode:Firefly/Season 1/Firefly S01E01 - Serenity.avi',
    better: { Firefly: { 'Season 1': { 'Firefly.S01E01.1080p.WEB-DL.mkv': 2001 } } },
    to: 'tv_episode:Firefly/Season 1/Firefly.S01E01.1080p.WEB-DL.mkv',
  },
  {
    type: 'tv',
    what: 'an episode of a series without folders for its seasons',
    old: { Flat: { 'Flat 1x01.avi': 1011, 'Flat 1x02.avi': 1012 } },
    from: 'tv_episode:Flat/Flat 1x01.avi',
    better: { Flat: { 'Flat.S01E01.mkv': 2011 } },
    to: 'tv_episode:Flat/Flat.S01E01.mkv',
  },
  {
    type: 'tv',
    what: 'an episode that is named by its date',
    old: { Daily: { '2024': { 'Daily 2024-03-01.avi': 1021, 'Daily 2024-03-08.avi': 1022 } } },
    from: 'tv_episode:Daily/2024/Daily 2024-03-01.avi',
    better: { Daily: { '2024': { 'Daily.2024.03.01.720p.mkv': 2021 } } },
    to: 'tv_episode:Daily/2024/Daily.2024.03.01.720p.mkv',
  },
  {
    type: 'tv',
    what: 'an episode without a number, converted',
    old: { Sketches: { 'Season 1': { 'The Parrot.avi': 1031, 'Sketches S01E02.avi': 1032 } } },
    from: 'tv_episode:Sketches/Season 1/The Parrot.avi',
    better: { Sketches: { 'Season 1': { 'The Parrot.mkv': 2031 } } },
    to: 'tv_episode:Sketches/Season 1/The Parrot.mkv',
  },
  {
    type: 'manga',
    what: 'a volume of pictures that is packed',
    old: { Berserk: { 'Berserk v01': { '001.jpg': 1201, '002.jpg': 1202 }, 'Berserk v02': { '001.jpg': 1203 } } },
    from: 'manga_volume:Berserk/Berserk v01',
    better: { Berserk: { 'Berserk v01.cbz': 2201 } },
    to: 'manga_volume:Berserk/Berserk v01.cbz',
  },
  {
    type: 'manga',
    what: 'a chapter of another scan',
    old: { Guts: { 'Guts v01 c003.cbz': 1211, 'Guts v01 c004.cbz': 1212 } },
    from: 'manga_volume:Guts/Guts v01 c003.cbz',
    better: { Guts: { '[Group] Guts Vol. 1 Ch. 3.cbz': 2211 } },
    to: 'manga_volume:Guts/[Group] Guts Vol. 1 Ch. 3.cbz',
  },
]

describe.each(CASES)('$what keeps its row, with everything on it', ({ type, old, from, better, to }) => {
  const pathOf = (place: string): string => place.slice(place.indexOf(':') + 1)
  /** Series of their own for each way. */
  const way = async (name: string) => {
    const [[series, inside] = ['', {}]] = Object.entries(old)
    const [[, improved] = ['', {}]] = Object.entries(better)
    const own = `${series} ${name}`
    const [here, there] = [from, to].map((place) => place.replace(`:${series}/`, `:${own}/`))
    await prepare(type, { [own]: inside }, here ?? '')
    const id = (await scene.index.marks())[here ?? '']?.id
    return { here: here ?? '', there: there ?? '', id, improved: { [own]: improved } }
  }

  const expectReplaced = async ({ here, there, id }: Awaited<ReturnType<typeof way>>): Promise<void> => {
    expect(await placeOf(type, here)).toBe(there)
    expect((await scene.index.marks())[here]?.id ?? 0).toBe(id ?? -1)
    await scene.index.check()
    expect(await scene.scan(type)).toEqual({ status: 'done', found: expect.any(Number) })
  }

  test('when the old file went at once', async () => {
    const scenario = await way('at once')
    remove(type, pathOf(scenario.here))
    write(type, scenario.improved, pathOf(scenario.there))
    expect(await scene.scan(type)).toMatchObject({ status: 'done', moved: 1 })
    await expectReplaced(scenario)
  })

  test('when the old file went long before', async () => {
    const scenario = await way('before')
    remove(type, pathOf(scenario.here))
    expect(await scene.scan(type)).toMatchObject({ missing: 1 })
    write(type, scenario.improved, pathOf(scenario.there))
    expect(await scene.scan(type)).toMatchObject({ status: 'done', restored: 1 })
    await expectReplaced(scenario)
  })

  test('when the old file went later', async () => {
    const scenario = await way('later')
    write(type, scenario.improved, pathOf(scenario.there))
    expect(await scene.scan(type)).toMatchObject({ status: 'done', added: 1 })
    expect(await placeOf(type, scenario.here)).toBe(scenario.here)
    remove(type, pathOf(scenario.here))
    expect(await scene.scan(type)).toMatchObject({ status: 'done', moved: 1 })
    await expectReplaced(scenario)
  })
})

describe('a film of which a better encode comes in a folder of its own', () => {
  const film = (folder: string): string => `movie:${folder}`
  /** Each way to name the new folder, for a film of its own. */
  const NAMES: [string, string, string][] = [
    ['as a release', 'Copper Rain (1978)', 'Copper.Rain.1978.1080p.BluRay.x264-GRP'],
    ['with an id', 'Night Bus (2019)', 'Night Bus (2019) {imdb-tt0077}'],
    ['in a collection', 'Nine Winters (1987)', 'Winters/Nine Winters (1987) [2160p]'],
    ['with who released it', 'Red Harbour (1981)', 'Red Harbour (1981) ETRG'],
    ['where the old one was the release', 'Blade.Runner.2049.2017.720p', 'Blade Runner 2049 (2017)'],
  ]

  test.each(NAMES)('%s keeps its row, when the old folder went at once', async (_, from, to) => {
    await prepare('movies', { [from]: { 'old.avi': 3001 } }, film(from))
    const { id } = (await scene.index.marks())[film(from)] ?? {}
    remove('movies', from)
    write('movies', { [to]: { 'new.mkv': 4001 } }, `${to}/new.mkv`)
    expect(await scene.scan('movies')).toMatchObject({ status: 'done', moved: 1 })
    expect(await placeOf('movies', film(from))).toBe(film(to))
    expect((await scene.index.marks())[film(from)]?.id).toBe(id ?? -1)
    await scene.index.check()
    expect(await scene.scan('movies')).toEqual({ status: 'done', found: expect.any(Number) })
  })

  test.each([
    ['later', true],
    ['long before', false],
  ])('keeps its row, when the old folder went %s', async (when, isOverlapping) => {
    const [from, to] = [`Harbour ${when} (2011)`, `Harbour.${when.replace(' ', '.')}.2011.1080p`]
    await prepare('movies', { [from]: { 'old.avi': 3011 } }, film(from))
    const come = (): void => write('movies', { [to]: { 'new.mkv': 4011 } }, `${to}/new.mkv`)
    if (isOverlapping) come()
    else remove('movies', from)
    await scene.scan('movies')
    if (isOverlapping) remove('movies', from)
    else come()
    await scene.scan('movies')
    expect(await placeOf('movies', film(from))).toBe(film(to))
    await scene.index.check()
  })

  test('leaves what lies in the trash to whoever brings it back', async () => {
    const [from, to] = ['Brigadoon (1954)', 'Brigadoon.1954.1080p']
    await scene.admin.patch(`/api/libraries/${scene.idOf('movies')}`, { trashDays: 7 })
    await prepare('movies', { [from]: { 'old.avi': 3041 } }, film(from))
    expect((await scene.admin.delete('/api/items', { itemKey: keyOf('movies', film(from)) })).status).toBe(204)
    write('movies', { [to]: { 'new.mkv': 4041 } }, `${to}/new.mkv`)
    expect(await scene.scan('movies')).toMatchObject({ status: 'done', added: 1 })
    const [{ id }] = (await scene.admin.get('/api/trash')).body.entries
    expect((await scene.admin.post(`/api/trash/${id}/restore`)).status).toBe(200)
    expect(await placeOf('movies', film(from))).toBe(film(from))
    expect(await scene.scan('movies')).toEqual({ status: 'done', found: expect.any(Number) })
    expect(await placeOf('movies', film(from))).toBe(film(from))
  })

  test('gives nothing to another film, another year, one of two, or one without a year', async () => {
    const gone = ['Alien (1979)', 'Solaris (1972)', 'Dune (1984)', 'Stalker', 'Nosferatu (1922) Making of', 'Metropolis (1927)']
    await prepare('movies', Object.fromEntries(gone.map((name, at) => [name, { 'old.avi': 3021 + at }])), ...gone.map(film))
    for (const name of gone) remove('movies', name)
    write('movies', {
      'Aliens (1979)': { 'a.mkv': 4021 },
      'Solaris (2002)': { 'b.mkv': 4022 },
      'Dune.1984.1080p': { 'c.mkv': 4023 },
      'Dune.1984.2160p': { 'd.mkv': 4024 },
      'Stalker 1080p': { 'e.mkv': 4025 },
      'Nosferatu (1922)': { 'f.mkv': 4026 },
      'Metropolis (1927) Bonus Disc': { 'g.mkv': 4027 },
    })
    expect(await scene.scan('movies')).toMatchObject({ status: 'done', added: 7, missing: 6 })
    for (const name of gone) expect(await placeOf('movies', film(name))).toBe('missing')
  })

  test('in place of one of two folders of that film, gives nothing to the one that stays', async () => {
    await prepare(
      'movies',
      { 'Brazil (1985)': { 'old.avi': 3031 }, 'Brazil (1985) Directors Cut': { 'cut.avi': 3032 } },
      film('Brazil (1985)'),
    )
    await scene.index.mark({ [keyOf('movies', film('Brazil (1985) Directors Cut'))]: 'cut' })
    remove('movies', 'Brazil (1985)')
    write('movies', { 'Brazil.1985.2160p': { 'new.mkv': 4031 } }, 'Brazil.1985.2160p/new.mkv')
    expect(await scene.scan('movies')).toMatchObject({ status: 'done', moved: 1 })
    expect(await placeOf('movies', film('Brazil (1985)'))).toBe(film('Brazil.1985.2160p'))
    expect(await placeOf('movies', 'cut')).toBe(film('Brazil (1985) Directors Cut'))
  })
})

describe('a game of which a newer version comes in a folder of its own', () => {
  const game = (folder: string): string => `game:${folder}`
  /** Each way to name the new folder, for a game of its own. */
  const NAMES: [string, string, string][] = [
    ['by its version', 'Farm v1.4', 'Farm v1.5'],
    ['without its shop', 'Shambler [GOG]', 'Shambler'],
    ['for another system', 'Cave (Windows)', 'Cave-linux'],
    ['in a series', 'Saga/Ocarina v1.0', 'Saga/Ocarina v1.2'],
  ]

  test.each(NAMES)('%s keeps its row, at once, later and long after', async (_, from, to) => {
    const [beside] = from.split('/')
    for (const way of ['at once', 'later', 'before'] as const) {
      const [here, there] = [from, to].map((path) => `${way} ${path}`)
      if (beside !== from) write('games', { [`${way} ${beside}`]: { Majora: { 'm.zip': clock } } })
      await prepare('games', { [here ?? '']: { 'old.zip': clock + 1 } }, game(here ?? ''))
      const { id } = (await scene.index.marks())[game(here ?? '')] ?? {}
      const come = (): void => write('games', { [there ?? '']: { 'new.zip': clock + 2 } }, `${there}/new.zip`)
      if (way === 'later') come()
      else remove('games', here ?? '')
      if (way !== 'at once') await scene.scan('games')
      if (way === 'later') remove('games', here ?? '')
      else come()
      await scene.scan('games')
      expect(await placeOf('games', game(here ?? ''))).toBe(game(there ?? ''))
      expect((await scene.index.marks())[game(here ?? '')]?.id).toBe(id ?? -1)
      await scene.index.check()
      expect(await scene.scan('games')).toEqual({ status: 'done', found: expect.any(Number) })
    }
  })

  test.each([
    ['with its year', 'Styx', 'Styx (2020)'],
    ['without its year', 'Thief (2014)', 'Thief v1.7'],
  ])('%s keeps its row at once, but gives nothing to a remake that comes beside it or long after', async (_, from, to) => {
    for (const way of ['at once', 'later', 'before'] as const) {
      const [here, there] = [`${way} ${from}`, `${way} ${to}`]
      await prepare('games', { [here]: { 'old.zip': clock + 1 } }, game(here))
      const come = (): void => write('games', { [there]: { 'new.zip': clock + 2 } }, `${there}/new.zip`)
      if (way === 'later') come()
      else remove('games', here)
      if (way !== 'at once') await scene.scan('games')
      if (way === 'later') remove('games', here)
      else come()
      await scene.scan('games')
      expect(await placeOf('games', game(here))).toBe(way === 'at once' ? game(there) : 'missing')
      await scene.index.check()
    }
  })

  test('in a series that is renamed at the same time, keeps its row', async () => {
    const [here, there] = ['Quests/King v1.0', 'King Quests/King v1.1']
    await prepare('games', { Quests: { 'King v1.0': { 'old.zip': 5041 }, Queen: { 'q.zip': 5042 } } }, game(here), 'game_series:Quests')
    remove('games', here)
    renameSync(join(scene.rootOf('games'), 'Quests'), join(scene.rootOf('games'), 'King Quests'))
    write('games', { [there]: { 'new.zip': 6041 } }, `${there}/new.zip`)
    expect(await scene.scan('games')).toMatchObject({ status: 'done', moved: 3 })
    expect(await placeOf('games', 'game_series:Quests')).toBe('game_series:King Quests')
    expect(await placeOf('games', game(here))).toBe(game(there))
    await scene.index.check()
  })

  test('gives nothing to another game, another year, what belongs to it, one of two, or one in another place', async () => {
    const gone = ['Doom', 'Dune (1992)', 'Gothic', 'Inside', 'Hexen', 'Kingdom 1.5 ReMIX']
    await prepare('games', Object.fromEntries(gone.map((name, at) => [name, { 'old.zip': 5021 + at }])), ...gone.map(game))
    for (const name of gone) remove('games', name)
    write('games', {
      'Doom II': { 'a.zip': 6021 },
      'Dune (1998)': { 'b.zip': 6022 },
      'Gothic Demo': { 'c.zip': 6023 },
      'Gothic (Soundtrack)': { 'd.zip': 6024 },
      'Gothic - Night DLC': { 'e.zip': 6025 },
      'Inside v1.1': { 'f.zip': 6026 },
      'Inside v1.2': { 'g.zip': 6027 },
      Raven: { Hexen: { 'h.zip': 6028 }, Heretic: { 'i.zip': 6029 } },
      'Kingdom 2.5 ReMIX': { 'j.zip': 6030 },
    })
    expect(await scene.scan('games')).toMatchObject({ status: 'done', added: 11, missing: 6 })
    for (const name of gone) expect(await placeOf('games', game(name))).toBe('missing')
  })

  test('in place of one of two folders of that game, gives nothing to the one that stays', async () => {
    await prepare('games', { Braid: { 'old.zip': 5031 }, 'Braid v2.0': { 'other.zip': 5032 } }, game('Braid'))
    await scene.index.mark({ [keyOf('games', game('Braid v2.0'))]: 'second' })
    remove('games', 'Braid v2.0')
    write('games', { 'Braid v3.0': { 'new.zip': 6031 } }, 'Braid v3.0/new.zip')
    expect(await scene.scan('games')).toMatchObject({ status: 'done', moved: 1 })
    expect(await placeOf('games', game('Braid'))).toBe(game('Braid'))
    expect(await placeOf('games', 'second')).toBe(game('Braid v3.0'))
  })
})

test('what was replaced once is replaced again, at once or later', async () => {
  const names = ['a.avi', '720p.avi', '1080p.mkv', '2160p.mkv'].map((name) => `Often.S01E01.${name}`)
  const place = (name: string): string => `tv_episode:Often/Season 1/${name}`
  const [first = '', second = '', third = '', last = ''] = names
  const come = (name: string, size: number): void => write('tv', { Often: { 'Season 1': { [name]: size } } }, `Often/Season 1/${name}`)
  const go = (name: string): void => remove('tv', `Often/Season 1/${name}`)
  await prepare('tv', { Often: { 'Season 1': { [first]: 4001, 'Often.S01E02.avi': 4002 } } }, place(first))
  come(second, 4003)
  await scene.scan('tv')
  go(first)
  await scene.scan('tv')
  expect(await placeOf('tv', place(first))).toBe(place(second))
  go(second)
  come(third, 4004)
  expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 1 })
  expect(await placeOf('tv', place(first))).toBe(place(third))
  go(third)
  await scene.scan('tv')
  come(last, 4005)
  await scene.scan('tv')
  expect(await placeOf('tv', place(first))).toBe(place(last))
  await scene.index.check()
})

test('a whole season in a better encode is not held, and keeps every mark, also where its folder is renamed', async () => {
  const numbers = Array.from({ length: 40 }, (_, at) => String(at + 1).padStart(2, '0'))
  const old = Object.fromEntries(numbers.map((number, at) => [`Long S01E${number}.avi`, 5000 + at]))
  const place = (number: string): string => `tv_episode:Long/Season 1/Long S01E${number}.avi`
  await prepare('tv', { Long: { 'Season 1': old } }, ...numbers.map(place))
  for (const number of numbers) remove('tv', `Long/Season 1/Long S01E${number}.avi`)
  renameSync(join(scene.rootOf('tv'), 'Long/Season 1'), join(scene.rootOf('tv'), 'Long/Season 01'))
  write('tv', { Long: { 'Season 01': Object.fromEntries(numbers.map((number, at) => [`Long.S01E${number}.1080p.mkv`, 6000 + at])) } })
  // Its folder has moved as well.
  expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 41 })
  for (const number of numbers) expect(await placeOf('tv', place(number))).toBe(`tv_episode:Long/Season 01/Long.S01E${number}.1080p.mkv`)
  await scene.index.check()
})

describe('a season of which all episodes come anew, in a folder of another name', () => {
  const names = (series: string, make: (number: number) => string, size: number): Tree => ({
    ...Object.fromEntries([1, 2, 3].map((number) => [make(number), size + number])),
    [`${series}.nfo`]: 'no video',
  })
  const place = (series: string, path: string): string => `tv_episode:${series}/${path}`

  const setUp = async (series: string) => {
    const old = [1, 2, 3].map((number) => place(series, `Season 2/${series} S02E0${number}.avi`))
    const season = `tv_season:${series}/Season 2`
    const tree = { 'Season 1': { [`${series} S01E01.avi`]: 5201 }, 'Season 2': names(series, (n) => `${series} S02E0${n}.avi`, 5210) }
    await prepare('tv', { [series]: tree }, season, ...old)
    return { old, season, come: () => write('tv', { [series]: { S02: names(series, (n) => `${series}.2x0${n}.mkv`, 6210) } }) }
  }
  const go = (series: string): void => remove('tv', `${series}/Season 2`)
  const expectMoved = async (series: string, { old, season }: Awaited<ReturnType<typeof setUp>>): Promise<void> => {
    expect(await placeOf('tv', season)).toBe(`tv_season:${series}/S02`)
    for (const [at, name] of old.entries()) expect(await placeOf('tv', name)).toBe(place(series, `S02/${series}.2x0${at + 1}.mkv`))
    await scene.index.check()
    expect(await scene.scan('tv')).toEqual({ status: 'done', found: expect.any(Number) })
  }

  test('keeps every row at once', async () => {
    const scenario = await setUp('Onetime')
    go('Onetime')
    scenario.come()
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 4 })
    await expectMoved('Onetime', scenario)
  })

  test('keeps every row long after', async () => {
    const scenario = await setUp('Longtime')
    go('Longtime')
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', missing: 4 })
    scenario.come()
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', restored: 4 })
    await expectMoved('Longtime', scenario)
  })

  test('keeps every row where both were there for a while', async () => {
    const scenario = await setUp('Meantime')
    scenario.come()
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', added: 4 })
    go('Meantime')
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 4 })
    await expectMoved('Meantime', scenario)
  })

  test('takes nothing from another season', async () => {
    const { old } = await setUp('Other Time')
    go('Other Time')
    write('tv', { 'Other Time': { S03: names('Other Time', (n) => `Other Time.3x0${n}.mkv`, 7210) } })
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', missing: 4, added: 4 })
    for (const name of old) expect(await placeOf('tv', name)).toBe('missing')
  })
})

describe('a series that comes anew, in a folder of another name', () => {
  interface Anew {
    type: 'tv' | 'manga'
    what: string
    /** The series, a season if there is one, and what has a file. */
    old: string[]
    now: string[]
  }
  const ANEW: Anew[] = [
    {
      type: 'tv',
      what: 'as a release',
      old: ['tv_series:Show A (2000)', 'tv_season:Show A (2000)/Season 1', 'tv_episode:Show A (2000)/Season 1/Show S01E01.mkv'],
      now: [
        'tv_series:Show.A.2000.COMPLETE.1080p.BluRay-GRP',
        'tv_season:Show.A.2000.COMPLETE.1080p.BluRay-GRP/Season 1',
        'tv_episode:Show.A.2000.COMPLETE.1080p.BluRay-GRP/Season 1/Show.S01E01.1080p.mkv',
      ],
    },
    {
      type: 'manga',
      what: 'packed, with another name',
      old: ['manga_series:Monster (1994)', 'manga_volume:Monster (1994)/v01/1.png'],
      now: ['manga_series:Monster (1994) [Digital]', 'manga_volume:Monster (1994) [Digital]/Monster v01.cbz'],
    },
  ]
  const DATED: Anew[] = [
    {
      type: 'tv',
      what: 'with its year',
      old: ['tv_series:Firefly', 'tv_season:Firefly/#season-1', 'tv_episode:Firefly/Firefly - 1x01 - Serenity.avi'],
      now: [
        'tv_series:Firefly (2002)',
        'tv_season:Firefly (2002)/Season 01',
        'tv_episode:Firefly (2002)/Season 01/Firefly (2002) - S01E01 - Serenity WEBDL-1080p.mkv',
      ],
    },
    {
      type: 'manga',
      what: 'with its year, packed',
      old: ['manga_series:One Piece', 'manga_volume:One Piece/v01/1.png'],
      now: ['manga_series:One Piece (1997)', 'manga_volume:One Piece (1997)/One Piece (1997) v01.cbz'],
    },
    {
      type: 'tv',
      what: 'without its year',
      old: ['tv_series:Rome (2005)', 'tv_season:Rome (2005)/Season 1', 'tv_episode:Rome (2005)/Season 1/Rome S01E01.mkv'],
      now: ['tv_series:Rome', 'tv_season:Rome/Season 1', 'tv_episode:Rome/Season 1/Rome S01E01 720p.mkv'],
    },
  ]
  let size = 8001
  const fileOf = (places: string[]): string => (places.at(-1) ?? '').replace(/^[^:]*:/, '')
  const folderOf = (places: string[]): string => fileOf(places).split('/', 1)[0] ?? ''
  const come = (type: LibraryType, path: string): void => write(type, { [path]: size++ }, path)
  const placesOf = (places: string[]): string[] => places.map((place) => place.replace(/\/[^/]*\.png$/, ''))
  /** Series of its own for each way. */
  const own = (places: string[], way: string): string[] => {
    const [first = ''] = /^[A-Z][a-z]+/.exec(folderOf(places)) ?? []
    return places.map((place) => place.replaceAll(first, `${first}${way}`))
  }
  const setUp = async ({ type, old, now }: Anew, way: string) => {
    const [from, to] = [own(old, way), own(now, way)]
    come(type, fileOf(from))
    await scene.scan(type)
    await scene.index.mark(Object.fromEntries(placesOf(from).map((place) => [keyOf(type, place), place])))
    return { from, to, go: () => remove(type, folderOf(from)), come: () => come(type, fileOf(to)) }
  }
  const expectMoved = async (type: LibraryType, { from, to }: { from: string[]; to: string[] }): Promise<void> => {
    expect(await Promise.all(placesOf(from).map((place) => placeOf(type, place)))).toEqual(to)
    await scene.index.check()
    expect(await scene.scan(type)).toEqual({ status: 'done', found: expect.any(Number) })
  }

  test.each([...ANEW, ...DATED])('keeps every row, $what, at once', async (anew) => {
    const scenario = await setUp(anew, 'once')
    scenario.go()
    scenario.come()
    expect(await scene.scan(anew.type)).toMatchObject({ status: 'done', moved: anew.now.length })
    await expectMoved(anew.type, scenario)
  })

  test.each(ANEW)('keeps every row, $what, long after', async (anew) => {
    const scenario = await setUp(anew, 'after')
    scenario.go()
    expect(await scene.scan(anew.type)).toMatchObject({ status: 'done', missing: anew.now.length })
    scenario.come()
    expect(await scene.scan(anew.type)).toMatchObject({ status: 'done', restored: anew.now.length })
    await expectMoved(anew.type, scenario)
  })

  test.each(ANEW)('keeps every row, $what, where both were there for a while', async (anew) => {
    const scenario = await setUp(anew, 'while')
    scenario.come()
    expect(await scene.scan(anew.type)).toMatchObject({ status: 'done', added: anew.now.length })
    scenario.go()
    expect(await scene.scan(anew.type)).toMatchObject({ status: 'done', moved: anew.now.length })
    await expectMoved(anew.type, scenario)
  })

  test('keeps every row, with its year, where its folder had another name before', async () => {
    come('tv', 'Long_Way/Season 1/S01E01.mkv')
    await scene.scan('tv')
    renameSync(join(scene.rootOf('tv'), 'Long_Way'), join(scene.rootOf('tv'), 'Long Way'))
    await scene.scan('tv')
    const from = ['tv_series:Long Way', 'tv_season:Long Way/Season 1', 'tv_episode:Long Way/Season 1/S01E01.mkv']
    await scene.index.mark(Object.fromEntries(from.map((place) => [keyOf('tv', place), place])))
    remove('tv', 'Long Way')
    come('tv', 'Long Way (2001)/Season 1/S01E01.1080p.mkv')
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 3 })
    await expectMoved('tv', {
      from,
      to: ['tv_series:Long Way (2001)', 'tv_season:Long Way (2001)/Season 1', 'tv_episode:Long Way (2001)/Season 1/S01E01.1080p.mkv'],
    })
  })

  test.each(DATED)('gives nothing, $what, where it was not at once', async (anew) => {
    for (const isOverlapping of [true, false]) {
      const scenario = await setUp(anew, isOverlapping ? 'over' : 'late')
      const [first, second] = isOverlapping ? [scenario.come, scenario.go] : [scenario.go, scenario.come]
      first()
      await scene.scan(anew.type)
      second()
      expect(await scene.scan(anew.type)).not.toHaveProperty('moved')
      for (const place of placesOf(scenario.from)) expect(await placeOf(anew.type, place)).toBe('missing')
    }
  })

  test('is not held, however many there are', async () => {
    const shows = [1, 2, 3, 4, 5, 6].map((number) => `Many ${number} (200${number})`)
    const episodes = (folder: string, tail: string): string[] =>
      [1, 2, 3, 4, 5, 6].map((number) => `${folder}/Season 1/S01E0${number}${tail}`)
    const renamed = (show: string): string => show.replaceAll(' ', '.').replace(/[()]/g, '').concat('.1080p-GRP')
    for (const path of shows.flatMap((show) => episodes(show, '.avi'))) come('tv', path)
    await scene.scan('tv')
    for (const show of shows) remove('tv', show)
    for (const path of shows.flatMap((show) => episodes(renamed(show), '.mkv'))) come('tv', path)
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 48 })
  })

  const NOTHING: [string, string[], string[]][] = [
    ['of another year', ['Office (2001)/Season 1/Office S01E01.mkv'], ['Office (2005)/Season 1/Office S01E01.1080p.mkv']],
    ['that is a sequel', ['Bleach (2004)/Season 1/S01E01.mkv'], ['Bleach II (2004)/Season 1/S01E01.1080p.mkv']],
    ['that goes with it', ['Naruto (2002)/Season 1/S01E01.mkv'], ['Naruto (2002) OVA/Season 1/S01E01.1080p.mkv']],
    [
      'of which two come',
      ['Dark (2017)/Season 1/S01E01.mkv'],
      ['Dark.2017.720p/Season 1/S01E01.mkv', 'Dark.2017.1080p/Season 1/S01E01.mkv'],
    ],
    ['with a year and other numbers', ['Lost/Season 1/S01E01.mkv'], ['Lost (2004)/Season 2/S02E01.mkv']],
    [
      'with a year and other titles',
      ['Galactica/Season 1/Galactica S01E01 - Saga of a Star World.mkv'],
      ['Galactica (2004)/Season 1/Galactica S01E01 - Thirty Three.mkv'],
    ],
    ['without any year', ['Taboo/Season 1/S01E01.mkv'], ['Taboo 1080p/Season 1/S01E01.1080p.mkv']],
  ]

  test.each(NOTHING)('gives nothing to one %s', async (_, old, now) => {
    for (const path of old) come('tv', path)
    await scene.scan('tv')
    const places = old.flatMap((path) => [`tv_series:${path.split('/', 1)[0]}`, `tv_episode:${path}`])
    await scene.index.mark(Object.fromEntries(places.map((place) => [keyOf('tv', place), place])))
    for (const path of old) remove('tv', path.split('/', 1)[0] ?? '')
    for (const path of now) come('tv', path)
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', missing: 3, added: 3 * now.length })
    for (const place of places) expect(await placeOf('tv', place)).toBe('missing')
  })

  test('gives nothing to comics of the same title with a year, whose issues are counted from one like any', async () => {
    const issues = (folder: string, name: string): string[] => [1, 2, 3].map((number) => `${folder}/${name} 00${number}.cbz`)
    for (const path of issues('Batman', 'Batman')) come('manga', path)
    await scene.scan('manga')
    await scene.index.mark({ [keyOf('manga', 'manga_series:Batman')]: 'Batman' })
    remove('manga', 'Batman')
    for (const path of issues('Batman (2016)', 'Batman (2016)')) come('manga', path)
    expect(await scene.scan('manga')).toMatchObject({ status: 'done', missing: 4, added: 4 })
    expect(await placeOf('manga', 'Batman')).toBe('missing')
  })

  test('gives nothing to one with a year, where the library knows another one of that title', async () => {
    for (const path of ['Dune/Season 1/S01E01.mkv', 'Dune (2000)/Season 1/S01E01.mkv']) come('tv', path)
    await scene.scan('tv')
    await scene.index.mark({ [keyOf('tv', 'tv_series:Dune')]: 'Dune', [keyOf('tv', 'tv_series:Dune (2000)')]: 'Dune (2000)' })
    remove('tv', 'Dune')
    come('tv', 'Dune (2024)/Season 1/S01E01.1080p.mkv')
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', missing: 3, added: 3 })
    expect([await placeOf('tv', 'Dune'), await placeOf('tv', 'Dune (2000)')]).toEqual(['missing', 'tv_series:Dune (2000)'])
  })
})

describe('nobody’s marks go', () => {
  const episode = (series: string, name: string): string => `tv_episode:${series}/Season 1/${name}`

  test('to another episode, season or series', async () => {
    const [first, other] = [episode('One', 'One S01E01.avi'), episode('Other', 'Other S01E05.avi')]
    await prepare('tv', { One: { 'Season 1': { 'One S01E01.avi': 1501, 'One S01E02.avi': 1502 } } }, first)
    await prepare('tv', { Other: { 'Season 1': { 'Other S01E05.avi': 1503, 'Other S01E06.avi': 1504 } } }, other)
    remove('tv', 'One/Season 1/One S01E01.avi')
    remove('tv', 'Other/Season 1/Other S01E05.avi')
    write('tv', {
      One: { 'Season 1': { 'One S01E03.mkv': 2501, 'One S01E01-E02.mkv': 2502 }, 'Season 2': { 'One S02E01.mkv': 2503 } },
      Other: { 'Season 1': { 'Other S01E01.mkv': 2504 } },
    })
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', missing: 2 })
    expect(await placeOf('tv', first)).toBe('missing')
    expect(await placeOf('tv', other)).toBe('missing')
  })

  test('to one of two that could be meant, or from one of two', async () => {
    const [single, left, right] = [episode('Two', 'Two S01E01.avi'), episode('Two', 'Two S01E02.avi'), episode('Two', 'Two 1x02.mkv')]
    await prepare(
      'tv',
      { Two: { 'Season 1': { 'Two S01E01.avi': 1601, 'Two S01E02.avi': 1602, 'Two 1x02.mkv': 1603, 'Two S01E03.mkv': 1604 } } },
      ...[single, left, right],
    )
    for (const place of [single, left, right]) remove('tv', place.slice('tv_episode:'.length))
    write('tv', { Two: { 'Season 1': { 'Two.S01E01.720p.mkv': 2601, 'Two.S01E01.1080p.mkv': 2602, 'Two.S01E02.1080p.mkv': 2603 } } })
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', missing: 3 })
    for (const place of [single, left, right]) expect(await placeOf('tv', place)).toBe('missing')
  })

  test('to a version that somebody has touched, or that is older', async () => {
    const [old, touched, newer] = [episode('Kept', 'Kept S01E01.avi'), episode('Kept', 'Kept 1x01.mkv'), episode('Kept', 'Kept 1x02.mkv')]
    await prepare('tv', { Kept: { 'Season 1': { 'Kept S01E01.avi': 1701, 'Kept S01E02.avi': 1702 } } }, old)
    await prepare('tv', { Kept: { 'Season 1': { 'Kept 1x01.mkv': 2701, 'Kept 1x02.mkv': 2702 } } }, touched, newer)
    remove('tv', 'Kept/Season 1/Kept S01E01.avi')
    remove('tv', 'Kept/Season 1/Kept 1x02.mkv')
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', missing: 2 })
    expect(await placeOf('tv', old)).toBe('missing')
    expect(await placeOf('tv', touched)).toBe(touched)
    expect(await placeOf('tv', newer)).toBe('missing')
  })

  test('to a chapter of the same number in another part of the manga', async () => {
    const [first, second] = ['manga_volume:Arcs/Arc 1/Chapter 01.cbz', 'manga_volume:Arcs/Arc 1/Chapter 02.cbz']
    const arc = (size: number): Tree => ({ 'Chapter 01.cbz': size, 'Chapter 02.cbz': size + 1 })
    await prepare('manga', { Arcs: { 'Arc 1': arc(1901) } }, first, second)
    remove('manga', 'Arcs/Arc 1/Chapter 01.cbz')
    write('manga', { Arcs: { 'Arc 2': arc(2901) } })
    expect(await scene.scan('manga')).toMatchObject({ status: 'done', added: 2, missing: 1 })
    remove('manga', 'Arcs/Arc 1/Chapter 02.cbz')
    expect(await scene.scan('manga')).toMatchObject({ status: 'done', missing: 1 })
    for (const place of [first, second]) expect(await placeOf('manga', place)).toBe('missing')
  })

  test('to a new file, where the old one only has another name', async () => {
    const first = episode('Renamed', 'Renamed S01E01.avi')
    await prepare('tv', { Renamed: { 'Season 1': { 'Renamed S01E01.avi': 1801, 'Renamed S01E02.avi': 1802 } } }, first)
    renameSync(
      join(scene.rootOf('tv'), 'Renamed/Season 1/Renamed S01E01.avi'),
      join(scene.rootOf('tv'), 'Renamed/Season 1/Renamed S01E07.avi'),
    )
    write('tv', { Renamed: { 'Season 1': { 'Renamed.S01E01.mkv': 2801 } } })
    expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 1, added: 1 })
    expect(await placeOf('tv', first)).toBe(episode('Renamed', 'Renamed S01E07.avi'))
  })
})

test('what lies beside a season is never taken for the season, nor the season for it', async () => {
  const bonus = (size: number): Tree => ({ '01 - Making Of.mkv': size, '02 - Cast.mkv': size + 1 })
  const season = (size: number): Tree => ({ 'S01E01.mkv': size, 'S01E02.mkv': size + 1 })
  const places = (series: string, ...names: string[]): string[] => [
    ...names.map((name) => `tv_episode:${series}/${name}`),
    `tv_season:${series}/${names[0]?.split('/', 1)[0]}`,
  ]
  const [ofSeason, ofBonus] = [
    places('Gone', 'Season 1/S01E01.mkv', 'Season 1/S01E02.mkv'),
    places('Come', 'Season 1 Bonus/01 - Making Of.mkv'),
  ]
  await prepare(
    'tv',
    { Gone: { 'Season 1': season(8700), 'Season 1 Bonus': bonus(8710) }, Come: { 'Season 1 Bonus': bonus(8720) } },
    ...ofSeason,
    ...ofBonus,
  )

  const [home, away] = [join(scene.rootOf('tv'), 'Gone/Season 1'), join(scene.rootOf('tv'), '../away')]
  renameSync(home, away)
  write('tv', { Come: { 'Season 1': season(8730) } })
  expect(await scene.scan('tv')).toMatchObject({ status: 'done' })
  for (const place of [...ofSeason, ...ofBonus]) expect(await placeOf('tv', place)).toBe('missing')

  renameSync(away, home)
  expect(await scene.scan('tv')).toMatchObject({ status: 'done', restored: 3 })
  for (const place of ofSeason) expect(await placeOf('tv', place)).toBe(place)
})
