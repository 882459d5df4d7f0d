import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { acceptSuggestion, dismissSuggestion, listSuggestions } from '../../src/services/ai-suggestions.ts'
import { type PictureApp, startPictureApp } from '../support/picture-app.ts'

/** More jobs than are looked at, changed or tagged at a time; what people ask for is in test/api. */

const ITEMS = 5001
const ADMIN: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }

let app: PictureApp
beforeAll(async () => {
  app = await startPictureApp()
  const numbers = 'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?)'
  await app.database.client.batch([
    {
      sql: `${numbers} INSERT OR IGNORE INTO media_items (id, library_id, item_key, item_type, path, title)
        SELECT i, 1, 'mixed_file:1:' || i, 'mixed_file', i, i FROM n`,
      args: [ITEMS],
    },
    {
      sql: `${numbers} INSERT INTO ai_jobs (item_id, activity, status, created_at, suggestions)
        SELECT i, 'tagging', 'done', 1, '["Often","Again"]' FROM n`,
      args: [ITEMS],
    },
    // Of the item that a window ends with.
    {
      sql: `INSERT INTO ai_jobs (item_id, activity, status, created_at, suggestions) VALUES (5000, 'tagging', 'done', 1, '["Again","Rare"]')`,
      args: [],
    },
    { sql: `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Kind', 'kind')`, args: [] },
  ])
})
afterAll(() => app[Symbol.asyncDispose]())

test('all of them are counted, dismissed and tagged', async () => {
  expect(await listSuggestions(app.deps, 10)).toEqual([
    { name: 'Again', itemCount: ITEMS },
    { name: 'Often', itemCount: ITEMS },
    { name: 'Rare', itemCount: 1 },
  ])
  await dismissSuggestion(app.deps, 'again')
  expect(await listSuggestions(app.deps, 10)).toEqual([
    { name: 'Often', itemCount: ITEMS },
    { name: 'Rare', itemCount: 1 },
  ])
  const { tag, assigned } = await acceptSuggestion(app.deps, ADMIN, { name: 'Often', categoryId: 1 })
  expect([assigned, tag.usage]).toEqual([ITEMS, ITEMS])
  expect(await listSuggestions(app.deps, 10)).toEqual([{ name: 'Rare', itemCount: 1 }])
})
