import { describe, expect, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LibsqlError } from '@libsql/client'
import { eq, sql } from 'drizzle-orm'
import { settings } from '../../src/db/schema/settings.ts'
import { createWriter, type WritePriority } from '../../src/db/writer.ts'
import { AppError } from '../../src/errors.ts'
import { openTestFile, type TestDatabase, testDatabase } from '../support/test-database.ts'

const insert = (key: string) => ({ sql: "INSERT INTO settings (key, value) VALUES (?, '1')", args: [key] })
const count = async ({ client }: TestDatabase): Promise<unknown> => (await client.execute('SELECT count(*) FROM settings')).rows[0]?.[0]

describe('createWriter', () => {
  test('a failed transaction writes nothing, and fails its caller with its own reason', async () => {
    await using database = await testDatabase()
    const failed = database.write.transaction(async (tx) => {
      await tx.insert(settings).values({ key: 'a', value: '1' })
      throw new AppError('conflict')
    })
    await expect(failed).rejects.toMatchObject({ code: 'conflict' })
    await database.write.idle()
    expect(await count(database)).toBe(0)
  })

  test('a failed batch writes nothing', async () => {
    await using database = await testDatabase()
    await expect(database.write.batch([insert('a'), insert('b'), insert('a')])).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' })
    await database.write.idle()
    expect(await count(database)).toBe(0)
  })

  test('a failed one of several batches takes those with it that no commit stands behind, and the next write happens', async () => {
    await using database = await testDatabase()
    await expect(database.write.batches([[insert('a')], [insert('b'), insert('a')]])).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' })
    await database.write.batch([insert('c')])
    expect(await count(database)).toBe(1)
  })

  test('several batches are one transaction, between which everybody else has a turn', async () => {
    await using database = await testDatabase()
    let isWritten = false
    const written = database.write.batches([...'abcdef'].map((key) => [insert(key)])).finally(() => {
      isWritten = true
    })
    const counts: unknown[] = []
    while (!isWritten) {
      counts.push(await count(database))
      await nextTurn()
    }
    await written
    expect(counts.length).toBeGreaterThan(3)
    expect(counts.filter((seen) => seen !== 0 && seen !== 6)).toEqual([])
    expect(await count(database)).toBe(6)
  })

  test('several batches do not wait for the disk, and everything else does', async () => {
    await using database = await testDatabase()
    const [unsynced, synced] = [database.unsynced, database.client].map((client) => spyOn(client, 'transaction'))
    await database.write.batches([[insert('a')], [insert('b')]])
    expect([unsynced?.mock.calls.length, synced?.mock.calls.length]).toEqual([1, 0])
    await database.write.transaction((tx) => tx.insert(settings).values({ key: 'c', value: '1' }))
    expect([unsynced?.mock.calls.length, synced?.mock.calls.length]).toEqual([1, 1])
    expect(await count(database)).toBe(3)
  })

  test('an interactive write goes before the rest of several batches', async () => {
    await using database = await testDatabase()
    const written = database.write.batches([...'abcdef'].map((key) => [insert(key)]))
    const seen = await database.write.transaction((tx) => tx.select().from(settings).all())
    expect(seen.map(({ key }) => key)).toEqual(['a'])
    await written
    expect(await count(database)).toBe(6)
  })

  test('a batch on a thread waits for its turn as any other, and is all or nothing', async () => {
    await using database = await testDatabase()
    const outcomes = await Promise.allSettled([
      database.write.batch([insert('a')]),
      database.write.batchOnThread([insert('b'), insert('a')]),
      database.write.batchOnThread([insert('b'), { sql: 'SELECT count(*) AS seen FROM settings', args: [] }]),
      database.write.transaction((tx) => tx.insert(settings).values({ key: 'c', value: '1' })),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(outcomes[2]).toMatchObject({ value: [{ rows: [] }, { rows: [{ seen: 2 }] }] })
    expect(await count(database)).toBe(3)
  })

  test('a failure stays with its caller: the writes around it happen', async () => {
    await using database = await testDatabase()
    const outcomes = await Promise.allSettled([
      database.write.batch([insert('a')]),
      database.write.batch([insert('a')]),
      database.write.transaction(async () => Promise.reject(new Error('mine'))),
      database.write.batch([insert('b')]),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(await count(database)).toBe(2)
  })

  test('a full disk is the error insufficient_storage, and the next write that fits succeeds', async () => {
    await using database = await testDatabase()
    const connections = await Promise.all(Array.from({ length: 4 }, () => database.client.transaction('read')))
    for (const connection of connections) {
      const { rows } = await connection.execute('PRAGMA page_count')
      await connection.execute(`PRAGMA max_page_count = ${Number(rows[0]?.[0]) + 2}`)
    }
    for (const connection of connections) connection.close()
    const tooMuch = 'x'.repeat(100_000)
    const viaTransaction = database.write.transaction((tx) => tx.insert(settings).values({ key: 'a', value: tooMuch }))
    await expect(viaTransaction).rejects.toMatchObject({ name: 'AppError', code: 'insufficient_storage' })
    const viaBatch = database.write.batch([{ sql: "INSERT INTO settings VALUES ('b', ?)", args: [tooMuch] }])
    await expect(viaBatch).rejects.toMatchObject({ name: 'AppError', code: 'insufficient_storage' })
    await database.write.batch([insert('c')])
    expect(await count(database)).toBe(1)
  })

  test('a transaction answers what its work answers, and sees its own writes', async () => {
    await using database = await testDatabase()
    const value = await database.write.transaction(async (tx) => {
      await tx.insert(settings).values({ key: 'a', value: '7' })
      return tx.select().from(settings).where(eq(settings.key, 'a')).get()
    })
    expect(value).toEqual({ key: 'a', value: '7' })
  })

  test('250 mixed writes at once all land, once each, with reads between them', async () => {
    await using database = await testDatabase()
    await database.write.batch([{ sql: "INSERT INTO settings VALUES ('counter', '0')", args: [] }])
    const increment = (index: number) =>
      database.write.transaction(async (tx) => {
        const row = await tx.select().from(settings).where(eq(settings.key, 'counter')).get()
        await Promise.resolve()
        await tx
          .update(settings)
          .set({ value: String(Number(row?.value) + 1) })
          .where(eq(settings.key, 'counter'))
        await tx.insert(settings).values({ key: `t${index}`, value: '1' })
      })
    const writes = Array.from({ length: 250 }, (_, index) => {
      const priority: WritePriority = index % 5 === 0 ? 'background' : 'interactive'
      return index % 2 === 0 ? increment(index) : database.write.batch([insert(`b${index}`), insert(`c${index}`)], priority)
    })
    const reads = Array.from({ length: 250 }, () => database.db.select({ count: sql<number>`count(*)` }).from(settings).get())
    await Promise.all([...writes, ...reads])
    expect(await count(database)).toBe(1 + 125 + 250)
    expect(await database.db.select().from(settings).where(eq(settings.key, 'counter')).get()).toEqual({ key: 'counter', value: '125' })
  })

  test('whatever else the process has to do gets its turn after each write', async () => {
    await using database = await testDatabase()
    let turns = 0
    let isOver = false
    const takeTurns = (): void => {
      turns++
      if (!isOver) setImmediate(takeTurns)
    }
    const turnsAtWrite: number[] = []
    const writes = Array.from({ length: 50 }, (_, index) =>
      database.write.batch([insert(`k${index}`)]).then(() => {
        turnsAtWrite.push(turns)
      }),
    )
    takeTurns()
    await Promise.all(writes)
    isOver = true
    expect(new Set(turnsAtWrite).size).toBe(50)
  })

  test('background writes wait while an interactive one is queued, and each kind keeps its order', async () => {
    await using database = await testDatabase()
    const order: string[] = []
    const write = (name: string, priority: WritePriority) =>
      database.write.batch([insert(name)], priority).then(() => {
        order.push(name)
      })
    const first = write('first', 'background')
    const queued = [write('b1', 'background'), write('i1', 'interactive'), write('b2', 'background'), write('i2', 'interactive')]
    await Promise.all([first, ...queued])
    expect(order).toEqual(['first', 'i1', 'i2', 'b1', 'b2'])
  })

  test('a write waits for another process that holds the database, without freezing this one', async () => {
    await using database = await testDatabase()
    const other = await openTestFile(`${database.folder}/vitrine.db`)
    const held = await other.client.transaction('write')
    await held.execute("INSERT INTO settings VALUES ('theirs', '1')")
    let last = performance.now()
    let longestGapMs = 0
    const timer = setInterval(() => {
      longestGapMs = Math.max(longestGapMs, performance.now() - last)
      last = performance.now()
    }, 10)
    const ours = database.write.batch([insert('ours')])
    const onThread = database.write.batchOnThread([insert('on a thread')])
    await Bun.sleep(3000)
    // One wait on the lock is 250 ms; a process that waited for as long as the lock is held would be still for all of the time.
    expect(longestGapMs).toBeLessThan(2000)
    await held.commit()
    await Promise.all([ours, onThread])
    clearInterval(timer)
    expect(await count(database)).toBe(3)
    await other.close()
  })

  test('what the server of a database has ended for others is done again, and told of where it goes on so', async () => {
    await using database = await testDatabase()
    const ended = new LibsqlError('Transaction timed out', 'TRANSACTION_TIMEOUT')
    using batch = spyOn(database.client, 'batch').mockRejectedValueOnce(ended).mockRejectedValueOnce(ended)
    await database.write.batch([insert('a')])
    expect(await count(database)).toBe(1)
    using _sleep = spyOn(Bun, 'sleep').mockResolvedValue(undefined)
    batch.mockRejectedValue(ended)
    await expect(database.write.batch([insert('b')])).rejects.toMatchObject({ name: 'AppError', code: 'unavailable' })
  })

  test('idle waits for everything queued, and for what is queued meanwhile', async () => {
    await using database = await testDatabase()
    let done = 0
    const write = (name: string) =>
      database.write.batch([insert(name)]).then(() => {
        done++
      })
    const pending = [write('a').then(() => write('b')), write('c')]
    await database.write.idle()
    expect(done).toBeGreaterThanOrEqual(2)
    await Promise.all(pending)
    await database.write.idle()
    expect(done).toBe(3)
  })

  test('a second writer on the same database never loses an update', async () => {
    await using database = await testDatabase()
    const other = await openTestFile(`${database.folder}/vitrine.db`)
    const otherWrite = createWriter(other)
    await database.write.batch([{ sql: "INSERT INTO settings VALUES ('counter', '0')", args: [] }])
    const add = { sql: "UPDATE settings SET value = value + 1 WHERE key = 'counter'", args: [] }
    await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? database.write : otherWrite).batch([add])))
    expect(await database.db.select().from(settings).get()).toEqual({ key: 'counter', value: '40' })
    await other.close()
  })
})
