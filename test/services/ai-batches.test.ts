import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Deps } from '../../src/deps.ts'
import type { AiActivity } from '../../src/domain/ai-activity.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { queueBatch, queueNewItems } from '../../src/services/ai-batches.ts'
import { replaceLibraryAiSettings } from '../../src/services/ai-settings.ts'
import { undoAiRun } from '../../src/services/ai-undo.ts'
import { updateLibrary } from '../../src/services/libraries.ts'
import { type PictureApp, startPictureApp } from '../support/picture-app.ts'
import { startTestApp } from '../support/test-app.ts'

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

/** By library. */
const countTagged = async () => {
  const { rows } = await app.database.client.execute(
    'SELECT library_id AS library, count(*) AS tagged FROM media_items WHERE ai_tagged_at IS NOT NULL GROUP BY library_id',
  )
  return rows.map(({ library, tagged }) => [library, tagged])
}

test('a batch of everything takes what was tagged for untagged, however much it is, and nothing of another library or that is missing', async () => {
  const { queued } = await queueBatch(deps, ADMIN, { libraryId: 1, activity: 'tagging', scope: 'all' })
  expect(queued).toBeGreaterThanOrEqual(ITEMS - 1)
  expect(await countTagged()).toEqual([
    [1, 1],
    [2, ITEMS],
  ])
})

test('so does one that can queue nothing, since everything has a job already', async () => {
  await app.database.client.batch(['UPDATE media_items SET ai_tagged_at = 2'])
  expect(await queueBatch(deps, ADMIN, { libraryId: 1, activity: 'tagging', scope: 'all' })).toMatchObject({ queued: 0 })
  expect(await countTagged()).toEqual([
    [1, 1],
    [2, ITEMS],
  ])
})

test('a clock that was once ahead does not stop the work on new items, and what was found by it is not new again', async () => {
  await using own = await startTestApp()
  const { client } = own.database
  const HOUR_MS = 3_600_000
  const now = Date.now()
  const add = (name: string, addedAt: number) => ({
    sql: `INSERT INTO media_items (library_id, item_key, item_type, path, title, added_at) VALUES (1, 'mixed_file:1:' || ?1, 'mixed_file', ?1, ?1, ?2)`,
    args: [name, addedAt],
  })
  await client.batch([
    {
      sql: `INSERT INTO libraries (id, name, type, path, ai_on_scan, ai_on_scan_since) VALUES (1, 'Files', 'mixed', '/files', '["tagging"]', ?)`,
      args: [now + HOUR_MS],
    },
    {
      sql: `INSERT INTO scans (library_id, "trigger", status, created_at, started_at) VALUES (1, 'manual', 'running', ?1, ?1)`,
      args: [now - 1000],
    },
    add('old', now - HOUR_MS),
    add('ahead', now + HOUR_MS),
    add('new', now - 500),
  ])
  const queued = async () => {
    const { rows } = await client.execute('SELECT m.path FROM ai_jobs j JOIN media_items m ON m.id = j.item_id ORDER BY j.id')
    return rows.map(({ path }) => path)
  }
  const look = () => queueNewItems({ ...own.deps, aiQueue: { ...own.deps.aiQueue, wake: () => undefined } }, 1)
  expect([await look(), await look(), await queued()]).toEqual([1, 0, ['new']])
  await client.batch([add('newer', Date.now())])
  expect([await look(), await look(), await queued()]).toEqual([1, 0, ['new', 'newer']])
})

/** Jobs of another library, which the queue has to do first. */
const othersJobs = (count: number): string[] => [
  `INSERT INTO libraries (id, name, type, path) VALUES (2, 'Other', 'mixed', '/other')`,
  `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO media_items (library_id, item_key, item_type, path, title) SELECT 2, 'mixed_file:2:' || i, 'mixed_file', i, i FROM n`,
  `INSERT INTO ai_jobs (item_id, activity, status, created_at) SELECT id, 'tagging', 'queued', 1 FROM media_items`,
]

/** A library whose new items are to be tagged and described. */
const askingSince = (time: number) => ({
  sql: `INSERT INTO libraries (id, name, type, path, ai_on_scan, ai_on_scan_since) VALUES (1, 'Files', 'mixed', '/files', '["tagging","description"]', ?)`,
  args: [time],
})

test('new items for which the queue had no room are queued after a later scan, each once', async () => {
  await using own = await startTestApp()
  const { client } = own.database
  const now = Date.now()
  await client.batch([
    askingSince(now - 1000),
    ...othersJobs(19998),
    {
      sql: `INSERT INTO media_items (library_id, item_key, item_type, path, title, added_at)
        SELECT 1, 'mixed_file:1:' || value, 'mixed_file', value, value, ? FROM json_each('["a","b","c"]')`,
      args: [now - 500],
    },
  ])
  const look = () => queueNewItems({ ...own.deps, aiQueue: { ...own.deps.aiQueue, wake: () => undefined } }, 1)
  const queued = async () => {
    const { rows } = await client.execute(
      `SELECT j.activity || ' ' || m.path AS job FROM ai_jobs j JOIN media_items m ON m.id = j.item_id WHERE m.library_id = 1 ORDER BY j.id`,
    )
    return rows.map(({ job }) => job)
  }
  expect([await look(), await look(), await queued()]).toEqual([2, 0, ['tagging a', 'tagging b']])
  // Whatever became of them.
  await client.batch(["UPDATE ai_jobs SET status = 'failed', finished_at = 2"])
  expect([await look(), await look()]).toEqual([4, 0])
  expect(await queued()).toEqual(['tagging a', 'tagging b', 'tagging c', 'description a', 'description b', 'description c'])
  await client.batch(["UPDATE ai_jobs SET status = 'cancelled', finished_at = 2"])
  expect(await look()).toBe(0)
})

test('what came in while a library asked no model is not sent once it does, though the full queue had no room for its texts', async () => {
  await using own = await startTestApp()
  const { client } = own.database
  const now = Date.now()
  await client.batch([
    {
      sql: `INSERT INTO libraries (id, name, type, path, ai_on_scan, ai_on_scan_since) VALUES (1, 'Files', 'mixed', '/files', '["extraction","tagging"]', ?)`,
      args: [now - 1000],
    },
    `INSERT INTO library_ai_settings (library_id, overrides) VALUES (1, '{"enabled":false}')`,
    ...othersJobs(20000),
    {
      sql: `INSERT INTO media_items (library_id, item_key, item_type, path, title, added_at, thumbnail_kind)
        VALUES (1, 'mixed_file:1:a.jpg', 'mixed_file', 'a.jpg', 'a', ?, 'image')`,
      args: [now - 500],
    },
  ])
  const aiQueue = { ...own.deps.aiQueue, wake: () => undefined, settingsChanged: async () => undefined }
  const deps = { ...own.deps, aiQueue }
  expect(await queueNewItems(deps, 1)).toBe(0)
  await client.batch(["UPDATE ai_jobs SET status = 'done', finished_at = 2"])
  await replaceLibraryAiSettings(deps, ADMIN, { libraryId: 1, overrides: {} })
  expect(await queueNewItems(deps, 1)).toBe(0)
})

test('nothing is queued that recognition has no data for, unless a model reads alone', async () => {
  await using own = await startTestApp()
  await own.database.client.execute(`INSERT INTO libraries (id, name, type, path) VALUES (1, 'Files', 'mixed', '/files')`)
  const start = async (settings: Record<string, unknown>) => {
    const value = JSON.stringify({ enabled: true, endpoint: 'http://127.0.0.1:1/v1', model: 'some', ocrLanguages: 'eng+tlh', ...settings })
    await own.database.client.execute({ sql: `INSERT OR REPLACE INTO settings (key, value) VALUES ('ai', ?)`, args: [value] })
    return queueBatch(own.deps, ADMIN, { libraryId: 1, activity: 'extraction', scope: 'all' })
  }
  for (const ocrMode of ['hybrid', 'tesseract']) await expect(start({ ocrMode })).rejects.toMatchObject({ code: 'unknown_ocr_language' })
  expect(await start({ ocrMode: 'llm-only' })).toMatchObject({ queued: 0 })
  expect(await start({ ocrMode: 'hybrid', ocrLanguages: 'eng' })).toMatchObject({ queued: 0 })
})

test('of a run that is undone while it is being queued nothing more is queued, and what was is cancelled', async () => {
  await app.database.client.batch(['DELETE FROM ai_jobs', 'DELETE FROM ai_runs', 'UPDATE media_items SET ai_tagged_at = NULL'])
  let undoing: Promise<unknown> | undefined
  const aiQueue: Deps['aiQueue'] = {
    ...deps.aiQueue,
    cancelled: () => undefined,
    wake: () => {
      undoing ??= app.database.client.execute('SELECT id FROM ai_runs').then(({ rows }) => undoAiRun(own, Number(rows[0]?.id)))
    },
  }
  const own: Deps = { ...deps, aiQueue }
  const { queued, runId } = await queueBatch(own, ADMIN, { libraryId: 1, activity: 'tagging', scope: 'untagged' })
  await undoing
  const { rows } = await app.database.client.execute(
    'SELECT run_id AS run, status, count(*) AS jobs FROM ai_jobs GROUP BY run_id, status ORDER BY status',
  )
  expect(rows.map(({ run, status, jobs }) => [run, status, jobs])).toEqual([[runId, 'cancelled', queued]])
  expect(queued).toBeLessThan(ITEMS - 1)
})

test('what a scan has found and not queued yet is still new where its library wants something else done by then', async () => {
  await using own = await startTestApp()
  const { client } = own.database
  const now = Date.now()
  await client.batch([
    askingSince(now - 1000),
    {
      sql: `INSERT INTO media_items (library_id, item_key, item_type, path, title, added_at) VALUES (1, 'mixed_file:1:a', 'mixed_file', 'a', 'a', ?)`,
      args: [now - 500],
    },
  ])
  const ownDeps = {
    ...own.deps,
    aiQueue: { ...own.deps.aiQueue, wake: () => undefined },
    scans: { ...own.deps.scans, reschedule: async () => undefined },
  }
  const want = (...aiOnScan: AiActivity[]) => updateLibrary(ownDeps, ADMIN, { id: 1, patch: { aiOnScan } })
  // While the scan goes on that has found it, or the queue is full.
  await want('tagging', 'description')
  await want('tagging')
  expect(await queueNewItems(ownDeps, 1)).toBe(1)
  await client.batch([
    {
      sql: `INSERT INTO media_items (library_id, item_key, item_type, path, title, added_at) VALUES (1, 'mixed_file:1:b', 'mixed_file', 'b', 'b', ?)`,
      args: [Date.now()],
    },
  ])
  await want()
  await want('tagging')
  expect(await queueNewItems(ownDeps, 1)).toBe(0)
})
