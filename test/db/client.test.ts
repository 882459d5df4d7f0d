import { describe, expect, test } from 'bun:test'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import Libsql from 'libsql'
import { databaseFile } from '../../src/db/client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openTestFile, testDatabase } from '../support/test-database.ts'

const CONNECTIONS = 4

describe('openDatabase', () => {
  test('a file that is no database is refused', async () => {
    await using folder = await temporaryFolder('client')
    const file = join(folder.path, 'vitrine.db')
    await writeFile(file, 'x'.repeat(4096))
    await expect(openTestFile(file)).rejects.toThrow('file is not a database')
  })

  test('the file and its log are readable by their owner alone, in a folder that is too', async () => {
    await using folder = await temporaryFolder('client')
    const handle = await openTestFile(join(folder.path, 'new/folder/vitrine.db'))
    await handle.client.execute('CREATE TABLE t (x)')
    for (const name of ['vitrine.db', 'vitrine.db-wal', 'vitrine.db-shm'])
      expect((await stat(join(folder.path, 'new/folder', name))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder.path, 'new/folder'))).mode & 0o777).toBe(0o700)
    await handle.close()
  })

  test('a file that others could read becomes private', async () => {
    await using folder = await temporaryFolder('client')
    const file = join(folder.path, 'vitrine.db')
    await writeFile(file, '', { mode: 0o644 })
    const handle = await openTestFile(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await handle.close()
  })

  test('a new file has pages of 8 KiB, and one that is there keeps its own', async () => {
    await using folder = await temporaryFolder('client')
    const older = new Libsql(join(folder.path, 'older.db'))
    older.exec('CREATE TABLE t (x)')
    older.close()
    for (const [name, bytes] of [
      ['new.db', 8192],
      ['older.db', 4096],
    ] as const) {
      const handle = await openTestFile(join(folder.path, name))
      expect([name, (await handle.client.execute('PRAGMA page_size')).rows[0]?.[0]]).toEqual([name, bytes])
      await handle.close()
    }
  })

  test('every connection enforces foreign keys, syncs each commit and remembers 4 MB, also after a reconnect', async () => {
    await using database = await testDatabase()
    for (const round of ['opened', 'reconnected']) {
      const borrowed = await Promise.all(Array.from({ length: CONNECTIONS }, () => database.client.transaction('read')))
      for (const connection of borrowed) {
        const pragmas = await connection.batch(['PRAGMA foreign_keys', 'PRAGMA synchronous', 'PRAGMA journal_mode', 'PRAGMA cache_size'])
        expect([round, ...pragmas.map(({ rows }) => rows[0]?.[0])]).toEqual([round, 1, 2, 'wal', -4000])
      }
      for (const connection of borrowed) connection.close()
      await database.client.reconnect()
    }
  })

  test('no connection writes the log back by itself, nor keeps one that has become large, also after a reconnect', async () => {
    await using database = await testDatabase()
    for (const client of [database.client, database.unsynced]) {
      for (const _ of ['opened', 'reconnected']) {
        const connection = await client.transaction('read')
        const pragmas = await connection.batch(['PRAGMA wal_autocheckpoint', 'PRAGMA journal_size_limit'])
        expect(pragmas.map(({ rows }) => rows[0]?.[0])).toEqual([32_768, 8_388_608])
        connection.close()
        await client.reconnect()
      }
    }
  })

  test('the connection that scans write by does not sync its commits, and is like the others otherwise', async () => {
    await using database = await testDatabase()
    const pragmas = ['PRAGMA foreign_keys', 'PRAGMA synchronous', 'PRAGMA journal_mode', 'PRAGMA cache_size'] as const
    const answers = await database.unsynced.batch([...pragmas], 'read')
    expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual([1, 1, 'wal', -4000])
  })

  test('a batch without a mode takes the write lock at once instead of failing half way', async () => {
    await using database = await testDatabase()
    const held = await database.client.transaction('write')
    await expect(database.db.batch([database.db.run(sql`SELECT 1`)])).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    held.close()
    await expect(database.db.batch([database.db.run(sql`SELECT 1`)])).resolves.toHaveLength(1)
  })

  test('a row that refers to nothing is refused', async () => {
    await using database = await testDatabase()
    const orphan = database.client.execute("INSERT INTO tags (category_id, name, name_key) VALUES (99, 'a', 'a')")
    await expect(orphan).rejects.toMatchObject({ extendedCode: 'SQLITE_CONSTRAINT_FOREIGNKEY' })
  })
})

describe('databaseFile', () => {
  test.each([
    ['http://host:8080', null],
    ['libsql://name.example', null],
    ['file:///data/vitrine.db', '/data/vitrine.db'],
    ['file:///my%20data/100%25/vitrine.db', '/my data/100%/vitrine.db'],
  ])('%s is the file %p', (url, file) => {
    expect(databaseFile(url)).toBe(file)
  })

  test('a data folder of any name can hold the database', async () => {
    await using folder = await temporaryFolder('client')
    const file = join(folder.path, '100% #1 ? ü', 'vitrine.db')
    const handle = await openTestFile(file)
    await handle.client.execute('CREATE TABLE t (x)')
    expect((await stat(file)).isFile()).toBe(true)
    await handle.close()
  })
})
