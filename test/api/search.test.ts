import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createClient } from '@libsql/client'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(120_000)

/** API.md, 5: one search over everything that somebody may see. */

const film = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { 'film.mkv': 3 }]))

let scene: ScanScene
let admin: HttpClient

/** Texts and tags as the other parts of the service would leave them. */
/** More characters than anybody asks a table of threes for, one by one. */
const KANJI = Array.from({ length: 2500 }, (_, place) => String.fromCodePoint(0x4e00 + place))
const TEXTS: Record<string, Partial<Record<'description' | 'extracted_text' | 'translation' | 'plot', string>>> = {
  'Heat (1995)': { description: 'A thief and a detective, and no aliens at all.' },
  'Ordinary Paper': { extracted_text: '東京都庁の展望室から夕日を見る。', translation: 'Watching the sunset from the observation deck.' },
  'Thai Street': { extracted_text: 'วันนี้เราไปตลาดน้ำดำเนินสะดวกกับเพื่อน' },
  'Long Book': {
    extracted_text: `${'filler words without end '.repeat(3000)}the quick zyzzyva hides here${' and more of it'.repeat(2000)}`,
  },
  Emoji: { description: '👩‍👩‍👧‍👦 family at the 🏖️ beach with Grüße aus Łódź' },
  Plotted: { plot: 'A ring must be thrown into a volcano.' },
  Dictionary: { extracted_text: KANJI.map((kanji) => `硝子${kanji}`).join(' ') },
  'Glass 龘': { extracted_text: '硝子龘' },
}
const TAGS: Record<string, string[]> = { Sunset: ['Quiet One', 'Evening'], Aliens: ['Quiet One'], 猫: ['Cat Film'] }

beforeAll(async () => {
  scene = await startScene({
    movies: film(
      ...['Alien', 'Alien Dawn', 'The Alien', 'Xenalien', 'Heat (1995)', 'Ordinary Paper', 'Thai Street', 'Long Book', 'Emoji'],
      ...[
        'Évening Café',
        '東京物語',
        '夜の東京',
        '猫',
        'Cat Film',
        'Quiet One',
        'Evening',
        'Plotted',
        'Dictionary',
        'Glass 龘',
        '2年3組',
        '100% real',
        'snake_case',
        'Ёлка',
        'ＦＵＬＬ ｗｉｄｔｈ',
      ],
      ...['alien 2.part', 'Ocean Sunset Boulevard', 'Gone'],
    ),
    tv: {
      'Alien Nation': { 'Season 01': { 'Alien Nation S01E01 Fountain of Youth.mkv': 3 } },
      'Kite Cup (2021)': { 'Season 01': { 'Kite Cup S01E01.mkv': 3, 'Kite Cup - A Cup to Kite - S01E02.mkv': 3 } },
    },
  })
  ;({ admin } = scene)
  const database = createClient({ url: `file:${scene.server.dataDir}/vitrine.db`, timeout: 5000 })
  await database.batch(
    [
      ...Object.entries(TEXTS).flatMap(([title, texts]) =>
        Object.entries(texts).map(([column, text]) => ({
          sql: `UPDATE media_items SET ${column} = ? WHERE title = ?`,
          args: [text, title],
        })),
      ),
      `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Mood', 'mood')`,
      ...Object.entries(TAGS).flatMap(([tag, titles]) => [
        { sql: 'INSERT INTO tags (category_id, name, name_key) VALUES (1, ?, ?)', args: [tag, tag.toLowerCase()] },
        ...titles.map((title) => ({
          sql: 'INSERT INTO item_tags (tag_id, item_id) SELECT (SELECT id FROM tags WHERE name = ?), id FROM media_items WHERE title = ?',
          args: [tag, title],
        })),
      ]),
      `UPDATE media_items SET missing_since = 1 WHERE title = 'Gone'`,
    ],
    'write',
  )
  database.close()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Everything is in the full-text tables; a scan is what wakes the upkeep. */
const settle = async (): Promise<void> => {
  await scene.scan('movies')
  await waitFor(
    async () => {
      const [row] = await scene.index.query<{ left: number }>(
        'SELECT (SELECT count(*) FROM search_stale) + (SELECT count(*) FROM media_items WHERE id > (SELECT indexed_up_to FROM search_state)) AS left',
      )
      return row?.left === 0 ? true : undefined
    },
    60_000,
    () => 'The upkeep did not end',
  )
}

const ask = async (q: string, query: Record<string, string | number> = {}): Promise<Json> => {
  const { status, body } = await admin.get('/api/search', { q, ...query })
  expect([q, status]).toEqual([q, 200])
  return body
}
const titles = async (q: string, query: Record<string, string | number> = {}): Promise<string[]> =>
  (await ask(q, query)).entries.map(({ title }: Json) => title)

const RULES = () => {
  test('finds in titles, tags, descriptions, extracted texts and translations, and says where', async () => {
    const where = async (q: string, title: string) => {
      const entry = (await ask(q)).entries.find((found: Json) => found.title === title)
      return [entry?.matchedIn, entry?.snippet?.ranges.map(([start, end]: [number, number]) => entry.snippet.text.slice(start, end))]
    }
    expect(await where('aliens', 'Heat (1995)')).toEqual(['description', ['aliens']])
    expect(await where('sunset', 'Ocean Sunset Boulevard')).toEqual(['title', ['Sunset']])
    expect(await where('sunset', 'Quiet One')).toEqual(['tags', ['Sunset']])
    expect(await where('sunset', 'Ordinary Paper')).toEqual(['translation', ['sunset']])
    expect(await where('volcano', 'Plotted')).toEqual(['description', ['volcano']])
    expect(await where('lodz', 'Emoji')).toEqual(['description', ['Łódź']])
    expect(await where('grusse', 'Emoji')).toEqual(['description', ['Grüße']])
    expect(await where('展望室', 'Ordinary Paper')).toEqual(['extractedText', ['展望室']])
    expect(await where('zyzzyva', 'Long Book')).toEqual(['extractedText', ['zyzzyva']])
  })

  test('shows titles first: the very one, those that begin so, those with such a word, others; then tags, then texts', async () => {
    const [first, ...others] = await titles('alien')
    expect(first).toBe('Alien')
    const beginning = ['Alien Dawn', 'Alien Nation', 'Alien Nation S01E01 Fountain of Youth', 'alien 2.part']
    expect(others.slice(0, 4).toSorted()).toEqual(beginning)
    expect(others.slice(4)).toEqual(['The Alien', 'Xenalien', 'Quiet One', 'Heat (1995)'])
    const sunset = await titles('sunset')
    expect([sunset[0], sunset.slice(1, 3).toSorted(), sunset.slice(3)]).toEqual([
      'Ocean Sunset Boulevard',
      ['Evening', 'Quiet One'],
      ['Ordinary Paper'],
    ])
  })

  test('shows a series before its episodes, and first where it is named, with or without its year', async () => {
    const typesOf = async (q: string): Promise<string[]> => (await ask(q)).entries.map(({ itemType }: Json) => itemType)
    for (const q of ['kite cup', 'kit', 'cup', 'alien nation', 'alien nat']) {
      const [first, ...others] = await typesOf(q)
      expect([q, first, others.length > 0 && others.every((type) => type === 'tv_episode')]).toEqual([q, 'tv_series', true])
    }
    expect((await titles('heat'))[0]).toBe('Heat (1995)')
  })

  test.each([
    ['東京', ['東京物語', '夜の東京', 'Ordinary Paper']],
    ['京物', ['東京物語']],
    ['夕日', ['Ordinary Paper']],
    ['東', ['東京物語', '夜の東京', 'Ordinary Paper']],
    ['猫', ['猫', 'Cat Film']],
    ['硝', ['Dictionary', 'Glass 龘']],
    ['硝子', ['Dictionary', 'Glass 龘']],
    ['glass 硝', ['Glass 龘']],
    ['3組', ['2年3組']],
    ['年3', ['2年3組']],
    ['組年', []],
    ['ตลาดน้ำ', ['Thai Street']],
    ['ดำ', ['Thai Street']],
    ['CAFE', ['Évening Café']],
    ['évening', ['Evening', 'Évening Café']],
    ['елка', ['Ёлка']],
    ['full width', ['ＦＵＬＬ ｗｉｄｔｈ']],
    ['100%', ['100% real']],
    ['snake_c', ['snake_case']],
    ['snake c', ['snake_case']],
    ['al da', ['Alien Dawn']],
    ['dawn alien', ['Alien Dawn']],
    ['"alien dawn"', ['Alien Dawn']],
    ['"dawn alien"', []],
    ['quiet sunset', ['Quiet One']],
    ['ordinary 夕日', ['Ordinary Paper']],
    ['bo', ['Ocean Sunset Boulevard', 'Long Book']],
    ['v', ['Plotted']],
    ['👩‍👩‍👧‍👦', ['Emoji']],
    ['zzzzq', []],
    ['%', ['100% real']],
    ['"', []],
    ['*', []],
    ['OR', ['Long Book', 'Ordinary Paper']],
    ['title:alien', []],
    ['gone', []],
  ])('finds for %p', async (q, expected) => {
    const found = await titles(q)
    expect([q, found.toSorted()]).toEqual([q, expected.toSorted()])
  })

  test('takes libraries and types as limits', async () => {
    expect((await titles('alien', { libraryId: scene.idOf('tv') })).toSorted()).toEqual([
      'Alien Nation',
      'Alien Nation S01E01 Fountain of Youth',
    ])
    expect(await titles('alien', { types: 'tv_series,game' })).toEqual(['Alien Nation'])
    expect((await admin.get('/api/search', { q: 'alien', types: 'film' })).status).toBe(400)
  })

  test('pages through everything once, in the same order', async () => {
    for (const q of ['alien', 'a', 'sunset', 'e']) {
      const whole = await titles(q)
      const paged: string[] = []
      let cursor: string | undefined
      do {
        const { body } = await admin.get('/api/search', { q, limit: 2, cursor })
        paged.push(...body.entries.map(({ title }: Json) => title))
        cursor = body.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect([q, paged]).toEqual([q, whole])
    }
  })

  test('refuses a cursor of another search', async () => {
    const { nextCursor } = await ask('alien', { limit: 2 })
    expect((await admin.get('/api/search', { q: 'aliens', cursor: nextCursor })).status).toBe(400)
    expect((await admin.get('/api/search', { q: 'alien', types: 'movie', cursor: nextCursor })).status).toBe(400)
  })

  test('says of an episode which series it is of', async () => {
    const { entries } = await ask('fountain of youth')
    expect(entries.map(({ itemType, seriesTitle }: Json) => [itemType, seriesTitle])).toEqual([['tv_episode', 'Alien Nation']])
  })

  test('shows nobody what is in a library that they may not see', async () => {
    const guest = await scene.server.as('guest', { libraryIds: [scene.idOf('tv')] })
    const { body } = await guest.get('/api/search', { q: 'alien' })
    expect(body.entries.map(({ itemType }: Json) => itemType).toSorted()).toEqual(['tv_episode', 'tv_series'])
    expect((await guest.get('/api/search', { q: 'alien', libraryId: scene.idOf('movies') })).status).toBe(404)
    expect((await guest.get('/api/search', { q: 'zyzzyva' })).body.entries).toEqual([])
  })

  test('has entries as in a list', async () => {
    const [listed] = (await admin.get('/api/browse', { libraryId: scene.idOf('movies'), q: 'xenalien' })).body.entries
    const [{ matchedIn, snippet, ...found }] = (await ask('xenalien')).entries
    expect(found).toEqual(listed)
    expect([matchedIn, snippet]).toEqual(['title', { text: 'Xenalien', ranges: [[0, 8]] }])
  })
}

describe('a search while the full-text tables lag behind', RULES)

describe('a search', () => {
  beforeAll(settle)
  RULES()
})
