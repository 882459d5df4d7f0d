import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { isAway } from '../../src/db/busy.ts'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { settings } from '../../src/db/schema/settings.ts'
import { tags } from '../../src/db/schema/tags.ts'
import { createWriter } from '../../src/db/writer.ts'
import { errorMessage } from '../../src/domain/thrown-error.ts'
import { createLog } from '../../src/log.ts'
import { type HranaServer, startHranaServer } from '../support/hrana-server.ts'
import { createLegacyDatabase, typicalLegacy } from '../support/legacy-database.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { openTestFile, silentLog } from '../support/test-database.ts'

const TOKEN = 'a token'

describe('a database on a libSQL server', () => {
  let folder: TemporaryFolder
  let server: HranaServer
  let handle: DatabaseHandle
  const lines: string[] = []

  beforeAll(async () => {
    folder = await temporaryFolder('remote')
    await createLegacyDatabase(join(folder.path, 'remote.db'), typicalLegacy)
    server = await startHranaServer(join(folder.path, 'remote.db'), TOKEN)
    handle = await openDatabase({ databaseUrl: server.url, databaseAuthToken: TOKEN })
    await migrate(
      handle,
      createLog('info', (line) => lines.push(line)),
    )
  })

  afterAll(async () => {
    await handle.close()
    await server.stop()
    await folder.remove()
  })

  test('a wrong token is refused', async () => {
    const stranger = await openDatabase({ databaseUrl: server.url, databaseAuthToken: 'wrong' })
    await expect(stranger.client.execute('SELECT 1')).rejects.toThrow('401')
    await stranger.close()
  })

  test.each([
    [401, { message: 'The token has expired' }],
    [404, { error: 'The token has expired' }],
    [503, { error: 'The token has expired', code: 7 }],
  ])('what stands before it and refuses by %d with %j is heard', async (status, answer) => {
    using gateway = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json(answer, { status }) })
    const refused = await openDatabase({ databaseUrl: gateway.url.href, databaseAuthToken: null })
    const said = await refused.client.execute('SELECT 1').catch(errorMessage)
    expect(said).toEndWith(`Server returned HTTP status ${status}: The token has expired`)
    await refused.close()
  })

  test.each<[what: string, address: (server: URL) => string]>([
    ['speaks no TLS', ({ href }) => href.replace('http:', 'https:')],
    ['sends one round in circles', ({ href }) => href],
  ])('one that %s is away, as one that refuses', async (_, address) => {
    using circle = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: ({ url }) => Response.redirect(url, 307) })
    const away = await openDatabase({ databaseUrl: address(circle.url), databaseAuthToken: null })
    expect(await away.client.execute('SELECT 1').then(() => false, isAway)).toBe(true)
    await away.close()
  })

  test('one that falls silent in the midst of a request is away before long, and what waits then even sooner, until it answers again', async () => {
    let isSilent = false
    await using gateway = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async ({ method, url, headers, body }) => {
        if (isSilent) await Bun.sleep(4000)
        return fetch(`${server.url}${new URL(url).pathname}`, { method, headers, body })
      },
    })
    const silent = await openDatabase({ databaseUrl: gateway.url.href, databaseAuthToken: TOKEN })
    const write = createWriter(silent)
    await silent.client.execute('SELECT 1')
    silent.expectAnswers({ readMs: 300, requestMs: 1200, silentMs: 200 })
    isSilent = true
    const startedAt = performance.now()
    const refused = (asked: Promise<unknown>): Promise<number> =>
      asked.then(
        () => Number.NaN,
        (error: unknown) => (isAway(error) ? performance.now() - startedAt : Number.NaN),
      )
    const change = () => write.batch(['DELETE FROM settings WHERE false'])
    const [read = 0, first = 0, , , last = 0] = await Promise.all(
      [silent.client.execute('SELECT 1'), change(), change(), change(), change()].map(refused),
    )
    expect([read > 290, read < 1100, first > 1100, last - first < 1800]).toEqual([true, true, true, true])
    isSilent = false
    expect(await change()).toHaveLength(1)
    await silent.close()
  })

  test('migrations give the same rows there as in a file, and the log says that there is no backup', async () => {
    const file = join(folder.path, 'local.db')
    await createLegacyDatabase(file, typicalLegacy)
    const local = await openTestFile(file)
    await migrate(local, silentLog)
    for (const query of [
      'SELECT id, item_key, parent_id, sort_title, search_title, unit, data FROM media_items ORDER BY id',
      'SELECT * FROM tags ORDER BY id',
      'SELECT * FROM item_tags ORDER BY tag_id, item_id',
      'SELECT source_table, reason, row FROM migration_rejects ORDER BY id',
      // The rule about an item's type is written otherwise there (0047).
      `SELECT name, iif(name = 'media_items', substr(sql, 1, instr(sql, 'CHECK(')), sql) AS sql FROM sqlite_master
        WHERE name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY name`,
    ]) {
      const [here, there] = [await local.client.execute(query), await handle.client.execute(query)]
      expect(there.rows.map((row) => ({ ...row }))).toEqual(here.rows.map((row) => ({ ...row })))
    }
    expect(lines.some((line) => line.includes('database_backup_skipped'))).toBe(true)
    await local.close()
  })

  test('a type that no item has is refused there too', async () => {
    const insert = handle.client.execute(
      "INSERT INTO media_items (item_key, library_id, item_type, path, title) VALUES ('a', 1, 'song', 'a', 'a')",
    )
    await expect(insert).rejects.toThrow('CHECK constraint failed: media_items_item_type')
  })

  test('a second start of the server changes nothing', async () => {
    const before = await handle.client.execute('SELECT count(*) AS migrations FROM __drizzle_migrations')
    await migrate(handle, silentLog)
    const after = await handle.client.execute('SELECT count(*) AS migrations FROM __drizzle_migrations')
    expect(after.rows[0]?.migrations).toBe(before.rows[0]?.migrations)
  })

  test('a failed transaction writes nothing', async () => {
    const write = createWriter(handle)
    const failed = write.transaction(async (tx) => {
      await tx.insert(settings).values({ key: 'failed', value: '1' })
      await tx.insert(settings).values({ key: 'failed', value: '2' })
    })
    await expect(failed).rejects.toThrow()
    expect(await handle.db.select().from(settings).where(eq(settings.key, 'failed')).all()).toEqual([])
  })

  test('what has just been removed is told as in a file, also where the database says no more than that a rule was broken', async () => {
    const write = createWriter(handle)
    const told = { name: 'AppError', code: 'not_found' }
    const orphan = { sql: 'INSERT INTO tags (category_id, name, name_key) VALUES (-1, ?1, ?1)', args: ['orphan'] }
    await expect(write.batch([orphan])).rejects.toMatchObject(told)
    const values = { categoryId: -1, name: 'orphan', nameKey: 'orphan' }
    await expect(write.transaction((tx) => tx.insert(tags).values(values))).rejects.toMatchObject(told)
  })

  test('two server processes that write at once lose nothing, and reads go on meanwhile', async () => {
    const second = await openDatabase({ databaseUrl: server.url, databaseAuthToken: TOKEN })
    const writers = [createWriter(handle), createWriter(second)]
    await writers[0]?.batch([{ sql: "INSERT INTO settings VALUES ('counter', '0')", args: [] }])
    const increments = Array.from({ length: 16 }, (_, index) =>
      writers[index % 2]?.transaction(async (tx) => {
        const row = await tx.select().from(settings).where(eq(settings.key, 'counter')).get()
        await tx
          .update(settings)
          .set({ value: String(Number(row?.value) + 1) })
          .where(eq(settings.key, 'counter'))
      }),
    )
    const reads = Array.from({ length: 20 }, () => handle.db.select({ count: sql<number>`count(*)` }).from(settings).get())
    await Promise.all([...increments, ...reads])
    expect(await second.db.select().from(settings).where(eq(settings.key, 'counter')).get()).toEqual({ key: 'counter', value: '16' })
    await second.close()
  })

  test('the libsql form of the address leads to the same database', async () => {
    const libsql = await openDatabase({ databaseUrl: `${server.url.replace('http:', 'libsql:')}?tls=0`, databaseAuthToken: TOKEN })
    expect(libsql.file).toBeNull()
    expect((await libsql.client.execute('SELECT count(*) FROM libraries')).rows[0]?.[0]).toBe(2)
    await libsql.close()
  })

  test('two servers that start at once on an old database both come up, and it is migrated once', async () => {
    const file = join(folder.path, 'twice.db')
    await createLegacyDatabase(file, typicalLegacy)
    await using twice = await startHranaServer(file)
    const handles = await Promise.all([0, 1].map(() => openDatabase({ databaseUrl: twice.url, databaseAuthToken: null })))
    await Promise.all(handles.map((each) => migrate(each, silentLog)))
    const { rows } = await handle.client.execute('SELECT count(*) FROM __drizzle_migrations')
    const migrated = await handles[0]?.client.execute('SELECT count(*) FROM __drizzle_migrations')
    expect(migrated?.rows[0]?.[0]).toBe(rows[0]?.[0])
    for (const each of handles) await each.close()
  })
})
