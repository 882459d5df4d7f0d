import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Deps } from '../../src/deps.ts'
import type { AiJobResult } from '../../src/domain/ai-job.ts'
import { ALL_PERMISSIONS } from '../../src/domain/permissions.ts'
import { getAiFields, listTextPages } from '../../src/services/ai-fields.ts'
import { retryAiJob, retryFailedJobs } from '../../src/services/ai-job-control.ts'
import { effectStatements } from '../../src/services/ai-job-effects.ts'
import { pagesStatement } from '../../src/services/ai-job-queue.ts'
import { undoAiRun } from '../../src/services/ai-undo.ts'
import { PICTURE_KEY, type PictureApp, startPictureApp } from '../support/picture-app.ts'

/** A job that is tried again ends after others that were asked for later: it is what ended last that counts. */

const ADMIN = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null } as const

let app: PictureApp
let deps: Deps
beforeAll(async () => {
  app = await startPictureApp()
  const aiQueue = {
    state: () => ({ paused: false, waiting: null }),
    waitingFor: () => null,
    wake: () => undefined,
    cancelled: () => undefined,
  }
  deps = { ...app.deps, aiQueue: { ...app.deps.aiQueue, ...aiQueue } }
  await app.database.client.batch([
    "INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Kind', 'kind')",
    "INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Lake', 'lake'), (2, 1, 'Hill', 'hill')",
  ])
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.renewPicture())

const write = (...statements: string[]): Promise<unknown> => app.database.client.batch(statements)

const fail = async (id: number, activity: string, at: number): Promise<void> => {
  await write(
    `INSERT INTO ai_jobs (id, item_id, activity, status, error, created_at, finished_at) VALUES (${id}, 1, '${activity}', 'failed', 'Odd.', 1, ${at})`,
  )
}

const failAgain = (id: number, at: number): Promise<unknown> =>
  write(`UPDATE ai_jobs SET status = 'failed', error = 'Odd again.', finished_at = ${at} WHERE id = ${id}`)

/** A job that has read such a page, if it reads, ends with this. */
const end = async (id: number, result: AiJobResult, now: number): Promise<void> => {
  const text = 'text' in result ? result.text : ''
  await write(`UPDATE ai_jobs SET status = 'running', owner = 'us' WHERE id = ${id}`)
  await app.database.client.batch([
    pagesStatement([{ jobId: id, page: 0, text, source: 'ocr', confidence: 99, rejected: null }], 'us'),
    ...effectStatements([{ id, result }], { owner: 'us', now }),
  ])
}

/** A job of a run ends; answers the run. */
const run = async (id: number, result: AiJobResult, now: number): Promise<number> => {
  await write(
    `INSERT INTO ai_runs (id, library_id, activity, "trigger", created_at) VALUES (${now}, 1, '${result.activity}', 'batch', 1)`,
    `INSERT INTO ai_jobs (id, item_id, activity, status, created_at, run_id) VALUES (${id}, 1, '${result.activity}', 'queued', 1, ${now})`,
  )
  await end(id, result, now)
  return now
}

const item = async () => (await app.database.client.execute('SELECT description, ai_tagged_at AS taggedAt FROM media_items')).rows[0]
const fields = () => getAiFields(deps, ADMIN, PICTURE_KEY)

test('undoing a run leaves what an older job has made that was tried again after it, and undoing that one brings the text of the run back', async () => {
  await fail(1, 'description', 10)
  const later = await run(2, { activity: 'description', text: 'Of the run' }, 20)
  await write(`INSERT INTO ai_runs (id, library_id, activity, "trigger", created_at) VALUES (5, 1, 'description', 'batch', 1)`)
  await write('UPDATE ai_jobs SET run_id = 5 WHERE id = 1')
  await retryAiJob(deps, 1)
  await end(1, { activity: 'description', text: 'Of the retry' }, 30)
  expect(await undoAiRun(deps, later)).toMatchObject({ undone: 0, kept: 1 })
  expect(await item()).toMatchObject({ description: 'Of the retry' })
  expect(await undoAiRun(deps, 5)).toMatchObject({ undone: 1, kept: 0 })
  expect(await item()).toMatchObject({ description: 'Of the run' })
})

test('what an undone re-tagging goes back to is when the job before it ended, whichever was asked for first', async () => {
  await fail(101, 'tagging', 110)
  await run(102, { activity: 'tagging', tags: [{ id: 1, name: 'Lake' }], suggestions: [] }, 120)
  await write('UPDATE media_items SET ai_tagged_at = NULL')
  await write(`INSERT INTO ai_runs (id, library_id, activity, "trigger", created_at) VALUES (105, 1, 'tagging', 'batch', 1)`)
  await write('UPDATE ai_jobs SET run_id = 105 WHERE id = 101')
  await retryAiJob(deps, 101)
  await end(101, { activity: 'tagging', tags: [{ id: 2, name: 'Hill' }], suggestions: [] }, 130)
  expect(await undoAiRun(deps, 105)).toMatchObject({ undone: 1 })
  expect(await item()).toMatchObject({ taggedAt: 120 })
})

test('the last tagging is the one that ended last', async () => {
  await fail(201, 'tagging', 210)
  await run(202, { activity: 'tagging', tags: [{ id: 1, name: 'Lake' }], suggestions: ['Fog'] }, 220)
  await retryAiJob(deps, 201)
  await end(201, { activity: 'tagging', tags: [{ id: 1, name: 'Lake' }], suggestions: ['Mist'] }, 230)
  expect((await fields()).lastTagging).toMatchObject({ jobId: 201, suggestions: ['Mist'] })
})

test('the pages of a text are those of the extraction that ended last', async () => {
  await fail(301, 'extraction', 310)
  await run(302, { activity: 'extraction', text: 'Of the run' }, 320)
  await retryAiJob(deps, 301)
  await end(301, { activity: 'extraction', text: 'Of the retry' }, 330)
  expect(await listTextPages(deps, ADMIN, PICTURE_KEY)).toEqual({ pages: [{ page: 0, text: 'Of the retry' }] })
})

test('a failed job is said until another one ends after it, and no longer', async () => {
  await fail(401, 'description', 410)
  await run(402, { activity: 'description', text: 'Of the run' }, 420)
  expect((await fields()).jobs).toEqual([])
  await failAgain(401, 430)
  expect((await fields()).jobs).toMatchObject([{ id: 401, status: 'failed' }])
  await fail(403, 'description', 440)
  expect((await fields()).jobs).toMatchObject([{ id: 403, status: 'failed' }])
  await retryAiJob(deps, 401)
  await end(401, { activity: 'description', text: 'Of the retry' }, 450)
  expect((await fields()).jobs).toEqual([])
})

test('of those that failed the one is tried again after which nothing else has ended or is open', async () => {
  const statuses = async () =>
    (await app.database.client.execute('SELECT id, status FROM ai_jobs ORDER BY id')).rows.map(({ id, status }) => `${id} ${status}`)
  await fail(501, 'description', 510)
  await run(502, { activity: 'description', text: 'Of the run' }, 520)
  await failAgain(501, 530)
  expect(await retryFailedJobs(deps, ADMIN, {})).toEqual({ queued: 1 })
  expect(await statuses()).toEqual(['501 queued', '502 done'])
  await fail(503, 'description', 540)
  expect(await retryFailedJobs(deps, ADMIN, {})).toEqual({ queued: 0 })
  expect(await statuses()).toEqual(['501 queued', '502 done', '503 cancelled'])
})
