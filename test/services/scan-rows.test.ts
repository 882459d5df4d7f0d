import { expect, test } from 'bun:test'
import type { ScannedItem } from '../../src/domain/scanned-item.ts'
import { byDepth, COLUMN_NAMES, type ColumnBatch, keyOf, parentKeyOf, toColumnBatch, type UnitItem } from '../../src/scan/column-batch.ts'
import { newItem } from '../../src/scan/item.ts'
import { upsertStatement } from '../../src/services/scan-rows.ts'
import { seeded } from '../bench/seeded.ts'
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

/** A column of one row alone is told as it is. */
const columnOf = ({ plans, rows }: ColumnBatch, name: string): unknown => {
  const plan = plans.find((each) => each.name === name)
  if (!plan) return null
  if ('constant' in plan) return plan.constant
  if (name === 'path' && 'isSent' in plan) return JSON.parse(rows)[0][0]
  throw new Error(`${name} is told otherwise.`)
}

/** Every column of every row as a value of its own. */
const plainBatch = (rows: readonly UnitItem[]): ColumnBatch => {
  const alone = rows.map((row) => toColumnBatch(LIBRARY, [row]))
  return {
    count: rows.length,
    topLevel: rows.length,
    plans: COLUMN_NAMES.map((name) => ({ name, isSent: true })),
    rows: JSON.stringify(alone.map((batch) => COLUMN_NAMES.map((name) => columnOf(batch, name)))),
  }
}

const LETTERS = [
  'a',
  'Z',
  '7',
  ' ',
  '.',
  '"',
  "'",
  '\\',
  '\u0001',
  '\n',
  '\u007f',
  '\u2028',
  'É',
  'é',
  'e\u0301',
  'İ',
  'ß',
  'Σ',
  '\u212a',
  'Ａ',
  '😀',
]
const PLAIN_LETTERS = ['a', 'Z', '7', ' ', '.', '_']

/** Rows that have much or little in common, as a batch has by its folders and files. */
const randomRows = (random: () => number): UnitItem[] => {
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const letters = oneOf([LETTERS, PLAIN_LETTERS])
  const text = (length: number): string => Array.from({ length: 1 + Math.floor(random() * length) }, () => oneOf(letters)).join('')
  const units = Array.from({ length: 1 + Math.floor(random() * 3) }, () => (random() < 0.2 ? '' : text(6)))
  const titles = random() < 0.3 ? [text(4)] : undefined
  const kinds = oneOf([1, 2, 3, 8, 9, 40])
  const rare = random() < 0.3
  const rows = Array.from({ length: oneOf([1, 2, 3, 60]) }, (_, index): UnitItem => {
    const unit = oneOf(units)
    const title = titles ? oneOf(titles) : text(8)
    const kind = Math.floor(random() * kinds)
    const path = random() < 0.02 ? text(9) : unit === '' ? title : `${unit}/${title}`
    const thumbnail = kind % 3 === 0 ? null : ({ kind: kind % 3 === 1 ? 'image' : 'video', path, version: text(5) } as const)
    const given = rare && index % 7 === 0 ? { sortNumber: index / 2, year: 1999, nfo: { path: `${path}.nfo`, modifiedAt: index } } : {}
    return {
      unit,
      item: newItem({
        itemType: random() < 0.01 ? 'movie' : 'mixed_file',
        path,
        parentPath: null,
        title,
        size: Math.floor(random() * Number.MAX_SAFE_INTEGER),
        modifiedAt: Math.floor(random() * 2e12),
        identity: random() < 0.1 ? null : -Math.floor(random() * Number.MAX_SAFE_INTEGER),
        mediaKind: oneOf(kind % 2 === 0 ? ['image'] : ['video']),
        mimeType: kind === 5 ? null : `type/${kind}`,
        mainFile: random() < 0.01 ? null : path,
        thumbnail,
        ...given,
      }),
    }
  })
  return [...new Map(rows.map((row) => [keyOf(LIBRARY, row.item), row])).values()]
}

// In hexadecimal: byte for byte.
const READ_BYTES = `SELECT ${['item_key', ...COLUMN_NAMES].map((name) => `typeof(${name}) || hex(${name})`).join(', ')} FROM media_items ORDER BY id`

test('any rows are written as if each value of them were sent', async () => {
  await using database = await testDatabase()
  await database.client.execute(`INSERT INTO libraries (id, name, type, path) VALUES (${LIBRARY}, 'Model', 'mixed', '/model')`)
  const random = seeded(7)
  const told = new Set<string>()
  for (let round = 0; round < 150; round += 1) {
    const rows = randomRows(random)
    const isNew = random() < 0.5
    const batch = toColumnBatch(LIBRARY, rows)
    for (const { name, ...how } of batch.plans) told.add(`${name} ${Object.keys(how)}`)
    const written: unknown[][] = []
    for (const each of [batch, plainBatch(rows)]) {
      await database.write.batch([upsertStatement(LIBRARY, each, { now: 1, isNew })])
      written.push((await database.client.execute(READ_BYTES)).rows.map((row) => Object.values(row)))
      await database.client.execute('DELETE FROM media_items')
    }
    expect(written[0]?.length).toBe(rows.length)
    expect(written[0]).toEqual(written[1])
  }
  expect([...told]).toEqual(
    expect.arrayContaining([
      'path isMade',
      'path isSent',
      'search_title isMade',
      'search_title isSent',
      'mime_type ofKinds',
      'mime_type isSent',
      'mime_type constant',
    ]),
  )
})
