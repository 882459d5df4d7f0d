import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import { makeTree, type Tree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

/** Whole films, games and series that are moved or renamed keep the rows of everything in them. */

type Places = Record<string, string>

interface Move {
  rule: string
  tree: Tree
  /** What is marked before, `<item_type>:<path>`, and where the mark must be afterwards. Items that are not named are none. */
  items: Places
  change: (root: string) => void
  counts: { moved?: number; added?: number; missing?: number; updated?: number }
}

const rename = (from: string, to: string) => (root: string) => {
  mkdirSync(dirname(join(root, to)), { recursive: true })
  renameSync(join(root, from), join(root, to))
}
/** What a move to another disk is: other inodes, the same times. */
const copyAndDelete = (from: string, to: string) => (root: string) => {
  cpSync(join(root, from), join(root, to), { recursive: true, preserveTimestamps: true })
  rmSync(join(root, from), { recursive: true })
}
const remove = (path: string) => (root: string) => rmSync(join(root, path), { recursive: true })
const all =
  (...changes: Move['change'][]) =>
  (root: string) => {
    for (const change of changes) change(root)
  }

const MOVES: Record<Exclude<LibraryType, 'mixed'>, Move[]> = {
  movies: [
    {
      rule: 'a renamed film',
      tree: { 'Alien (1979)': { 'Alien.mkv': 1001, 'poster.jpg': 51, 'movie.nfo': '<movie/>' } },
      items: { 'movie:Alien (1979)': 'movie:Alien - Directors Cut (1979)' },
      change: rename('Alien (1979)', 'Alien - Directors Cut (1979)'),
      counts: { moved: 1 },
    },
    {
      rule: 'a film that moves into a collection',
      tree: { 'Heat (1995)': { 'Heat.mkv': 1002 } },
      items: { 'movie:Heat (1995)': 'movie:Crime/Heat (1995)' },
      change: rename('Heat (1995)', 'Crime/Heat (1995)'),
      counts: { moved: 1 },
    },
    {
      rule: 'a film whose file is renamed along with its folder',
      tree: { 'Up (2009)': { 'Up.mkv': 1003 } },
      items: { 'movie:Up (2009)': 'movie:Oben (2009)' },
      change: all(rename('Up (2009)', 'Oben (2009)'), rename('Oben (2009)/Up.mkv', 'Oben (2009)/Oben.mkv')),
      counts: { moved: 1 },
    },
    {
      rule: 'a film that is copied to another disk under another name',
      tree: { 'Big (1988)': { 'Big.mkv': 1004, 'Big-trailer.mkv': 104 } },
      items: { 'movie:Big (1988)': 'movie:Big [Restored] (1988)' },
      change: copyAndDelete('Big (1988)', 'Big [Restored] (1988)'),
      counts: { moved: 1 },
    },
    {
      rule: 'a film whose main file is moved into a folder of its own, and its trailer is not',
      tree: { 'Trail (2012)': { 'Trail.mkv': 1101, 'Trail-trailer.mkv': 111 } },
      items: { 'movie:Trail (2012)': 'movie:The Trail (2012)' },
      change: all(rename('Trail (2012)/Trail.mkv', 'The Trail (2012)/The Trail (2012).mkv'), remove('Trail (2012)')),
      counts: { moved: 1 },
    },
    {
      rule: 'a film whose main file is moved into a folder of its own, where it gets a trailer',
      tree: { 'Path (2012)': { 'Path.mkv': 1102 } },
      items: { 'movie:Path (2012)': 'movie:The Path (2012)' },
      change: all(
        rename('Path (2012)/Path.mkv', 'The Path (2012)/The Path (2012).mkv'),
        (root) => makeTree(root, { 'The Path (2012)': { 'The Path (2012)-trailer.mkv': 112 } }),
        remove('Path (2012)'),
      ),
      counts: { moved: 1 },
    },
    {
      rule: 'two films that swap their names',
      tree: { 'Solaris (1972)': { 'Solaris.mkv': 1005 }, 'Solaris (2002)': { 'Solaris.mkv': 1006 } },
      items: { 'movie:Solaris (1972)': 'movie:Solaris (2002)', 'movie:Solaris (2002)': 'movie:Solaris (1972)' },
      change: all(rename('Solaris (1972)', 'x'), rename('Solaris (2002)', 'Solaris (1972)'), rename('x', 'Solaris (2002)')),
      counts: { moved: 2 },
    },
    {
      rule: 'a film renamed in its case alone',
      tree: { 'brazil (1985)': { 'brazil.mkv': 1007 } },
      items: { 'movie:brazil (1985)': 'movie:Brazil (1985)' },
      change: rename('brazil (1985)', 'Brazil (1985)'),
      counts: { moved: 1 },
    },
    {
      rule: 'a film whose folder takes the place of another one',
      tree: { 'Dune (1984)': { 'Dune.mkv': 1008 }, 'Dune (2021)': { 'Dune.mkv': 1009 } },
      items: { 'movie:Dune (1984)': 'missing', 'movie:Dune (2021)': 'movie:Dune (1984)' },
      change: all((root) => rmSync(join(root, 'Dune (1984)'), { recursive: true }), rename('Dune (2021)', 'Dune (1984)')),
      counts: { moved: 1, missing: 1 },
    },
  ],
  games: [
    {
      rule: 'a game of which the files are moved into another folder, and get a patch',
      tree: { 'Two Worlds': { 'a.zip': 1201, DLC: { 'd.zip': 121 } } },
      items: { 'game:Two Worlds': 'game:Two Worlds Complete' },
      change: all(
        rename('Two Worlds/a.zip', 'Two Worlds Complete/a.zip'),
        (root) => makeTree(root, { 'Two Worlds Complete': { 'a-patch.zip': 122 } }),
        remove('Two Worlds'),
      ),
      counts: { moved: 1 },
    },
    {
      rule: 'a renamed game',
      tree: { Doom: { 'doom.zip': 2001, 'cover.jpg': 52 } },
      items: { 'game:Doom': 'game:Doom (1993)' },
      change: rename('Doom', 'Doom (1993)'),
      counts: { moved: 1 },
    },
    {
      rule: 'a renamed series of games',
      tree: { Zelda: { Ocarina: { 'ocarina.zip': 2002 }, Majora: { 'majora.zip': 2003 } } },
      items: {
        'game_series:Zelda': 'game_series:The Legend of Zelda',
        'game:Zelda/Ocarina': 'game:The Legend of Zelda/Ocarina',
        'game:Zelda/Majora': 'game:The Legend of Zelda/Majora',
      },
      change: rename('Zelda', 'The Legend of Zelda'),
      counts: { moved: 3 },
    },
    {
      rule: 'a game that moves from one series to another',
      tree: { Mario: { Kart: { 'kart.zip': 2004 }, Golf: { 'golf.zip': 2005 } }, Racing: { Wipeout: { 'wipeout.zip': 2006 } } },
      items: {
        'game_series:Mario': 'game_series:Mario',
        'game:Mario/Kart': 'game:Racing/Kart',
        'game:Mario/Golf': 'game:Mario/Golf',
        'game_series:Racing': 'game_series:Racing',
      },
      change: rename('Mario/Kart', 'Racing/Kart'),
      counts: { moved: 1, updated: 2 },
    },
    {
      rule: 'a game that leaves its series',
      tree: { Sonic: { One: { 'one.zip': 2007 }, Two: { 'two.zip': 2008 } } },
      items: { 'game:Sonic/One': 'game:Sonic One', 'game:Sonic/Two': 'game:Sonic/Two', 'game_series:Sonic': 'game_series:Sonic' },
      change: rename('Sonic/One', 'Sonic One'),
      counts: { moved: 1, updated: 1 },
    },
    {
      rule: 'a game that becomes the first of a new series',
      tree: { 'Half-Life': { 'hl.zip': 2009 } },
      items: { 'game:Half-Life': 'game:Valve/Half-Life' },
      change: rename('Half-Life', 'Valve/Half-Life'),
      counts: { moved: 1, added: 1 },
    },
    {
      rule: 'a series that is copied to another disk under another name',
      tree: { Myst: { Myst: { 'myst.zip': 2010 }, Riven: { 'riven.zip': 2011 } } },
      items: { 'game_series:Myst': 'game_series:Cyan', 'game:Myst/Myst': 'game:Cyan/Myst', 'game:Myst/Riven': 'game:Cyan/Riven' },
      change: copyAndDelete('Myst', 'Cyan'),
      counts: { moved: 3 },
    },
    {
      rule: 'a renamed game for macOS',
      tree: { Braid: { 'Braid.app': { Contents: { MacOS: { Braid: 2012 } } } } },
      items: { 'game:Braid': 'game:Braid (2008)' },
      change: rename('Braid', 'Braid (2008)'),
      counts: { moved: 1 },
    },
  ],
  tv: [
    {
      rule: 'a renamed series',
      tree: {
        Firefly: { 'Season 01': { 'Firefly S01E01.mkv': 3001, 'Firefly S01E02.mkv': 3002 }, Specials: { 'Firefly S00E01.mkv': 3003 } },
      },
      items: {
        'tv_series:Firefly': 'tv_series:Firefly (2002)',
        'tv_season:Firefly/Season 01': 'tv_season:Firefly (2002)/Season 01',
        'tv_season:Firefly/Specials': 'tv_season:Firefly (2002)/Specials',
        'tv_episode:Firefly/Season 01/Firefly S01E01.mkv': 'tv_episode:Firefly (2002)/Season 01/Firefly S01E01.mkv',
        'tv_episode:Firefly/Season 01/Firefly S01E02.mkv': 'tv_episode:Firefly (2002)/Season 01/Firefly S01E02.mkv',
        'tv_episode:Firefly/Specials/Firefly S00E01.mkv': 'tv_episode:Firefly (2002)/Specials/Firefly S00E01.mkv',
      },
      change: rename('Firefly', 'Firefly (2002)'),
      counts: { moved: 6 },
    },
    {
      rule: 'a renamed season',
      tree: { Lost: { 'Season 1': { 'S01E01.mkv': 3004, 'S01E02.mkv': 3005 } } },
      items: {
        'tv_series:Lost': 'tv_series:Lost',
        'tv_season:Lost/Season 1': 'tv_season:Lost/Staffel 1',
        'tv_episode:Lost/Season 1/S01E01.mkv': 'tv_episode:Lost/Staffel 1/S01E01.mkv',
        'tv_episode:Lost/Season 1/S01E02.mkv': 'tv_episode:Lost/Staffel 1/S01E02.mkv',
      },
      change: rename('Lost/Season 1', 'Lost/Staffel 1'),
      counts: { moved: 3, updated: 1 },
    },
    {
      rule: 'a renamed flat series, whose seasons are no folders',
      tree: { Flat: { 'Flat S01E01.mkv': 3006, 'Flat S02E01.mkv': 3007 } },
      items: {
        'tv_series:Flat': 'tv_series:Flat Earth',
        'tv_season:Flat/#season-1': 'tv_season:Flat Earth/#season-1',
        'tv_season:Flat/#season-2': 'tv_season:Flat Earth/#season-2',
        'tv_episode:Flat/Flat S01E01.mkv': 'tv_episode:Flat Earth/Flat S01E01.mkv',
      },
      change: rename('Flat', 'Flat Earth'),
      counts: { moved: 5 },
    },
    {
      rule: 'a flat series that is sorted into folders of seasons',
      tree: { Tidy: { 'S01E01.mkv': 3008, 'S01E02.mkv': 3009, 'S02E01.mkv': 3010 } },
      items: {
        'tv_series:Tidy': 'tv_series:Tidy',
        'tv_season:Tidy/#season-1': 'tv_season:Tidy/Season 1',
        'tv_season:Tidy/#season-2': 'tv_season:Tidy/Season 2',
        'tv_episode:Tidy/S01E01.mkv': 'tv_episode:Tidy/Season 1/S01E01.mkv',
        'tv_episode:Tidy/S02E01.mkv': 'tv_episode:Tidy/Season 2/S02E01.mkv',
      },
      change: all(
        rename('Tidy/S01E01.mkv', 'Tidy/Season 1/S01E01.mkv'),
        rename('Tidy/S01E02.mkv', 'Tidy/Season 1/S01E02.mkv'),
        rename('Tidy/S02E01.mkv', 'Tidy/Season 2/S02E01.mkv'),
      ),
      counts: { moved: 5, updated: 1 },
    },
    {
      rule: 'a series that is copied to another disk under another name',
      tree: { Cosmos: { 'Season 1': { 'S01E01.mkv': 3011, 'S01E02.mkv': 3012 }, 'Season 2': { 'S02E01.mkv': 3013 } } },
      items: {
        'tv_series:Cosmos': 'tv_series:Kosmos',
        'tv_season:Cosmos/Season 1': 'tv_season:Kosmos/Season 1',
        'tv_season:Cosmos/Season 2': 'tv_season:Kosmos/Season 2',
        'tv_episode:Cosmos/Season 2/S02E01.mkv': 'tv_episode:Kosmos/Season 2/S02E01.mkv',
      },
      change: copyAndDelete('Cosmos', 'Kosmos'),
      counts: { moved: 6 },
    },
    {
      rule: 'an episode that is renamed, and one that moves to another season',
      tree: { Rome: { 'Season 1': { 'S01E01.mkv': 3014, 'S01E02.mkv': 3015 }, 'Season 2': { 'S02E01.mkv': 3016 } } },
      items: {
        'tv_episode:Rome/Season 1/S01E01.mkv': 'tv_episode:Rome/Season 1/Rome S01E01 The Stolen Eagle.mkv',
        'tv_episode:Rome/Season 1/S01E02.mkv': 'tv_episode:Rome/Season 2/S02E02.mkv',
        'tv_season:Rome/Season 2': 'tv_season:Rome/Season 2',
      },
      change: all(
        rename('Rome/Season 1/S01E01.mkv', 'Rome/Season 1/Rome S01E01 The Stolen Eagle.mkv'),
        rename('Rome/Season 1/S01E02.mkv', 'Rome/Season 2/S02E02.mkv'),
      ),
      counts: { moved: 2, updated: 3 },
    },
  ],
  manga: [
    {
      rule: 'a renamed series',
      tree: { Berserk: { 'Berserk v01.cbz': 4001, 'Berserk v02.cbz': 4002 } },
      items: {
        'manga_series:Berserk': 'manga_series:Berserk (1989)',
        'manga_volume:Berserk/Berserk v01.cbz': 'manga_volume:Berserk (1989)/Berserk v01.cbz',
        'manga_volume:Berserk/Berserk v02.cbz': 'manga_volume:Berserk (1989)/Berserk v02.cbz',
      },
      change: rename('Berserk', 'Berserk (1989)'),
      counts: { moved: 3 },
    },
    {
      rule: 'a renamed volume of pictures',
      tree: { Monster: { 'Vol 1': { '001.jpg': 41, '002.jpg': 42 }, 'Vol 2': { '001.jpg': 43 } } },
      items: {
        'manga_series:Monster': 'manga_series:Monster',
        'manga_volume:Monster/Vol 1': 'manga_volume:Monster/Volume 01',
        'manga_volume:Monster/Vol 2': 'manga_volume:Monster/Vol 2',
      },
      change: rename('Monster/Vol 1', 'Monster/Volume 01'),
      counts: { moved: 1, updated: 1 },
    },
    {
      rule: 'a series that is its own volume',
      tree: { 'One Shot': { '001.jpg': 44, '002.jpg': 45 } },
      items: { 'manga_series:One Shot': 'manga_series:Once', 'manga_volume:One Shot': 'manga_volume:Once' },
      change: rename('One Shot', 'Once'),
      counts: { moved: 2 },
    },
    {
      rule: 'a volume that moves to another series',
      tree: { Akira: { 'v01.cbz': 4003, 'v02.cbz': 4004 }, Domu: { 'v01.cbz': 4005 } },
      items: {
        'manga_volume:Akira/v02.cbz': 'manga_volume:Domu/v02.cbz',
        'manga_volume:Akira/v01.cbz': 'manga_volume:Akira/v01.cbz',
        'manga_series:Akira': 'manga_series:Akira',
        'manga_series:Domu': 'manga_series:Domu',
      },
      change: rename('Akira/v02.cbz', 'Domu/v02.cbz'),
      counts: { moved: 1, updated: 2 },
    },
    {
      rule: 'a series that is copied to another disk under another name',
      tree: { Pluto: { 'v01.cbz': 4006, 'v02.cbz': 4007 } },
      items: { 'manga_series:Pluto': 'manga_series:PLUTO', 'manga_volume:Pluto/v02.cbz': 'manga_volume:PLUTO/v02.cbz' },
      change: all(copyAndDelete('Pluto', 'between'), rename('between', 'PLUTO')),
      counts: { moved: 3 },
    },
  ],
}

const TYPES = Object.keys(MOVES) as (keyof typeof MOVES)[]
let scene: ScanScene

beforeAll(async () => {
  scene = await startScene({ movies: {}, games: {}, tv: {}, manga: {} })
})
afterAll(() => scene[Symbol.asyncDispose]())

describe.each(TYPES)('%s', (type) => {
  /** `<item_type>:<path>` of this library as a key. */
  const keyOf = (place: string): string => place.replace(':', `:${scene.idOf(type)}:`)

  const whereMarksAre = async (items: Places): Promise<Places> => {
    const marks = await scene.index.marks()
    return Object.fromEntries(
      Object.keys(items).map((name) => [name, marks[name]?.isMissing ? 'missing' : (marks[name]?.itemKey ?? 'torn apart')]),
    )
  }

  const expected = (items: Places): Places =>
    Object.fromEntries(Object.entries(items).map(([name, place]) => [name, place === 'missing' ? place : keyOf(place)]))

  test.each(MOVES[type])('$rule: every row stays what it was', async ({ tree, items, change, counts }) => {
    makeTree(scene.rootOf(type), tree)
    await scene.scan(type)
    await scene.index.mark(Object.fromEntries(Object.keys(items).map((name) => [keyOf(name), name])))
    const before = await scene.index.marks()
    change(scene.rootOf(type))
    const { found: _, warningCount: __, ...outcome } = await scene.scan(type)
    expect(await whereMarksAre(items)).toEqual(expected(items))
    expect(outcome).toEqual({ status: 'done', ...counts })
    const after = await scene.index.marks()
    for (const name of Object.keys(items)) expect(after[name]?.id).toBe(before[name]?.id ?? 0)
    const present = Object.values(expected(items)).filter((place) => place !== 'missing')
    expect(await scene.keys(type)).toEqual(expect.arrayContaining(present))
    expect(await scene.scan(type)).toEqual({ status: 'done', found: expect.any(Number) })
  })
})

test('series that are renamed while the server is stopped keep the rows of everything in them', async () => {
  const marks = await scene.index.marks()
  await scene.restart({
    meanwhile: () => {
      rename('Firefly (2002)', 'Serenity')(scene.rootOf('tv'))
      rename('The Legend of Zelda', 'Hyrule')(scene.rootOf('games'))
      rename('Berserk (1989)', 'Guts')(scene.rootOf('manga'))
      rename('Brazil (1985)', 'Brasil (1985)')(scene.rootOf('movies'))
    },
  })
  const after = await scene.index.marks()
  expect(Object.keys(after).length).toBe(Object.keys(marks).length)
  for (const [name, { id, isMissing }] of Object.entries(marks)) expect(after[name]).toMatchObject({ id, isMissing })
  const places = Object.values(after).map(({ itemKey }) => itemKey)
  expect(places.filter((place) => /Serenity|Hyrule|Guts|Brasil/.test(place)).length).toBe(6 + 3 + 3 + 1)
})

test.each([
  { type: 'movies', itemType: 'movie', folder: 'Ran (1985)', file: 'Ran.mkv', renamed: 'Ran 1080p.mkv', copy: 'Chaos (1985)' },
  { type: 'games', itemType: 'game', folder: 'Myst', file: 'myst.zip', renamed: 'myst-1.1.zip', copy: 'The Island' },
] as const)('$type: what has got another file name in its folder is told by its content from then on', async (item) => {
  const { type, folder, file, renamed, copy } = item
  const root = scene.rootOf(type)
  const keyOf = (path: string): string => `${item.itemType}:${scene.idOf(type)}:${path}`
  makeTree(root, { [folder]: { [file]: 1090 } })
  await scene.scan(type)
  await scene.index.mark({ [keyOf(folder)]: folder })
  await scene.index.waitForHashes()
  rename(`${folder}/${file}`, `${folder}/${renamed}`)(root)
  await scene.scan(type)
  await scene.index.waitForHashes()
  cpSync(join(root, folder), join(root, copy), { recursive: true })
  remove(folder)(root)
  expect(await scene.scan(type)).toMatchObject({ moved: 1 })
  expect((await scene.index.marks())[folder]).toMatchObject({ itemKey: keyOf(copy), isMissing: false })
})
