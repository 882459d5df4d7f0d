import { expect, test } from 'bun:test'
import {
  claimedItems,
  claimStatements,
  forgetOldJobs,
  movedStatements,
  statusesOf,
  statusStatement,
} from '../../src/services/ai-job-queue.ts'
import { startTestApp } from '../support/test-app.ts'

const DAY_MS = 24 * 3600 * 1000
const NOW = 1000 * DAY_MS
const OLD = NOW - 91 * DAY_MS

test('all that ended long ago is forgotten at once, with its pages, and nothing that is open or ended lately', async () => {
  await using app = await startTestApp()
  const { client } = app.database
  await client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Pictures', 'mixed', '/pictures')",
    `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1203)
      INSERT INTO media_items (id, item_key, library_id, item_type, path, title) SELECT i, 'mixed_file:1:' || i, 1, 'mixed_file', i, i FROM n`,
    `INSERT INTO ai_jobs (item_id, activity, status, created_at, finished_at)
      SELECT id, 'tagging', CASE id % 3 WHEN 0 THEN 'done' WHEN 1 THEN 'failed' ELSE 'cancelled' END, ${OLD}, ${OLD} FROM media_items WHERE id <= 1200`,
    `INSERT INTO ai_jobs (item_id, activity, status, created_at, finished_at)
      VALUES (1201, 'tagging', 'done', ${OLD}, ${NOW - DAY_MS}), (1202, 'tagging', 'queued', ${OLD}, NULL), (1203, 'tagging', 'running', ${OLD}, NULL)`,
    "INSERT INTO ai_job_pages (job_id, page, text, source) SELECT id, 0, 'Closed', 'ocr' FROM ai_jobs",
  ])

  expect(await forgetOldJobs(app.deps, NOW)).toBe(1200)
  const { rows } = await client.execute(
    'SELECT item_id AS item, (SELECT count(*) FROM ai_job_pages WHERE job_id = ai_jobs.id) AS pages FROM ai_jobs ORDER BY id',
  )
  expect(rows.map(({ item, pages }) => [item, pages])).toEqual([
    [1201, 1],
    [1202, 1],
    [1203, 1],
  ])
})

test('what was read for a job is gone where a scan has moved its item, and stays where it has not', async () => {
  await using app = await startTestApp()
  const { client } = app.database
  await client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Pictures', 'mixed', '/pictures')",
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, title)
      VALUES (1, 'mixed_file:1:moved', 1, 'mixed_file', 'moved', 'moved'), (2, 'mixed_file:1:b', 1, 'mixed_file', 'b', 'b')`,
    `INSERT INTO ai_jobs (id, item_id, activity, status, owner, attempts, created_at)
      VALUES (1, 1, 'extraction', 'running', 'us', 1, 0), (2, 2, 'extraction', 'running', 'us', 1, 0)`,
    "INSERT INTO ai_job_pages (job_id, page, text, source) SELECT id, 0, 'Closed', 'ocr' FROM ai_jobs",
  ])
  const jobs = [1, 2].map((id) => ({ id, itemKey: `mixed_file:1:${id === 1 ? 'a' : 'b'}`, hasPages: true }))
  const results = await app.deps.write.batch([...movedStatements(jobs, 'us'), statusStatement([1, 2, 3])])
  expect(results.slice(-1).flatMap(statusesOf)).toEqual([
    [1, 'queued'],
    [2, 'running'],
  ])
  const { rows } = await client.execute(
    'SELECT j.id, j.status, j.attempts, p.text FROM ai_jobs j LEFT JOIN ai_job_pages p ON p.job_id = j.id',
  )
  expect(rows.map((row) => [row.id, row.status, row.attempts, row.text])).toEqual([
    [1, 'queued', 0, null],
    [2, 'running', 1, 'Closed'],
  ])
})

test('of a long text a job is told the beginning, and the whole of it where it is to be translated', async () => {
  await using app = await startTestApp()
  await app.database.client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Manga', 'manga', '/manga')",
    {
      sql: "INSERT INTO media_items (id, item_key, library_id, item_type, path, title, extracted_text) VALUES (1, 'k', 1, 'manga_volume', 'v', 'v', ?)",
      args: ['字'.repeat(300_000)],
    },
    "INSERT INTO ai_jobs (id, item_id, activity, status, priority, created_at) VALUES (1, 1, 'tagging', 'queued', 0, 0), (2, 1, 'translation', 'queued', 1, 0)",
  ])
  const claim = { owner: 'us', now: 1, leaseMs: 1, modelOnlyLibraries: [], modelOffLibraries: [] }
  const { read, take } = claimStatements(claim, { lane: 'model', limit: 10, minPriority: 0 })
  const [found] = await app.deps.write.batchOnThread([read, take])
  const claimed = found ? claimedItems(found) : []
  expect(claimed.map(({ job, item }) => [job.id, job.attempts, item.extractedText?.length])).toEqual([
    [2, 1, 300_000],
    [1, 1, 204_800],
  ])
  const { rows } = await app.database.client.execute('SELECT status, owner, attempts FROM ai_jobs')
  expect(rows.map(({ status, owner, attempts }) => [status, owner, attempts])).toEqual(Array(2).fill(['running', 'us', 1]))
})
