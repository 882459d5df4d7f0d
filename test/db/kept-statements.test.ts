import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Client, createClient } from '@libsql/client/sqlite3'
import Libsql from 'libsql'
import { keepStatements } from '../../src/db/kept-statements.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SELECT = 'SELECT name FROM people WHERE id = ?'

const open = async () => {
  const folder = await temporaryFolder('kept-statements')
  const file = join(folder.path, 'people.db')
  const connection = new Libsql(file)
  connection.exec('PRAGMA journal_mode=WAL')
  connection.exec('CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)')
  connection.exec("INSERT INTO people VALUES (1, 'Anna'), (2, 'Ben')")
  return { file, connection, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}

beforeAll(keepStatements)

describe('the statements of a connection', () => {
  test('are compiled once, for each connection', async () => {
    await using database = await open()
    const { connection, file } = database
    const select = connection.prepare(SELECT)
    expect(select.raw().all([1])).toEqual([['Anna']])
    expect(connection.prepare(SELECT)).toBe(select)
    expect(connection.prepare(SELECT).all([2])).toEqual([['Ben']])
    expect(new Libsql(file).prepare(SELECT)).not.toBe(select)
  })

  test.each([
    ['a PRAGMA', 'PRAGMA foreign_keys=off'],
    ['a change of the file', 'VACUUM'],
    ['a long text', `SELECT name FROM people WHERE id IN (${'1, '.repeat(3000)} 1)`],
  ])('%s is compiled each time', async (_, sql) => {
    await using database = await open()
    expect(database.connection.prepare(sql)).not.toBe(database.connection.prepare(sql))
  })

  test('what was used longest ago goes first', async () => {
    await using database = await open()
    const prepare = (place: number) => database.connection.prepare(`SELECT ${place}`)
    const [oldest, second] = [prepare(0), prepare(1)]
    expect(prepare(0)).toBe(oldest)
    for (let place = 2; place <= 128; place += 1) prepare(place)
    expect(prepare(0)).toBe(oldest)
    expect(prepare(1)).not.toBe(second)
  })

  test('one that fails is not used again, and the connection goes on', async () => {
    await using database = await open()
    const { connection } = database
    const sql = 'INSERT INTO people (name) VALUES (?)'
    const insert = connection.prepare(sql)
    expect(() => insert.run(['Anna'])).toThrow('UNIQUE constraint failed')
    expect(connection.prepare(sql)).not.toBe(insert)
    expect(connection.prepare(sql).run(['Carla']).changes).toBe(1)
  })

  test('of those that were given much the last eight are kept, and none that was given a megabyte', async () => {
    await using database = await open()
    const { connection } = database
    const other = (place: number) => connection.prepare(`SELECT ${place}, ?`)
    const select = connection.prepare(SELECT)
    select.all(['x'.repeat(20_000)])
    expect(connection.prepare(SELECT)).toBe(select)
    select.all(['x'.repeat(20_000)])
    for (let place = 0; place < 200; place += 1) other(place).all(['little'])
    expect(connection.prepare(SELECT)).toBe(select)
    for (const place of [1, 2, 3, 4, 5, 6, 7]) other(place).all(['x'.repeat(20_000)])
    expect(connection.prepare(SELECT)).toBe(select)
    for (const place of [1, 2, 3, 4, 5, 6, 7, 8]) other(place).all(['x'.repeat(20_000)])
    expect(connection.prepare(SELECT)).not.toBe(select)
    connection.prepare(SELECT).all(['x'.repeat(20_000)])
    const again = connection.prepare(SELECT)
    again.all(['x'.repeat(1_100_000)])
    expect(connection.prepare(SELECT)).not.toBe(again)
  })

  test('one without rows says so whenever it is asked for bare ones, and still writes', async () => {
    await using database = await open()
    const insert = database.connection.prepare('INSERT INTO people (name) VALUES (?)')
    for (const name of ['Carla', 'Dora']) {
      expect(() => insert.raw()).toThrow('returns no data')
      expect(insert.run([name]).changes).toBe(1)
    }
  })

  test('rows are bare, or not, as was said last', async () => {
    await using database = await open()
    const select = database.connection.prepare(SELECT)
    for (const isBare of [true, false, false, true, true]) {
      expect(select.raw(isBare)).toBe(select)
      expect(select.all([1])).toEqual([isBare ? ['Anna'] : { name: 'Anna' }])
    }
  })

  test('another number of values is refused, where the value of the last time would stand', async () => {
    await using database = await open()
    const { connection } = database
    connection.prepare('DELETE FROM people WHERE id = ?').run([1])
    expect(() => connection.prepare('DELETE FROM people WHERE id = ?').run([])).toThrow(TypeError)
    expect(connection.prepare('SELECT id FROM people').raw().all([])).toEqual([[2]])
  })

  test('values may be given one by one, or not at all', async () => {
    await using database = await open()
    const { connection } = database
    connection.prepare('BEGIN').run()
    expect(connection.prepare('INSERT INTO people VALUES (?, ?)').run(3, 'Carla').changes).toBe(1)
    connection.prepare('ROLLBACK').run()
    expect(connection.inTransaction).toBeFalse()
    expect(connection.prepare('SELECT id FROM people').raw().all()).toEqual([[1], [2]])
  })

  test('a batch that fails gives its lock back at once', async () => {
    await using database = await open()
    const client = createClient({ url: `file://${database.file}` })
    const insert = (name: string) => ({ sql: 'INSERT INTO people (name) VALUES (?)', args: [name] })
    await expect(client.batch([insert('Carla'), insert('Anna')], 'write')).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' })
    expect(database.connection.prepare('DELETE FROM people WHERE id = ?').run([1]).changes).toBe(1)
    expect((await client.execute('SELECT name FROM people')).rows.map(({ name }) => name)).toEqual(['Ben'])
    client.close()
  })

  test('one that has ended holds no snapshot: the whole log can be written back', async () => {
    await using database = await open()
    const { connection, file } = database
    connection.prepare(SELECT).all([1])
    connection.prepare('INSERT INTO people (name) VALUES (?)').run(['Carla'])
    expect(new Libsql(file).prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().all([])).toEqual([[0, 0, 0]])
  })

  test('many rows come whole while others of the same text are collected', async () => {
    await using database = await open()
    const sql = 'WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?) SELECT n FROM counted'
    const statement = database.connection.prepare(sql).raw()
    for (let round = 0; round < 20; round += 1) {
      statement.all([450])
      const rows = statement.iterate([450])
      const read: unknown[] = []
      for (const row of rows) {
        if (read.length === 150) Bun.gc(true)
        read.push(row)
      }
      expect(read).toEqual(Array.from({ length: 450 }, (_, place) => [place + 1]))
    }
  })

  test.each<[string, (client: Client, sql: string) => Promise<unknown>]>([
    ['a statement', (client, sql) => client.execute(sql)],
    ['one behind comments', (client, sql) => client.execute(`-- Where; people live.\n /* Since 2026. */ ${sql}`)],
    ['several at once', (client, sql) => client.executeMultiple(`SELECT 1; ${sql}`)],
  ])('a client sees the columns of the schema as it is, changed by %s', async (_, change) => {
    await using database = await open()
    const client = createClient({ url: `file://${database.file}` })
    const sql = 'SELECT * FROM people WHERE id = 1'
    expect({ ...(await client.execute(sql)).rows[0] }).toEqual({ id: 1, name: 'Anna' })
    await change(client, "ALTER TABLE people ADD COLUMN town TEXT DEFAULT 'Ulm'")
    expect({ ...(await client.execute(sql)).rows[0] }).toEqual({ id: 1, name: 'Anna', town: 'Ulm' })
    client.close()
  })
})
