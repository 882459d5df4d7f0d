import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { type AiScene, LIMIT_MS, makeTag, startAiScene, titleIn } from '../support/ai-scene.ts'
import { after, answersWith, type Behaviour, MISBEHAVIOURS, says } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { makePicture } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'

/** The queue as administrators see it: order, pause, cancel, retry, concurrency, batches, new items, undo. */

const FILES = 12

let ai: AiScene
const nameAt = (index: number): string => `file ${String(index).padStart(2, '0')}.txt`

beforeAll(async () => {
  ai = await startAiScene(Object.fromEntries(Array.from({ length: FILES }, (_, index) => [nameAt(index), `content ${index}`])))
}, LIMIT_MS)
afterAll(() => ai[Symbol.asyncDispose]())
beforeEach(async () => {
  ai.model.answer(says('Fine.'))
  await ai.configure()
  await ai.idle()
})

const queue = (paused: boolean): Promise<Json> => ai.admin.post('/api/ai-tagging/queue', { paused })
const batch = async (activity: string, scope: string, more: Record<string, unknown> = {}): Promise<{ status: number; body: Json }> =>
  ai.admin.post('/api/ai-tagging/batch', { libraryId: ai.libraryId, activity, scope, ...more })
const counts = async (query: Record<string, string | number> = {}): Promise<Json> =>
  (await ai.admin.get('/api/ai-tagging/jobs', query)).body.counts
const until = <T>(ask: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> => waitFor(ask, LIMIT_MS, () => what)
const tagsOf = async (path: string): Promise<[number, string][]> => {
  const { tags } = (await ai.admin.get('/api/tags/assignments', { itemKey: ai.keyOf(path) })).body
  return tags.map(({ id, source }: Json) => [id, source]).sort(([a]: [number], [b]: [number]) => a - b)
}

/** Holds every question until the test lets it go. */
const gate = (answerTo: (title: string) => string = () => 'Fine.') => {
  const titles: string[] = []
  const held: (() => void)[] = []
  const behaviour: Behaviour = {
    behave: (socket, request) => {
      const title = titleIn(request)
      titles.push(title)
      held.push(() => says(answerTo(title)).behave(socket, request))
    },
  }
  const release = (): void => {
    for (const go of held.splice(0)) go()
  }
  return { behaviour, titles, release }
}

describe('order', () => {
  test(
    'a question that somebody waits for overtakes a batch, and the batch goes on in its order',
    async () => {
      const { behaviour, titles, release } = gate()
      ai.model.answer(behaviour)
      await batch('description', 'all')
      await until(() => (titles.length === 1 ? true : undefined), 'No job of the batch was started')
      const wanted = await ai.ask('describe', nameAt(FILES - 1))
      const overtaking = await ai.ask('tag', nameAt(3))
      // Time to be claimed: what the queue has not heard of cannot overtake.
      await Bun.sleep(300)
      release()
      const isOver = async (): Promise<true | undefined> => {
        release()
        return (await counts()).queued + (await counts()).running === 0 ? true : undefined
      }
      await until(isOver, 'The batch did not end')
      expect(titles.slice(0, 2)).toEqual([nameAt(0), nameAt(FILES - 1)])
      expect(titles.slice(-2)).toEqual([nameAt(FILES - 3), nameAt(FILES - 2)])
      for (const id of [wanted, overtaking]) expect((await ai.job(id)).status).toBe('done')
    },
    LIMIT_MS,
  )

  test(
    'as many questions are under way as the settings say, also when they change meanwhile',
    async () => {
      const { behaviour, titles, release } = gate()
      ai.model.answer(behaviour)
      await batch('description', 'all')
      await until(() => (titles.length === 1 ? true : undefined), 'No question was asked')
      await ai.configure({ concurrency: 4 })
      await until(() => (ai.model.open() === 4 ? true : undefined), 'There were never four questions at a time')
      await Bun.sleep(300)
      expect(ai.model.open()).toBe(4)
      await ai.configure({ concurrency: 2 })
      release()
      await until(() => (titles.length === 6 ? true : undefined), 'No more questions were asked')
      await until(() => (ai.model.open() === 2 ? true : undefined), 'There were never two questions at a time')
      await Bun.sleep(300)
      expect(ai.model.open()).toBe(2)
      ai.model.answer(says('Fine.'))
      release()
      await ai.idle()
    },
    LIMIT_MS,
  )
})

describe('pausing, cancelling, retrying', () => {
  test(
    'a paused queue starts nothing, says so, and stays paused over a restart; then it goes on',
    async () => {
      expect((await queue(true)).body).toEqual({ paused: true })
      const asked = ai.model.chats().length
      const id = await ai.ask('describe', nameAt(0))
      await ai.scene.restart()
      await Bun.sleep(1500)
      expect((await ai.admin.get('/api/ai-tagging/jobs', { limit: 1 })).body).toMatchObject({
        queue: { paused: true },
        jobs: [{ id, status: 'queued' }],
      })
      expect((await ai.admin.get('/api/ai-tagging/queue')).body).toMatchObject({ paused: true, queued: 1, running: 0 })
      expect(ai.model.chats().length).toBe(asked)
      await queue(false)
      expect((await ai.ended(id)).status).toBe('done')
      expect((await ai.admin.get('/api/ai-tagging/queue')).body).toMatchObject({ paused: false, queued: 0, running: 0 })
    },
    LIMIT_MS,
  )

  test(
    'a running job that is cancelled lets go of its question, changes nothing, and frees its place',
    async () => {
      const { behaviour, titles, release } = gate()
      ai.model.answer(behaviour)
      const before = await ai.fields(nameAt(1))
      const id = await ai.ask('describe', nameAt(1))
      await until(() => (titles.length === 1 ? true : undefined), 'The job was not started')
      expect((await ai.admin.delete(`/api/ai-tagging/jobs/${id}`)).status).toBe(204)
      await until(() => (ai.model.open() === 0 ? true : undefined), 'The question is still open')
      release()
      ai.model.answer(says('Another one.'))
      expect((await ai.ended(await ai.ask('describe', nameAt(2)))).status).toBe('done')
      expect((await ai.job(id)).status).toBe('cancelled')
      expect((await ai.fields(nameAt(1))).description).toBe(before.description)
    },
    LIMIT_MS,
  )

  test(
    'a running job that is asked for otherwise begins anew, as it was asked for last',
    async () => {
      await ai.admin.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf(nameAt(3)), extractedText: 'Guten Tag' })
      const { behaviour, titles, release } = gate(() => 'What the first one makes')
      ai.model.answer(behaviour)
      const translate = (sourceLanguage: string) =>
        ai.admin.post('/api/ai-tagging/translate', { itemKey: ai.keyOf(nameAt(3)), sourceLanguage })
      const { jobId } = (await translate('French')).body
      await until(() => (titles.length === 1 ? true : undefined), 'The job was not started')
      expect((await translate('French')).body).toEqual({ jobId, status: 'running' })
      const questions = ai.model.chats().length
      ai.model.answer(says('Good day'))
      expect((await translate('German')).body).toEqual({ jobId, status: 'queued' })
      expect(await ai.ended(jobId)).toMatchObject({ status: 'done', attempts: 1, payload: { sourceLanguage: 'German' } })
      release()
      await ai.idle()
      expect((await ai.fields(nameAt(3))).translation).toBe('Good day')
      expect(ai.model.chats().length).toBe(questions + 1)
      expect(JSON.stringify(ai.model.chats().at(-1)?.body.messages)).toContain('German')
    },
    LIMIT_MS,
  )

  test('a job that waits is cancelled at once', async () => {
    await queue(true)
    const id = await ai.ask('describe', nameAt(1))
    await ai.admin.delete(`/api/ai-tagging/jobs/${id}`)
    await queue(false)
    expect((await ai.job(id)).status).toBe('cancelled')
  })

  test(
    'a failed job is retried with all its attempts, one by one or all together, and put away',
    async () => {
      ai.model.answer(MISBEHAVIOURS.unauthorized)
      const ids = [await ai.ask('describe', nameAt(4)), await ai.ask('describe', nameAt(5)), await ai.ask('describe', nameAt(6))]
      for (const id of ids) expect((await ai.ended(id)).status).toBe('failed')
      ai.model.answer(says('Now.'))
      expect(await ai.admin.post(`/api/ai-tagging/jobs/${ids[0]}/retry`)).toMatchObject({
        status: 202,
        body: { jobId: ids[0], status: 'queued' },
      })
      expect(await ai.ended(ids[0] ?? 0)).toMatchObject({ status: 'done', attempts: 1, error: null })
      expect(await ai.admin.post('/api/ai-tagging/jobs/retry', { libraryId: ai.libraryId })).toMatchObject({
        status: 202,
        body: { queued: 2 },
      })
      await ai.idle()
      expect(await counts({ status: 'failed' })).toMatchObject({ failed: 0 })
      ai.model.answer(MISBEHAVIOURS.unauthorized)
      await ai.ended(await ai.ask('describe', nameAt(4)))
      expect((await ai.admin.post('/api/ai-tagging/jobs/clear', { status: 'failed' })).body).toEqual({ cleared: 1 })
      expect((await ai.fields(nameAt(4))).jobs).toEqual([])
    },
    LIMIT_MS,
  )
})

describe('a result that the database refuses', () => {
  test(
    'is asked for again, and costs no other job an attempt',
    async () => {
      const database = createClient({ url: `file:${ai.scene.server.dataDir}/vitrine.db`, timeout: 5000 })
      await database.execute(`CREATE TRIGGER refuse BEFORE UPDATE OF description ON media_items WHEN new.description = 'Poison.'
        BEGIN SELECT RAISE(ABORT, 'refused'); END`)
      try {
        const { behaviour, titles, release } = gate((title) => (title === nameAt(3) ? 'Poison.' : 'Fine.'))
        ai.model.answer(behaviour)
        await ai.configure({ concurrency: FILES })
        const run = (await batch('description', 'all')).body.runId
        // All of them end in the same moment, and so in the same transaction.
        await until(() => (titles.length === FILES ? true : undefined), 'Not every job was started')
        ai.model.answer(says('Better.'))
        release()
        await ai.idle()
        const { jobs } = (await ai.admin.get('/api/ai-tagging/jobs', { runId: run, limit: 100 })).body
        expect(jobs.map(({ title, status, attempts }: Json) => [title, status, attempts]).toSorted()).toEqual(
          Array.from({ length: FILES }, (_, index) => [nameAt(index), 'done', index === 3 ? 2 : 1]),
        )
        expect(await ai.fields(nameAt(3))).toMatchObject({ description: 'Better.' })
        expect(titles.toSorted()).toEqual(Array.from({ length: FILES }, (_, index) => nameAt(index)))
      } finally {
        await database.execute('DROP TRIGGER refuse')
        database.close()
      }
    },
    LIMIT_MS,
  )
})

describe('the list of jobs', () => {
  test('goes page by page, newest first, and by status, activity and library', async () => {
    const all: Json[] = []
    for (let cursor: string | undefined; ; ) {
      const { status, body } = await ai.admin.get('/api/ai-tagging/jobs', { limit: 7, cursor })
      expect(status).toBe(200)
      all.push(...body.jobs)
      if (body.nextCursor === null) break
      cursor = body.nextCursor
    }
    const ids = all.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a))
    const { jobs } = (await ai.admin.get('/api/ai-tagging/jobs', { status: 'done', activity: 'tagging', libraryId: ai.libraryId })).body
    expect(jobs.map(({ id }: Json) => id)).toEqual(
      all.filter((job) => job.status === 'done' && job.activity === 'tagging').map(({ id }) => id),
    )
    const folder = await temporaryFolder('no-jobs')
    const { id } = (await ai.admin.post('/api/libraries', { name: 'Other', type: 'mixed', path: folder.path })).body.library
    const ofOther = () => ai.admin.get('/api/ai-tagging/jobs', { libraryId: id })
    expect((await ofOther()).body).toMatchObject({ jobs: [], counts: { done: 0 } })
    await ai.admin.delete(`/api/libraries/${id}`)
    expect((await ofOther()).status).toBe(404)
    await folder.remove()
    expect((await ai.admin.get('/api/ai-tagging/jobs', { cursor: 'nonsense' })).status).toBe(400)
  })
})

describe('batches', () => {
  test(
    'a dry run counts and queues nothing; the batch takes up what lacks it, and again what has it where all is wanted',
    async () => {
      await makeTag(ai.admin, 'Batch')
      ai.model.answer(says('{"tags": ["Batch"]}'))
      const before = await counts()
      const dry = await batch('tagging', 'untagged', { dryRun: true })
      expect(dry.status).toBe(200)
      expect(dry.body.eligible).toBeGreaterThan(0)
      expect(await counts()).toEqual(before)
      const first = await batch('tagging', 'untagged')
      expect(first).toMatchObject({ status: 202, body: { queued: dry.body.eligible, left: 0, runId: expect.any(Number) } })
      await ai.idle()
      expect((await batch('tagging', 'untagged', { dryRun: true })).body).toEqual({ eligible: 0 })
      expect((await batch('tagging', 'all', { dryRun: true })).body).toEqual({ eligible: FILES })
      await queue(true)
      expect((await batch('tagging', 'all')).body).toMatchObject({ queued: FILES })
      for (let index = 0; index < FILES; index++) expect((await ai.fields(nameAt(index))).aiTaggedAt).toBe(null)
      await queue(false)
      await ai.idle()
      for (let index = 0; index < FILES; index++) expect((await ai.fields(nameAt(index))).aiTaggedAt).not.toBe(null)
    },
    LIMIT_MS,
  )

  test(
    'a failure on one item stops nothing',
    async () => {
      ai.model.answer((request) => (titleIn(request) === nameAt(5) ? answersWith(404, '{}') : says('Described.')))
      const { body } = await batch('description', 'all')
      await ai.idle()
      expect(await counts({ runId: body.runId })).toEqual({ queued: 0, running: 0, done: FILES - 1, failed: 1, cancelled: 0 })
      await ai.admin.post('/api/ai-tagging/jobs/clear', { status: 'failed' })
    },
    LIMIT_MS,
  )

  test(
    'a run is undone: tags and texts are as before, what people and later jobs did stays, and doing it again changes nothing',
    async () => {
      const [old, fresh, own] = [await makeTag(ai.admin, 'Old'), await makeTag(ai.admin, 'New'), await makeTag(ai.admin, 'Own')]
      ai.model.answer(says('{"tags": ["Old"]}'))
      await batch('tagging', 'all')
      await ai.idle()
      const before = await ai.fields(nameAt(0))
      ai.model.answer(says('{"tags": ["New"]}'))
      const run = (await batch('tagging', 'all')).body.runId
      await ai.idle()
      expect(await tagsOf(nameAt(0))).toEqual([[fresh, 'ai']])
      await ai.admin.put('/api/tags/assignments', { itemKey: ai.keyOf(nameAt(0)), tagId: own })
      ai.model.answer(says('{"tags": ["Own"]}'))
      await ai.ended(await ai.ask('tag', nameAt(1)))
      expect(await ai.admin.post(`/api/ai-tagging/runs/${run}/undo`)).toMatchObject({
        status: 200,
        body: { undone: FILES - 1, kept: 1, cancelled: 0 },
      })
      expect(await tagsOf(nameAt(0))).toEqual([
        [old, 'ai'],
        [own, 'user'],
      ])
      expect(await tagsOf(nameAt(1))).toEqual([[own, 'ai']])
      expect(await tagsOf(nameAt(2))).toEqual([[old, 'ai']])
      expect((await ai.fields(nameAt(2))).aiTaggedAt).not.toBe(null)
      expect(before.aiTaggedAt).not.toBe(null)
      expect((await ai.admin.post(`/api/ai-tagging/runs/${run}/undo`)).body).toEqual({ undone: 0, kept: 1, cancelled: 0 })
      const { runs } = (await ai.admin.get('/api/ai-tagging/runs', { libraryId: ai.libraryId })).body
      expect(runs.find(({ id }: Json) => id === run)).toMatchObject({
        activity: 'tagging',
        trigger: 'batch',
        undoneAt: expect.any(String),
        counts: { done: FILES },
      })
    },
    LIMIT_MS,
  )

  test(
    'undoing a run that is still going on cancels what it has not done',
    async () => {
      ai.model.answer(says('Before.'))
      await batch('description', 'all')
      await ai.idle()
      ai.model.answer((request) => (titleIn(request) === nameAt(0) ? says('After.') : after(60_000, says('Never.'))))
      const run = (await batch('description', 'all')).body.runId
      await until(async () => ((await counts({ runId: run })).done === 1 ? true : undefined), 'The first job was not done')
      expect((await ai.admin.post(`/api/ai-tagging/runs/${run}/undo`)).body).toEqual({ undone: 1, kept: 0, cancelled: FILES - 1 })
      for (const index of [0, 1, 2]) expect((await ai.fields(nameAt(index))).description).toBe('Before.')
      await until(() => (ai.model.open() === 0 ? true : undefined), 'A question is still open')
    },
    LIMIT_MS,
  )
})

describe('what a scan finds', () => {
  test(
    'nothing is queued unasked; a library that asks for it has its new items queued, and no others',
    async () => {
      const add = (name: string): void => writeFileSync(join(ai.scene.rootOf('mixed'), name), name)
      const before = (await counts()).done
      add('unasked.txt')
      await ai.scene.scan('mixed')
      expect((await counts()).queued + (await counts()).running).toBe(0)
      const patched = await ai.admin.patch(`/api/libraries/${ai.libraryId}`, { aiOnScan: ['description'] })
      expect(patched.body.library.aiOnScan).toEqual(['description'])
      await ai.scene.scan('mixed')
      expect((await counts()).done).toBe(before)
      ai.model.answer(says('New.'))
      add('asked 1.txt')
      add('asked 2.txt')
      await ai.scene.scan('mixed')
      await ai.idle()
      expect((await counts()).done).toBe(before + 2)
      expect(await ai.fields('asked 1.txt')).toMatchObject({ description: 'New.' })
      expect(await ai.fields('unasked.txt')).toMatchObject({ description: null })
      await ai.scene.scan('mixed')
      await ai.idle()
      expect((await counts()).done).toBe(before + 2)
      const [run] = (await ai.admin.get('/api/ai-tagging/runs')).body.runs
      expect(run).toMatchObject({ trigger: 'scan', counts: { done: 2 } })
    },
    LIMIT_MS,
  )

  test(
    'and what it wants to be translated is, also where somebody asks for the text before its turn',
    async () => {
      await ai.admin.patch(`/api/libraries/${ai.libraryId}`, { aiOnScan: ['extraction', 'translation'] })
      await ai.configure({ ocrMode: 'llm-only' })
      ai.model.answer(says('Guten Tag'))
      await queue(true)
      await makePicture(join(ai.scene.rootOf('mixed'), 'sign.png'))
      await ai.scene.scan('mixed')
      const [found] = (await ai.fields('sign.png')).jobs
      expect(found).toMatchObject({ activity: 'extraction', status: 'queued' })
      expect(await ai.ask('extract', 'sign.png', { ocrLanguages: 'eng' })).toBe(found.id)
      expect(await ai.job(found.id)).toMatchObject({ payload: { ocrLanguages: 'eng', thenTranslate: true } })
      await queue(false)
      await ai.idle()
      expect(await ai.fields('sign.png')).toMatchObject({ extractedText: 'Guten Tag', translation: 'Guten Tag' })
    },
    LIMIT_MS,
  )
})
