import { expect, test } from 'bun:test'
import { createScanState, INDEX_COLUMNS, type IndexRow } from '../../src/services/scan-state.ts'
import { changePlaces, displace, displacedPlace, markMissingStatements, park } from '../../src/services/scan-statements.ts'
import { testDatabase } from '../support/test-database.ts'

test('an episode that goes missing takes the kept cards of its season and its series along, which may show its picture', async () => {
  await using database = await testDatabase()
  await database.client.batch(
    [
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'TV', 'tv', '/tv')`,
      `INSERT INTO media_items (id, item_key, library_id, item_type, parent_id, path, title, entry) VALUES
        (1, 'tv_series:1:A', 1, 'tv_series', NULL, 'A', 'A', '{'), (2, 'tv_season:1:A/1', 1, 'tv_season', 1, 'A/1', '1', '{'),
        (3, 'tv_episode:1:A/1/a', 1, 'tv_episode', 2, 'A/1/a', 'a', '{'), (4, 'tv_series:1:B', 1, 'tv_series', NULL, 'B', 'B', '{')`,
    ],
    'write',
  )
  await database.write.batch(markMissingStatements([3], 5))
  const { rows } = await database.client.execute('SELECT id FROM media_items WHERE entry IS NULL ORDER BY id')
  expect(rows.map(({ id }) => Number(id))).toEqual([1, 2])
})

test('an item whose place another one takes still says what its file was, by which it is recognised', async () => {
  await using database = await testDatabase()
  const { client, write } = database
  await client.batch(
    [
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Pictures', 'mixed', '/pictures'), (2, 'Films', 'movies', '/films')`,
      `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, stored_file_path, stored_main_file, stored_thumbnail_path) VALUES
        (1, 'mixed_file:1:a.jpg', 1, 'mixed_file', 'a.jpg', 'a', '', '', ''), (2, 'mixed_file:1:a.txt', 1, 'mixed_file', 'a.txt', 'a', '', '', NULL),
        (3, 'movie:2:Film', 2, 'movie', 'Film', 'Film', NULL, 'Film/a.mkv', 'Film/poster.jpg')`,
    ],
    'write',
  )
  const { query } = await createScanState(database, { libraryId: 1, scanId: 1 })
  const rows = await query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items ORDER BY id`, [])
  await write.batch([park(rows), ...displace(rows, 7)])
  const { rows: found } = await client.execute(`SELECT item_key AS itemKey, path, file_path AS filePath, main_file AS mainFile,
    thumbnail_path AS thumbnailPath, missing_since AS missingSince FROM media_items ORDER BY id`)
  const left = rows.map((row) => ({ ...displacedPlace(row, 7), missingSince: 7 }))
  expect(found.map((row) => ({ ...row })) as unknown[]).toEqual([
    { ...left[0], filePath: 'a.jpg', mainFile: 'a.jpg', thumbnailPath: 'a.jpg' },
    { ...left[1], filePath: 'a.txt', mainFile: 'a.txt', thumbnailPath: null },
    { ...left[2], filePath: null, mainFile: 'Film/a.mkv', thumbnailPath: 'Film/poster.jpg' },
  ])
})

test.each([
  ['nothing', null, { volumeNumber: null, sortNumber: null }],
  ['its metadata', 9, { volumeNumber: 3, sortNumber: 3 }],
])('in the place of its copy an item whose numbers come from %s is what a scan finds there', async (_, refreshedAt, numbers) => {
  await using database = await testDatabase()
  const { client } = database
  const columns = 'id, item_key, library_id, item_type, path, title, volume_number, sort_number, page_count, duration_seconds'
  const more = 'nfo_refreshed_at, thumbnail_version, inspected_version, size, content_hash'
  await client.batch(
    [
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Manga', 'manga', '/manga')`,
      {
        sql: `INSERT INTO media_items (${columns}, ${more}) VALUES
          (1, 'manga_volume:1:a v03.cbz', 1, 'manga_volume', 'a v03.cbz', 'a v03', 3, 3, 20, 90, ?, 'old', 'old', 5, 'hash'),
          (2, 'manga_volume:1:special.cbz', 1, 'manga_volume', 'special.cbz', 'special', NULL, NULL, NULL, NULL, NULL, 'new', 'new', 5, 'hash')`,
        args: [refreshedAt],
      },
    ],
    'write',
  )
  const { query } = await createScanState(database, { libraryId: 1, scanId: 1 })
  const [lost, twin] = await query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items ORDER BY id`, [])
  if (!lost || !twin) throw new Error('Both are in the index')
  await database.write.batch(changePlaces([{ lost, twin }], 5))
  const found = await client.execute(`SELECT path, volume_number AS volumeNumber, sort_number AS sortNumber, page_count AS pageCount,
    duration_seconds AS durationSeconds, thumbnail_version AS thumbnailVersion, inspected_version AS inspectedVersion FROM media_items WHERE id = 1`)
  const ofTheBytes = { pageCount: 20, durationSeconds: 90 }
  // Its pictures are made by its own number: somebody is still to look at it.
  const picture = { thumbnailVersion: 'new', inspectedVersion: null }
  expect({ ...found.rows[0] }).toEqual({ path: 'special.cbz', ...numbers, ...ofTheBytes, ...picture })
})

test.each([
  ['no title', [0, 0], ['new name', 'new name', 0, 0]],
  ['what it is ordered as', [0, 1], ['new name', 'zz', 0, 1]],
  ['a title', [1, 1], ['Given', 'zz', 1, 1]],
])('in the place of its copy an item of which an NFO file gave %s has the rest from there', async (_, given, expected) => {
  await using database = await testDatabase()
  const { client } = database
  const item = (id: number, name: string, titles: (string | number)[], refreshedAt: number | null) => ({
    sql: `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, sort_title, title_given, sort_title_given, nfo_refreshed_at)
      VALUES (?, 'movie:1:' || ?2, 1, 'movie', ?2, ?3, ?4, ?5, ?6, ?7)`,
    args: [id, name, ...titles, refreshedAt],
  })
  await client.batch(
    [
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')`,
      item(1, 'old name', ['Given', 'zz', ...given], 9),
      item(2, 'new name', ['new name', 'new name', 0, 0], null),
    ],
    'write',
  )
  const { query } = await createScanState(database, { libraryId: 1, scanId: 1 })
  const [lost, twin] = await query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items ORDER BY id`, [])
  if (!lost || !twin) throw new Error('Both are in the index')
  await database.write.batch(changePlaces([{ lost, twin }], 5))
  const { rows } = await client.execute('SELECT title, sort_title, title_given, sort_title_given FROM media_items WHERE id = 1')
  expect(Object.values({ ...rows[0] })).toEqual(expected)
})
