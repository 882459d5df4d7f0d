import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Deps } from '../../src/deps.ts'
import { ALL_PERMISSIONS } from '../../src/domain/permissions.ts'
import { retryAiJob, retryFailedJobs } from '../../src/services/ai-job-control.ts'
import { type PictureApp, startPictureApp } from '../support/picture-app.ts'

/** What was read for a job is forgotten when it is begun anew, and by whoever begins it anew. */

const ADMIN = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null } as const

let app: PictureApp
let deps: Deps
beforeAll(async () => {
  app = await startPictureApp()
  deps = { ...app.deps, aiQueue: { ...app.deps.aiQueue, wake: () => undefined } }
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  await app.renewPicture()
  await app.database.client.batch([
    "INSERT INTO ai_jobs (id, item_id, activity, status, created_at, finished_at) VALUES (1, 1, 'extraction', 'failed', 1, 2)",
    "INSERT INTO ai_job_pages (job_id, page, text, source) VALUES (1, 0, 'Closed', 'ocr')",
  ])
})

const pagesOf = async (job: number) => {
  const { rows } = await app.database.client.execute({ sql: 'SELECT text FROM ai_job_pages WHERE job_id = ?', args: [job] })
  return rows.map(({ text }) => text)
}

const RETRIES: [name: string, retry: (deps: Deps) => Promise<unknown>][] = [
  ['this one', (own) => retryAiJob(own, 1)],
  ['all of them', (own) => retryFailedJobs(own, ADMIN, {})],
]

test.each(RETRIES)('a retry of %s that is refused, since the same is queued already, forgets no page', async (_, retry) => {
  await app.database.client.batch(["INSERT INTO ai_jobs (item_id, activity, status, created_at) VALUES (1, 'extraction', 'queued', 3)"])
  await retry(deps).catch((error: unknown) => expect(error).toMatchObject({ code: 'conflict' }))
  expect(await pagesOf(1)).toEqual(['Closed'])
})

test.each(RETRIES)('nor does a retry of %s that somebody else was ahead of, whose job has read on since', async (_, retry) => {
  const { write } = deps
  let isAhead = false
  /** Somebody else's retry, and a page that it has read, come right before what is written with the page in mind. */
  const batch: typeof write.batch = async (statements, ...more) => {
    if (!isAhead && JSON.stringify(statements).includes('ai_job_pages')) {
      isAhead = true
      await retryAiJob(deps, 1)
      await app.database.client.batch(["INSERT INTO ai_job_pages (job_id, page, text, source) VALUES (1, 0, 'Read anew', 'ocr')"])
    }
    return write.batch(statements, ...more)
  }
  await retry({ ...deps, write: Object.assign(Object.create(write), { batch }) }).catch((error: unknown) =>
    expect(error).toMatchObject({ code: 'conflict' }),
  )
  expect(isAhead).toBe(true)
  expect(await pagesOf(1)).toEqual(['Read anew'])
})

test.each(RETRIES)('a retry of %s begins with the first page', async (_, retry) => {
  await retry(deps)
  expect(await pagesOf(1)).toEqual([])
})
