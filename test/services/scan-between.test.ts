import { expect, test } from 'bun:test'
import { cpSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Writer } from '../../src/db/writer.ts'
import { INDEX_COLUMNS, type IndexRow, rowsOf } from '../../src/services/scan-state.ts'
import { exchange } from '../../src/services/scan-twins.ts'
import { file, makeTree } from '../support/library-tree.ts'
import { scanInProcess } from '../support/scan-in-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

/** More than either scan asks whether it is to stop. */
const CHECKPOINTS = 10

class Stopped extends Error {}

test.each(
  Array.from({ length: CHECKPOINTS }, (_, place) => place).flatMap((place) => [['first', place] as const, ['last', place] as const]),
)(
  'a series that has moved to another library, where that is scanned %s, is whole there after the next scans, though the second was stopped at its checkpoint %d',
  async (order, stopAt) => {
    await using database = await testDatabase()
    await using folder = await temporaryFolder('scan-between')
    const { client } = database
    const [old, entered] = (['old', 'new'] as const).map((name, place) => ({
      id: place + 1,
      type: 'tv' as const,
      root: join(folder.path, name),
    }))
    if (!old || !entered) throw new Error('There are two libraries')
    for (const { id, root } of [old, entered]) {
      await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'tv', ?2)`, args: [id, root] })
      makeTree(root, { Always: { 'Season 1': { 'Always S01E01.mkv': 10 + id } } })
    }
    makeTree(old.root, {
      Firefly: { 'Season 1': { 'Firefly S01E01.mkv': 21, 'Firefly S01E02.mkv': 22 }, 'Season 2': { 'Firefly S02E01.mkv': 23 } },
    })
    const list = async (where: string): Promise<[id: number, key: string][]> => {
      const { rows } = await client.execute(`SELECT id, item_key FROM media_items WHERE missing_since IS NULL AND ${where} ORDER BY id`)
      return rows.map((row) => [Number(row.id), String(row.item_key)])
    }
    await scanInProcess(database, entered)
    await scanInProcess(database, old)
    const originals = await list(`path LIKE 'Firefly%'`)
    renameSync(join(old.root, 'Firefly'), join(entered.root, 'Serenity'))
    const [first, second] = order === 'first' ? [entered, old] : [old, entered]
    await scanInProcess(database, first)
    let asked = 0
    const checkpoint = (): void => {
      if (asked++ === stopAt) throw new Stopped()
    }
    try {
      await scanInProcess(database, second, checkpoint)
      expect(asked).toBeLessThanOrEqual(stopAt)
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
    }
    await scanInProcess(database, second)
    await scanInProcess(database, first)
    expect(await list(`path NOT LIKE 'Always%'`)).toEqual(
      originals.map(([id, key]): [number, string] => [id, key.replace(':1:Firefly', ':2:Serenity')]),
    )
    const { rows: misplaced } =
      await client.execute(`SELECT item.item_key FROM media_items item LEFT JOIN media_items parent ON parent.id = item.parent_id
      WHERE item.missing_since IS NULL AND item.item_type <> 'tv_series' AND (parent.missing_since IS NOT NULL
        OR parent.library_id <> item.library_id OR item.path NOT LIKE parent.path || '/%')`)
    expect(misplaced).toEqual([])
    const { rows: miscounted } = await client.execute(`SELECT item_key FROM media_items
    WHERE child_count <> (SELECT count(*) FROM media_items child WHERE child.parent_id = media_items.id AND child.missing_since IS NULL)`)
    expect(miscounted).toEqual([])
  },
)

/** Writes so often, and then no more. */
const stoppingAfter = (write: Writer, batches: number): Writer => {
  let written = 0
  return { ...write, batch: (...given) => (written++ < batches ? write.batch(...given) : Promise.reject(new Stopped())) }
}
const unlessStopped = (error: unknown): void => {
  if (!(error instanceof Stopped)) throw error
}

test.each(Array.from({ length: CHECKPOINTS }, (_, place) => place))(
  'the tags of a film that has become a version of one in another library are on that, though its scan was killed after %d batches',
  async (killAt) => {
    await using database = await testDatabase()
    await using folder = await temporaryFolder('scan-version')
    const { client, db, write } = database
    const at = (path: string): string => join(folder.path, path)
    makeTree(folder.path, { '1/Alien (1979) 4K/a.mkv': 21, '1/Heat (1995)/h.mkv': 22, '2/Alien (1979)/Alien (1979).mkv': 23 })
    const libraries = [1, 2].map((id) => ({ id, type: 'movies' as const, root: at(`${id}`) }))
    for (const { id, root } of libraries)
      await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'movies', ?2)`, args: [id, root] })
    for (const library of libraries) await scanInProcess(database, library)
    await client.batch([
      `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Category', 'category')`,
      `INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Tag', 'tag')`,
      `INSERT INTO item_tags (tag_id, item_id) SELECT 1, id FROM media_items WHERE path = 'Alien (1979) 4K'`,
    ])
    renameSync(at('1/Alien (1979) 4K/a.mkv'), at('2/Alien (1979)/Alien (1979) - 4K.mkv'))
    rmSync(at('1/Alien (1979) 4K'), { recursive: true })
    for (const library of libraries)
      await scanInProcess({ db, write: library.id === 2 ? stoppingAfter(write, killAt) : write }, library).catch(unlessStopped)
    for (const library of libraries) await scanInProcess(database, library)
    const { rows } = await client.execute(
      'SELECT item_key FROM media_items JOIN item_tags ON item_id = media_items.id WHERE missing_since IS NULL',
    )
    expect(rows.map((row) => row.item_key)).toEqual(['movie:2:Alien (1979)'])
  },
)

test('what somebody takes off a film is not put on it again by each scan until all of the library is looked through', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-version')
  const { client } = database
  const at = (path: string): string => join(folder.path, path)
  makeTree(folder.path, { '1/Alien (1979) 4K/a.mkv': 21, '2/Alien (1979)/Alien (1979).mkv': 22 })
  const first = { id: 1, type: 'movies' as const, root: at('1') }
  const second = { ...first, id: 2, root: at('2') }
  for (const { id, root } of [first, second])
    await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'movies', ?2)`, args: [id, root] })
  for (const library of [first, second]) await scanInProcess(database, library)
  await client.batch([
    `INSERT INTO users (id, username, username_key, password_hash, role, permissions, created_at) VALUES (1, 'Ann', 'ann', '', 'user', '{}', 0)`,
    `INSERT INTO progress (user_id, item_id, completed, updated_at) SELECT 1, id, true, 0 FROM media_items WHERE library_id = 1`,
  ])
  renameSync(at('1/Alien (1979) 4K/a.mkv'), at('2/Alien (1979)/Alien (1979) - 4K.mkv'))
  rmSync(at('1/Alien (1979) 4K'), { recursive: true })
  for (const library of [first, second]) await scanInProcess(database, library)
  await client.execute(`UPDATE scans SET paths = '["Alien (1979)"]' WHERE id = (SELECT max(id) FROM scans)`)
  const unmark = async (): Promise<number> =>
    (await client.execute('DELETE FROM progress WHERE item_id IN (SELECT id FROM media_items WHERE library_id = 2)')).rowsAffected
  expect(await unmark()).toBe(1)
  await scanInProcess(database, second)
  expect(await unmark()).toBe(0)
})

test('a series that was copied to another disk keeps its tags, though most of what is in it now comes from another one', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-merged')
  const { client } = database
  const at = (path: string): string => join(folder.path, path)
  makeTree(folder.path, { '1/Amber/v11.cbz': 11, '1/Birch/v21.cbz': 21, '1/Birch/v22.cbz': 22, '2/Cedar/v31.cbz': 31 })
  const libraries = [1, 2].map((id) => ({ id, type: 'manga' as const, root: at(`${id}`) }))
  for (const { id, root } of libraries)
    await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'manga', ?2)`, args: [id, root] })
  for (const library of libraries) await scanInProcess(database, library)
  await client.batch([
    `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Category', 'category')`,
    `INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Tag', 'tag')`,
    `INSERT INTO item_tags (tag_id, item_id) SELECT 1, id FROM media_items WHERE path = 'Amber'`,
  ])
  cpSync(at('1/Amber'), at('Amber'), { recursive: true })
  rmSync(at('1/Amber'), { recursive: true })
  renameSync(at('Amber'), at('1/Amber'))
  for (const name of ['v21.cbz', 'v22.cbz']) renameSync(at(`1/Birch/${name}`), at(`1/Amber/${name}`))
  rmSync(at('1/Birch'), { recursive: true })
  for (const library of libraries) await scanInProcess(database, library)
  const { rows } = await client.execute(
    'SELECT item_key FROM media_items JOIN item_tags ON item_id = media_items.id WHERE missing_since IS NULL',
  )
  expect(rows.map((row) => row.item_key)).toEqual(['manga_series:1:Amber'])
})

test('what has moved to a library is found there at once, though a scan of that was held back before a newer one', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-overtaken')
  const { client } = database
  const libraries = [1, 2].map((id) => ({ id, type: 'manga' as const, root: join(folder.path, `${id}`) }))
  for (const { id, root } of libraries) {
    await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'manga', ?2)`, args: [id, root] })
    makeTree(root, { 'Always/v01.cbz': 10 + id })
  }
  makeTree(join(folder.path, '1'), { 'Amber/v01.cbz': 21, 'Amber/v02.cbz': 22 })
  for (const library of libraries) await scanInProcess(database, library)
  await client.batch([
    `INSERT INTO scans (id, library_id, trigger, status, created_at, started_at, finished_at) VALUES (9, 2, 'manual', 'held', 1, 1, 1)`,
    'INSERT INTO scan_losses (scan_id, item_id) SELECT 9, id FROM media_items WHERE library_id = 2',
  ])
  const [old, entered] = libraries
  if (!old || !entered) throw new Error('There are two libraries')
  await scanInProcess(database, entered)
  renameSync(join(old.root, 'Amber'), join(entered.root, 'Amber'))
  for (const library of [entered, old]) await scanInProcess(database, library)
  const { rows } = await client.execute(
    `SELECT item_key FROM media_items WHERE missing_since IS NULL AND path = 'Amber' AND id < (SELECT id FROM media_items WHERE item_key = 'manga_series:2:Always')`,
  )
  expect(rows.map(({ item_key }) => item_key)).toEqual(['manga_series:2:Amber'])
})

test.each([
  { where: 'in the only library', ids: [1] },
  { where: 'in one of two libraries', ids: [1, 2] },
])('series that were copied into the places of each other $where keep their tags', async ({ ids }) => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-swapped')
  const { client } = database
  const at = (path: string): string => join(folder.path, path)
  makeTree(folder.path, {
    '1/Amber/v11.cbz': 11,
    '1/Birch/v21.cbz': 21,
    '1/Birch/v22.cbz': 22,
    '1/Cedar/v31.cbz': 31,
    '2/Dune/v41.cbz': 41,
  })
  const libraries = ids.map((id) => ({ id, type: 'manga' as const, root: at(`${id}`) }))
  for (const { id, root } of libraries)
    await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'manga', ?2)`, args: [id, root] })
  for (const library of libraries) await scanInProcess(database, library)
  await client.batch([
    `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Category', 'category')`,
    `INSERT INTO tags (category_id, name, name_key) SELECT 1, path, path FROM media_items WHERE item_type = 'manga_series' AND library_id = 1`,
    `INSERT INTO item_tags (tag_id, item_id) SELECT tags.id, media_items.id FROM tags JOIN media_items ON path = name`,
  ])
  renameSync(at('1'), at('old'))
  for (const [from, to] of [
    ['Amber', 'Birch'],
    ['Birch', 'Cedar'],
    ['Cedar', 'Amber'],
  ])
    cpSync(at(`old/${from}`), at(`1/${to}`), { recursive: true, preserveTimestamps: true })
  for (const library of libraries) await scanInProcess(database, library)
  const { rows } = await client.execute(
    'SELECT name, path FROM media_items JOIN item_tags ON item_id = media_items.id JOIN tags ON tags.id = tag_id WHERE missing_since IS NULL ORDER BY name',
  )
  expect(rows.map(({ name, path }) => `${name} -> ${path}`)).toEqual(['Amber -> Birch', 'Birch -> Cedar', 'Cedar -> Amber'])
})

test.each([
  { places: ['1/Amber', '2/Cedar'], tagged: '' },
  { places: ['2/Cedar', '2/Cedar'], tagged: 'manga_series:2:Cedar' },
])('the tags of a series of which the volumes went to $places are on what has all of them', async ({ places, tagged }) => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-divided')
  const { client } = database
  const at = (path: string): string => join(folder.path, path)
  makeTree(folder.path, {
    '1/Amber/v11.cbz': 11,
    '1/Birch/v21.cbz': 21,
    '1/Birch/v22.cbz': 22,
    '2/Cedar/v31.cbz': 31,
    '2/Cedar/v32.cbz': 32,
  })
  const libraries = [1, 2].map((id) => ({ id, type: 'manga' as const, root: at(`${id}`) }))
  for (const { id, root } of libraries)
    await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'manga', ?2)`, args: [id, root] })
  for (const library of libraries) await scanInProcess(database, library)
  await client.batch([
    `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Category', 'category')`,
    `INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Tag', 'tag')`,
    `INSERT INTO item_tags (tag_id, item_id) SELECT 1, id FROM media_items WHERE path = 'Birch'`,
  ])
  for (const [index, place] of places.entries()) {
    mkdirSync(at(place), { recursive: true })
    renameSync(at(`1/Birch/v2${index + 1}.cbz`), at(`${place}/v2${index + 1}.cbz`))
  }
  rmSync(at('1/Birch'), { recursive: true })
  for (const library of libraries.toReversed()) await scanInProcess(database, library)
  const { rows } = await client.execute(
    'SELECT item_key FROM media_items JOIN item_tags ON item_id = media_items.id WHERE missing_since IS NULL',
  )
  expect(rows.map((row) => row.item_key).join()).toBe(tagged)
})

test('a library counts its entries rightly after the next scan, wherever one was killed', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-killed')
  const library = { id: 1, type: 'mixed' as const, root: folder.path }
  await database.client.execute({
    sql: `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Killed', 'mixed', ?)`,
    args: [folder.path],
  })
  makeTree(folder.path, { 'a0.bin': file({ content: 'moves', modified: 1000 }), 'stays.bin': 'stays' })
  await scanInProcess(database, library)
  for (let killAt = 0; killAt < CHECKPOINTS; killAt += 1) {
    renameSync(join(folder.path, `a${killAt}.bin`), join(folder.path, `a${killAt + 1}.bin`))
    // As large and as old as the one that moves: it waits for the end of the walk too.
    makeTree(folder.path, { [`n${killAt}.bin`]: file({ content: `new ${killAt}`, modified: 1000 }) })
    await scanInProcess({ db: database.db, write: stoppingAfter(database.write, killAt) }, library).catch(unlessStopped)
    await scanInProcess(database, library)
    const { rows } = await database.client.execute('SELECT item_count FROM libraries')
    expect({ killAt, count: rows[0]?.item_count }).toEqual({ killAt, count: killAt + 3 })
  }
})

test('a series counts its volumes rightly after the next scan, wherever the one that found it was killed', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-killed')
  const library = { id: 1, type: 'manga' as const, root: folder.path }
  await database.client.execute({
    sql: `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Killed', 'manga', ?)`,
    args: [folder.path],
  })
  makeTree(folder.path, { 'Always/Always v01.cbz': 1 })
  await scanInProcess(database, library)
  for (let killAt = 0; killAt < CHECKPOINTS; killAt += 1) {
    makeTree(folder.path, { [`Series ${killAt}/Volume 1.cbz`]: 10 + killAt })
    await scanInProcess({ db: database.db, write: stoppingAfter(database.write, killAt) }, library).catch(unlessStopped)
    await scanInProcess(database, library)
    const { rows } = await database.client.execute(`SELECT item_key FROM media_items WHERE item_type = 'manga_series' AND child_count <> 1`)
    expect({ killAt, rows: [...rows] }).toEqual({ killAt, rows: [] })
  }
})

test.each(['forgotten', 'moved'])('a copy keeps its place where the lost one has been %s meanwhile', async (what) => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-meanwhile')
  const { client, db, write } = database
  for (const id of [1, 2]) {
    const root = join(folder.path, `${id}`)
    await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'mixed', ?2)`, args: [id, root] })
    makeTree(root, { 'a.bin': 'the same' })
    await scanInProcess(database, { id, type: 'mixed', root })
  }
  const query = rowsOf(db)
  const [lost, twin] = await query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items ORDER BY id`, [])
  if (!lost || !twin) throw new Error('There are two items')
  await client.execute(
    what === 'moved' ? `UPDATE media_items SET item_key = 'mixed_file:1:b.bin' WHERE id = 1` : 'DELETE FROM media_items WHERE id = 1',
  )
  const search = { isLeftOut: () => false, checkpoint: () => undefined }
  expect(await exchange({ query, write, libraryId: 1 }, [{ lost, twin }], search)).toEqual([])
  const { rows } = await client.execute('SELECT item_key, missing_since FROM media_items WHERE id = 2')
  expect({ ...rows[0] }).toEqual({ item_key: 'mixed_file:2:a.bin', missing_since: null })
})

test('a series of which another scan has made the same exchange first keeps its seasons', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-same')
  const { client, db, write } = database
  for (const id of [1, 2]) {
    const root = join(folder.path, `${id}`)
    await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'tv', ?2)`, args: [id, root] })
    makeTree(root, { Firefly: { 'Season 1': { 'Firefly S01E01.mkv': 21 }, 'Season 2': { 'Firefly S02E01.mkv': 23 } } })
    await scanInProcess(database, { id, type: 'tv', root })
  }
  await client.execute('UPDATE media_items SET missing_since = 1 WHERE library_id = 1')
  const query = rowsOf(db)
  const list = (libraryId: number) =>
    query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items WHERE library_id = ? ORDER BY path`, [libraryId])
  const twins = new Map((await list(2)).map((twin) => [twin.path, twin]))
  const pairs = (await list(1)).flatMap((lost) => [twins.get(lost.path) ?? []].flat().map((twin) => ({ lost, twin })))
  const search = { isLeftOut: () => false, checkpoint: () => undefined }
  let faster: unknown[] | undefined
  const overtaken: Writer = {
    ...write,
    batch: async (...given) => {
      faster ??= await exchange({ query, write, libraryId: 2 }, pairs, search)
      return write.batch(...given)
    },
  }
  expect(await exchange({ query, write: overtaken, libraryId: 2 }, pairs, search)).toEqual([])
  expect(faster).toHaveLength(pairs.length)
  const { rows } = await client.execute(`SELECT item.item_key, parent.item_key AS parent_key FROM media_items item
    JOIN media_items parent ON parent.id = item.parent_id WHERE item.item_type = 'tv_season' ORDER BY item.item_key`)
  expect(rows.map((row) => [row.item_key, row.parent_key])).toEqual(
    [1, 2].flatMap((id) => [1, 2].map((number) => [`tv_season:${id}:Firefly/Season ${number}`, `tv_series:${id}:Firefly`])),
  )
})

test.each([1, 2])(
  'what two scans at once find lives on in one place, whole, where that of library %d is the slower one',
  async (slower) => {
    await using database = await testDatabase()
    await using folder = await temporaryFolder('scan-at-once')
    const { client, db, write } = database
    const libraries = [1, 2].map((id) => ({ id, type: 'mixed' as const, root: join(folder.path, `${id}`) }))
    for (const { id, root } of libraries) {
      await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'mixed', ?2)`, args: [id, root] })
      makeTree(root, { 'stays.bin': `stays in ${id}` })
    }
    makeTree(folder.path, { '1/a.bin': 'goes' })
    for (const library of libraries) await scanInProcess(database, library)
    renameSync(join(folder.path, '1/a.bin'), join(folder.path, 'away.bin'))
    for (const library of libraries) await scanInProcess(database, library)
    for (const place of ['1/b.bin', '2/b.bin']) linkSync(join(folder.path, 'away.bin'), join(folder.path, place))
    const [first, last] = libraries.toSorted(({ id }) => (id === slower ? -1 : 1))
    if (!first || !last) throw new Error('There are two libraries')
    let isOvertaken = false
    const overtaken: Writer = {
      ...write,
      batch: async (...given) => {
        if (!isOvertaken && JSON.stringify(given).includes('/#moving-')) {
          isOvertaken = true
          await scanInProcess(database, last)
        }
        return write.batch(...given)
      },
    }
    await scanInProcess({ db, write: overtaken }, first)
    expect(isOvertaken).toBe(true)
    for (const library of libraries) await scanInProcess(database, library)
    const listKeys = async (where: string): Promise<string[]> =>
      (await client.execute(`SELECT item_key FROM media_items WHERE ${where} ORDER BY item_key`)).rows.map((row) => String(row.item_key))
    const places = [1, 2].flatMap((id) => [`mixed_file:${id}:b.bin`, `mixed_file:${id}:stays.bin`])
    expect(await listKeys('missing_since IS NULL')).toEqual(places)
    expect(await listKeys(`item_key <> 'mixed_file:' || library_id || ':' || path`)).toEqual([])
  },
)
