import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMIT_MS } from '../support/ai-scene.ts'
import { type FakeModel, MISBEHAVIOURS, says, startFakeModel } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { writtenPage } from '../support/real-media.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

/** AI that is off for one library: nothing of it reaches a model, whatever is asked, queued or under way; other libraries go on. */

let scene: ScanScene
let model: FakeModel

beforeAll(async () => {
  const page = await writtenPage('The family at the lake')
  scene = await startScene({ mixed: { 'family.png': page, 'note.txt': 'a note' }, movies: { 'Film (2000)': { 'Film.mkv': 9 } } })
  model = await startFakeModel()
}, LIMIT_MS)
afterAll(async () => {
  await scene[Symbol.asyncDispose]()
  await model.stop()
})

const FAMILY = (): string => `mixed_file:${scene.idOf('mixed')}:family.png`
const NOTE = (): string => `mixed_file:${scene.idOf('mixed')}:note.txt`
const FILM = (): string => `movie:${scene.idOf('movies')}:Film (2000)`

const override = async (overrides: Record<string, unknown>): Promise<void> => {
  const { status } = await scene.admin.put(`/api/ai-settings/library/${scene.idOf('mixed')}`, { overrides })
  expect(status).toBe(200)
}
const pause = (paused: boolean) => scene.admin.post('/api/ai-tagging/queue', { paused })
const post = (route: string, body: Json) => scene.admin.post(`/api/ai-tagging/${route}`, body)
const ask = async (route: string, itemKey: string): Promise<number> => {
  const { status, body } = await post(route, { itemKey })
  expect(status).toBe(202)
  return body.jobId
}
const jobs = async (): Promise<Json[]> => (await scene.admin.get('/api/ai-tagging/jobs', { limit: 100 })).body.jobs
const job = async (id: number): Promise<Json> => (await jobs()).find((found) => found.id === id)
const ended = (id: number): Promise<Json> =>
  waitFor(
    async () => {
      const found = await job(id)
      return ['queued', 'running'].includes(found.status) ? undefined : found
    },
    LIMIT_MS,
    () => `Job ${id} did not end; the server wrote:\n${scene.server.output()}`,
  )
const until = (is: () => boolean | Promise<boolean>, what: string): Promise<true> =>
  waitFor(
    async () => ((await is()) ? true : undefined),
    LIMIT_MS,
    () => what,
  )
/** Longer than a queue that may claim leaves a job waiting. */
const leaveTime = (): Promise<void> => Bun.sleep(700)

beforeEach(async () => {
  model.answer(says('A lake.'))
  const settings = { endpoint: model.url, model: 'fake', enabled: true, concurrency: 2, ocrMode: 'hybrid' }
  expect((await scene.admin.put('/api/ai-settings', settings)).status).toBe(200)
  await override({})
})

describe('refused', () => {
  test('whatever needs a model is: for one item, for all, and to be read by a model alone', async () => {
    await override({ enabled: false, ocrMode: 'llm-only' })
    await scene.admin.patch('/api/ai-tagging/fields', { itemKey: FAMILY(), extractedText: 'Am See' })
    const before = model.chats().length
    for (const route of ['tag', 'describe', 'extract', 'translate'])
      expect([route, await post(route, { itemKey: FAMILY() })]).toMatchObject([route, { status: 409, body: { code: 'ai_disabled' } }])
    for (const activity of ['tagging', 'description', 'extraction', 'translation']) {
      const batch = { libraryId: scene.idOf('mixed'), activity, scope: 'all' }
      expect([activity, await post('batch', batch)]).toMatchObject([activity, { status: 409, body: { code: 'ai_disabled' } }])
    }
    await leaveTime()
    expect(await jobs()).toEqual([])
    expect(model.chats().length).toBe(before)
  })
})

describe('off', () => {
  test(
    'text is read offline, with nothing sent of what a model would have been asked about',
    async () => {
      await override({ enabled: false, ocrLanguages: 'eng' })
      const before = model.chats().length
      for (const ocrMode of ['hybrid', 'tesseract']) {
        await override({ enabled: false, ocrMode })
        expect(await ended(await ask('extract', FAMILY()))).toMatchObject({ status: 'done' })
        expect((await scene.admin.get('/api/ai-tagging/fields', { itemKey: FAMILY() })).body.extractedText).toBe('The family at the lake')
      }
      expect(model.chats().length).toBe(before)
    },
    LIMIT_MS,
  )

  test(
    'what is queued already waits, says why, and holds up no other library; on again it is done',
    async () => {
      await pause(true)
      const waiting = [await ask('describe', NOTE()), await ask('tag', NOTE())]
      await override({ enabled: false })
      const other = await ask('describe', FILM())
      const before = model.chats().length
      await pause(false)
      expect((await ended(other)).status).toBe('done')
      await leaveTime()
      for (const id of waiting)
        expect(await job(id)).toMatchObject({ status: 'queued', attempts: 0, error: 'AI is switched off for this library.' })
      expect(model.chats().length).toBe(before + 1)
      await scene.restart()
      await leaveTime()
      for (const id of waiting) expect((await job(id)).status).toBe('queued')
      expect(model.chats().length).toBe(before + 1)
      await override({})
      for (const id of waiting) expect((await ended(id)).status).toBe('done')
    },
    LIMIT_MS,
  )

  test(
    'a question that is under way is broken off, and its job waits as if it had not begun',
    async () => {
      await until(() => model.open() === 0, 'There are questions from before')
      model.answer(MISBEHAVIOURS.hang)
      const id = await ask('describe', NOTE())
      const other = await ask('describe', FILM())
      await until(() => model.open() === 2, 'The questions were not asked')
      await override({ enabled: false })
      await until(() => model.open() === 1, 'The question is still open')
      await until(async () => (await job(id)).status === 'queued', 'The job does not wait')
      expect(await job(id)).toMatchObject({ attempts: 0, error: 'AI is switched off for this library.' })
      expect((await job(other)).status).toBe('running')
      await scene.admin.delete(`/api/ai-tagging/jobs/${other}`)
      model.answer(says('A note.'))
      await leaveTime()
      expect((await job(id)).status).toBe('queued')
      await override({})
      expect((await ended(id)).status).toBe('done')
    },
    LIMIT_MS,
  )

  test(
    'a picture that is being read goes on by recognition alone',
    async () => {
      await override({ ocrMode: 'llm-only' })
      model.answer(MISBEHAVIOURS.hang)
      const before = model.chats().length
      const id = await ask('extract', FAMILY())
      await until(() => model.chats().length > before, 'The picture was not sent')
      await override({ enabled: false, ocrMode: 'hybrid' })
      expect(await ended(id)).toMatchObject({ status: 'done' })
      expect((await scene.admin.get('/api/ai-tagging/fields', { itemKey: FAMILY() })).body.extractedText).toBe('The family at the lake')
      expect(model.chats().length).toBe(before + 1)
    },
    LIMIT_MS,
  )

  test(
    'what a scan finds is read, and nothing else is queued for it, now or later',
    async () => {
      await override({ enabled: false })
      const path = `/api/libraries/${scene.idOf('mixed')}`
      await scene.admin.patch(path, { aiOnScan: ['extraction', 'tagging', 'description', 'translation'] })
      const before = (await jobs()).length
      const asked = model.chats().length
      writeFileSync(join(scene.rootOf('mixed'), 'later.png'), await writtenPage('A later day'))
      await scene.scan('mixed')
      const found = async (): Promise<Json[]> => (await jobs()).slice(0, (await jobs()).length - before)
      await until(async () => (await found()).some(({ status }) => status === 'done'), 'The text was not read')
      await override({})
      await scene.scan('mixed')
      await leaveTime()
      expect((await found()).map(({ activity }) => activity)).toEqual(['extraction'])
      expect(model.chats().length).toBe(asked)
    },
    LIMIT_MS,
  )
})
