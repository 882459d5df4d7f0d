import { expect, test } from 'bun:test'
import type { ScannedItem } from '../../src/domain/scanned-item.ts'
import { byDepth, keyOf, parentKeyOf, toColumnBatch, type UnitItem } from '../../src/scan/column-batch.ts'
import { newItem } from '../../src/scan/item.ts'
import { upsertStatement } from '../../src/services/scan-rows.ts'
import { testDatabase } from '../support/test-database.ts'

const LIBRARY = 1

const item = (fields: Pick<ScannedItem, 'itemType' | 'path'> & Partial<ScannedItem>): UnitItem => ({
  unit: fields.path.split('/')[0] ?? '',
  item: newItem({ parentPath: null, title: fields.path, modifiedAt: 1, identity: null, ...fields }),
})

const picture = (path: string, size: number): UnitItem =>
  item({ itemType: 'mixed_file', path, size, mediaKind: 'image', mainFile: path, thumbnail: { kind: 'image', path, version: `v${size}` } })

const BATCHES: Record<string, UnitItem[]> = {
  'one item alone, of which nothing differs from row to row': [item({ itemType: 'game', path: 'Solo' })],
  'items named like their types': [item({ itemType: 'game', path: 'game' }), item({ itemType: 'game_series', path: 'game_series' })],
  'pictures and a clip, whose kind is that of their thumbnails': [
    picture('a.jpg', 1),
    picture('b.jpg', 2),
    item({ itemType: 'mixed_file', path: 'c.mp4', mediaKind: 'video', thumbnail: { kind: 'video', path: 'c.mp4', version: 'v3' } }),
  ],
  'a sound without a thumbnail among pictures': [picture('a.jpg', 1), item({ itemType: 'mixed_file', path: 'b.mp3', mediaKind: 'audio' })],
  'films with pictures beside them, and one that is its own': [
    item({
      itemType: 'movie',
      path: 'Film',
      mainFile: 'Film/Film.mkv',
      thumbnail: { kind: 'image', path: 'Film/poster.jpg', version: 'v' },
    }),
    item({ itemType: 'movie', path: 'Film.mkv', mainFile: 'Film.mkv', thumbnail: { kind: 'video', path: 'Film.mkv', version: 'v' } }),
  ],
  'a series, its seasons and its episodes': [
    item({ itemType: 'tv_series', path: 'Show' }),
    item({ itemType: 'tv_season', path: 'Show/1', parentPath: 'Show', sortNumber: 1, seasonNumber: 1 }),
    item({ itemType: 'tv_season', path: 'Show/2', parentPath: 'Show', sortNumber: 2, seasonNumber: 2 }),
    item({ itemType: 'tv_episode', path: 'Show/2/e.mkv', parentPath: 'Show/2', sortNumber: 1, seasonNumber: 2, episodeNumber: 1 }),
  ],
}

/** What the index is to hold of an item. */
const expected = (row: UnitItem) => ({
  itemKey: keyOf(LIBRARY, row.item),
  parentKey: parentKeyOf(LIBRARY, row.item),
  unit: row.unit,
  path: row.item.path,
  filePath: row.item.itemType === 'mixed_file' ? row.item.path : null,
  title: row.item.title,
  sortTitle: row.item.sortTitle,
  searchTitle: row.item.searchTitle,
  sortNumber: row.item.sortNumber,
  seasonNumber: row.item.seasonNumber,
  episodeNumber: row.item.episodeNumber,
  mediaKind: row.item.mediaKind,
  size: row.item.size,
  mainFile: row.item.mainFile,
  thumbnailKind: row.item.thumbnail?.kind ?? null,
  thumbnailPath: row.item.thumbnail?.path ?? null,
  thumbnailVersion: row.item.thumbnail?.version ?? null,
})

const READ = `SELECT item.item_key AS itemKey, parent.item_key AS parentKey, item.unit, item.path, item.file_path AS filePath, item.title, item.sort_title AS sortTitle,
  item.search_title AS searchTitle, item.sort_number AS sortNumber, item.season_number AS seasonNumber, item.episode_number AS episodeNumber,
  item.media_kind AS mediaKind, item.size, item.main_file AS mainFile, item.thumbnail_kind AS thumbnailKind,
  item.thumbnail_path AS thumbnailPath, item.thumbnail_version AS thumbnailVersion
  FROM media_items item LEFT JOIN media_items parent ON parent.id = item.parent_id ORDER BY item.id`

for (const [what, rows] of Object.entries(BATCHES)) {
  for (const isNew of [true, false]) {
    test(`${what}: each is written as it was scanned, ${isNew ? 'in a first scan' : 'and in a later one'}`, async () => {
      await using database = await testDatabase()
      await database.client.execute(`INSERT INTO libraries (id, name, type, path) VALUES (${LIBRARY}, 'Model', 'mixed', '/model')`)
      const groups = byDepth(rows)
      await database.write.batch(groups.map((group) => upsertStatement(LIBRARY, toColumnBatch(LIBRARY, group), { now: 1, isNew })))
      const written: unknown[] = (await database.client.execute(READ)).rows.map((row) => ({ ...row }))
      expect(written).toEqual(groups.flat().map(expected))
    })
  }
}

test('a hash is kept as long as it is of the main file', async () => {
  await using database = await testDatabase()
  await database.client.execute(`INSERT INTO libraries (id, name, type, path) VALUES (${LIBRARY}, 'Model', 'games', '/model')`)
  const write = (mainFile: string, year: number) =>
    database.write.batch([
      upsertStatement(LIBRARY, toColumnBatch(LIBRARY, [item({ itemType: 'game', path: 'Kings', size: 5, mainFile, year })]), {
        now: 1,
        isNew: false,
      }),
    ])
  const hash = async () => (await database.client.execute('SELECT content_hash AS hash FROM media_items')).rows[0]?.hash
  await write('Kings/setup.exe', 1999)
  await database.client.execute("UPDATE media_items SET content_hash = 'read'")
  await write('Kings/setup.exe', 2000)
  expect(await hash()).toBe('read')
  await write('Kings/data1.cab', 2000)
  expect(await hash()).toBeNull()
})
