import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Client } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import type { Deps } from '../../src/deps.ts'
import type { Viewer } from '../../src/domain/permissions.ts'
import { getAiFields, saveExtractedText } from '../../src/services/ai-fields.ts'
import { PICTURE_KEY, type PictureApp, startPictureApp } from '../support/picture-app.ts'

/** What clients poll, while a job ends between any two of the statements that answer it. */

const ADMIN = { role: 'admin' } as Viewer

let app: PictureApp
beforeAll(async () => {
  app = await startPictureApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  await app.renewPicture()
  await app.database.client.execute(
    "INSERT INTO ai_jobs (id, item_id, activity, status, created_at) VALUES (1, 1, 'description', 'running', 1)",
  )
})

const endJob = (): Promise<unknown> =>
  app.database.client.batch(
    ["UPDATE media_items SET description = 'A hill.' WHERE id = 1", "UPDATE ai_jobs SET status = 'done' WHERE id = 1"],
    'write',
  )

/** The same parts, with a job that ends right before the statement of that number. */
const endingBefore = (statement: number): { deps: Deps; seen: () => number } => {
  let seen = 0
  const { client } = app.database
  const execute = async (...args: Parameters<Client['execute']>) => {
    if (++seen === statement) await endJob()
    return client.execute(...args)
  }
  const watched = new Proxy(client, { get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name, target)) })
  const aiQueue = { state: () => ({ waiting: null }) } as Deps['aiQueue']
  return { deps: { ...app.deps, db: drizzle(watched), aiQueue }, seen: () => seen }
}

for (const [name, answer] of [
  ['asked for', (deps: Deps) => getAiFields(deps, ADMIN, PICTURE_KEY)],
  ['saved', (deps: Deps) => saveExtractedText(deps, ADMIN, { itemKey: PICTURE_KEY, extractedText: 'typed' })],
] as const) {
  test(`fields that are ${name} never say that a job has ended without what it has made`, async () => {
    const { deps, seen } = endingBefore(0)
    expect(await answer(deps)).toMatchObject({ description: null, jobs: [{ id: 1, status: 'running' }] })
    const statements = seen()
    expect(statements).toBeGreaterThan(1)
    for (let statement = 1; statement <= statements; statement++) {
      await app.database.client.batch(['UPDATE media_items SET description = NULL', "UPDATE ai_jobs SET status = 'running'"], 'write')
      const { description, jobs } = await answer(endingBefore(statement).deps)
      expect({ statement, description, isOpen: jobs.length > 0 }).toSatisfy(({ description, isOpen }) => description !== null || isOpen)
    }
  })
}
