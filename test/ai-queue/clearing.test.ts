import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AiScene, LIMIT_MS, makeTag, startAiScene } from '../support/ai-scene.ts'
import { type Behaviour, MISBEHAVIOURS, says } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { waitFor } from '../support/test-server.ts'

const FILES = 200
const AT_ONCE = 4

let ai: AiScene
beforeAll(async () => {
  ai = await startAiScene(Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`file ${index}.txt`, `content ${index}`])))
  await ai.configure({ concurrency: AT_ONCE })
}, LIMIT_MS)
afterAll(() => ai[Symbol.asyncDispose]())

const queueAll = (): Promise<Json> =>
  ai.admin.post('/api/ai-tagging/batch', { libraryId: ai.libraryId, activity: 'description', scope: 'all' })
const counts = async (): Promise<Json> => (await ai.admin.get('/api/ai-tagging/jobs', { limit: 1 })).body.counts

test(
  'what waits is cleared also where it was claimed ahead, for an endpoint that says nothing any more',
  async () => {
    await queueAll()
    await ai.idle()
    // As fast as that went, jobs are claimed ahead of those that are asked now.
    const held: (() => void)[] = []
    const silent: Behaviour = { behave: (socket, request) => void held.push(() => says('Fine.').behave(socket, request)) }
    ai.model.answer(silent)
    const before = ai.model.chats().length
    await queueAll()
    await waitFor(
      () => held.length === AT_ONCE || undefined,
      LIMIT_MS,
      () => 'The questions were not asked',
    )
    const { body } = await ai.admin.post('/api/ai-tagging/jobs/clear', { status: 'queued' })
    expect(body).toEqual({ cleared: FILES - AT_ONCE })
    expect(await counts()).toMatchObject({ queued: 0, running: AT_ONCE, cancelled: FILES - AT_ONCE })
    ai.model.answer(says('Fine.'))
    for (const release of held) release()
    await ai.idle()
    expect(await counts()).toMatchObject({ done: FILES + AT_ONCE, cancelled: FILES - AT_ONCE })
    expect(ai.model.chats().length - before).toBe(AT_ONCE)
  },
  LIMIT_MS,
)

test(
  'what waits for an endpoint that is away is cleared, and none of it comes back with the endpoint',
  async () => {
    const { cancelled, done } = await counts()
    await ai.model.away()
    await queueAll()
    const isWaiting = async (): Promise<true | undefined> => {
      const { waiting, running } = (await ai.admin.get('/api/ai-tagging/queue')).body
      return (waiting !== null && running === 0) || undefined
    }
    await waitFor(isWaiting, LIMIT_MS, () => 'The queue did not notice that the endpoint is away')
    expect((await ai.admin.post('/api/ai-tagging/jobs/clear', { status: 'queued', libraryId: ai.libraryId })).body).toEqual({
      cleared: FILES,
    })
    await ai.model.back()
    // The queue goes on with what comes later.
    const id = await ai.ask('describe', 'file 1.txt')
    expect((await ai.ended(id)).status).toBe('done')
    expect(await counts()).toMatchObject({ queued: 0, running: 0, done: done + 1, cancelled: cancelled + FILES })
  },
  LIMIT_MS,
)

test(
  'what waits of one activity is cleared, and what failed of one is retried or put away, without the others',
  async () => {
    const ofActivity = async (activity: string): Promise<Json> =>
      (await ai.admin.get('/api/ai-tagging/jobs', { limit: 1, activity })).body.counts
    const post = async (path: string, body: Json): Promise<Json> => (await ai.admin.post(`/api/ai-tagging/${path}`, body)).body
    await makeTag(ai.admin, 'Calm')
    await post('queue', { paused: true })
    for (const request of ['describe', 'tag'] as const) for (const index of [1, 2]) await ai.ask(request, `file ${index}.txt`)
    expect(await post('jobs/clear', { status: 'queued', activity: 'tagging' })).toEqual({ cleared: 2 })
    expect(await ofActivity('description')).toMatchObject({ queued: 2 })
    for (const index of [1, 2]) await ai.ask('tag', `file ${index}.txt`)
    ai.model.answer(MISBEHAVIOURS.unauthorized)
    await post('queue', { paused: false })
    await ai.idle()
    expect(await ofActivity('tagging')).toMatchObject({ failed: 2 })
    ai.model.answer(says('Fine.'))
    expect(await post('jobs/retry', { activity: 'description' })).toEqual({ queued: 2 })
    await ai.idle()
    expect(await ofActivity('tagging')).toMatchObject({ failed: 2 })
    expect(await post('jobs/clear', { status: 'failed', activity: 'description' })).toEqual({ cleared: 0 })
    expect(await post('jobs/clear', { status: 'failed', activity: 'tagging', libraryId: ai.libraryId })).toEqual({ cleared: 2 })
  },
  LIMIT_MS,
)
