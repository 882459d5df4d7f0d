import { expect, test } from 'bun:test'
import { loadKnownPrints } from '../../src/services/scan-prints.ts'
import { testDatabase } from '../support/test-database.ts'

const LIBRARY = 1
const ROWS = 25_000

test('what the library holds is always known, and few strangers pass', async () => {
  await using database = await testDatabase()
  await database.client.execute(
    `INSERT INTO libraries (id, name, type, path) VALUES (1, 'One', 'mixed', '/one'), (2, 'Two', 'mixed', '/two')`,
  )
  const print = (i: number) => ({ identity: -(2 ** 52) - i * 7919, size: 1 + i * 104_729 * 1000, modifiedAt: 1_700_000_000_000 + i * 977 })
  const rows = Array.from({ length: ROWS }, (_, i) => ({ ...print(i), hash: i % 2 ? 'hashed' : null }))
  await database.client.execute({
    sql: `INSERT INTO media_items (item_key, library_id, item_type, path, title, size, modified_at, identity, content_hash)
      SELECT 'mixed_file:1:' || key, iif(key < 100, 2, 1), 'mixed_file', key, key, value ->> 'size', value ->> 'modifiedAt', value ->> 'identity', value ->> 'hash' FROM json_each(?)`,
    args: [JSON.stringify(rows)],
  })
  const known = await loadKnownPrints(database.db, LIBRARY)
  expect(rows.slice(100).filter((row) => !known.mayKnowBytes(row) || !known.mayKnowInode(row))).toEqual([])
  const atAnotherTime = rows.slice(100).map((row) => ({ ...row, modifiedAt: row.modifiedAt + 1 }))
  expect(atAnotherTime.filter((row) => row.hash !== null && !known.mayKnowBytes(row))).toEqual([])
  const strangers = Array.from({ length: ROWS }, (_, i) => print(i + 10 * ROWS))
  expect(strangers.filter((row) => known.mayKnowBytes(row)).length).toBeLessThan(ROWS / 5)
  expect(strangers.filter((row) => known.mayKnowInode(row)).length).toBeLessThan(ROWS / 10)
  expect(known.mayKnowBytes({ identity: null, size: 0, modifiedAt: 1 })).toBe(false)
  expect(known.mayKnowBytes({ identity: null, size: null, modifiedAt: 1 })).toBe(false)
  expect(known.mayKnowInode({ identity: null, size: 1, modifiedAt: 1 })).toBe(false)
})

test('an empty library knows nothing', async () => {
  await using database = await testDatabase()
  const known = await loadKnownPrints(database.db, LIBRARY)
  expect(known.mayKnowBytes({ identity: 1, size: 1, modifiedAt: 1 })).toBe(false)
  expect(known.mayKnowInode({ identity: 1, size: 1, modifiedAt: 1 })).toBe(false)
})
