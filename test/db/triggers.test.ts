import { describe, expect, test } from 'bun:test'
import { indexSearchTexts, MAX_PIECES_AN_ITEM } from '../../src/db/search-index.ts'
import { type TestDatabase, testDatabase } from '../support/test-database.ts'

const insertItem = (key: string, title = key) => ({
  sql: "INSERT INTO media_items (item_key, library_id, item_type, path, title, search_title, entry) VALUES (?, 1, 'movie', ?, ?, ?, '{}')",
  args: [key, key, title, title.toLowerCase()],
})

const withItems = async (titles: string[]): Promise<TestDatabase> => {
  const database = await testDatabase()
  await database.write.batch([
    "INSERT INTO libraries (name, type, path) VALUES ('Films', 'movies', '/films')",
    "INSERT INTO tag_categories (name, name_key) VALUES ('Genre', 'genre')",
    "INSERT INTO tags (category_id, name, name_key) VALUES (1, 'Horror', 'horror'), (1, 'Comedy', 'comedy')",
    ...titles.map((title) => insertItem(title)),
  ])
  return database
}

const found = async ({ client }: TestDatabase, text: string, table = 'search_titles'): Promise<unknown[]> => {
  const { rows } = await client.execute({ sql: `SELECT rowid FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid`, args: [`"${text}"`] })
  return rows.map((row) => row[0])
}

const staleIds = async ({ client }: TestDatabase): Promise<unknown[]> =>
  (await client.execute('SELECT item_id FROM search_stale ORDER BY item_id')).rows.map((row) => row[0])

/** FTS5's own look at its tables; throws where they are not whole. */
const assertIndexSound = async (database: TestDatabase, upTo: number): Promise<void> => {
  const { rows } = await database.client.execute('SELECT indexed_up_to FROM search_state')
  expect(rows[0]?.[0]).toBe(upTo)
  await database.write.batch([
    "INSERT INTO search_titles (search_titles, rank) VALUES ('integrity-check', 0)",
    "INSERT INTO search_series (search_series, rank) VALUES ('integrity-check', 0)",
    "INSERT INTO search_texts (search_texts, rank) VALUES ('integrity-check', 0)",
  ])
}

describe('the full-text tables', () => {
  test('an item that is not in them yet is not found, and its changes leave them alone', async () => {
    await using database = await withItems(['Alien', 'Brazil'])
    await database.write.batch(["UPDATE media_items SET title = 'Aliens' WHERE id = 1", 'DELETE FROM media_items WHERE id = 2'])
    expect([await found(database, 'alien'), await staleIds(database)]).toEqual([[], []])
    await assertIndexSound(database, 0)
  })

  test('items go in by their ids, as many as asked for, until none is left', async () => {
    await using database = await withItems(['Alien', 'Brazil', 'Casablanca'])
    expect(await indexSearchTexts(database.write, 2)).toBe(2)
    expect([await found(database, 'brazil'), await found(database, 'casa')]).toEqual([[2], []])
    expect(await indexSearchTexts(database.write, 2)).toBe(1)
    expect(await indexSearchTexts(database.write, 2)).toBe(0)
    expect(await found(database, 'casa')).toEqual([3])
    await assertIndexSound(database, 3)
  })

  test.each(['title', 'plot', 'description', 'extracted_text', 'translation'])(
    'an item whose %s changes is marked, and renewed before anything new goes in',
    async (column) => {
      await using database = await withItems(['Alien', 'Brazil', 'Casablanca'])
      await indexSearchTexts(database.write, 2)
      await database.write.batch([`UPDATE media_items SET ${column} = 'Nostromo' WHERE id = 1`])
      expect(await staleIds(database)).toEqual([1])
      expect(await indexSearchTexts(database.write, 10)).toBe(1)
      const table = column === 'title' ? 'search_titles' : 'search_texts'
      const rowid = column === 'title' ? 1 : MAX_PIECES_AN_ITEM
      expect([await found(database, 'nostromo', table), await found(database, 'casa'), await staleIds(database)]).toEqual([[rowid], [], []])
      await database.write.batch([`UPDATE media_items SET ${column} = 'Other' WHERE id = 1`])
      await indexSearchTexts(database.write, 10)
      expect([await found(database, 'nostromo', table), await found(database, 'other', table)]).toEqual([[], [rowid]])
      await assertIndexSound(database, 2)
    },
  )

  test('the names of series stand by themselves as well, and go as they change and are deleted', async () => {
    await using database = await withItems(['Alien', 'Alien Nation', 'Brazil'])
    await database.write.batch(["UPDATE media_items SET item_type = 'tv_series' WHERE id > 1"])
    await indexSearchTexts(database.write, 10)
    const series = (text: string) => found(database, text, 'search_series')
    expect([await found(database, 'alien'), await series('alien'), await series('brazil')]).toEqual([[1, 2], [2], [3]])
    await database.write.batch(["UPDATE media_items SET title = 'Chile' WHERE id = 3", 'DELETE FROM media_items WHERE id = 2'])
    await indexSearchTexts(database.write, 10)
    expect([await series('alien'), await series('brazil'), await series('chile')]).toEqual([[], [], [3]])
    await assertIndexSound(database, 3)
  })

  test('what is written anew without a change marks nothing', async () => {
    await using database = await withItems(['Alien'])
    await indexSearchTexts(database.write, 10)
    await database.write.batch(["UPDATE media_items SET title = 'Alien', plot = NULL, size = 5"])
    expect(await staleIds(database)).toEqual([])
  })

  test('deleting a library takes its items out, with all pieces of their texts', async () => {
    await using database = await withItems(['Alien', 'Brazil'])
    await database.write.batch([
      { sql: 'UPDATE media_items SET extracted_text = ? WHERE id = 1', args: ['nostromo '.repeat(10_000)] },
      "UPDATE media_items SET extracted_text = 'nostromo' WHERE id = 2",
    ])
    const written = [await indexSearchTexts(database.write, 10), await indexSearchTexts(database.write, 10)]
    expect(written).toEqual([2, 0])
    expect((await found(database, 'nostromo', 'search_texts')).length).toBeGreaterThan(3)
    await database.write.batch(["UPDATE media_items SET title = 'Aliens' WHERE id = 1", 'DELETE FROM libraries'])
    expect([await found(database, 'alien'), await found(database, 'nostromo', 'search_texts'), await staleIds(database)]).toEqual([
      [],
      [],
      [],
    ])
    await assertIndexSound(database, 2)
  })

  test('a text of several pieces is found wherever it is cut', async () => {
    await using database = await withItems(['Alien'])
    const words = Array.from({ length: 20_000 }, (_, n) => `word${n}x`)
    await database.write.batch([{ sql: 'UPDATE media_items SET extracted_text = ?', args: [words.join(' ')] }])
    await indexSearchTexts(database.write, 10)
    for (const first of [0, 1500, 1717, 1718, 1719, 9999, 19_997])
      expect([first, (await found(database, words.slice(first, first + 3).join(' '), 'search_texts')).length]).not.toEqual([first, 0])
  })

  test('names of any script are found by three of their characters, without accents', async () => {
    await using database = await withItems(['千と千尋の神隠し', 'Élan vital'])
    await indexSearchTexts(database.write, 10)
    expect([await found(database, '千尋の'), await found(database, 'elan v')]).toEqual([[1], [2]])
  })
})

describe('the kept browse entry of an item', () => {
  const isKept = async ({ client }: TestDatabase, id = 1): Promise<boolean> => {
    const { rows } = await client.execute({ sql: 'SELECT entry FROM media_items WHERE id = ?', args: [id] })
    return rows[0]?.[0] !== null
  }

  /** Everything that a browse entry shows (API.md, 5) and where it is kept. */
  const SHOWN = {
    item_key: "'movie:1:other'",
    parent_id: '2',
    title: "'Other'",
    season_number: '1',
    episode_number: '1',
    episode_number_end: '2',
    year: '1979',
    rating: '8.5',
    media_kind: "'video'",
    mime_type: "'video/mp4'",
    size: '5',
    width: '640',
    height: '480',
    duration_seconds: '60.5',
    thumbhash: "'abc'",
    thumbnail_version: "'1-2'",
    artwork: "'[]'",
    extracted_text: "'text'",
    child_count: '3',
    added_at: '7',
    files: `'[{"name":"a.dmg","size":1,"platform":"macos"}]'`,
    page_count: '200',
  }

  test.each(Object.entries(SHOWN))('goes when %s changes', async (column, value) => {
    await using database = await withItems(['Alien', 'Brazil'])
    await database.write.batch([`UPDATE media_items SET ${column} = ${value} WHERE id = 1`])
    expect([await isKept(database, 1), await isKept(database, 2)]).toEqual([false, true])
  })

  test('goes when the item gets, changes or loses a tag, also with the tag itself', async () => {
    await using database = await withItems(['Alien', 'Brazil'])
    for (const change of [
      'INSERT INTO item_tags (tag_id, item_id) VALUES (1, 1)',
      'UPDATE item_tags SET tag_id = 2 WHERE item_id = 1',
      'DELETE FROM item_tags WHERE item_id = 1',
      'INSERT INTO item_tags (tag_id, item_id) VALUES (2, 1)',
      'DELETE FROM tags WHERE id = 2',
    ]) {
      await database.write.batch(["UPDATE media_items SET entry = '{}'", change])
      expect([change, await isKept(database, 1), await isKept(database, 2)]).toEqual([change, false, true])
    }
  })

  test('stays when something changes that it does not show, and can be written together with what it does show', async () => {
    await using database = await withItems(['Alien'])
    await database.write.batch(["UPDATE media_items SET plot = 'Long', modified_at = 5, missing_since = 7 WHERE id = 1"])
    expect(await isKept(database)).toBe(true)
    await database.write.batch(["UPDATE media_items SET title = 'Other', entry = '{1}' WHERE id = 1"])
    expect(await isKept(database)).toBe(true)
  })
})
