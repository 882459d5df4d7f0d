import { describe, expect, test } from 'bun:test'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertSoundDatabase, snapshotDatabase, snapshotInOtherProcess } from '../../src/db/snapshot.ts'
import { openTestFile, type TestDatabase, testDatabase } from '../support/test-database.ts'

const FILL = { sql: "INSERT INTO settings VALUES ('a', ?)", args: ['x'.repeat(50_000)] }

const ways: [string, (database: TestDatabase, copy: string) => Promise<void>][] = [
  ['snapshotDatabase', ({ client }, copy) => snapshotDatabase(client, copy)],
  ['snapshotInOtherProcess', ({ file }, copy) => snapshotInOtherProcess(file ?? '', copy)],
]

describe.each(ways)('%s', (_name, snapshot) => {
  test('fails where the copy cannot be written, and leaves nothing there', async () => {
    await using database = await testDatabase()
    await expect(snapshot(database, join(database.folder, 'no/such/folder/copy.db'))).rejects.toThrow('ENOENT')
    expect((await readdir(database.folder)).filter((name) => name.includes('copy'))).toEqual([])
  })

  test('copies everything that is committed, also what is still in the log, and nothing of an open transaction', async () => {
    await using database = await testDatabase()
    await database.write.batch([FILL])
    const open = await database.client.transaction('write')
    await open.execute("INSERT INTO settings VALUES ('not yet', '1')")
    const copy = join(database.folder, 'copy.db')
    await snapshot(database, copy)
    await open.commit()
    const opened = await openTestFile(copy)
    expect((await opened.client.execute('SELECT key FROM settings')).rows.map(({ key }) => key)).toEqual(['a'])
    await opened.close()
  })

  test('the copy is private, one file, and replaces one of the same name', async () => {
    await using database = await testDatabase()
    const copy = join(database.folder, 'copy.db')
    await writeFile(copy, 'an older one', { mode: 0o644 })
    await snapshot(database, copy)
    expect((await stat(copy)).mode & 0o777).toBe(0o600)
    expect((await readdir(database.folder)).filter((name) => name.startsWith('copy'))).toEqual(['copy.db'])
    expect((await readFile(copy)).subarray(0, 15).toString()).toBe('SQLite format 3')
  })

  test('the server goes on writing to its database afterwards', async () => {
    await using database = await testDatabase()
    await snapshot(database, join(database.folder, 'copy.db'))
    await database.write.batch([FILL])
    const { rows } = await database.client.execute('PRAGMA integrity_check')
    expect(rows[0]?.[0]).toBe('ok')
  })
})

describe('assertSoundDatabase', () => {
  test.each([
    ['is cut short', (bytes: Buffer) => bytes.subarray(0, 20_000)],
    ['has a page overwritten', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(4096, 7), bytes.subarray(12_288)])],
    ['is something else', () => Buffer.from('a shopping list')],
  ])('a file that %s is refused', async (_what, damage) => {
    await using database = await testDatabase()
    const copy = join(database.folder, 'copy.db')
    await snapshotDatabase(database.client, copy)
    await writeFile(copy, damage(await readFile(copy)))
    await expect(assertSoundDatabase(copy)).rejects.toThrow()
  })
})
