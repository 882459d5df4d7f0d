import { expect, test } from 'bun:test'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Writer } from '../../src/db/writer.ts'
import { INDEX_COLUMNS, type IndexRow, rowsOf } from '../../src/services/scan-state.ts'
import { listWholes } from '../../src/services/scan-wholes.ts'
import { makeTree } from '../support/library-tree.ts'
import { type ScannedLibrary, scanInProcess } from '../support/scan-in-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type TestDatabase, testDatabase } from '../support/test-database.ts'

/** More batches than a scan of these few items writes. */
const BATCHES = 12

class Stopped extends Error {}

/** Writes so often, and then no more. */
const stoppingAfter = (write: Writer, batches: number): Writer => {
  let written = 0
  return { ...write, batch: (...given) => (written++ < batches ? write.batch(...given) : Promise.reject(new Stopped())) }
}

/** A library of which one item is tagged, and changed on disk; answers what carries the tag after a scan that is killed, and two more. */
const scanKilled = async (
  { client, db, write }: TestDatabase,
  root: string,
  {
    type = 'movies',
    killAt,
    tagged,
    change,
  }: { type?: ScannedLibrary['type']; killAt: number; tagged: string; change: () => Promise<void> },
): Promise<string[]> => {
  const library = { id: 1, type, root }
  await client.batch([
    { sql: `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Killed', ?, ?)`, args: [type, root] },
    `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Category', 'category')`,
    `INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Tag', 'tag')`,
  ])
  await scanInProcess({ db, write }, library)
  await client.execute({ sql: 'INSERT INTO item_tags (tag_id, item_id) SELECT 1, id FROM media_items WHERE path = ?', args: [tagged] })
  await change()
  await scanInProcess({ db, write: stoppingAfter(write, killAt) }, library).catch((error: unknown) => {
    if (!(error instanceof Stopped)) throw error
  })
  for (let again = 0; again < 2; again += 1) await scanInProcess({ db, write }, library)
  const { rows } = await client.execute(
    'SELECT path FROM media_items JOIN item_tags ON item_id = media_items.id WHERE missing_since IS NULL ORDER BY path',
  )
  return rows.map(({ path }) => String(path))
}

const PLACES = Array.from({ length: BATCHES }, (_, place) => place)

test.each(PLACES)(
  'the tags of a film that became a version of another are on that, though the scan was killed after %d batches',
  async (killAt) => {
    await using database = await testDatabase()
    await using folder = await temporaryFolder('scan-wholes')
    const at = (path: string): string => join(folder.path, path)
    makeTree(folder.path, {
      'Alien (1979)': { 'Alien (1979).mkv': 11 },
      'Alien (1979) [4K]': { 'a.mkv': 12 },
      'Heat (1995)': { 'h.mkv': 13 },
    })
    const change = async (): Promise<void> => {
      renameSync(at('Alien (1979) [4K]/a.mkv'), at('Alien (1979)/Alien (1979) - 4K.mkv'))
      rmSync(at('Alien (1979) [4K]'), { recursive: true })
    }
    expect(await scanKilled(database, folder.path, { killAt, tagged: 'Alien (1979) [4K]', change })).toEqual(['Alien (1979)'])
  },
)

test.each(PLACES)(
  'the tags of a film that was divided are on all it became, though the scan was killed after %d batches',
  async (killAt) => {
    await using database = await testDatabase()
    await using folder = await temporaryFolder('scan-wholes')
    const at = (path: string): string => join(folder.path, path)
    makeTree(folder.path, { 'Wood (1970)': { '4K': { 'wood.mkv': 21 }, HD: { 'wood.mkv': 22 } }, 'Heat (1995)': { 'h.mkv': 23 } })
    const change = async (): Promise<void> => {
      renameSync(at('Wood (1970)/4K'), at('Wood (1970)/Day 1'))
      renameSync(at('Wood (1970)/HD'), at('Wood (1970)/Day 2'))
      // As another version has read the names.
      const renamed = (column: string): string => `replace(replace(${column}, '4K/', 'Day 1/'), 'HD/', 'Day 2/')`
      await database.client.execute(`UPDATE media_items SET files = ${renamed('files')}, stored_main_file = ${renamed('main_file')}`)
    }
    expect(await scanKilled(database, folder.path, { killAt, tagged: 'Wood (1970)', change })).toEqual([
      'Wood (1970)/Day 1',
      'Wood (1970)/Day 2',
    ])
  },
)

/** What has become a part of something else, and where its tags are then. */
const JOINED = [
  { type: 'tv', tagged: 'Dup', whole: 'Dup (2019)', moves: ['Dup/Season 1', 'Dup (2019)/Season 1'] },
  {
    type: 'tv',
    tagged: 'Flat/#season-1',
    whole: 'Flat (2019)/Season 1',
    moves: ['Flat/Flat S01E01.mkv', 'Flat (2019)/Season 1/Flat S01E01.mkv'],
  },
  { type: 'manga', tagged: 'Dup', whole: 'Dup (2019)', moves: ['Dup/v01.cbz', 'Dup (2019)/v01.cbz'] },
  { type: 'games', tagged: 'Dup', whole: 'Dup (2019)', moves: ['Dup/One', 'Dup (2019)/One'] },
] as const

test.each(JOINED.flatMap((joined) => PLACES.slice(3, 9).map((killAt) => ({ ...joined, killAt }))))(
  'the tags of $type:$tagged are on what its parts were put into, though the scan was killed after $killAt batches',
  async ({ type, tagged, whole, moves: [from, to], killAt }) => {
    await using database = await testDatabase()
    await using folder = await temporaryFolder('scan-wholes')
    const at = (path: string): string => join(folder.path, path)
    makeTree(folder.path, {
      tv: {
        'Dup/Season 1/Dup S01E01.mkv': 31,
        'Dup (2019)/Season 2/Dup S02E01.mkv': 32,
        'Flat/Flat S01E01.mkv': 33,
        'Flat (2019)/Season 1/Flat S01E02.mkv': 34,
      },
      manga: { 'Dup/v01.cbz': 35, 'Dup (2019)/v02.cbz': 36, 'Other/v01.cbz': 37 },
      games: { 'Dup/One/g.zip': 38, 'Dup (2019)/Two/g.zip': 39 },
    })
    const change = async (): Promise<void> => {
      renameSync(at(`${type}/${from}`), at(`${type}/${to}`))
      rmSync(at(`${type}/${from.slice(0, from.indexOf('/'))}`), { recursive: true })
    }
    expect(await scanKilled(database, at(type), { type, killAt, tagged, change })).toEqual([whole])
  },
)

test('the tags of a series of games that was taken apart are on no other one', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-wholes')
  const at = (path: string): string => join(folder.path, path)
  makeTree(folder.path, { Shelf: { 'One/g.zip': 61, 'Two/g.zip': 62, 'Three/g.zip': 63 }, 'Other/Four/g.zip': 64 })
  const change = async (): Promise<void> => {
    renameSync(at('Shelf/One'), at('One'))
    for (const name of ['Two', 'Three']) renameSync(at(`Shelf/${name}`), at(`Other/${name}`))
    rmSync(at('Shelf'), { recursive: true })
  }
  expect(await scanKilled(database, folder.path, { type: 'games', killAt: BATCHES, tagged: 'Shelf', change })).toEqual([])
})

test.each([
  { after: 'goes', kept: '' },
  { after: 'was put into another', kept: 'Dup (2020)' },
])(
  'the tags of a series that $after are on none that had its folder before, though a scan was cut off meanwhile',
  async ({ after, kept }) => {
    await using database = await testDatabase()
    await using folder = await temporaryFolder('scan-wholes')
    const { client, db, write } = database
    const at = (path: string): string => join(folder.path, path)
    makeTree(folder.path, { 'Dup/v01.cbz': 41, 'Dup/v02.cbz': 42, 'Dup (2020)/v20.cbz': 43 })
    const library = { id: 1, type: 'manga' as const, root: folder.path }
    await client.batch([
      { sql: `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Again', 'manga', ?)`, args: [folder.path] },
      `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Category', 'category')`,
      `INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Tag', 'tag')`,
    ])
    await scanInProcess(database, library)
    renameSync(at('Dup'), at('Dup (2019)'))
    await scanInProcess(database, library)
    makeTree(folder.path, { 'Dup/v11.cbz': 44 })
    await scanInProcess(database, library)
    await client.execute(`INSERT INTO item_tags (tag_id, item_id) SELECT 1, id FROM media_items WHERE path = 'Dup'`)
    await expect(scanInProcess({ db, write: stoppingAfter(write, 1) }, library)).rejects.toThrow(Stopped)
    makeTree(folder.path, { 'Dup (2019)/v01.cbz': 51, 'Dup (2019)/v02.cbz': 52 })
    if (after !== 'goes') renameSync(at('Dup/v11.cbz'), at('Dup (2020)/v11.cbz'))
    rmSync(at('Dup'), { recursive: true })
    await scanInProcess(database, library)
    const { rows } = await client.execute(
      'SELECT path FROM media_items JOIN item_tags ON item_id = media_items.id WHERE missing_since IS NULL',
    )
    expect(rows.map(({ path }) => path).join()).toBe(kept)
  },
)

test('of twenty thousand films of one size half are lost, and each is told from the others at once', async () => {
  await using database = await testDatabase()
  const { client, db } = database
  await client.batch([
    `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Large', 'movies', '/')`,
    `INSERT INTO media_items (item_key, library_id, item_type, path, title, sort_title, stored_main_file, size, files)
      SELECT 'movie:1:' || path, 1, 'movie', path, path, path, path || '/a.mkv', 1000, '[{"name":"a.mkv","size":1000}]'
      FROM (SELECT 'Film ' || (value / 2) || ' (2000)' || iif(value % 2, ' 4K', '') AS path FROM generate_series(0, 19999))`,
  ])
  const query = rowsOf(db)
  const losses = await query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items WHERE path LIKE '% 4K'`, [])
  const startedAt = performance.now()
  const wholes = await listWholes({ query, libraryId: 1 }, losses)
  expect(wholes).toEqual(losses.map(({ id, path }) => [id, `movie:1:${path.replace(' 4K', '')}`]))
  expect(performance.now() - startedAt).toBeLessThan(5000)
})
