import { describe, expect, test } from 'bun:test'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient, type Row } from '@libsql/client'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { MigrationError, migrate } from '../../src/db/migrate.ts'
import { MIGRATIONS_FOLDER, readMigrations } from '../../src/db/migration-files.ts'
import { ITEM_TYPES } from '../../src/domain/item-type.ts'
import { createLog } from '../../src/log.ts'
import { createLegacyDatabase, noLegacyRows, typicalLegacy } from '../support/legacy-database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openTestFile, silentLog } from '../support/test-database.ts'

/** Everything in the database but the times at which rows were made. */
const contentOf = async (client: Client): Promise<string> => {
  await client.reconnect() // after a start that failed, connections remember tables from before its first migrations
  const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
  // In one transaction, so that one connection alone has to read the schema anew: this is done some 1,500 times.
  const contents = await client.batch(
    rows.map(({ name }) => `SELECT * FROM ${name}`),
    'read',
  )
  const withoutTimes = (row: Row): string => JSON.stringify({ ...row, added_at: 0, updated_at: 0, created_at: 0 })
  const tables = contents.map((content, index) => [rows[index]?.name, content.rows.map(withoutTimes).toSorted()])
  return JSON.stringify(tables)
}

const legacyFile = async (folder: string, rows = typicalLegacy): Promise<string> => {
  const file = join(folder, 'vitrine.db')
  await createLegacyDatabase(file, rows)
  return file
}

/** A migration of ours, appended to the history in a folder of its own. */
const historyWith = async (folder: string, sql: string): Promise<string> => {
  const history = join(folder, 'drizzle')
  await cp(MIGRATIONS_FOLDER, history, { recursive: true })
  const journalFile = join(history, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(journalFile, 'utf8'))
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_ours' })
  await writeFile(journalFile, JSON.stringify(journal))
  await writeFile(join(history, '9999_ours.sql'), sql)
  return history
}

/** The history as it was when this migration was the newest. */
const historyUpTo = async (folder: string, tag: string): Promise<string> => {
  const history = join(folder, 'drizzle')
  await cp(MIGRATIONS_FOLDER, history, { recursive: true })
  const journalFile = join(history, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(journalFile, 'utf8'))
  const place = journal.entries.findIndex((entry: { tag: string }) => entry.tag === tag)
  await writeFile(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, place + 1) }))
  return history
}

describe('migrate', () => {
  test('says of a new database that it was made, and of an older one each migration', async () => {
    await using folder = await temporaryFolder('migrate')
    const told: string[] = []
    const log = createLog('info', (line) => told.push(JSON.parse(line).event))
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, log, await historyUpTo(folder.path, '0020_episode_plots'))
    expect(told.splice(0)).toEqual(['database_created'])
    await migrate(handle, log)
    const later = (await readMigrations(MIGRATIONS_FOLDER)).filter(({ tag }) => tag > '0020_episode_plots').map(() => 'migration')
    expect(told).toEqual(['database_backup', ...later])
    await handle.close()
  })

  test('the rule about the types of items is exchanged in its place, and each type is known as before', async () => {
    await using folder = await temporaryFolder('migrate')
    const file = join(folder.path, 'vitrine.db')
    const handle = await openTestFile(file)
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0046_left_later_times'))
    const insert = (type: string, path: string): string =>
      `INSERT INTO media_items (item_key, library_id, item_type, path, title) VALUES ('${type}:1:${path}', 1, '${type}', '${path}', '${path}')`
    await handle.client.batch([
      "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')",
      ...ITEM_TYPES.map((type) => insert(type, 'before')),
    ])
    const other = await openTestFile(file)
    const rest = "SELECT name, sql FROM sqlite_master WHERE name <> 'media_items' AND name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY name"
    const [before, { rows: items }] = [await handle.client.execute(rest), await handle.client.execute('SELECT * FROM media_items')]
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0047_item_types_one_by_one'))
    expect((await handle.client.execute(rest)).rows).toEqual(before.rows)
    expect((await handle.client.execute('SELECT * FROM media_items')).rows).toEqual(items)
    for (const { client } of [handle, other]) {
      const { rows } = await client.execute("SELECT sql FROM sqlite_master WHERE name = 'media_items'")
      expect(String(rows[0]?.sql)).toContain("CHECK(item_type = 'mixed_file' OR ")
      await expect(client.execute(insert('song', 'after'))).rejects.toMatchObject({ extendedCode: 'SQLITE_CONSTRAINT_CHECK' })
    }
    await handle.client.batch(ITEM_TYPES.map((type) => insert(type, 'after')))
    expect((await other.client.execute('PRAGMA integrity_check')).rows[0]?.[0]).toBe('ok')
    expect((await handle.client.execute('PRAGMA writable_schema')).rows[0]?.[0]).toBe(0)
    await other.close()
    await handle.close()
  })

  test('items that the background had still to look at are still found by it', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0049_ids_once'))
    const item = (name: string, kind: string, inspected: string | null, entry: string | null) => ({
      sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title, media_kind, inspected_version, entry)
        VALUES (?, 1, 'mixed_file', ?, ?, ?, ?, ?)`,
      args: [`mixed_file:1:${name}`, name, name, kind, inspected, entry],
    })
    await handle.client.batch([
      "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Pictures', 'mixed', '/pictures')",
      item('a', 'image', null, null),
      item('b', 'image', 'v', '{}'),
      item('c', 'video', 'v', null),
      item('d', 'video', null, '{}'),
    ])
    const { rows: items } = await handle.client.execute('SELECT * FROM media_items')
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0050_new_items_apart'))
    expect((await handle.client.execute('SELECT * FROM media_items')).rows.map((row) => ({ ...row }))).toEqual(
      items.map((row) => ({ ...row, is_new: 0 })),
    )
    const pathsIn = async (index: string, where: string): Promise<unknown[]> =>
      (await handle.client.execute(`SELECT path FROM media_items INDEXED BY media_items_${index} WHERE NOT is_new AND ${where}`)).rows.map(
        ({ path }) => path,
      )
    expect(await pathsIn('uninspected', 'inspected_version IS NULL AND missing_since IS NULL')).toEqual(['a', 'd'])
    expect(await pathsIn('unrendered', 'entry IS NULL')).toEqual(['a', 'c'])
    expect(await pathsIn('playable', "media_kind IN ('video', 'audio') AND missing_since IS NULL")).toEqual(['c', 'd'])
    expect((await handle.client.execute('SELECT new_after FROM libraries')).rows.map(({ new_after }) => new_after)).toEqual([null])
    await handle.close()
  })

  test('items are ordered by when they were made, also what had come to another library while it was new', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0050_new_items_apart'))
    const item = (name: string, { libraryId = 1, isNew = 0, taken = null, named = null }: Record<string, number | null>) => ({
      sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title, is_new, taken_at, named_at, modified_at)
        VALUES (?, ?, 'mixed_file', ?, ?, ?, ?, ?, 5)`,
      args: [`mixed_file:${libraryId}:${name}`, libraryId, name, name, isNew, taken, named],
    })
    await handle.client.batch([
      "INSERT INTO libraries (id, name, type, path, new_after) VALUES (1, 'Pictures', 'mixed', '/pictures', NULL), (2, 'New', 'mixed', '/new', 0)",
      item('plain', {}),
      item('named', { named: 3, isNew: 1 }),
      item('taken', { named: 3, taken: 7 }),
      item('still new', { libraryId: 2, isNew: 1 }),
    ])
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0051_by_taken'))
    const { rows } = await handle.client.execute(
      'SELECT path, dated_at FROM media_items INDEXED BY media_items_by_taken WHERE NOT is_new AND missing_since IS NULL ORDER BY library_id, dated_at',
    )
    expect(rows.map((row) => [row.path, row.dated_at])).toEqual([
      ['named', 3],
      ['plain', 5],
      ['taken', 7],
    ])
    await handle.close()
  })

  test('parts of names that are there already are found without their accents', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0051_by_taken'))
    const titles = ['Plain', 'Amélie', 'STRAẞE', '東京物語', 'Ёлка']
    await handle.client.batch([
      "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')",
      {
        sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title, search_title)
          SELECT 'movie:1:' || value, 1, 'movie', value, value, lower(value) FROM json_each(?)`,
        args: [JSON.stringify(titles)],
      },
      "UPDATE media_items SET search_title = 'straße' WHERE title = 'STRAẞE'",
      "INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Genre', 'genre')",
      "INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Komödie', 'komödie'), (2, 1, 'Drama', 'drama')",
      "INSERT INTO tag_mappings (source_key, source, tag_id) VALUES ('größe', 'Größe', 1), ('play', 'Play', 2)",
    ])
    await migrate(handle, silentLog)
    const texts = async (sql: string) => (await handle.client.execute(sql)).rows.map((row) => row[0])
    expect(await texts('SELECT search_title FROM media_items ORDER BY id')).toEqual(['plain', 'amelie', 'strasse', '東京物語', 'елка'])
    expect(await texts('SELECT search_name FROM tags ORDER BY id')).toEqual(['komodie', 'drama'])
    expect(await texts('SELECT search_source FROM tag_mappings ORDER BY source_key')).toEqual(['grosse', 'play'])
    await handle.close()
  })

  test('tags that are there already come in natural order', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0053_merged_tags'))
    await handle.client.batch([
      "INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Genre', 'genre')",
      `INSERT INTO tags (category_id, name, name_key, search_name) SELECT 1, value, lower(value), lower(value)
        FROM json_each('["Zoo", "Part 10", "Ärger", "Part 2"]')`,
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute('SELECT name FROM tags ORDER BY sort_name')
    expect(rows.map(({ name }) => name)).toEqual(['Ärger', 'Part 2', 'Part 10', 'Zoo'])
    await handle.close()
  })

  test('a database whose trigger made a second rename fail is mended', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0020_episode_plots'))
    const renamed = (title: string): string => `INSERT INTO media_items (item_key, library_id, item_type, path, title)
      VALUES ('movie:1:a', 1, 'movie', 'a', '${title}') ON CONFLICT (item_key) DO UPDATE SET title = excluded.title`
    await handle.client.batch([
      'DROP TRIGGER search_stale_update',
      `CREATE TRIGGER search_stale_update AFTER UPDATE OF title ON media_items WHEN new.title IS NOT old.title
        AND new.id <= (SELECT indexed_up_to FROM search_state) BEGIN INSERT OR IGNORE INTO search_stale (item_id) VALUES (new.id); END`,
      "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')",
      renamed('One'),
      'UPDATE search_state SET indexed_up_to = 1',
      renamed('Two'),
    ])
    await expect(handle.client.execute(renamed('Three'))).rejects.toThrow('UNIQUE')
    await migrate(handle, silentLog)
    await handle.client.execute(renamed('Three'))
    expect((await handle.client.execute('SELECT title FROM media_items')).rows[0]?.title).toBe('Three')
    await handle.close()
  })

  test('a series loses the length of its first episode, and a film with a poster gets its own', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0021_search_stale_once'))
    const item = (id: number, type: string, seconds: number | null): string => `INSERT INTO media_items
      (id, item_key, library_id, item_type, path, title, modified_at, duration_seconds) VALUES (${id}, '${type}:1:${id}', 1, '${type}', '${id}', '', 7, ${seconds})`
    const probe = (id: number, json: string | null, modifiedAt = 7): { sql: string; args: (string | number | null)[] } => ({
      sql: "INSERT INTO media_probes (item_id, file, version, item_modified_at, probe) VALUES (?, '', '1-1', ?, ?)",
      args: [id, modifiedAt, json],
    })
    await handle.client.batch([
      "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')",
      ...[item(1, 'tv_series', 60), item(2, 'tv_season', 60), item(3, 'tv_episode', 60)],
      ...[4, 5, 6, 7].map((id) => item(id, 'movie', null)),
      probe(3, '{"durationSeconds":60.02}'),
      probe(4, '{"durationSeconds":5400.5}'),
      probe(5, '{"durationSeconds":null}'),
      probe(6, null),
      probe(7, '{"durationSeconds":90}', 6),
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute('SELECT duration_seconds AS seconds FROM media_items ORDER BY id')
    expect(rows.map(({ seconds }) => seconds)).toEqual([null, null, 60, 5400.5, null, null, null])
    await handle.close()
  })

  test('entries of games and volumes that were kept are made anew, and no others', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0024_scanned_folders'))
    const types = ['game', 'game_series', 'manga_volume', 'manga_series', 'movie', 'mixed_file']
    const libraryOf = (type: string): number => ['game', 'manga', 'movie', 'mixed'].findIndex((start) => type.startsWith(start)) + 1
    await handle.client.batch([
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Games', 'games', '/1'), (2, 'Manga', 'manga', '/2'),
        (3, 'Films', 'movies', '/3'), (4, 'Pictures', 'mixed', '/4')`,
      ...types.map((type) => ({
        sql: "INSERT INTO media_items (item_key, library_id, item_type, path, title, entry) VALUES (?, ?, ?, '', '', '{')",
        args: [type, libraryOf(type), type],
      })),
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute('SELECT item_type AS type FROM media_items WHERE entry IS NULL ORDER BY id')
    expect(rows.map(({ type }) => type)).toEqual(['game', 'manga_volume'])
    await handle.close()
  })

  test('no title is lost that an NFO file may have given', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0034_series_found_first'))
    await handle.client.batch([
      "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')",
      `INSERT INTO media_items (item_key, library_id, item_type, path, title, nfo_refreshed_at) VALUES
        ('movie:1:a', 1, 'movie', 'a', 'a', NULL), ('movie:1:b', 1, 'movie', 'b', 'b', 5), ('movie:1:c', 1, 'movie', 'c', 'Given', 0)`,
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute('SELECT title_given + sort_title_given AS given FROM media_items ORDER BY id')
    expect(rows.map(({ given }) => given)).toEqual([0, 2, 2])
    await handle.close()
  })

  test('times that are no dates, which nothing could read, become dates', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0038_text_edited'))
    await handle.client.batch([
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')`,
      `INSERT INTO media_items (item_key, library_id, item_type, path, title, modified_at, nfo_modified_at) VALUES
        ('movie:1:a', 1, 'movie', 'a', 'a', 99999999999999000, NULL), ('movie:1:b', 1, 'movie', 'b', 'b', 5, -99999999999999000)`,
      `INSERT INTO media_probes (item_id, file, version, item_modified_at) VALUES (1, '', '', 99999999999999000)`,
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute(`SELECT modified_at AS modified, nfo_modified_at AS nfo, item_modified_at AS probed
      FROM media_items LEFT JOIN media_probes ON item_id = id ORDER BY id`)
    expect(rows.map(({ modified, nfo, probed }) => [modified, nfo, probed])).toEqual([
      [8.64e15, null, 8.64e15],
      [5, -8.64e15, null],
    ])
    await handle.close()
  })

  test('pictures that an older version could not make are tried again, and only those', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0030_parts_of_films'))
    const inspected = (key: string, error: string | null, hash: string | null) => ({
      sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title, main_file, thumbnail_version, inspected_version, inspect_error,
        content_hash, entry) VALUES (?, 1, 'manga_volume', '', '', ?, 'v', 'v', ?, ?, '{}')`,
      args: [key, key === 'series' ? null : 'a file', error, hash],
    })
    await handle.client.batch([
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Manga', 'manga', '/manga')`,
      inspected('made', null, 'hash'),
      inspected('not made', 'unsupported', 'hash'),
      inspected('not hashed', null, null),
      inspected('series', null, null),
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute(`SELECT item_key AS key, inspect_error AS error, entry IS NULL AS is_anew FROM media_items
      WHERE inspected_version IS NULL ORDER BY id`)
    expect(rows.map(({ key, error, is_anew }) => [key, error, is_anew])).toEqual([
      ['not made', null, 1],
      ['not hashed', null, 0],
    ])
    await handle.close()
  })

  test('drawings that were taken for too large ones are tried again, and no photographs', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0040_datable_times'))
    const inspected = (file: string, error: string) =>
      `('${file}', 1, 'mixed_file', '${file}', '', '${file}', 'v', 'v', '${error}', '{}', 'hash')`
    await handle.client.batch([
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Album', 'mixed', '/album')`,
      `INSERT INTO media_items (item_key, library_id, item_type, path, title, main_file, thumbnail_version, inspected_version, inspect_error, entry, content_hash)
        VALUES ${[inspected('A4.SVG', 'too_large'), inspected('broken.svg', 'broken'), inspected('huge.jpg', 'too_large')].join()}`,
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute(`SELECT path, inspect_error AS error, entry IS NULL AS is_anew FROM media_items
      WHERE inspected_version IS NULL ORDER BY id`)
    expect(rows.map(({ path, error, is_anew }) => [path, error, is_anew])).toEqual([['A4.SVG', null, 1]])
    await handle.close()
  })

  test('items whose file was not read after it had got another name are read, once, and no others', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0054_natural_names'))
    const inspected = (file: string | null, hash: string | null) => ({
      sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title, stored_main_file, thumbnail_version, inspected_version, content_hash)
        VALUES (?, 1, 'movie', '', '', ?, 'v', 'v', ?)`,
      args: [`${file} ${hash}`, file, hash],
    })
    await handle.client.batch([
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')`,
      inspected('Ran 1080p.mkv', null),
      inspected('Ran.mkv', 'hash'),
      inspected(null, null),
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute('SELECT main_file AS file FROM media_items WHERE inspected_version IS NULL')
    expect(rows.map(({ file }) => file)).toEqual(['Ran 1080p.mkv'])
    await handle.close()
  })

  test('what lay in a library before new items could be queued for AI is not new', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0030_parts_of_films'))
    const item = (library: number, addedAt: number): string =>
      `INSERT INTO media_items (item_key, library_id, item_type, path, title, added_at) VALUES ('${library} ${addedAt}', ${library}, 'movie', '', '', ${addedAt})`
    await handle.client.batch([
      `INSERT INTO libraries (id, name, type, path, ai_on_scan, ai_on_scan_since) VALUES (1, 'Asks', 'movies', '/1', '["tagging"]', 0),
        (2, 'Asks nothing', 'movies', '/2', '[]', 0), (3, 'Has asked', 'movies', '/3', '["tagging"]', 7), (4, 'Empty', 'movies', '/4', '["tagging"]', 0)`,
      ...[item(1, 5), item(1, 9), item(2, 9), item(3, 9)],
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute('SELECT ai_on_scan_since AS since FROM libraries ORDER BY id')
    expect(rows.map(({ since }) => since)).toEqual([9, 0, 7, 0])
    await handle.close()
  })

  test('pictures and videos of mixed libraries are looked at again for when they were taken, and nothing else', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0034_series_found_first'))
    const item = (library: number, type: string, kind: string | null) => ({
      sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title, thumbnail_kind, thumbnail_version, inspected_version, content_hash,
        thumbhash, entry) VALUES (?, ?, ?, '', '', ?, 'v', 'v', 'hash', 'thumbhash', '{}')`,
      args: [`${type} ${kind}`, library, type, kind],
    })
    await handle.client.batch([
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/1'), (2, 'Pictures', 'mixed', '/2')`,
      item(1, 'movie', 'image'),
      ...['image', 'video', 'pages', null].map((kind) => item(2, 'mixed_file', kind)),
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute(`SELECT item_key AS key, content_hash AS hash, thumbhash, entry FROM media_items
      WHERE inspected_version IS NULL AND taken_at IS NULL ORDER BY id`)
    const kept = { hash: 'hash', thumbhash: 'thumbhash', entry: '{}' }
    expect(rows.map(({ key, hash, thumbhash, entry }) => ({ key, hash, thumbhash, entry }))).toEqual(
      ['image', 'video'].map((kind) => ({ key: `mixed_file ${kind}`, ...kept })),
    )
    await handle.close()
  })

  test("texts that people have edited are still theirs, and emptied ones are nobody's", async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0037_added_by_date'))
    await handle.client.batch([
      "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Pictures', 'mixed', '/pictures')",
      `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, extracted_text, text_version) VALUES
        (1, 'mixed_file:1:read.png', 1, 'mixed_file', 'read.png', 'read.png', 'Read', 0),
        (2, 'mixed_file:1:typed.png', 1, 'mixed_file', 'typed.png', 'typed.png', 'Typed', 1),
        (3, 'mixed_file:1:emptied.png', 1, 'mixed_file', 'emptied.png', 'emptied.png', '', 2),
        (4, 'mixed_file:1:new.png', 1, 'mixed_file', 'new.png', 'new.png', NULL, 0)`,
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute('SELECT id FROM media_items WHERE text_edited')
    expect(rows.map(({ id }) => id)).toEqual([2])
    await handle.close()
  })

  test('what is left of a copy is told from what no scan has ever found', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0039_named_dates'))
    await handle.client.batch([
      "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '/films')",
      `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, missing_since, modified_at, content_hash) VALUES
        (1, 'movie:1:moved', 1, 'movie', 'moved', '', NULL, 5, 'hash'), (2, 'movie:1:left', 1, 'movie', 'left', '', 9, 0, NULL),
        (3, 'movie:1:never found', 1, 'movie', 'never found', '', 9, 0, NULL), (4, 'movie:1:its own', 1, 'movie', 'its own', '', 9, 0, NULL),
        (5, 'movie:1:read', 1, 'movie', 'read', '', 9, 0, 'hash')`,
      `INSERT INTO former_keys (item_key, item_id) VALUES ('movie:1:left', 1), ('movie:1:its own', 4), ('movie:1:read', 1)`,
    ])
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute('SELECT modified_at AS at FROM media_items ORDER BY id')
    expect(rows.map(({ at }) => at)).toEqual([5, -1, 0, 0, 0])
    await handle.close()
  })

  test('paths that were stored again and again are read as before, also by views and triggers that somebody made', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0047_item_types_one_by_one'))
    const item = (type: string, path: string, [file, main, thumbnail]: readonly (string | null)[]) => ({
      sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title, file_path, main_file, thumbnail_path, entry)
        VALUES (?1 || ':1:' || ?2, 1, ?1, ?2, '', ?3, ?4, ?5, '{}')`,
      args: [type, path, file ?? null, main ?? null, thumbnail ?? null],
    })
    const picture = '2001/Café 🎉.jpg'
    await handle.client.batch([
      "INSERT INTO libraries (id, name, type, path) VALUES (1, 'All', 'mixed', '/all')",
      item('mixed_file', picture, [picture, picture, picture]),
      item('mixed_file', 'notes.txt', ['notes.txt', 'notes.txt', null]),
      item('mixed_file', 'taken.jpg/#missing-3-5', ['taken.jpg', 'taken.jpg', 'taken.jpg']),
      item('mixed_file', 'of the oldest schema', [null, null, null]),
      item('movie', 'Film', [null, 'Film/Film.mkv', 'Film/poster.jpg']),
      item('movie', 'Film.mkv', [null, 'Film.mkv', 'Film.jpg']),
      item('manga_volume', 'Series/1.cbz', [null, 'Series/1.cbz', 'Series/1.cbz']),
      item('tv_season', 'Show/Season 1', [null, null, 'Show/season01-poster.jpg']),
      'CREATE VIEW own_files AS SELECT id, main_file, thumbnail_path AS "picture" FROM media_items WHERE file_path IS NOT NULL',
      'CREATE VIEW own_broken AS SELECT main_file FROM a_table_that_is_gone',
      'CREATE TABLE own_log (said text)',
      `CREATE TRIGGER own_trigger AFTER UPDATE OF thumbnail_version ON media_items
        BEGIN INSERT INTO own_log VALUES (new.main_file || ' ' || new.thumbnail_path || ' ' || new.file_path); END`,
    ])
    const rowsOf = async (sql: string): Promise<unknown[]> => (await handle.client.execute(sql)).rows.map((row) => ({ ...row }))
    const paths = (): Promise<unknown[]> =>
      rowsOf('SELECT id, path, file_path, main_file, thumbnail_path, entry FROM media_items ORDER BY id')
    const own = () => rowsOf(`SELECT name, sql FROM sqlite_master WHERE type <> 'table' ORDER BY name`)
    const files = (): Promise<unknown[]> => rowsOf('SELECT * FROM own_files WHERE id < 4 ORDER BY id')
    const before = [await paths(), await own(), await files()]
    await migrate(handle, silentLog, await historyUpTo(folder.path, '0048_stored_paths'))
    expect([await paths(), await own(), await files()]).toEqual(before)
    const stored = await rowsOf(
      'SELECT stored_file_path AS file, stored_main_file AS main, stored_thumbnail_path AS thumbnail FROM media_items',
    )
    expect(stored).toEqual([
      { file: '', main: '', thumbnail: '' },
      { file: '', main: '', thumbnail: null },
      { file: 'taken.jpg', main: 'taken.jpg', thumbnail: 'taken.jpg' },
      { file: null, main: null, thumbnail: null },
      { file: null, main: 'Film/Film.mkv', thumbnail: 'Film/poster.jpg' },
      { file: null, main: '', thumbnail: 'Film.jpg' },
      { file: null, main: '', thumbnail: '' },
      { file: null, main: null, thumbnail: 'Show/season01-poster.jpg' },
    ])
    await handle.client.execute("UPDATE media_items SET thumbnail_version = 'w' WHERE id = 1")
    expect(await rowsOf('SELECT said FROM own_log')).toEqual([{ said: `${picture} ${picture} ${picture}` }])
    expect(await rowsOf('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    await handle.close()
  })

  test('a database of a newer version is refused and left alone', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog, await historyWith(folder.path, 'CREATE TABLE later (x)'))
    await expect(migrate(handle, silentLog)).rejects.toThrow('newer version')
    await handle.close()
  })

  test.each([
    ['loses rows', 'DELETE FROM media_items WHERE id = 3', 'no_row_lost'],
    ['loses assignments', 'DELETE FROM item_tags WHERE tag_id = 1', 'no_row_lost'],
    ['breaks references', "UPDATE media_items SET parent_id = 12345 WHERE title = 'Doom'", 'no_broken_reference'],
    ['is no SQL', 'CREATE TABEL x (y)', 'syntax error'],
  ])('a migration that %s changes nothing, and the error names the backup', async (_what, sql, reason) => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(await legacyFile(folder.path))
    await migrate(handle, silentLog)
    const before = await contentOf(handle.client)
    const failed = migrate(handle, silentLog, await historyWith(folder.path, sql))
    await expect(failed).rejects.toBeInstanceOf(MigrationError)
    await expect(failed).rejects.toThrow(reason)
    await expect(failed).rejects.toThrow(`${folder.path}/vitrine.db.bak-${(await readMigrations(MIGRATIONS_FOLDER)).length}`)
    expect(await contentOf(handle.client)).toBe(before)
    await handle.close()
  })

  test('rows that a migration moves to the rejects are not lost', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(await legacyFile(folder.path))
    await migrate(handle, silentLog)
    const reject = `INSERT INTO migration_rejects (migration, source_table, reason, row) SELECT '9999_ours', 'ai_jobs', 'old', id FROM ai_jobs;
      --> statement-breakpoint
      DELETE FROM ai_jobs`
    await migrate(handle, silentLog, await historyWith(folder.path, reject))
    expect((await handle.client.execute('SELECT count(*) FROM ai_jobs')).rows[0]?.[0]).toBe(0)
    await handle.close()
  })

  test('every connection knows the new tables at once', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(await legacyFile(folder.path))
    const readAll = () => Promise.all(Array.from({ length: 4 }, () => handle.client.transaction('read')))
    const before = await readAll()
    for (const connection of before) await connection.execute('SELECT * FROM ai_jobs')
    for (const connection of before) connection.close()
    await migrate(handle, silentLog)
    const after = await readAll()
    for (const connection of after) expect((await connection.execute('SELECT * FROM ai_jobs')).columns).toContain('activity')
    for (const connection of after) connection.close()
    await handle.close()
  })

  test('a new database gets every table and no backup', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '\\_\\_%' ESCAPE '\\'")
    expect(rows.map(({ name }) => name)).toEqual(['__drizzle_migrations'])
    await handle.close()
    expect((await readdir(folder.path)).filter((name) => name.includes('bak'))).toEqual([])
  })

  test.each([
    ['empty', noLegacyRows],
    ['typical', typicalLegacy],
  ])('a second start on an old database (%s) changes nothing, in the file and beside it', async (_name, legacy) => {
    await using folder = await temporaryFolder('migrate')
    const file = await legacyFile(folder.path, legacy)
    const start = async (): Promise<Record<string, string>> => {
      const handle = await openTestFile(file)
      await migrate(handle, silentLog)
      await handle.close()
      // The log is empty, and goes with the last connection, whenever that is collected. The shared memory beside it is scratch.
      expect(
        await stat(`${file}-wal`).then(
          ({ size }) => size,
          () => 0,
        ),
      ).toBe(0)
      const names = (await readdir(folder.path)).filter((name) => !/-(?:shm|wal)$/.test(name)).toSorted()
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, Bun.hash(await readFile(join(folder.path, name))).toString()])),
      )
    }
    const first = await start()
    expect(Object.keys(first)).toEqual(['vitrine.db', 'vitrine.db.bak-0'])
    expect(await start()).toEqual(first)
  })

  test("an interrupted start finds its backup again, and another database's backup is never overwritten", async () => {
    await using folder = await temporaryFolder('migrate')
    const file = await legacyFile(folder.path)
    await writeFile(`${file}.bak-0`, 'of another database')
    const handle = await openTestFile(file)
    const broken = await historyWith(folder.path, 'SELECT 1')
    await writeFile(join(broken, '0000_first_schema.sql'), 'CREATE TABEL x (y)')
    for (let start = 0; start < 3; start++) await expect(migrate(handle, silentLog, broken)).rejects.toThrow(`${file}.bak-0-2`)
    await handle.close()
    const backups = (await readdir(folder.path)).filter((name) => name.includes('.bak'))
    expect(backups.toSorted()).toEqual(['vitrine.db.bak-0', 'vitrine.db.bak-0-2'])
    expect(await readFile(`${file}.bak-0`, 'utf8')).toBe('of another database')
  })

  test('without a copy of it a database is not migrated, and the error says so', async () => {
    await using folder = await temporaryFolder('migrate')
    const handle = await openTestFile(await legacyFile(folder.path))
    const before = await contentOf(handle.client)
    // In the way of the copy, as a full disk would be.
    await mkdir(join(folder.path, `vitrine.db.bak-new-${process.pid}.partial`))
    const failed = migrate(handle, silentLog)
    await expect(failed).rejects.toBeInstanceOf(MigrationError)
    await expect(failed).rejects.toThrow('No copy of the database could be made, without which it is not migrated: ')
    expect(await contentOf(handle.client)).toBe(before)
    await handle.close()
  })

  test('an item of a library that is gone, and one without a key, are among the rejects', async () => {
    await using folder = await temporaryFolder('migrate')
    const file = await legacyFile(folder.path, {
      ...noLegacyRows,
      media_items: [
        ['movie:9:Alien', 9, 'movie', 'Alien', 'Alien', null],
        [null, 9, 'movie', 'No key', 'No key', null],
      ],
    })
    const handle = await openTestFile(file)
    await migrate(handle, silentLog)
    const { rows } = await handle.client.execute("SELECT json_extract(row, '$.title') AS title, reason FROM migration_rejects ORDER BY id")
    expect(rows.map((row) => Array.from(row))).toEqual([
      ['Alien', 'orphaned'],
      ['No key', 'orphaned'],
    ])
    await handle.close()
  })
})

describe('a start that fails at any statement', () => {
  /** Lets the next migration fail at its `failing`-th statement, and the ones after it at their first. */
  const breakStatement = (handle: DatabaseHandle, failing: number): (() => number) => {
    const send = handle.client.migrate.bind(handle.client)
    let applied = 0
    handle.client.migrate = async (statements) => {
      const at = applied === 0 ? failing : 0
      if (at < statements.length) return send([...statements.slice(0, at), 'SELECT crash()', ...statements.slice(at)])
      const results = await send(statements)
      applied++
      return results
    }
    return () => {
      handle.client.migrate = send
      return applied
    }
  }

  test('leaves each migration done or not begun, and later starts bring the same database about', async () => {
    await using folder = await temporaryFolder('interrupted')
    const file = await legacyFile(folder.path)
    await writeFile(`${file}.reference`, await readFile(file))
    const reference = await openTestFile(`${file}.reference`)
    await migrate(reference, silentLog)

    const handle = { ...(await openTestFile(file)), file: null } // no backup at each of some 250 starts
    const total = (await readMigrations(MIGRATIONS_FOLDER)).length
    let done = 0
    let failing = 0
    let starts = 0
    const onlooker = createClient({ url: `file:${file}` })
    /** Another one after whatever somebody else has committed. */
    const version = async () => (await onlooker.execute('PRAGMA data_version')).rows[0]?.[0]
    let before = await version()
    while (done < total) {
      const mend = breakStatement(handle, failing)
      const failed = migrate(handle, silentLog)
      if (done + 1 < total || failing === 0) await expect(failed).rejects.toThrow('crash')
      else await failed.catch(() => undefined)
      const applied = mend()
      const after = await version()
      expect(after === before).toBe(applied === 0)
      before = after
      failing = applied === 0 ? failing + 1 : 1
      done += applied
      starts++
    }
    expect(starts).toBeGreaterThan(150)
    expect(await contentOf(handle.client)).toBe(await contentOf(reference.client))
    onlooker.close()
    await handle.close()
    await reference.close()
  }, 240_000)
})

describe('the history of migrations', () => {
  test('is strictly ordered in time: drizzle skips what is older than the newest applied', async () => {
    const times = (await readMigrations(MIGRATIONS_FOLDER)).map(({ when }) => when)
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
  })

  test('has every file in the journal, numbered without a gap', async () => {
    const tags = (await readMigrations(MIGRATIONS_FOLDER)).map(({ tag }) => tag)
    const files = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()
    expect(files).toEqual(tags.map((tag) => `${tag}.sql`))
    expect(tags.map((tag) => Number(tag.slice(0, 4)))).toEqual(tags.map((_, index) => index))
  })

  test('has one statement between two breakpoints: a second one would be dropped in silence', async () => {
    for (const { tag, statements } of await readMigrations(MIGRATIONS_FOLDER))
      for (const statement of statements) {
        const body = statement.replaceAll(/^\s*--.*$/gm, '').trim()
        const inside = /^CREATE TRIGGER/.test(body) ? body.replace(/BEGIN[\s\S]*END;?$/, '') : body.replace(/;$/, '')
        expect([tag, body, inside.includes(';')]).toEqual([tag, body, false])
      }
  })
})
