import { expect, test } from 'bun:test'
import { type InArgs, LibsqlError } from '@libsql/client'
import { createThreadedConnection, type ThreadedConnection } from '../../src/db/threaded-connection.ts'
import { openTestFile, type TestDatabase, testDatabase } from '../support/test-database.ts'

const insert = (key: string) => ({ sql: "INSERT INTO settings (key, value) VALUES (?, '1') RETURNING key", args: [key] })
const count = async ({ client }: TestDatabase): Promise<unknown> => (await client.execute('SELECT count(*) FROM settings')).rows[0]?.[0]

const threadedOf = ({ threaded }: TestDatabase): ThreadedConnection => {
  if (!threaded) throw new Error('A database in a file has one.')
  return threaded
}

/** Why it failed. Not by `rejects`: Bun turns round while it waits for that, and libSQL's thread is not always heard meanwhile. */
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

/** Some hundred milliseconds of work for SQLite. */
const SLOW = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT sum(i) AS total FROM n'

test('a batch answers what its statements answered, in order, and everybody sees what it wrote', async () => {
  await using database = await testDatabase()
  const answers = await threadedOf(database).batch([
    insert('a'),
    "UPDATE settings SET value = '2'",
    { sql: 'SELECT key, value, ? AS none, ? AS number FROM settings', args: [null, 1.5] },
  ])
  expect(answers.map(({ rows }) => rows)).toEqual([[{ key: 'a' }], [], [{ key: 'a', value: '2', none: null, number: 1.5 }]])
  expect(await count(database)).toBe(1)
})

test('this thread goes on while a statement runs, and reads what was there before', async () => {
  await using database = await testDatabase()
  let isOver = false
  const batch = threadedOf(database)
    .batch([insert('a'), SLOW])
    .finally(() => {
      isOver = true
    })
  const seen: unknown[] = []
  while (!isOver) {
    seen.push(await count(database))
    await Bun.sleep(1)
  }
  expect((await batch)[1]?.rows).toEqual([{ total: 4_500_001_500_000 }])
  expect(seen.length).toBeGreaterThan(5)
  expect(seen.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
  expect(await count(database)).toBe(1)
})

test('a failed batch writes nothing, says why as the client does, and holds nobody up', async () => {
  await using database = await testDatabase()
  const threaded = threadedOf(database)
  const asks = (args: InArgs) => [insert('a'), { sql: 'SELECT ?', args }]
  for (const statements of [
    [insert('a'), insert('b'), insert('a')],
    [insert('a'), 'SELEC 1'],
    asks({ a: 1 }),
    asks([true]),
    asks([new Date()]),
  ]) {
    expect(await failureOf(threaded.batch(statements))).toBeInstanceOf(Error)
    expect(await count(database)).toBe(0)
    await database.client.batch([{ sql: "DELETE FROM settings WHERE key = 'x'", args: [] }], 'write')
  }
  const refused = await failureOf(threaded.batch([insert('a'), insert('a')]))
  expect(refused).toBeInstanceOf(LibsqlError)
  expect(refused).toMatchObject({ code: expect.stringMatching(/^SQLITE_CONSTRAINT/) })
  await threaded.batch([insert('a')])
  expect(await count(database)).toBe(1)
})

test('what belongs to nothing is refused, and each commit waits for the disk', async () => {
  await using database = await testDatabase()
  const threaded = threadedOf(database)
  const orphan = "INSERT INTO tags (name, name_key, category_id) VALUES ('a', 'a', 7)"
  expect(await failureOf(threaded.batch([orphan]))).toMatchObject({ message: expect.stringContaining('FOREIGN KEY constraint failed') })
  const [answer] = await threaded.batch(['PRAGMA synchronous'])
  expect(answer?.rows).toEqual([{ synchronous: 2 }])
})

test('while another process writes it is busy, and then it writes', async () => {
  await using database = await testDatabase()
  const threaded = threadedOf(database)
  const other = await openTestFile(`${database.folder}/vitrine.db`)
  const held = await other.client.transaction('write')
  expect(await failureOf(threaded.batch([insert('a')]))).toMatchObject({ code: 'SQLITE_BUSY' })
  await held.commit()
  await threaded.batch([insert('a')])
  expect(await count(database)).toBe(1)
  await other.close()
})

test('a value of megabytes is written, and the same statement takes a small one again', async () => {
  await using database = await testDatabase()
  const threaded = threadedOf(database)
  const write = (key: string, length: number) => ({
    sql: 'INSERT INTO settings (key, value) VALUES (?, ?)',
    args: [key, 'x'.repeat(length)],
  })
  await threaded.batch([write('a', 3_000_000), write('b', 3)])
  const { rows } = await database.client.execute('SELECT length(value) AS size FROM settings ORDER BY key')
  expect(rows.map(({ size }) => Number(size))).toEqual([3_000_000, 3])
})

test('a change of the schema is no matter to what was prepared before it', async () => {
  await using database = await testDatabase()
  const threaded = threadedOf(database)
  await threaded.batch([insert('a')])
  await database.client.execute('ALTER TABLE settings ADD COLUMN more TEXT')
  const all = 'SELECT * FROM settings'
  await threaded.batch([all])
  await database.client.execute('ALTER TABLE settings ADD COLUMN even_more TEXT')
  const [answer] = await threaded.batch([all])
  expect(answer?.rows).toEqual([{ key: 'a', value: '1', more: null, even_more: null }])
})

test('an error in the midst of its rows, and one at the commit, leave nothing behind', async () => {
  await using database = await testDatabase()
  const threaded = threadedOf(database)
  const bad = { sql: `SELECT json(value) FROM json_each('["1", "2", "no"]')`, args: [] }
  expect(await failureOf(threaded.batch([insert('a'), bad]))).toBeInstanceOf(LibsqlError)
  await database.client.batch([insert('b')], 'write')
  const late = ['PRAGMA defer_foreign_keys = ON', "INSERT INTO tags (name, name_key, category_id) VALUES ('a', 'a', 7)"]
  expect(await failureOf(threaded.batch([insert('c'), ...late]))).toMatchObject({
    message: expect.stringContaining('FOREIGN KEY constraint failed'),
  })
  await database.client.batch([insert('d')], 'write')
  const [answer] = await threaded.batch(['SELECT key FROM settings ORDER BY key'])
  expect(answer?.rows).toEqual([{ key: 'b' }, { key: 'd' }])
})

test('a statement that is given fewer values than the last time is refused: those of the last time would stand', async () => {
  await using database = await testDatabase()
  const threaded = threadedOf(database)
  const asks = (args: InArgs) => [{ sql: 'SELECT ? AS a, ? AS b', args }]
  await threaded.batch(asks([1, 2]))
  expect(await failureOf(threaded.batch(asks([7])))).toMatchObject({
    message: expect.stringContaining('A statement of 2 values was given 1.'),
  })
  const [answer] = await threaded.batch(asks([7, 8]))
  expect(answer?.rows).toEqual([{ a: 7, b: 8 }])
})

test('closing waits for the batch that is going on, which is all or nothing, and none comes after', async () => {
  await using database = await testDatabase()
  const own = createThreadedConnection(`${database.folder}/vitrine.db`)
  await own.batch([insert('a'), SLOW])
  const going = own.batch([insert('b'), SLOW, insert('c')])
  await Bun.sleep(20)
  await own.close()
  expect(await count(database)).toBe(3)
  await going
  expect(await failureOf(own.batch([insert('d')]))).toMatchObject({ message: expect.stringContaining('closed') })
  await own.close()
  expect(await count(database)).toBe(3)
})

test('one that was never used is closed', async () => {
  await using database = await testDatabase()
  const own = createThreadedConnection(`${database.folder}/vitrine.db`)
  await own.close()
  expect(await failureOf(own.batch([insert('a')]))).toMatchObject({ message: expect.stringContaining('closed') })
})
