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
