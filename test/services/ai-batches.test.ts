import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Deps } from '../../src/deps.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { queueBatch } from '../../src/services/ai-batches.ts'
import { type PictureApp, startPictureApp } from '../support/picture-app.ts'

/** More items than are changed in one transaction; what people ask for is in test/api. */

const ITEMS = 2500
const ADMIN: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }

let app: PictureApp
let deps: Deps
beforeAll(async () => {
  app = await startPictureApp()
  deps = { ...app.deps, aiQueue: { ...app.deps.aiQueue, wake: () => undefined } }
  await app.database.client.batch([
    `INSERT INTO settings (key, value) VALUES ('ai', '{"enabled":true,"endpoint":"http://127.0.0.1:1/v1","model":"some"}')`,
    `INSERT INTO libraries (id, name, type, path) VALUES (2, 'Other', 'mixed', '/other')`,
    `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${ITEMS})
      INSERT INTO media_items (library_id, item_key, item_type, path, title, ai_tagged_at, missing_since)
      SELECT l.id, 'mixed_file:' || l.id || ':new ' || i, 'mixed_file', i, i, 1, iif(i = 7, 1, NULL) FROM n, (SELECT id FROM libraries WHERE id < 3) l`,
  ])
})
afterAll(() => app[Symbol.asyncDispose]())

test('a batch of everything takes what was tagged for untagged, however much it is, and nothing of another library or that is missing', async () => {
  const { queued } = await queueBatch(deps, ADMIN, { libraryId: 1, activity: 'tagging', scope: 'all' })
  expect(queued).toBeGreaterThanOrEqual(ITEMS - 1)
  const { rows } = await app.database.client.execute(
    'SELECT library_id AS library, count(*) AS tagged FROM media_items WHERE ai_tagged_at IS NOT NULL GROUP BY library_id',
  )
  expect(rows.map(({ library, tagged }) => [library, tagged])).toEqual([
    [1, 1],
    [2, ITEMS],
  ])
})
