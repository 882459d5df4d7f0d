import { expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { partialHash } from '../../src/media/content-hash.ts'
import { INDEX_COLUMNS, type IndexRow, rowsOf } from '../../src/services/scan-state.ts'
import { exchange } from '../../src/services/scan-twins.ts'
import { makeTree } from '../support/library-tree.ts'
import { scanInProcess } from '../support/scan-in-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

/** More than a scan asks whether it is to stop while a series of two levels takes its copy's place. */
const CHECKPOINTS = 8

class Stopped extends Error {}

test.each(Array.from({ length: CHECKPOINTS }, (_, place) => place))(
  'a series that takes the place of its copy does so in the next scan, where the scan was stopped at its checkpoint %d',
  async (stopAt) => {
    await using database = await testDatabase()
    await using folder = await temporaryFolder('scan-twins')
    const library = { id: 1, type: 'tv', root: folder.path } as const
    const { client } = database
    await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Series', 'tv', ?)`, args: [folder.path] })
    makeTree(folder.path, {
      Always: { 'Season 1': { 'Always S01E01.mkv': 10 } },
      Firefly: { 'Season 1': { 'Firefly S01E01.mkv': 21, 'Firefly S01E02.mkv': 22 }, 'Season 2': { 'Firefly S02E01.mkv': 23 } },
    })
    await scanInProcess(database, library)
    const read = await client.execute('SELECT id, main_file FROM media_items WHERE main_file IS NOT NULL')
    for (const { id, main_file: file } of read.rows) {
      const args = [await partialHash(join(folder.path, String(file))), Number(id)]
      await client.execute({ sql: 'UPDATE media_items SET content_hash = ? WHERE id = ?', args })
    }
    const list = async (where: string): Promise<[id: number, key: string][]> => {
      const { rows } = await client.execute(`SELECT id, item_key FROM media_items WHERE missing_since IS NULL AND ${where} ORDER BY id`)
      return rows.map((row) => [Number(row.id), String(row.item_key)])
    }
    const originals = await list(`path LIKE 'Firefly%'`)
    cpSync(join(folder.path, 'Firefly'), join(folder.path, 'Serenity'), { recursive: true })
    await scanInProcess(database, library)
    rmSync(join(folder.path, 'Firefly'), { recursive: true })
    let asked = 0
    const checkpoint = (): void => {
      if (asked++ === stopAt) throw new Stopped()
    }
    try {
      await scanInProcess(database, library, checkpoint)
      expect(asked).toBeLessThanOrEqual(stopAt)
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
    }
    await scanInProcess(database, library)
    expect(await list(`path NOT LIKE 'Always%'`)).toEqual(
      originals.map(([id, key]): [number, string] => [id, key.replace(':Firefly', ':Serenity')]),
    )
    const { rows: misplaced } =
      await client.execute(`SELECT item.item_key FROM media_items item LEFT JOIN media_items parent ON parent.id = item.parent_id
      WHERE item.missing_since IS NULL AND item.item_type <> 'tv_series' AND (parent.missing_since IS NOT NULL OR item.path NOT LIKE parent.path || '/%')`)
    expect(misplaced).toEqual([])
    const { rows: miscounted } = await client.execute(`SELECT item_key FROM media_items
      WHERE child_count <> (SELECT count(*) FROM media_items child WHERE child.parent_id = media_items.id AND child.missing_since IS NULL)`)
    expect(miscounted).toEqual([])
  },
)

test('an original that is forgotten while its copy is to have its place leaves the copy where it is', async () => {
  await using database = await testDatabase()
  await using folder = await temporaryFolder('scan-twins')
  const { client, db, write } = database
  await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Files', 'mixed', ?)`, args: [folder.path] })
  makeTree(folder.path, { 'a.txt': 10, 'b.txt': 10 })
  await scanInProcess(database, { id: 1, type: 'mixed', root: folder.path })
  await client.execute(`UPDATE media_items SET missing_since = 1 WHERE path = 'a.txt'`)
  const ask = rowsOf(db)
  const [lost, twin] = await ask<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items ORDER BY path`, [])
  if (!lost || !twin) throw new Error('There are no two files')
  let asked = 0
  const query: typeof ask = async <Row>(sql: string, args: (string | number)[]): Promise<Row[]> => {
    const rows = await ask<Row>(sql, args)
    // The last moment at which what was read is still so.
    asked++
    if (asked === 2) forgotten = write.batch(['DELETE FROM media_items WHERE missing_since IS NOT NULL'])
    return rows
  }
  let forgotten: Promise<unknown> = Promise.resolve()
  await exchange({ query, libraryId: 1, write }, [{ lost, twin }], { isLeftOut: () => false, checkpoint: () => undefined })
  await forgotten
  expect(asked).toBe(2)
  const { rows } = await client.execute('SELECT item_key FROM media_items WHERE missing_since IS NULL')
  expect(rows.map((row) => row[0])).toEqual([twin.itemKey])
})
