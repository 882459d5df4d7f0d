import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type TestDatabase, testDatabase } from '../support/test-database.ts'

const LIBRARIES = 3
const ITEMS = 8
const TAGS = 5

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** Items 1 to 4 hold items 5 to 8 in turn, so that deleting one takes another along. */
const fill = async (database: TestDatabase): Promise<void> => {
  await database.write.batch([
    'DELETE FROM libraries',
    'DELETE FROM tag_categories',
    'DELETE FROM tag_changes',
    'DELETE FROM sqlite_sequence',
    ...numbers(LIBRARIES).map((n) => `INSERT INTO libraries (name, type, path) VALUES ('${n}', 'games', '/${n}')`),
    ...numbers(2).map((n) => `INSERT INTO tag_categories (name, name_key) VALUES ('${n}', '${n}')`),
    ...numbers(TAGS).map((n) => `INSERT INTO tags (category_id, name, name_key) VALUES (${(n % 2) + 1}, '${n}', '${n}')`),
    ...numbers(ITEMS).map(
      (n) =>
        `INSERT INTO media_items (item_key, library_id, item_type, parent_id, path, title) VALUES ('${n}', ${(n % LIBRARIES) + 1}, 'game', ${n > 4 ? n - 4 : 'NULL'}, '', '')`,
    ),
  ])
}

const COUNTED = `SELECT library_id, tag_id, count(*), sum(missing_since IS NULL) FROM item_tags JOIN media_items ON id = item_id GROUP BY 1, 2 ORDER BY 1, 2`
const KEPT = 'SELECT library_id, tag_id, assigned, present FROM library_tags WHERE assigned <> 0 OR present <> 0 ORDER BY 1, 2'
const SIGNED = `SELECT DISTINCT tag_id, item_id FROM tag_changes WHERE id > ? ORDER BY 1, 2`
const PRESENT = `SELECT library_id, tag_id, item_id FROM item_tags JOIN media_items ON id = item_id WHERE missing_since IS NULL`

const rowsOf = async ({ client }: TestDatabase, sql: string, args: number[] = []): Promise<string[]> =>
  (await client.execute({ sql, args })).rows.map((row) => Object.values(row).join(' '))

const item = fc.integer({ min: 1, max: ITEMS })
const tag = fc.integer({ min: 1, max: TAGS })
const library = fc.integer({ min: 1, max: LIBRARIES })

/** Everything that assignments and items undergo: single rows mostly, and now and then what takes many along. */
const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(tag, item)
      .map(
        ([t, i]) =>
          `INSERT OR IGNORE INTO item_tags (tag_id, item_id) SELECT ${t}, ${i} WHERE EXISTS (SELECT 1 FROM tags WHERE id = ${t}) AND EXISTS (SELECT 1 FROM media_items WHERE id = ${i})`,
      ),
  },
  { weight: 3, arbitrary: fc.tuple(tag, item).map(([t, i]) => `DELETE FROM item_tags WHERE tag_id = ${t} AND item_id = ${i}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(tag, tag)
      .map(([a, b]) => `UPDATE OR IGNORE item_tags SET tag_id = ${b} WHERE tag_id = ${a} AND EXISTS (SELECT 1 FROM tags WHERE id = ${b})`),
  },
  { weight: 2, arbitrary: item.map((i) => `UPDATE media_items SET missing_since = 1 WHERE id = ${i} OR parent_id = ${i}`) },
  { weight: 2, arbitrary: item.map((i) => `UPDATE media_items SET missing_since = NULL WHERE id = ${i} OR parent_id = ${i}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(item, library)
      .map(([i, l]) => `UPDATE media_items SET library_id = ${l} WHERE id = ${i} AND EXISTS (SELECT 1 FROM libraries WHERE id = ${l})`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(item, library)
      .map(
        ([i, l]) =>
          `INSERT INTO media_items (item_key, library_id, item_type, path, title) VALUES ('${i}', ${l}, 'game', '', '') ON CONFLICT (item_key) DO UPDATE SET missing_since = NULL`,
      ),
  },
  { weight: 1, arbitrary: item.map((i) => `DELETE FROM media_items WHERE id = ${i}`) },
  { weight: 1, arbitrary: tag.map((t) => `DELETE FROM tags WHERE id = ${t}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('DELETE FROM tag_categories WHERE id = 1', 'DELETE FROM libraries WHERE id = 1', 'DELETE FROM item_tags'),
  },
)

describe('the counts of tags', () => {
  test('are what counting the rows gives, whatever happens to assignments, tags, items and libraries, and every change is signed', async () => {
    await using database = await testDatabase()
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 40 }), async (operations) => {
        await fill(database)
        let seen = 0
        let before = new Set<string>()
        for (const sql of operations) {
          await database.client.execute(sql).catch((error: unknown) => {
            // A library that is gone takes no new items.
            if (!String(error).includes('FOREIGN KEY')) throw error
          })
          expect([sql, await rowsOf(database, KEPT)]).toEqual([sql, await rowsOf(database, COUNTED)])
          const after = new Set(await rowsOf(database, PRESENT))
          const signed = new Set(await rowsOf(database, SIGNED, [seen]))
          for (const row of before.symmetricDifference(after)) expect(signed).toContain(row.split(' ').slice(1).join(' '))
          const [last] = await rowsOf(database, 'SELECT coalesce(max(id), 0) FROM tag_changes')
          seen = Number(last)
          before = after
        }
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  test('an item without tags comes, goes missing and goes without a trace', async () => {
    await using database = await testDatabase()
    await fill(database)
    await database.write.batch(['UPDATE media_items SET missing_since = 1', 'DELETE FROM media_items WHERE id = 1'])
    expect([await rowsOf(database, 'SELECT * FROM library_tags'), await rowsOf(database, 'SELECT * FROM tag_changes')]).toEqual([[], []])
  })
})
