import { describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { partialHash } from '../../src/media/content-hash.ts'
import { makeTree } from '../support/library-tree.ts'
import { scanInProcess } from '../support/scan-in-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

const put = {
  moved: renameSync,
  'moved into new folders': (from: string, to: string): void => {
    mkdirSync(to)
    for (const name of readdirSync(from)) renameSync(join(from, name), join(to, name))
    rmSync(from, { recursive: true })
  },
  copied: (from: string, to: string): void => {
    cpSync(from, to, { recursive: true })
    rmSync(from, { recursive: true })
  },
}

interface Case {
  how: keyof typeof put
  first: number
  /** What is tagged with its place. */
  tagged?: string
  /** Whether all series are copies of one. */
  isBackup?: boolean
}

/** What `places` say is done to series in two libraries; answers where the tags are seen then. */
const tagsAfter = async (
  places: Readonly<Record<string, string | null>>,
  { how, first, tagged = `item_type = 'manga_series'`, isBackup = false }: Case,
): Promise<Record<string, string>> => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-ousted')
  const { client } = database
  const at = (path: string): string => join(folder.path, path)
  const libraries = [1, 2].map((id) => ({ id, type: 'manga' as const, root: at(`${id}`) }))
  for (const { id, root } of libraries) {
    await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'manga', ?2)`, args: [id, root] })
    makeTree(root, { 'Always/v01.cbz': 10 + id })
  }
  for (const [index, place] of Object.keys(places).entries()) {
    const number = isBackup ? 0 : index
    makeTree(at(place), { 'v01.cbz': `${number}1`.padEnd(100 + number), 'v02.cbz': `${number}2`.padEnd(200 + number) })
    // A backup may have other times.
    for (const name of ['v01.cbz', 'v02.cbz']) utimesSync(at(`${place}/${name}`), 1e9 + index, 1e9 + index)
  }
  for (const library of libraries) await scanInProcess(database, library)
  const { rows: files } = await client.execute('SELECT id, library_id, main_file FROM media_items WHERE main_file IS NOT NULL')
  for (const { id, library_id, main_file } of files) {
    const hash = await partialHash(at(`${library_id}/${main_file}`))
    await client.execute({ sql: 'UPDATE media_items SET content_hash = ? WHERE id = ?', args: [hash, Number(id)] })
  }
  await client.batch([
    `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Category', 'category')`,
    `INSERT INTO tags (category_id, name, name_key) SELECT 1, library_id || '/' || path, id FROM media_items WHERE ${tagged}`,
    'INSERT INTO item_tags (tag_id, item_id) SELECT tags.id, media_items.id FROM tags JOIN media_items ON media_items.id = name_key',
  ])
  for (const [number, place] of Object.keys(places).entries()) renameSync(at(place), at(`${number}`.padStart(4, '0')))
  for (const [number, to] of Object.values(places).entries()) if (to !== null) put[how](at(`${number}`.padStart(4, '0')), at(to))
  for (let round = 0; round < 2; round++)
    for (const library of first === 1 ? libraries : libraries.toReversed()) await scanInProcess(database, library)
  const { rows } = await client.execute(
    `SELECT name, library_id || '/' || path AS place FROM media_items JOIN item_tags ON item_id = media_items.id JOIN tags ON tags.id = tag_id
      WHERE missing_since IS NULL AND path NOT LIKE 'Always%' ORDER BY name`,
  )
  return Object.fromEntries(rows.map(({ name, place }) => [String(name), String(place)]))
}

const hows = ['moved', 'moved into new folders', 'copied'] as const
const cases = hows.flatMap((how) => [1, 2].map((first) => ({ how, first })))

/** A series and its volumes, of which the other library has none tagged. */
const TAGGED = `library_id = 1 AND path LIKE 'Amber%'`
const OWN = { '1/Amber': '1/Amber', '1/Amber/v01.cbz': '1/Amber/v01.cbz', '1/Amber/v02.cbz': '1/Amber/v02.cbz' }

describe.each(cases)('of series $how, where library $first is scanned first,', (one) => {
  test('a newer version of one, from another library, has the tags of both', async () => {
    expect(await tagsAfter({ '1/Amber': null, '2/Amber': '1/Amber' }, one)).toEqual({ '1/Amber': '1/Amber', '2/Amber': '1/Amber' })
  })

  test.each([true, false])(
    'one on which nobody has put anything leaves the volumes what was on them: the same bytes %p',
    async (isBackup) => {
      expect(await tagsAfter({ '1/Amber': null, '2/Amber': '1/Amber' }, { ...one, tagged: TAGGED, isBackup })).toEqual(OWN)
    },
  )

  test('another one in the place of a deleted one is itself', async () => {
    expect(await tagsAfter({ '1/Amber': null, '2/Birch': '1/Amber' }, one)).toEqual({ '2/Birch': '1/Amber' })
  })

  test('two that changed places are in the places of each other', async () => {
    expect(await tagsAfter({ '1/Amber': '2/Birch', '2/Birch': '1/Amber' }, one)).toEqual({ '1/Amber': '2/Birch', '2/Birch': '1/Amber' })
  })

  test('one that came to the place of another one, which went to another library, has its tags, and so has that', async () => {
    expect(await tagsAfter({ '1/Birch': '2/Birch', '1/Amber': '1/Birch' }, one)).toEqual({ '1/Amber': '1/Birch', '1/Birch': '2/Birch' })
  })
})

test('a show that changed places with its backup keeps what was on it', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-ousted')
  const { client } = database
  const at = (path: string): string => join(folder.path, path)
  const libraries = [1, 2].map((id) => ({ id, type: 'tv' as const, root: at(`${id}`) }))
  for (const { id, root } of libraries) {
    await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'tv', ?2)`, args: [id, root] })
    makeTree(root, { 'Always/Season 1/S01E01.mkv': 10 + id, 'Amber/Season 1': { 'S01E01.mkv': 'one', 'S01E02.mkv': 'two' } })
    for (const name of ['S01E01.mkv', 'S01E02.mkv']) utimesSync(at(`${id}/Amber/Season 1/${name}`), 1e9 + id, 1e9 + id)
  }
  for (const library of libraries) await scanInProcess(database, library)
  const { rows: files } = await client.execute('SELECT id, library_id, main_file FROM media_items WHERE main_file IS NOT NULL')
  for (const { id, library_id, main_file } of files)
    await client.execute({
      sql: 'UPDATE media_items SET content_hash = ? WHERE id = ?',
      args: [await partialHash(at(`${library_id}/${main_file}`)), Number(id)],
    })
  await client.batch([
    `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Category', 'category')`,
    `INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Tag', 'tag')`,
    `INSERT INTO item_tags (tag_id, item_id) SELECT 1, id FROM media_items WHERE library_id = 1 AND path LIKE 'Amber%'`,
  ])
  renameSync(at('1'), at('0'))
  renameSync(at('2'), at('1'))
  renameSync(at('0'), at('2'))
  for (let round = 0; round < 2; round++) for (const library of libraries.toReversed()) await scanInProcess(database, library)
  const { rows } = await client.execute(
    'SELECT DISTINCT library_id AS id, missing_since AS since FROM media_items JOIN item_tags ON item_id = media_items.id',
  )
  expect(rows.map(({ id, since }) => [id, since])).toEqual([[1, null]])
})
