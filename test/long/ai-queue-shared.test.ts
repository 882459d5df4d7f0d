import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { titleIn } from '../support/ai-scene.ts'
import { after, type FakeModel, MISBEHAVIOURS, says, startFakeModel } from '../support/fake-model.ts'
import { type HranaServer, startHranaServer } from '../support/hrana-server.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** Two servers on one remote database: each job is done by one of them, and what a dead one leaves by the other. */

const LIMIT_MS = 240_000
const FILES = 48
/** API.md, 9: a lease lasts 15 seconds at most without a heartbeat; then there is the work itself. */
const TAKEN_UP_WITHIN_MS = 15_000
const MARGIN_MS = 10_000

let folder: TemporaryFolder
let database: HranaServer
let model: FakeModel
let servers: [TestServer, TestServer]
let admins: [HttpClient, HttpClient]
let libraryId: number

const start = (name: string): Promise<TestServer> =>
  startServer({
    dataDir: join(folder.path, name),
    args: ['--database', database.url],
    env: { DATABASE_AUTH_TOKEN: 'secret', SCAN_ON_START: '0' },
  })

beforeAll(async () => {
  folder = await temporaryFolder('shared-queue')
  makeTree(
    join(folder.path, 'media'),
    Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`file ${index}.txt`, `content ${index}`])),
  )
  database = await startHranaServer(join(folder.path, 'shared.db'), 'secret')
  model = await startFakeModel()
  const first = await start('first')
  servers = [first, await start('second')]
  admins = [await servers[0].as('admin'), await servers[1].as('admin')]
  const { body } = await admins[0].post('/api/libraries', { name: 'Media', type: 'mixed', path: join(folder.path, 'media') })
  libraryId = body.library.id
  await servers[0].scanAndWait(libraryId)
  await admins[0].put('/api/ai-settings', { endpoint: model.url, model: 'fake', enabled: true, concurrency: 3 })
}, LIMIT_MS)

afterAll(async () => {
  for (const server of servers) await server.stop()
  await database.stop()
  await model.stop()
  await folder.remove()
}, LIMIT_MS)

const state = async (admin: HttpClient): Promise<Json> => (await admin.get('/api/ai-tagging/jobs', { limit: 500 })).body
const idle = (admin: HttpClient): Promise<Json> =>
  waitFor(
    async () => {
      const found = await state(admin)
      return found.counts.queued + found.counts.running === 0 ? found : undefined
    },
    LIMIT_MS,
    () => 'The queue did not become empty',
  )

test(
  'both take jobs of one batch, and no job is done twice',
  async () => {
    // Long enough for the other server to look: it is not told.
    model.answer(after(500, says('Fine.')))
    const { body } = await admins[0].post('/api/ai-tagging/batch', { libraryId, activity: 'description', scope: 'all' })
    expect(body.queued).toBe(FILES)
    let most = 0
    const isOver = async (): Promise<true | undefined> => {
      most = Math.max(most, model.open())
      const { counts } = await state(admins[1])
      return counts.queued + counts.running === 0 ? true : undefined
    }
    await waitFor(isOver, LIMIT_MS, () => 'The batch did not end')
    const { jobs, counts } = await idle(admins[0])
    expect(counts).toMatchObject({ done: FILES, failed: 0 })
    expect(jobs.every(({ attempts }: Json) => attempts === 1)).toBe(true)
    const titles = model.chats().map(titleIn)
    expect(titles.length).toBe(FILES)
    expect(new Set(titles).size).toBe(FILES)
    // More at a time than one server asks.
    expect(most).toBeGreaterThan(3)
  },
  LIMIT_MS,
)

test(
  'a queue that is paused on one server is paused on the other',
  async () => {
    await admins[0].post('/api/ai-tagging/queue', { paused: true })
    const isPaused = async (): Promise<true | undefined> => ((await state(admins[1])).queue.paused ? true : undefined)
    await waitFor(isPaused, LIMIT_MS, () => 'The other server did not hear of it')
    const { body } = await admins[1].post('/api/ai-tagging/describe', { itemKey: `mixed_file:${libraryId}:file 0.txt` })
    await Bun.sleep(1500)
    expect((await state(admins[0])).jobs.find(({ id }: Json) => id === body.jobId).status).toBe('queued')
    await admins[1].post('/api/ai-tagging/queue', { paused: false })
    await idle(admins[0])
  },
  LIMIT_MS,
)

test(
  'a job that runs on the other server is cancelled',
  async () => {
    model.answer(MISBEHAVIOURS.hang)
    const { body } = await admins[0].post('/api/ai-tagging/describe', { itemKey: `mixed_file:${libraryId}:file 1.txt` })
    await waitFor(
      () => (model.open() > 0 ? true : undefined),
      LIMIT_MS,
      () => 'Nobody asked',
    )
    // Whichever of them runs it: each is asked to cancel one.
    await admins[1].delete(`/api/ai-tagging/jobs/${body.jobId}`)
    await waitFor(
      () => (model.open() === 0 ? true : undefined),
      LIMIT_MS,
      () => 'The question is still open',
    )
    expect((await state(admins[0])).jobs.find(({ id }: Json) => id === body.jobId).status).toBe('cancelled')
  },
  LIMIT_MS,
)

test(
  'what a killed server worked on is done by the other, once its lease is over',
  async () => {
    model.answer(MISBEHAVIOURS.hang)
    for (let index = 2; index < 8; index++)
      await admins[0].post('/api/ai-tagging/describe', { itemKey: `mixed_file:${libraryId}:file ${index}.txt` })
    await waitFor(
      () => (model.open() === 6 ? true : undefined),
      LIMIT_MS,
      () => 'Both servers should have three questions each',
    )
    const before = model.chats().length
    await servers[0].kill()
    const killedAt = performance.now()
    model.answer(says('After all.'))
    const isTakenUp = (): true | undefined => (model.chats().length > before ? true : undefined)
    // The other three hang on: there is room for what is taken up only once they are cancelled.
    const running = (await state(admins[1])).jobs.filter(({ status }: Json) => status === 'running')
    expect(running.length).toBe(6)
    await admins[1].put('/api/ai-settings', { endpoint: model.url, model: 'fake', enabled: true, concurrency: 6 })
    await waitFor(isTakenUp, TAKEN_UP_WITHIN_MS + MARGIN_MS, () => `Nothing was taken up in ${performance.now() - killedAt} ms`)
    const isDone = async (): Promise<true | undefined> =>
      (await state(admins[1])).jobs.filter(({ id, status }: Json) => status === 'done' && running.some((job: Json) => job.id === id))
        .length === 3
        ? true
        : undefined
    await waitFor(isDone, LIMIT_MS, () => 'What the dead server worked on was not done')
    expect(model.chats().length).toBe(before + 3)
  },
  LIMIT_MS,
)
