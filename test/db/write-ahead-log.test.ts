import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { InStatement } from '@libsql/client'
import Libsql from 'libsql'
import { createWriteAheadLog, KEPT_LOG_BYTES } from '../../src/db/write-ahead-log.ts'
import { createWriter } from '../../src/db/writer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openTestFile, type TestDatabase, testDatabase } from '../support/test-database.ts'
import { waitFor } from '../support/test-server.ts'

const MIB = 1024 ** 2
const LIMIT_MS = 20_000

const insert = (key: string, bytes: number): InStatement => ({ sql: 'INSERT INTO settings VALUES (?, ?)', args: [key, 'x'.repeat(bytes)] })
/** Batches as those of a scan, of a MiB each. */
const batches = (name: string, count: number): InStatement[][] => Array.from({ length: count }, (_, i) => [insert(`${name} ${i}`, MIB)])

const sizes = async ({ folder }: TestDatabase): Promise<{ file: number; log: number }> => {
  const [file, log] = await Promise.all(['', '-wal'].map(async (ending) => (await stat(`${folder}/vitrine.db${ending}`)).size))
  return { file: file ?? 0, log: log ?? 0 }
}

const untilWrittenBack = (database: TestDatabase, bytes: number): Promise<true> =>
  waitFor(
    async () => (await sizes(database)).file >= bytes || undefined,
    LIMIT_MS,
    () => 'The log was not written back',
  )

const rowsOf = async ({ client }: TestDatabase): Promise<unknown> => (await client.execute('SELECT count(*) FROM settings')).rows[0]?.[0]

describe('the write-ahead log', () => {
  test('no commit writes it back; soon after the rows of a scan it is, and the next write makes it small again', async () => {
    await using database = await testDatabase()
    const before = await sizes(database)
    await database.write.batches(batches('a', 20))
    await database.write.batch([insert('answered', 1)])
    expect(await sizes(database)).toMatchObject({ file: before.file })
    expect((await sizes(database)).log).toBeGreaterThan(20 * MIB)
    await untilWrittenBack(database, 20 * MIB)
    // The file is as large as it will be before the disk has all of it.
    let later = 0
    await waitFor(
      async () => {
        await database.write.batch([insert(`later ${later++}`, 1)])
        return (await sizes(database)).log <= KEPT_LOG_BYTES || undefined
      },
      LIMIT_MS,
      () => 'The log was not begun anew',
    )
    expect(await rowsOf(database)).toBe(21 + later)
  })

  test('it is written back whatever else is written meanwhile, as long as that is no scan', async () => {
    await using database = await testDatabase()
    await database.write.batches(batches('a', 20))
    let isOver = false
    const writing = (async () => {
      for (let count = 0; !isOver; count++) {
        await database.write.batch([insert(`b ${count}`, 1)])
        await Bun.sleep(5)
      }
    })()
    await untilWrittenBack(database, 20 * MIB)
    await waitFor(
      async () => (await sizes(database)).log <= KEPT_LOG_BYTES || undefined,
      LIMIT_MS,
      () => 'The log was never begun anew',
    )
    isOver = true
    await writing
  })

  test('a small one is left alone', async () => {
    await using database = await testDatabase()
    const before = await sizes(database)
    await database.write.batches(batches('a', 4))
    await Bun.sleep(700)
    expect(await sizes(database)).toMatchObject({ file: before.file })
  })

  test('a scan that makes a large one waits until it is written back, however much it writes', async () => {
    await using database = await testDatabase()
    const log = createWriteAheadLog(`${database.folder}/vitrine.db`, { large: 16 * MIB, largest: 32 * MIB })
    const write = createWriter({ ...database, log })
    let largest = 0
    for (let round = 0; round < 40; round++) {
      await write.batches(batches(`${round}`, 4))
      largest = Math.max(largest, (await sizes(database)).log)
    }
    expect(largest).toBeGreaterThan(16 * MIB)
    expect(largest).toBeLessThan(64 * MIB)
    expect(await rowsOf(database)).toBe(160)
    await log.close()
  })

  test('a reader that keeps it from being written back keeps nobody from writing', async () => {
    await using database = await testDatabase()
    const log = createWriteAheadLog(`${database.folder}/vitrine.db`, { large: 9 * MIB, largest: 10 * MIB })
    const write = createWriter({ ...database, log })
    const reader = await database.client.transaction('read')
    await reader.execute('SELECT count(*) FROM settings')
    for (let round = 0; round < 6; round++) await write.batches(batches(`${round}`, 4))
    expect((await reader.execute('SELECT count(*) FROM settings')).rows[0]?.[0]).toBe(0)
    reader.close()
    expect(await rowsOf(database)).toBe(24)
    await log.close()
  })

  test('a disk that is away ends nothing: it is for whoever writes to hear of', async () => {
    await using folder = await temporaryFolder('log')
    const place = join(folder.path, 'away')
    // As where a network drive answers with an error: not that nothing is there, but that nobody can say.
    await symlink(place, place)
    const log = createWriteAheadLog(join(place, 'vitrine.db'))
    log.grow()
    log.growMuch()
    expect(log.isFull()).toBe(false)
    // What was thrown later, in nobody's turn, would end the process.
    await Bun.sleep(700)
    await log.close()
  })

  test('what is closed meanwhile is complete without its log', async () => {
    await using folder = await temporaryFolder('log')
    const file = join(folder.path, 'vitrine.db')
    const handle = await openTestFile(file)
    await handle.client.execute('CREATE TABLE settings (key PRIMARY KEY, value)')
    await createWriter(handle).batches(batches('a', 20))
    await Bun.sleep(260)
    await handle.close()
    expect(existsSync(`${file}-wal`) && (await stat(`${file}-wal`)).size > 0).toBe(false)
    const other = new Libsql(file)
    expect(other.prepare('PRAGMA integrity_check').raw().all([])).toEqual([['ok']])
    expect(other.prepare('SELECT count(*) FROM settings').raw().all([])).toEqual([[20]])
    other.close()
  })
})
