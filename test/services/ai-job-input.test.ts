import { expect, test } from 'bun:test'
import { buildAiTasks } from '../../src/services/ai-job-input.ts'
import { claimedItems, claimStatements } from '../../src/services/ai-job-queue.ts'
import { loadAiQueueSettings } from '../../src/services/ai-queue-settings.ts'
import { startTestApp } from '../support/test-app.ts'

/** What a job of which an earlier start has read some pages is given to go on with. */

test('a job goes on behind the pages that it has read, unless a scan has found its file changed since it last began', async () => {
  await using app = await startTestApp()
  const { client } = app.database
  await client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'Manga', 'manga', '/manga')",
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, thumbnail_kind, updated_at)
      SELECT value, 'manga_volume:1:' || value, 1, 'manga_volume', value, value, 'pages', 100 FROM json_each('[1,2,3,4]')`,
    // A clock that was once ahead says nothing of when that was.
    'UPDATE media_items SET updated_at = 300 WHERE id = 4',
    // Before, after, and never: that one has pages as somebody asked for it anew.
    `INSERT INTO ai_jobs (id, item_id, activity, status, created_at, started_at)
      VALUES (1, 1, 'extraction', 'queued', 0, 99), (2, 2, 'extraction', 'queued', 0, 101), (3, 3, 'extraction', 'queued', 0, NULL), (4, 4, 'extraction', 'queued', 0, 101)`,
    "INSERT INTO ai_job_pages (job_id, page, text, source) SELECT j.id, page.value, 'Closed', 'ocr' FROM ai_jobs j, json_each('[0,1]') page",
  ])
  const claim = { owner: 'us', now: 200, leaseMs: 1, modelOnlyLibraries: [], modelOffLibraries: [] }
  const { read, take } = claimStatements(claim, { lane: 'recognition', limit: 10, minPriority: 0 })
  const [found] = await app.deps.write.batchOnThread([read, take])
  const claims = found ? claimedItems(found) : []
  const settings = await loadAiQueueSettings(app.deps)
  const tasks = await buildAiTasks(app.deps, claims, { settings, readVocabulary: async () => [] })
  expect(tasks.map(({ item, donePages }) => [item.title, donePages.length])).toEqual([
    ['1', 0],
    ['2', 2],
    ['3', 2],
    ['4', 2],
  ])
  // The new file may have fewer pages.
  const { rows } = await client.execute('SELECT job_id AS job, count(*) AS pages FROM ai_job_pages GROUP BY job_id ORDER BY job_id')
  expect(rows.map(({ job, pages }) => [job, pages])).toEqual([
    [2, 2],
    [3, 2],
    [4, 2],
  ])
})
