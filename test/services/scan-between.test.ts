import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { makeTree } from '../support/library-tree.ts'
import { scanInProcess } from '../support/scan-in-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

/** More than either scan asks whether it is to stop. */
const CHECKPOINTS = 10

class Stopped extends Error {}

test.each(
  Array.from({ length: CHECKPOINTS }, (_, place) => place).flatMap((place) => [['first', place] as const, ['last', place] as const]),
)(
  'a series that has moved to another library, where that is scanned %s, is whole there after the next scans, though the second was stopped at its checkpoint %d',
  async (order, stopAt) => {
    await using database = await testDatabase()
    await using folder = await temporaryFolder('scan-between')
    const { client } = database
    const [old, entered] = (['old', 'new'] as const).map((name, place) => ({
      id: place + 1,
      type: 'tv' as const,
      root: join(folder.path, name),
    }))
    if (!old || !entered) throw new Error('There are two libraries')
    for (const { id, root } of [old, entered]) {
      await client.execute({ sql: `INSERT INTO libraries (id, name, type, path) VALUES (?1, ?2, 'tv', ?2)`, args: [id, root] })
      makeTree(root, { Always: { 'Season 1': { 'Always S01E01.mkv': 10 + id } } })
    }
    makeTree(old.root, {
      Firefly: { 'Season 1': { 'Firefly S01E01.mkv': 21, 'Firefly S01E02.mkv': 22 }, 'Season 2': { 'Firefly S02E01.mkv': 23 } },
    })
    const list = async (where: string): Promise<[id: number, key: string][]> => {
      const { rows } = await client.execute(`SELECT id, item_key FROM media_items WHERE missing_since IS NULL AND ${where} ORDER BY id`)
      return rows.map((row) => [Number(row.id), String(row.item_key)])
    }
    await scanInProcess(database, entered)
    await scanInProcess(database, old)
    const originals = await list(`path LIKE 'Firefly%'`)
    renameSync(join(old.root, 'Firefly'), join(entered.root, 'Serenity'))
    const [first, second] = order === 'first' ? [entered, old] : [old, entered]
    await scanInProcess(database, first)
    let asked = 0
    const checkpoint = (): void => {
      if (asked++ === stopAt) throw new Stopped()
    }
    try {
      await scanInProcess(database, second, checkpoint)
      expect(asked).toBeLessThanOrEqual(stopAt)
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
      // As the runner would say so.
      await client.execute(`UPDATE scans SET status = 'interrupted' WHERE id = (SELECT max(id) FROM scans)`)
    }
    await scanInProcess(database, second)
    await scanInProcess(database, first)
    expect(await list(`path NOT LIKE 'Always%'`)).toEqual(
      originals.map(([id, key]): [number, string] => [id, key.replace(':1:Firefly', ':2:Serenity')]),
    )
    const { rows: misplaced } =
      await client.execute(`SELECT item.item_key FROM media_items item LEFT JOIN media_items parent ON parent.id = item.parent_id
      WHERE item.missing_since IS NULL AND item.item_type <> 'tv_series' AND (parent.missing_since IS NOT NULL
        OR parent.library_id <> item.library_id OR item.path NOT LIKE parent.path || '/%')`)
    expect(misplaced).toEqual([])
    const { rows: miscounted } = await client.execute(`SELECT item_key FROM media_items
    WHERE child_count <> (SELECT count(*) FROM media_items child WHERE child.parent_id = media_items.id AND child.missing_since IS NULL)`)
    expect(miscounted).toEqual([])
  },
)
