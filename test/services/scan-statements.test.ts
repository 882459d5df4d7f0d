import { expect, test } from 'bun:test'
import { markMissingStatements } from '../../src/services/scan-statements.ts'
import { testDatabase } from '../support/test-database.ts'

test('an episode that goes missing takes the kept cards of its season and its series along, which may show its picture', async () => {
  await using database = await testDatabase()
  await database.client.batch(
    [
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'TV', 'tv', '/tv')`,
      `INSERT INTO media_items (id, item_key, library_id, item_type, parent_id, path, title, entry) VALUES
        (1, 'tv_series:1:A', 1, 'tv_series', NULL, 'A', 'A', '{'), (2, 'tv_season:1:A/1', 1, 'tv_season', 1, 'A/1', '1', '{'),
        (3, 'tv_episode:1:A/1/a', 1, 'tv_episode', 2, 'A/1/a', 'a', '{'), (4, 'tv_series:1:B', 1, 'tv_series', NULL, 'B', 'B', '{')`,
    ],
    'write',
  )
  await database.write.batch(markMissingStatements([3], 5))
  const { rows } = await database.client.execute('SELECT id FROM media_items WHERE entry IS NULL ORDER BY id')
  expect(rows.map(({ id }) => Number(id))).toEqual([1, 2])
})
