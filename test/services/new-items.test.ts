import { expect, setDefaultTimeout, test } from 'bun:test'
import type { InStatement } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import { parseConfig } from '../../src/config.ts'
import { createWriter } from '../../src/db/writer.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { AppError } from '../../src/errors.ts'
import { createInspection } from '../../src/jobs/inspection.ts'
import { createMediaReader } from '../../src/jobs/media-reader.ts'
import { createSubtitleConverter } from '../../src/jobs/subtitle-converter.ts'
import { byDepth, toColumnBatch } from '../../src/scan/column-batch.ts'
import { browse } from '../../src/services/browse.ts'
import { keepEntries } from '../../src/services/browse-entries.ts'
import { ORDERS, type Order } from '../../src/services/browse-sort.ts'
import { settleNewItems } from '../../src/services/new-items.ts'
import { createScanApplier } from '../../src/services/scan-apply.ts'
import { createScanState, INDEX_COLUMNS, type IndexRow } from '../../src/services/scan-state.ts'
import { changePlaces } from '../../src/services/scan-statements.ts'
import { startTestApp } from '../support/test-app.ts'
import { silentLog, type TestDatabase, testDatabase } from '../support/test-database.ts'
import { waitFor } from '../support/test-server.ts'

const LIMIT_MS = 60_000
setDefaultTimeout(2 * LIMIT_MS)

/** More than are put in at a time. */
const ITEMS = 2500

const scanned = (path: string, size: number) => ({
  itemType: 'mixed_file' as const,
  path,
  parentPath: null,
  title: path,
  sortTitle: path,
  searchTitle: path,
  sortNumber: null,
  seasonNumber: null,
  episodeNumber: null,
  episodeNumberEnd: null,
  volumeNumber: null,
  chapterNumber: null,
  year: null,
  airedAt: null,
  mediaKind: 'video' as const,
  mimeType: 'video/mp4',
  size,
  modifiedAt: 1,
  namedAt: null,
  identity: null,
  files: [],
  artwork: [],
  thumbnail: null,
  mainFile: path,
  nfo: null,
  pageCount: null,
})

type Index = Pick<TestDatabase, 'client' | 'db' | 'write'>

const addLibrary = (database: Index, id: number): Promise<unknown> =>
  database.client.execute({
    sql: "INSERT INTO libraries (id, name, type, path) VALUES (?, ?, 'mixed', ?)",
    args: [id, `l${id}`, `/l${id}`],
  })

/** The applier of a scan of this library, and a batch of it; what is of another size cannot be what was there before. */
const beginScan = async (database: Index, libraryId: number) => {
  const { rows } = await database.client.execute({
    sql: "INSERT INTO scans (library_id, trigger, status, created_at) VALUES (?, 'manual', 'done', 0) RETURNING id",
    args: [libraryId],
  })
  const applier = await createScanApplier(database, { libraryId, scanId: Number(rows[0]?.id) })
  const apply = async (from: number, count: number): Promise<void> => {
    const items = Array.from({ length: count }, (_, place) => scanned(`${from + place}.mp4`, from + 1))
    const unit = { path: `unit ${from}`, items, signature: 's' }
    const groups = byDepth(items.map((item) => ({ unit: unit.path, item })))
    if (applier.isFirstScan) await applier.applyFirst([{ units: [unit], batches: groups.map((group) => toColumnBatch(libraryId, group)) }])
    else await applier.applyUnits([unit], [])
  }
  return { applier, apply }
}

const INDEXES = {
  uninspected: 'inspected_version IS NULL AND missing_since IS NULL',
  unrendered: 'entry IS NULL',
  playable: "media_kind IN ('video', 'audio') AND missing_since IS NULL",
  by_taken: 'missing_since IS NULL',
}

/** How many items are in each of the indexes, and whether any library says that there are new ones. */
const indexed = async ({ client }: TestDatabase): Promise<number[]> => {
  const counts = Object.entries(INDEXES).map(
    ([name, where]) => `(SELECT count(*) FROM media_items INDEXED BY media_items_${name} WHERE NOT is_new AND ${where})`,
  )
  const { rows } = await client.execute(`SELECT ${counts.join(', ')}, (SELECT count(new_after) FROM libraries)`)
  return [0, 1, 2, 3, 4].map((place) => Number(rows[0]?.[place]))
}

const settleAll = async (database: Index): Promise<number> => {
  for (let pieces = 0; ; pieces++) if (!(await settleNewItems(database))) return pieces
}

test('where there is nothing new nothing is written', async () => {
  await using database = await testDatabase()
  await addLibrary(database, 1)
  const write = { ...database.write, batches: () => Promise.reject(new Error('Written.')) }
  expect(await settleNewItems({ db: database.db, write })).toBe(false)
})

test('what a first scan writes is in none of the indexes until it is put in, piece by piece; what a later one adds is at once', async () => {
  await using database = await testDatabase()
  await addLibrary(database, 1)
  const first = await beginScan(database, 1)
  expect(first.applier.isFirstScan).toBe(true)
  await first.apply(0, ITEMS)
  expect(await indexed(database)).toEqual([0, 0, 0, 0, 1])
  expect(await settleNewItems(database)).toBe(true)
  expect(await indexed(database)).toEqual([500, 500, 500, 500, 1])
  await settleAll(database)
  expect(await indexed(database)).toEqual([ITEMS, ITEMS, ITEMS, ITEMS, 0])
  const later = await beginScan(database, 1)
  expect(later.applier.isFirstScan).toBe(false)
  await later.apply(ITEMS, 3)
  expect(await indexed(database)).toEqual([ITEMS + 3, ITEMS + 3, ITEMS + 3, ITEMS + 3, 0])
})

test('no item is left out where a scan is cut short, goes on meanwhile, or is one of two', async () => {
  await using database = await testDatabase()
  for (const id of [1, 2]) await addLibrary(database, id)
  const [one, two] = [await beginScan(database, 1), await beginScan(database, 2)]
  await one.apply(0, 10)
  await settleAll(database)
  await one.apply(10, 10)
  await two.apply(0, 10)
  await settleNewItems(database)
  await one.apply(20, 10)
  await two.apply(10, 10)
  // The scan of a library that is found half read is no first one.
  await (await beginScan(database, 2)).apply(20, 5)
  await settleAll(database)
  expect(await indexed(database)).toEqual([55, 55, 55, 55, 0])
})

test('a library that goes takes along that it had new items', async () => {
  await using database = await testDatabase()
  for (const id of [1, 2]) {
    await addLibrary(database, id)
    await (await beginScan(database, id)).apply(0, 5)
  }
  await database.client.execute('DELETE FROM libraries WHERE id = 1')
  await settleAll(database)
  expect(await indexed(database)).toEqual([5, 5, 5, 5, 0])
})

test('what has come to another library by then is new to neither, whichever goes', async () => {
  await using database = await testDatabase()
  const { client } = database
  await addLibrary(database, 1)
  await (await beginScan(database, 1)).apply(0, 5)
  await settleAll(database)
  await client.execute('UPDATE media_items SET missing_since = 1 WHERE library_id = 1')
  await addLibrary(database, 2)
  await (await beginScan(database, 2)).apply(0, 5)
  const { query } = await createScanState(database, { libraryId: 2, scanId: 1 })
  const rowsOf = (libraryId: number): Promise<IndexRow[]> =>
    query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items WHERE library_id = ? ORDER BY path`, [libraryId])
  const [lost, twins] = [await rowsOf(1), await rowsOf(2)]
  const pairs = lost.slice(0, 2).flatMap((each, place) => (twins[place] ? [{ lost: each, twin: twins[place] }] : []))
  await database.write.batch(changePlaces(pairs, 2))
  expect((await rowsOf(1)).map(({ id }) => id).toSorted()).toEqual([3, 4, 5, 6, 7])
  await client.execute('DELETE FROM libraries WHERE id = 2')
  await settleAll(database)
  expect((await client.execute('SELECT id FROM media_items WHERE is_new')).rows).toEqual([])
})

test('on a full disk they stay as they are, and whoever looks for work goes on; what else fails is told', async () => {
  await using database = await testDatabase()
  await addLibrary(database, 1)
  await (await beginScan(database, 1)).apply(0, 5)
  const failing = (error: Error) => ({ db: database.db, write: { ...database.write, batches: () => Promise.reject(error) } })
  expect(await settleNewItems(failing(new AppError('insufficient_storage')))).toBe(false)
  await expect(settleNewItems(failing(new AppError('unavailable')))).rejects.toThrow()
  expect(await indexed(database)).toEqual([0, 0, 0, 0, 1])
})

test('whoever looks for work finds what is new, and by an index: not one goes through the whole table', async () => {
  await using database = await testDatabase()
  const statements = new Set<string>()
  const execute = (statement: { sql: string } | string) => {
    statements.add(typeof statement === 'string' ? statement : statement.sql)
    return database.client.execute(statement)
  }
  const transaction = () => database.client.transaction('write')
  const client = Object.create(database.client, { execute: { value: execute }, transaction: { value: transaction } })
  const db = drizzle(client, { logger: { logQuery: (sql) => statements.add(sql) } })
  const write = createWriter({ ...database, db })
  const config = parseConfig(['--data', database.folder], { PATH: process.env.PATH, FFPROBE_PATH: '/bin/false' })
  const deps = { config, db, write, log: silentLog, subtitles: createSubtitleConverter({ log: silentLog }) }
  await addLibrary(database, 1)
  await (await beginScan(database, 1)).apply(0, ITEMS)

  const seen: number[] = []
  const inspection = createInspection(deps, {
    threads: 1,
    isElsewhere: () => false,
    isHeld: () => false,
    isLeftAlone: ({ id }) => seen.push(id) > 0,
    isMade: async () => false,
    make: async () => ({ ok: true }),
    hashesOf: async () => [],
    takenAt: async () => null,
    onStart: () => undefined,
  })
  inspection.wake()
  const reader = createMediaReader(deps, { isElsewhere: () => false })
  reader.wake()
  await waitFor(
    () => seen.length === ITEMS || undefined,
    LIMIT_MS,
    () => `${seen.length} of ${ITEMS} items were looked at`,
  )
  inspection.stop()
  await reader.stop()
  expect(await keepEntries(deps, 200)).toBe(200)

  const searched = new Set<string>()
  for (const sql of statements) {
    if (!sql.toLowerCase().startsWith('select') || !sql.includes('media_items')) continue
    const { rows } = await database.client.execute({
      sql: `EXPLAIN QUERY PLAN ${sql}`,
      args: Array(20)
        .fill(1)
        .slice(0, sql.split('?').length - 1),
    })
    for (const { detail } of rows) {
      expect(detail).not.toBe('SCAN media_items')
      const index = /media_items_(?<index>uninspected|unrendered|playable)/.exec(String(detail))?.groups?.index
      if (index !== undefined) searched.add(index)
    }
  }
  expect([...searched].toSorted()).toEqual(['playable', 'uninspected', 'unrendered'])
})

test('a list by when things were made has each of them all the while, and is read by the index once all are in it', async () => {
  await using app = await startTestApp()
  const { db, write } = app.deps
  const database = { client: db.$client, db, write }
  await addLibrary(database, 1)
  await (await beginScan(database, 1)).apply(0, ITEMS)
  const asked: InStatement[] = []
  const execute = (statement: InStatement) => {
    asked.push(statement)
    return db.$client.execute(statement)
  }
  const watched = Object.create(db, { $client: { value: Object.create(db.$client, { execute: { value: execute } }) } })
  const viewer: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }
  /** How many different items there are on all pages, and whether every page was read by the index alone. */
  const walk = async (order: Order): Promise<[items: number, isByIndex: boolean]> => {
    const seen = new Set<string>()
    asked.length = 0
    for (let cursor: string | undefined; ; ) {
      const query = { libraryId: 1, tags: [], excludeTags: [], sort: 'taken', order, seed: 0, limit: 400, cursor } as const
      const page = JSON.parse((await browse({ ...app.deps, db: watched }, viewer, query)).json.toString())
      for (const { itemKey } of page.entries) seen.add(itemKey)
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    const pages = asked.flatMap((statement) => (typeof statement !== 'string' && statement.sql.includes('dated_at') ? [statement] : []))
    const plans = await Promise.all(pages.map((page) => db.$client.execute({ ...page, sql: `EXPLAIN QUERY PLAN ${page.sql}` })))
    const isByIndex = plans.every(({ rows }) => {
      const plan = rows.map(({ detail }) => detail).join('\n')
      return plan.includes('media_items_by_taken') && !plan.includes('ORDER BY')
    })
    expect(plans.length).toBe(Math.ceil(ITEMS / 400))
    return [seen.size, isByIndex]
  }
  expect(await walk('desc')).toEqual([ITEMS, false])
  await settleNewItems(database)
  expect(await walk('asc')).toEqual([ITEMS, false])
  await settleAll(database)
  for (const order of ORDERS) expect(await walk(order)).toEqual([ITEMS, true])
})
