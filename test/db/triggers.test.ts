import { describe, expect, test } from 'bun:test'
import { indexSearchTitles } from '../../src/db/search-index.ts'
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

const found = async ({ client }: TestDatabase, text: string): Promise<unknown[]> => {
  const { rows } = await client.execute({
    sql: 'SELECT rowid FROM media_items_fts WHERE media_items_fts MATCH ? ORDER BY rowid',
    args: [`"${text}"`],
  })
  return rows.map((row) => row[0])
}

/** FTS5's own comparison of the index with the table that it is about; throws where they differ. */
const assertIndexSound = async (database: TestDatabase, upTo: number): Promise<void> => {
  const { rows } = await database.client.execute('SELECT indexed_up_to FROM search_state')
  expect(rows[0]?.[0]).toBe(upTo)
  await database.write.batch(["INSERT INTO media_items_fts (media_items_fts, rank) VALUES ('integrity-check', 0)"])
}

describe('the full-text table of names', () => {
  test('an item that is not in it yet is not found, and its changes leave the table alone', async () => {
    await using database = await withItems(['Alien', 'Brazil'])
    await database.write.batch(["UPDATE media_items SET search_title = 'aliens' WHERE id = 1", 'DELETE FROM media_items WHERE id = 2'])
    expect(await found(database, 'alien')).toEqual([])
    await assertIndexSound(database, 0)
  })

  test('items go in by their ids, as many as asked for, until none is left', async () => {
    await using database = await withItems(['Alien', 'Brazil', 'Casablanca'])
    expect(await indexSearchTitles(database.write, 2)).toBe(2)
    expect([await found(database, 'brazil'), await found(database, 'casa')]).toEqual([[2], []])
    expect(await indexSearchTitles(database.write, 2)).toBe(1)
    expect(await indexSearchTitles(database.write, 2)).toBe(0)
    expect(await found(database, 'casa')).toEqual([3])
    await assertIndexSound(database, 3)
  })

  test('a new name is found and the old one is not; a deleted item is gone', async () => {
    await using database = await withItems(['Alien', 'Brazil'])
    await indexSearchTitles(database.write, 10)
    await database.write.batch(["UPDATE media_items SET search_title = 'nostromo' WHERE id = 1", 'DELETE FROM media_items WHERE id = 2'])
    expect([await found(database, 'alien'), await found(database, 'nostromo'), await found(database, 'brazil')]).toEqual([[], [1], []])
    await assertIndexSound(database, 2)
  })

  test('deleting a library takes its items out', async () => {
    await using database = await withItems(['Alien', 'Brazil'])
    await indexSearchTitles(database.write, 10)
    await database.write.batch(['DELETE FROM libraries'])
    expect(await found(database, 'alien')).toEqual([])
    await assertIndexSound(database, 2)
  })

  test('names of any script are found by three of their characters', async () => {
    await using database = await withItems(['千と千尋の神隠し', 'Élan vital'])
    await indexSearchTitles(database.write, 10)
    expect([await found(database, '千尋の'), await found(database, 'lan v')]).toEqual([[1], [2]])
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
