import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { carryTrash } from '../../src/db/carried-trash.ts'
import { copyFreshIndex } from '../support/fresh-index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a database that is damaged or knew no trash has nothing to tell, and any other fault is told', async () => {
  await using folder = await temporaryFolder('carried')
  const inFolder = (name: string): string => join(folder.path, name)
  const open = (name: string) => createClient({ url: pathToFileURL(inFolder(name)).href, concurrency: 1 })
  for (const name of ['now.db', 'old.db', 'then.db']) await copyFreshIndex(inFolder(name))
  await Bun.write(inFolder('damaged.db'), 'no database at all, whatever its name may say')
  const old = open('old.db')
  await old.batch(['DROP TABLE left_trash', 'ALTER TABLE deletions DROP COLUMN bytes'])
  old.close()
  const carry = async (from: string, to: string, before?: string): Promise<unknown> => {
    const client = open(to)
    try {
      if (before) await client.execute(before)
      return await carryTrash(client, inFolder(from)).catch((error: unknown) => String(error))
    } finally {
      client.close()
    }
  }
  for (const [from, to] of [
    ['damaged.db', 'then.db'],
    ['old.db', 'then.db'],
    ['now.db', 'old.db'],
    ['now.db', 'then.db'],
  ] as const)
    expect([from, to, await carry(from, to)]).toEqual([from, to, undefined])
  expect(await carry('now.db', 'then.db', 'CREATE TEMP TABLE held (mistaken INTEGER)')).toContain('already exists')
})

test('what was cut off in a library that the backup does not know is kept as the trash that it left', async () => {
  await using folder = await temporaryFolder('carried')
  const open = (name: string) => createClient({ url: pathToFileURL(join(folder.path, name)).href, concurrency: 1 })
  for (const name of ['now.db', 'then.db']) await copyFreshIndex(join(folder.path, name))
  const [now, then] = [open('now.db'), open('then.db')]
  const rows = [
    ['moving', '9999999999999'],
    ['restoring', '9999999999999'],
    ['moving', 'NULL'],
    ['trashed', '9999999999999'],
  ].map(
    ([state, until], index) =>
      `INSERT INTO deletions (library_id, item_key, item_type, title, unit, folder, holding, state, files, bytes, trash_until, created_by, at)
        VALUES (1, 'movie:1:${index}', 'movie', '${index}', '${index}', '${index}', '.vitrine-trash-${index}-0badcafe', '${state}', 1, 1, ${until}, 'admin', ${index})`,
  )
  await now.batch(["INSERT INTO libraries (id, name, type, path, created_at) VALUES (1, 'Films', 'movies', '/films', 0)", ...rows])
  now.close()
  await carryTrash(then, join(folder.path, 'now.db'))
  const { rows: left } = await then.execute('SELECT folder, state, trash_until FROM left_trash ORDER BY folder')
  then.close()
  const [trashed, removing] = [
    ['trashed', 9999999999999],
    ['removing', null],
  ]
  expect(left.map((row) => [row.state, row.trash_until])).toEqual([trashed, trashed, removing, trashed])
})

test('what lies where its library lay before stays with the library, or with the one that lies there', async () => {
  const library = (id: number, path: string): string =>
    `INSERT INTO libraries (id, name, type, path, created_at) VALUES (${id}, '${path}', 'movies', '${path}', 0)`
  const deletion = (holding: string, root: string): string =>
    `INSERT INTO deletions (library_id, item_key, item_type, title, unit, folder, holding, state, files, bytes, trash_until, created_by, at, root_path)
      VALUES (1, 'movie:1:Film', 'movie', 'Film', 'Film', 'Film', '${holding}', 'trashed', 1, 1, 9999999999999, 'admin', 1, ${root})`
  const moved = [deletion('before', "'/a'"), deletion('unknown', 'NULL')]
  /** `old`: the database of a version that did not know where things lie. */
  const carried = async (old?: 'now.db' | 'then.db') => {
    await using folder = await temporaryFolder('carried')
    const open = async (name: string, statements: string[]) => {
      await copyFreshIndex(join(folder.path, name))
      const client = createClient({ url: pathToFileURL(join(folder.path, name)).href, concurrency: 1 })
      await client.batch(statements)
      if (name === old) await client.execute('ALTER TABLE deletions DROP COLUMN root_path')
      return client
    }
    const now = await open('now.db', [library(1, '/b'), ...moved, deletion('of another', "'/d'")])
    now.close()
    const then = await open('then.db', [library(1, '/c'), library(2, '/d'), library(3, '/b'), ...moved])
    await carryTrash(then, join(folder.path, 'now.db'))
    const { rows } = await then.execute('SELECT * FROM deletions ORDER BY holding')
    then.close()
    return rows.map((row) => [row.holding, row.item_key, row.state, row.root_path])
  }
  const known = [
    ['before', 'movie:1:Film', 'trashed', '/a'],
    ['of another', 'movie:2:Film', 'moving', '/d'],
    ['unknown', 'movie:3:Film', 'moving', '/b'],
  ]
  expect(await carried()).toEqual(known)
  expect(await carried('then.db')).toEqual(known.map((row) => [...row.slice(0, 3), undefined]))
  expect(await carried('now.db')).toEqual([
    ['before', 'movie:3:Film', 'moving', '/b'],
    ['of another', 'movie:3:Film', 'trashed', '/b'],
    ['unknown', 'movie:3:Film', 'trashed', '/b'],
  ])
})

test('what was known of the clock is carried along, as far as both databases have a place for it', async () => {
  const day = 24 * 3_600_000
  const now = Date.now()
  const ahead = now + 1825 * day
  const library = (id: number): string =>
    `INSERT INTO libraries (id, name, type, path, created_at) VALUES (${id}, '${id}', 'movies', '/${id}', 0)`
  const deletion = (id: number, at: number, times: readonly number[] | null): string =>
    `INSERT INTO deletions (library_id, item_key, item_type, title, unit, folder, holding, state, files, bytes, trash_until, later_times, created_by, at)
      VALUES (${id}, '', 'movie', '', '', '${at}', '${id} ${times ? 'ahead' : 'plain'} ${(now - at) / day}', 'trashed', 1, 1,
        ${(times?.at(-1) ?? at) + 7 * day}, ${times ? `'${JSON.stringify(times)}'` : 'NULL'}, 'admin', ${at})`
  const rows = [1, 2].flatMap((id) => [
    deletion(id, now - day, [ahead]),
    deletion(id, now - 9 * day, [now - 8 * day, ahead]),
    deletion(id, now - 2 * day, null),
  ])
  const carried = async (old?: 'now.db' | 'then.db') => {
    await using folder = await temporaryFolder('carried')
    const open = async (name: string, statements: string[]) => {
      await copyFreshIndex(join(folder.path, name))
      const client = createClient({ url: pathToFileURL(join(folder.path, name)).href, concurrency: 1 })
      await client.batch(statements)
      if (name === old) await client.batch(['deletions', 'left_trash'].map((table) => `ALTER TABLE ${table} DROP COLUMN later_times`))
      return client
    }
    // The backup knows one of the two libraries.
    const present = await open('now.db', [library(1), library(2), ...rows])
    present.close()
    const then = await open('then.db', [library(1)])
    await carryTrash(then, join(folder.path, 'now.db'))
    const times = old === 'then.db' ? 'NULL' : 'later_times'
    const found = await then.execute(`SELECT holding, trash_until, ${times} AS times FROM deletions
      UNION ALL SELECT holding, trash_until, ${times} FROM left_trash ORDER BY holding`)
    then.close()
    return found.rows.map((row) => [row.holding, Math.round((Number(row.trash_until) - now) / day), row.times])
  }
  const expected = (times: string | null, known: number, over: number) =>
    [1, 2].flatMap((id) => [
      [`${id} ahead 1`, known, times],
      [`${id} ahead 9`, over, null],
      [`${id} plain 2`, 5, null],
    ])
  expect(await carried()).toEqual(expected(JSON.stringify([ahead]), 1832, 1))
  // Where there is no place for it, the time is what it comes to.
  expect(await carried('then.db')).toEqual(expected(null, 6, 1))
  expect(await carried('now.db')).toEqual(expected(null, 1832, 1832))
})
