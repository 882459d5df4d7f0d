import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { ORDERS, type Order, SORTS, type Sort } from '../../src/services/browse-sort.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree, type Tree } from '../support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

/** API.md, 5: lists. */

const MOVIES = 260
/** One more than what a filtered list counts to. */
const MANY = 1001

/** Titles in the order in which they have to stand: case, accents and a leading article do not count, numbers do. */
const ORDERED_TITLES = [
  ...['007', '9', '10', '100 Things', '1917', 'The Alien', 'aliens 2', 'Aliens 9', 'ALIENS 10', 'Éa', 'eb', 'Ec', 'An Education'],
  ...['The end of 9 days', 'The End of 10 Days', 'The', 'Theatre', 'a Zebra', 'zebra 2', 'ゼルダ', '漢字'],
]

/** One title for each way in which a search can go wrong. */
const ODD_TITLES = [
  '100% real',
  '100 unreal',
  'snake_case',
  'snakeXcase',
  'back\\slash',
  "it's",
  '"quoted"',
  'ÄÖÜ Straße',
  'STRASSE 2',
  'Ёлка',
  'Οδύσσεια',
  'ΟΔΥΣΣΕΥΣ 2',
  'Πηγάσους',
  'caf\u00e9 one',
  'cafe\u0301 two',
  '東京物語',
  'はな',
  'a.b*c[d]',
  '$& $1',
  'NULL',
  '-- comment',
]

let folder: TemporaryFolder
let server: TestServer
let admin: HttpClient
let user: HttpClient
const ids: Record<'games' | 'movies' | 'titles' | 'tv' | 'manga' | 'mixed' | 'many' | 'odd', number> = {
  games: 0,
  movies: 0,
  titles: 0,
  tv: 0,
  manga: 0,
  mixed: 0,
  many: 0,
  odd: 0,
}

const foldersOf = (names: readonly string[], file: string): Tree => Object.fromEntries(names.map((name) => [name, { [file]: 3 }]))

const movieTree = (): Tree =>
  Object.fromEntries(
    Array.from({ length: MOVIES }, (_, n) => {
      const year = n % 3 === 0 ? '' : ` (${1950 + ((n * 7) % 40)})`
      return [`Film ${(n * 97) % MOVIES}${year}`, { 'film.mkv': 1 + ((n * 31) % 50) }]
    }),
  )

/** What no scan tells: ratings, and times that differ. */
const spreadValues = async (dataDir: string): Promise<void> => {
  const database = createClient({ url: `file:${join(dataDir, 'vitrine.db')}` })
  const own = 'library_id = (SELECT id FROM libraries WHERE name = ?)'
  await database.batch(
    [
      { sql: `UPDATE media_items SET rating = iif(id % 4 = 0, NULL, (id * 37 % 100) / 10.0) WHERE ${own}`, args: ['movies'] },
      {
        sql: `UPDATE media_items SET added_at = 1600000000000 + (id * 7919 % 53) * 60000, updated_at = 1700000000000 + (id * 104729 % 61) * 1000 WHERE ${own}`,
        args: ['movies'],
      },
    ],
    'write',
  )
  database.close()
}

beforeAll(async () => {
  folder = await temporaryFolder('browse')
  const dataDir = join(folder.path, 'data')
  const trees: Record<keyof typeof ids, [type: 'games' | 'movies' | 'tv' | 'manga' | 'mixed', tree: Tree]> = {
    movies: ['movies', movieTree()],
    titles: ['movies', foldersOf(ORDERED_TITLES, 'film.mkv')],
    odd: ['movies', foldersOf(ODD_TITLES, 'film.mkv')],
    games: [
      'games',
      {
        Zelda: { 'Ocarina of Time': { 'oot.zip': 5 }, 'Wind Waker': { 'ww.zip': 5 } },
        Mario: { 'Super Mario 64': { 'sm64.zip': 5 }, Kart: { 'kart.zip': 5 } },
        'Time Commando': { 'tc.zip': 9 },
      },
    ],
    tv: [
      'tv',
      {
        Firefly: {
          'Season 01': { 'Firefly S01E01 Serenity.mkv': 5, 'Firefly S01E02 The Train Job.mkv': 5, 'Firefly S01E10 War Stories.mkv': 5 },
        },
        Serenity: { 'Serenity S01E01.mkv': 5 },
        'The Long One': Object.fromEntries(
          Array.from({ length: 11 }, (_, n) => [`Season ${n + 1}`, { [`The Long One S${n + 1}E01.mkv`]: 5 }]),
        ),
      },
    ],
    manga: [
      'manga',
      {
        Berserk: { 'Berserk v01.cbz': 5, 'Berserk v02 Golden Age.cbz': 5, 'Berserk v10.cbz': 5 },
        'Golden Kamuy': { 'Golden Kamuy v01.cbz': 5 },
      },
    ],
    mixed: [
      'mixed',
      {
        'root.txt': 'r',
        '2020': { 'beach.jpg': 5, summer: { 'a.jpg': 5, 'b.jpg': 6, '100%': { 'deep.txt': 'd' } } },
        '2020 extra': { 'x.txt': 'x' },
        'folder 10': { 'y.txt': 'y' },
        'folder 9': { 'z.txt': 'z' },
      },
    ],
    many: ['mixed', Object.fromEntries(Array.from({ length: MANY }, (_, n) => [n === 0 ? 'odd one.txt' : `kilo ${n}.txt`, 0]))],
  }
  const libraries = Object.entries(trees).map(([name, [type, tree]]) => ({ name, type, path: makeTree(join(folder.path, name), tree) }))
  const first = await startServer({ dataDir, libraries })
  await first.waitForScans()
  await first.stop()
  await spreadValues(dataDir)
  server = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
  admin = await server.as('admin')
  user = await server.as('user')
  for (const { name, id } of (await admin.get('/api/libraries')).body.libraries) Object.assign(ids, { [name]: id })
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

type Query = Record<string, string | number | undefined>

const page = async (library: keyof typeof ids, query: Query = {}): Promise<Json> => {
  const { status, body } = await user.get('/api/browse', { libraryId: ids[library], ...query })
  expect([query, status]).toEqual([query, 200])
  return body
}
const keysOf = (body: Json): string[] => body.entries.map(({ itemKey }: Json) => itemKey)
const titlesOf = (body: Json): string[] => body.entries.map(({ title }: Json) => title)
const search = async (library: keyof typeof ids, q: string, query: Query = {}): Promise<string[]> =>
  titlesOf(await page(library, { q, limit: 500, ...query })).toSorted()

const FIELDS = `itemKey itemType title parentKey libraryId coverUrl thumbnailUrl year rating childCount gameCount seasonNumber episodeNumber
  episodeNumberEnd mediaKind mimeType size width height durationSeconds hasExtractedText addedAt tagIds thumbhash progress`.split(/\s+/)

describe('an entry', () => {
  test('has exactly the fields of the contract, and platforms where it is a game, null where they do not apply', async () => {
    const bodies = await Promise.all([
      ...(['games', 'movies', 'tv', 'manga', 'mixed'] as const).map((library) => page(library)),
      page('games', { parentKey: `game_series:${ids.games}:Zelda` }),
      page('tv', { parentKey: `tv_series:${ids.tv}:Firefly` }),
      page('tv', { parentKey: `tv_season:${ids.tv}:Firefly/Season 01` }),
      page('tv', { parentKey: `tv_season:${ids.tv}:Serenity/#season-1` }),
      page('manga', { parentKey: `manga_series:${ids.manga}:Berserk` }),
    ])
    const entries: Json[] = bodies.flatMap((body) => [...body.entries, ...(body.parent ? [body.parent] : [])])
    expect(new Set(entries.map(({ itemType }) => itemType)).size).toBe(9)
    for (const entry of entries) {
      const own = entry.itemType === 'game' ? ['platforms'] : []
      expect(Object.keys(entry).toSorted()).toEqual([...FIELDS, ...own].toSorted())
      expect(entry).toMatchObject({
        hasExtractedText: false,
        tagIds: [],
        progress: null,
        width: null,
        durationSeconds: null,
        thumbhash: null,
      })
      expect(new Date(entry.addedAt).toISOString()).toBe(entry.addedAt)
      const isSeries = ['game_series', 'tv_series', 'tv_season', 'manga_series'].includes(entry.itemType)
      expect([entry.itemKey, typeof entry.childCount]).toEqual([entry.itemKey, isSeries ? 'number' : 'object'])
      expect(entry.gameCount).toBe(entry.itemType === 'game_series' ? entry.childCount : null)
      expect([entry.itemKey, typeof entry.size]).toEqual([entry.itemKey, isSeries ? 'object' : 'number'])
    }
  })

  test('of an episode and of a season says its numbers, and whose it is', async () => {
    const { parent, entries } = await page('tv', { parentKey: `tv_season:${ids.tv}:Firefly/Season 01` })
    expect(parent).toMatchObject({
      itemKey: `tv_season:${ids.tv}:Firefly/Season 01`,
      parentKey: `tv_series:${ids.tv}:Firefly`,
      seasonNumber: 1,
      childCount: 3,
    })
    expect(
      entries.map((entry: Json) => [entry.episodeNumber, entry.seasonNumber, entry.parentKey, entry.mediaKind, entry.mimeType]),
    ).toEqual([1, 2, 10].map((number) => [number, 1, parent.itemKey, 'video', 'video/x-matroska']))
  })
})

describe('a level', () => {
  test('below something that is not there, or that lies in another library, is not there', async () => {
    for (const parentKey of [
      `game_series:${ids.games}:None`,
      `game_series:${ids.movies}:Zelda`,
      'nonsense',
      `movie:${ids.movies}:Film 1`,
    ]) {
      const { status, body } = await user.get('/api/browse', { libraryId: ids.games, parentKey })
      expect([parentKey, status, body.code]).toEqual([parentKey, 404, 'not_found'])
    }
    expect((await user.get('/api/browse', { libraryId: 987_654 })).status).toBe(404)
  })

  test('of a library is its top, with no parent', async () => {
    expect(await page('games')).toMatchObject({ parent: null, total: 3, position: 0, nextCursor: null, prevCursor: null })
    expect(titlesOf(await page('games'))).toEqual(['Mario', 'Time Commando', 'Zelda'])
    expect(titlesOf(await page('tv'))).toEqual(['Firefly', 'The Long One', 'Serenity'])
    // As a form sends it that names no parent.
    expect(await page('tv', { parentKey: '' })).toEqual(await page('tv'))
    expect((await user.get('/api/facets', { libraryId: ids.tv, parentKey: '' })).status).toBe(200)
  })

  test('of a series holds what is in it and nothing else, by number where there are numbers', async () => {
    const zelda = await page('games', { parentKey: `game_series:${ids.games}:Zelda` })
    expect([titlesOf(zelda), zelda.total, zelda.parent.title]).toEqual([['Ocarina of Time', 'Wind Waker'], 2, 'Zelda'])
    const seasons = await page('tv', { parentKey: `tv_series:${ids.tv}:The Long One` })
    expect(seasons.entries.map(({ seasonNumber }: Json) => seasonNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    const volumes = await page('manga', { parentKey: `manga_series:${ids.manga}:Berserk` })
    expect(titlesOf(volumes)).toEqual(['Berserk v01', 'Berserk v02 Golden Age', 'Berserk v10'])
    expect(titlesOf(await page('manga', { parentKey: volumes.parent.itemKey, order: 'desc' }))).toEqual(titlesOf(volumes).toReversed())
    expect(await page('games', { parentKey: zelda.entries[0].itemKey })).toMatchObject({ entries: [], total: 0 })
  })
})

describe('the order of titles', () => {
  test('is natural, and knows no case, no accents and no leading article', async () => {
    expect(titlesOf(await page('titles'))).toEqual(ORDERED_TITLES)
    expect(titlesOf(await page('titles', { sort: 'title', order: 'desc' }))).toEqual(ORDERED_TITLES.toReversed())
  })
})

/** The value that a list is sorted by, from the entry itself; undefined where it does not show. */
const VALUES: Partial<Record<Sort, (entry: Json) => number | null>> = {
  year: (entry) => entry.year,
  rating: (entry) => entry.rating,
  size: (entry) => entry.size,
  added: (entry) => Date.parse(entry.addedAt),
}

const wholeList = async (sort: Sort, order: Order, seed = 0): Promise<Json> => page('movies', { sort, order, seed, limit: 500 })

describe('every sort, both ways', () => {
  for (const sort of SORTS)
    for (const order of ORDERS) {
      test(`${sort} ${order}: all entries, once, in order, those without a value last`, async () => {
        const { entries, total } = await wholeList(sort, order)
        expect([entries.length, total, new Set(keysOf({ entries })).size]).toEqual([MOVIES, MOVIES, MOVIES])
        const valueIn = VALUES[sort]
        if (!valueIn) return
        const values: (number | null)[] = entries.map(valueIn)
        const known = values.filter((value): value is number => value !== null)
        expect(known.length).toBeGreaterThan(100)
        const sorted = known.toSorted((a, b) => (order === 'asc' ? a - b : b - a))
        expect(values).toEqual([...sorted, ...Array.from({ length: MOVIES - known.length }, () => null)])
      })

      test(`${sort} ${order}: pages forwards and back are the whole list`, async () => {
        const whole = keysOf(await wholeList(sort, order))
        const limit = 37
        const forwards: string[] = []
        let cursor: string | undefined
        let last: Json
        do {
          last = await page('movies', { sort, order, limit, cursor })
          expect([last.position, last.total]).toEqual([forwards.length, MOVIES])
          expect(last.prevCursor === null).toBe(forwards.length === 0)
          forwards.push(...keysOf(last))
          cursor = last.nextCursor ?? undefined
        } while (cursor)
        expect(forwards).toEqual(whole)
        const backwards: string[] = keysOf(last)
        for (cursor = last.prevCursor ?? undefined; cursor; cursor = last.prevCursor ?? undefined) {
          last = await page('movies', { sort, order, limit, cursor })
          expect(last.position).toBe(Math.max(0, MOVIES - backwards.length - keysOf(last).length))
          backwards.unshift(...keysOf(last))
          expect(last.nextCursor).not.toBeNull()
        }
        expect(backwards).toEqual(whole)
      })

      test(`${sort} ${order}: around an item is the page that holds it`, async () => {
        const whole = keysOf(await wholeList(sort, order))
        for (const index of [0, 1, 99, 100, 130, 199, 200, MOVIES - 1]) {
          const around = await page('movies', { sort, order, limit: 100, around: whole[index] })
          const start = index - (index % 100)
          expect([around.position, keysOf(around)]).toEqual([start, whole.slice(start, start + 100)])
          if (around.prevCursor) {
            const before = await page('movies', { sort, order, limit: 100, cursor: around.prevCursor })
            expect([before.position, keysOf(before)]).toEqual([start - 100, whole.slice(start - 100, start)])
          } else expect(start).toBe(0)
          if (around.nextCursor) {
            const after = await page('movies', { sort, order, limit: 100, cursor: around.nextCursor })
            expect(keysOf(after)).toEqual(whole.slice(start + 100, start + 200))
          } else expect(start + 100).toBeGreaterThanOrEqual(MOVIES)
        }
      })
    }

  test('is refused where there is no such sort', async () => {
    for (const query of [
      { sort: 'name' },
      { sort: 'TITLE' },
      { sort: '' },
      { sort: 'title;' },
      { order: 'down' },
      { order: 'ASC' },
      { seed: -1 },
      { seed: 1.5 },
      { seed: 'x' },
    ])
      expect([query, (await user.get('/api/browse', { libraryId: ids.movies, ...query } as Query)).status]).toEqual([query, 400])
  })
})

describe('a random order', () => {
  test('is the same for the same seed, another for another, and hardly ever the order of the titles', async () => {
    const orders = await Promise.all(
      [1, 2, 3, 4, 2_147_483_647, 1_795_465_554_419].map(async (seed) => keysOf(await wholeList('random', 'asc', seed)).join('\n')),
    )
    expect(new Set(orders).size).toBe(6)
    expect(keysOf(await wholeList('random', 'asc', 1)).join('\n')).toBe(orders[0] ?? '')
    expect(orders).not.toContain(keysOf(await wholeList('title', 'asc')).join('\n'))
    // No entry stands where it stood under another seed much more often than by chance.
    const [first = [], second = []] = orders.map((text) => text.split('\n'))
    expect(first.filter((key, index) => second[index] === key).length).toBeLessThan(20)
  })
})

describe('an item to look around', () => {
  test('is where a list begins: its cursor goes on from there, with the same question', async () => {
    const whole = keysOf(await page('movies', { limit: 60 }))
    const first = await page('movies', { limit: 20, around: whole[25] })
    const second = await page('movies', { limit: 20, around: whole[25], cursor: first.nextCursor })
    expect([keysOf(first), keysOf(second)]).toEqual([whole.slice(20, 40), whole.slice(40, 60)])
  })

  test('that is not in the list is not there', async () => {
    const around = async (key: string, query: Query = {}) =>
      (await user.get('/api/browse', { libraryId: ids.movies, around: key, ...query })).status
    const [key = ''] = keysOf(await page('movies'))
    expect(await around(`movie:${ids.movies}:None`)).toBe(404)
    expect(await around(`game:${ids.games}:Time Commando`)).toBe(404)
    expect(await around(key, { q: 'no such title' })).toBe(404)
    expect(await around(key)).toBe(200)
  })

  test('is found in a filtered list, on the page that holds it there', async () => {
    const whole = await page('movies', { q: '1', limit: 500 })
    const key = keysOf(whole)[70]
    const around = await page('movies', { q: '1', limit: 50, around: key })
    expect([around.position, keysOf(around)]).toEqual([50, keysOf(whole).slice(50, 100)])
  })
})

describe('the total', () => {
  test('is exact without a filter, with one up to 1,000, and unknown above', async () => {
    expect((await page('many', { limit: 1 })).total).toBe(MANY)
    expect((await page('many', { q: 'kilo', limit: 1 })).total).toBe(1000)
    expect((await page('many', { q: '.txt', limit: 1 })).total).toBeNull()
    expect((await page('many', { q: 'odd', limit: 1 })).total).toBe(1)
    expect(await page('many', { q: 'nothing like it' })).toMatchObject({ total: 0, entries: [], nextCursor: null, position: 0 })
  })

  test('of a filter is the same on every page, and its pages are the whole list', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const body = await page('many', { q: 'kilo', limit: 400, cursor })
      expect([body.total, body.position]).toEqual([1000, seen.length])
      seen.push(...keysOf(body))
      cursor = body.nextCursor ?? undefined
    } while (cursor)
    expect([seen.length, new Set(seen).size]).toEqual([1000, 1000])
  })
})

describe('a name search', () => {
  test('takes every character for itself', async () => {
    const finds: [q: string, titles: string[]][] = [
      ...([
        ['%', ['100% real']],
        ['100%', ['100% real']],
        ['_', ['snake_case']],
        ['snake_', ['snake_case']],
        ['\\', ['back\\slash']],
      ] as [string, string[]][]),
      ...([
        ['\\%', []],
        ['%%', []],
        ["'", ["it's"]],
        ['"', ['"quoted"']],
        ['*', ['a.b*c[d]']],
        ['[d]', ['a.b*c[d]']],
      ] as [string, string[]][]),
      ...([
        ['$1', ['$& $1']],
        ['-- ', ['-- comment']],
        ['null', ['NULL']],
        ["' OR 1=1 --", []],
        ['a.b', ['a.b*c[d]']],
      ] as [string, string[]][]),
    ]
    for (const [q, titles] of finds) expect([q, await search('odd', q)]).toEqual([q, titles.toSorted()])
  })

  test('looks anywhere in the title, whatever the case, in any script', async () => {
    const finds: [q: string, titles: string[]][] = [
      ...([
        ['REAL', ['100 unreal', '100% real']],
        ['unreal', ['100 unreal']],
        ['nak', ['snakeXcase', 'snake_case']],
      ] as [string, string[]][]),
      ...([
        ['äöü', ['ÄÖÜ Straße']],
        ['ÄÖÜ', ['ÄÖÜ Straße']],
        ['straße', ['STRASSE 2', 'ÄÖÜ Straße']],
        ['Strasse', ['STRASSE 2', 'ÄÖÜ Straße']],
        ['STRAẞE 2', ['STRASSE 2']],
        ['ß', ['STRASSE 2', 'ÄÖÜ Straße']],
        ['ёЛКА', ['Ёлка']],
        ['京物', ['東京物語']],
        ['語', ['東京物語']],
        ['ΟΔΎΣ', ['ΟΔΥΣΣΕΥΣ 2', 'Οδύσσεια']],
        ['οδυσσευς 2', ['ΟΔΥΣΣΕΥΣ 2']],
        ['οδυς', ['ΟΔΥΣΣΕΥΣ 2', 'Οδύσσεια']],
        ['ΠΗΓΆΣΟΥΣ', ['Πηγάσους']],
        ['ΠΗΓΆΣ', ['Πηγάσους']],
      ] as [string, string[]][]),
    ]
    for (const [q, titles] of finds) expect([q, await search('odd', q)]).toEqual([q, titles.toSorted()])
  })

  test('finds a letter with its accent however the two are written', async () => {
    const both = ['cafe\u0301 two', 'caf\u00e9 one'].toSorted()
    for (const q of ['caf\u00e9', 'cafe\u0301', 'CAF\u00c9', 'CAFE\u0301']) expect([q, await search('odd', q)]).toEqual([q, both])
  })

  test('finds a letter with its accent by the letter alone, and the other way round, but no other sound', async () => {
    const finds: [q: string, titles: string[]][] = [
      ['cafe', ['cafe\u0301 two', 'caf\u00e9 one']],
      ['aou strasse', ['ÄÖÜ Straße']],
      ['елка', ['Ёлка']],
      ['sn\u00e0ke', ['snakeXcase', 'snake_case']],
      ['οδυσσεια', ['Οδύσσεια']],
      ['ば', []],
      ['は', ['はな']],
    ]
    for (const [q, titles] of finds) expect([q, await search('odd', q)]).toEqual([q, titles.toSorted()])
  })

  test('that is empty, or as long as it may be, or longer', async () => {
    expect((await page('odd', { q: '' })).total).toBe(ODD_TITLES.length)
    expect(await search('odd', 'x'.repeat(200))).toEqual([])
    for (const q of ['x'.repeat(201), 'a\u0000b'])
      expect((await user.get('/api/browse', { libraryId: ids.odd, q })).body.errors[0].path).toBe('q')
  })

  test('shows a series of games or manga when it, or any single one in it, has the name', async () => {
    expect(await search('games', 'ocarina')).toEqual(['Zelda'])
    expect(await search('games', 'ZELDA')).toEqual(['Zelda'])
    expect(await search('games', 'time')).toEqual(['Time Commando', 'Zelda'])
    expect(await search('games', 'mario')).toEqual(['Mario'])
    // Two children that together have the words are not one that has them.
    expect(await search('games', 'ocarina wind')).toEqual([])
    expect(await search('manga', 'golden')).toEqual(['Berserk', 'Golden Kamuy'])
    expect(await search('manga', 'v10')).toEqual(['Berserk'])
    expect((await page('games', { q: 'time' })).total).toBe(2)
  })

  test('within a series is for what is in it', async () => {
    expect(await search('games', 'wind', { parentKey: `game_series:${ids.games}:Zelda` })).toEqual(['Wind Waker'])
    expect(await search('games', 'zelda', { parentKey: `game_series:${ids.games}:Zelda` })).toEqual([])
  })

  test('shows a TV series by its own title alone, and filters the episodes of the open season', async () => {
    expect(await search('tv', 'serenity')).toEqual(['Serenity'])
    expect(await search('tv', 'train job')).toEqual([])
    const season = { parentKey: `tv_season:${ids.tv}:Firefly/Season 01` }
    expect(await search('tv', 'TRAIN', season)).toEqual(['Firefly S01E02 The Train Job'])
    expect(await search('tv', 'firefly', season)).toHaveLength(3)
  })
})

describe('a mixed library', () => {
  test('is the flat list of all its files', async () => {
    expect(titlesOf(await page('mixed'))).toEqual(['a.jpg', 'b.jpg', 'beach.jpg', 'deep.txt', 'root.txt', 'x.txt', 'y.txt', 'z.txt'])
    expect((await page('mixed')).total).toBe(8)
  })

  test('shows files of some kinds alone, with their places and their number', async () => {
    expect((await user.get('/api/browse', { libraryId: ids.mixed, kinds: 'pictures' })).status).toBe(400)
    const pictures = await page('mixed', { kinds: 'image,video' })
    expect([titlesOf(pictures), pictures.total]).toEqual([['a.jpg', 'b.jpg', 'beach.jpg'], 3])
    const first = await page('mixed', { kinds: 'image', limit: 2 })
    const second = await page('mixed', { kinds: 'image', limit: 2, cursor: first.nextCursor })
    expect([titlesOf(second), second.position, second.nextCursor]).toEqual([['beach.jpg'], 2, null])
    expect((await user.get('/api/browse', { libraryId: ids.mixed, cursor: first.nextCursor })).status).toBe(400)
    expect(titlesOf(await page('mixed', { kinds: '' }))).toHaveLength(8)
  })

  test("shows one folder's own files where that is asked for", async () => {
    const own = async (path: string, query: Query = {}): Promise<[string[], number]> => {
      const body = await page('mixed', { path, ...query })
      return [titlesOf(body), body.total]
    }
    expect(await own('')).toEqual([['root.txt'], 1])
    expect(await own('2020')).toEqual([['beach.jpg'], 1])
    expect(await own('2020/summer')).toEqual([['a.jpg', 'b.jpg'], 2])
    expect(await own('2020/summer/100%')).toEqual([['deep.txt'], 1])
    expect(await own('2020/summer', { q: 'B' })).toEqual([['b.jpg'], 1])
    for (const path of ['2020/', '/2020', '2020/summer/..', '..', '20%', '2020/none', '2020/summer/a.jpg'])
      expect([path, ...(await own(path))]).toEqual([path, [], 0])
  })

  test('shows a folder with all that is below it, filtered, sorted, paged and counted like everything else', async () => {
    const below = async (path: string | undefined, query: Query = {}): Promise<[string[], number]> => {
      const body = await page('mixed', { path, below: 1, ...query })
      return [titlesOf(body), body.total]
    }
    expect(await below('2020')).toEqual([['a.jpg', 'b.jpg', 'beach.jpg', 'deep.txt'], 4])
    expect(await below('2020/summer')).toEqual([['a.jpg', 'b.jpg', 'deep.txt'], 3])
    expect((await below(''))[1]).toBe(8)
    expect((await below(undefined))[1]).toBe(8)
    expect(await below('2020', { kinds: 'image', order: 'desc' })).toEqual([['beach.jpg', 'b.jpg', 'a.jpg'], 3])
    expect(await below('2020', { q: 'e' })).toEqual([['beach.jpg', 'deep.txt'], 2])
    for (const path of ['2020/', '202', '20%', '..', 'none']) expect([path, ...(await below(path))]).toEqual([path, [], 0])
    const first = await page('mixed', { path: '2020', below: 1, limit: 3 })
    const second = await page('mixed', { path: '2020', below: 1, limit: 3, cursor: first.nextCursor })
    expect([titlesOf(second), second.nextCursor]).toEqual([['deep.txt'], null])
    expect((await user.get('/api/browse', { libraryId: ids.mixed, path: '2020', cursor: first.nextCursor })).status).toBe(400)
    expect((await user.get('/api/browse', { libraryId: ids.mixed, path: '2020', below: 'yes' })).status).toBe(400)
  })

  test('a folder of any other library is refused, in lists and facets', async () => {
    for (const library of ['games', 'movies', 'tv', 'manga'] as const)
      for (const path of ['', '2020']) {
        const query = { libraryId: ids[library], path }
        expect([(await user.get('/api/browse', query)).status, (await user.get('/api/facets', query)).status]).toEqual([400, 400])
      }
  })

  test('a filter by tags below a folder leaves what its facets count', async () => {
    const key = (path: string): string => `mixed_file:${ids.mixed}:${path}`
    const { category } = (await admin.post('/api/tags/categories', { name: 'Below' })).body
    const { tag } = (await admin.post('/api/tags/items', { name: 'Warm', categoryId: category.id })).body
    const itemKeys = [key('2020/beach.jpg'), key('2020/summer/a.jpg'), key('root.txt'), key('2020 extra/x.txt')]
    await admin.post('/api/tags/assignments/bulk', { itemKeys, add: [tag.id] })
    const { body } = await user.get('/api/facets', { libraryId: ids.mixed, path: '2020', below: 1 })
    expect(body.categories.flatMap(({ tags }: Json) => tags)).toContainEqual({ id: tag.id, name: 'Warm', count: 2 })
    expect(titlesOf(await page('mixed', { path: '2020', below: 1, tags: tag.id }))).toEqual(['a.jpg', 'beach.jpg'])
    expect(titlesOf(await page('mixed', { path: '2020', below: 1, tags: tag.id, q: 'a' }))).toEqual(['a.jpg', 'beach.jpg'])
    expect(titlesOf(await page('mixed', { path: '2020', below: 1, excludeTags: tag.id }))).toEqual(['b.jpg', 'deep.txt'])
    const counted = async (query: Query): Promise<number | undefined> => {
      const { categories } = (await user.get('/api/facets', { libraryId: ids.mixed, ...query })).body
      return categories.flatMap(({ tags }: Json) => tags).find(({ id }: Json) => id === tag.id)?.count
    }
    for (const query of [
      {},
      { q: 'a' },
      { path: '2020', below: 1 },
      { path: '2020', below: 1, q: 'a' },
      { unfinished: 1 },
      { tags: tag.id },
    ]) {
      expect([query, await counted({ ...query, kinds: 'image' })]).toEqual([query, 2])
      expect([query, titlesOf(await page('mixed', { tags: tag.id, ...query, kinds: 'image' }))]).toEqual([query, ['a.jpg', 'beach.jpg']])
    }
    expect([await counted({}), await counted({ kinds: 'document,image' }), await counted({ kinds: 'video' })]).toEqual([4, 4, 0])
    await admin.delete(`/api/tags/categories/${category.id}`)
  })

  test('lists the folders directly below a folder, with all that is in them', async () => {
    const folders = async (path?: string) => (await user.get('/api/mixed/folders', { libraryId: ids.mixed, path })).body.folders
    expect(await folders()).toEqual([
      { name: '2020', path: '2020', itemCount: 4 },
      { name: '2020 extra', path: '2020 extra', itemCount: 1 },
      { name: 'folder 9', path: 'folder 9', itemCount: 1 },
      { name: 'folder 10', path: 'folder 10', itemCount: 1 },
    ])
    expect(await folders('')).toEqual(await folders())
    expect(await folders('2020')).toEqual([{ name: 'summer', path: '2020/summer', itemCount: 3 }])
    expect(await folders('2020/summer')).toEqual([{ name: '100%', path: '2020/summer/100%', itemCount: 1 }])
    for (const path of ['2020/summer/100%', 'none', '..', '2020/', '%', '/']) expect([path, await folders(path)]).toEqual([path, []])
    expect((await user.get('/api/mixed/folders', { libraryId: ids.games })).status).toBe(400)
    expect((await user.get('/api/mixed/folders', { libraryId: 987_654 })).status).toBe(404)
  })
})

describe('a library that changes', () => {
  test('while it is paged through shows what was there once, and no entry twice', async () => {
    const before = keysOf(await page('odd', { limit: 500 }))
    const first = await page('odd', { limit: 5 })
    makeTree(join(folder.path, 'odd'), { '!first of all': { 'film.mkv': 3 }, 'zzz last': { 'film.mkv': 3 } })
    await server.scanAndWait(ids.odd)
    const rest = await page('odd', { limit: 500, cursor: first.nextCursor })
    const added = `movie:${ids.odd}:zzz last`
    expect([...keysOf(first), ...keysOf(rest).filter((key) => key !== added)]).toEqual(before)
    expect(keysOf(rest)).toContain(added)
    for (const name of ['!first of all', 'zzz last']) rmSync(join(folder.path, 'odd', name), { recursive: true })
    await server.scanAndWait(ids.odd)
  })

  test('does not list what is missing, but to an administrator who asks for it', async () => {
    rmSync(join(folder.path, 'games/Zelda/Wind Waker'), { recursive: true })
    await server.scanAndWait(ids.games)
    expect(await search('games', 'wind')).toEqual([])
    const zelda = await page('games', { parentKey: `game_series:${ids.games}:Zelda` })
    expect([titlesOf(zelda), zelda.total, zelda.parent.gameCount]).toEqual([['Ocarina of Time'], 1, 1])
    expect((await user.get('/api/browse', { libraryId: ids.games, missing: 1 })).status).toBe(403)
    const missing = (await admin.get('/api/browse', { libraryId: ids.games, missing: 1 })).body
    expect([titlesOf(missing), missing.total, missing.parent]).toEqual([['Wind Waker'], 1, null])
    const ofOther = (await admin.get('/api/browse', { libraryId: ids.games, missing: 1, parentKey: `game_series:${ids.games}:Mario` })).body
    expect([titlesOf(ofOther), ofOther.total]).toEqual([['Wind Waker'], 1])
    expect((await admin.get('/api/browse', { libraryId: ids.games, missing: 0 })).body.total).toBe(3)
    const { missingSince } = (await admin.get('/api/items', { itemKey: missing.entries[0].itemKey })).body.item
    expect(Date.now() - Date.parse(missingSince)).toBeLessThan(60_000)
    makeTree(join(folder.path, 'games'), { 'Zelda/Wind Waker/ww.zip': 5 })
    await server.scanAndWait(ids.games)
    expect(await search('games', 'wind')).toEqual(['Zelda'])
    expect((await admin.get('/api/browse', { libraryId: ids.games, missing: 1 })).body.total).toBe(0)
  })
})
