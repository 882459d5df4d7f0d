import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type AiScene, LIMIT_MS, makeTag, startAiScene, titleIn } from '../support/ai-scene.ts'
import { answersWith, inTurn, MISBEHAVIOURS, redirectsTo, says, startFakeModel } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { waitFor } from '../support/test-server.ts'

/** Whatever the endpoint does, each job ends in the right state, its thread is free again, and the queue goes on. */

type Name = keyof typeof MISBEHAVIOURS

/** Bad for this moment: three attempts, then failed with a reason. */
const TEMPORARY: Name[] = [
  'hang',
  'slowHeaders',
  'drip',
  'endless',
  'gigabyte',
  'gzipBomb',
  'error500',
  'badGateway',
  'html',
  'noChoices',
  'emptyObject',
  'errorWith200',
  'truncatedJson',
  'cutOff',
  'reset',
  'brokenOff',
  'notHttp',
  'wrongCharset',
  'nullContent',
  'toolCalls',
  'refusal',
]
/** Asking the same again would be refused again. */
const FINAL: Name[] = ['unauthorized', 'unknownModel']
/** Odd, and good enough. */
const GOOD: Name[] = ['wrongContentType', 'unknownCharset', 'contentParts']

const BROKEN = 'broken.png'

const TIMEOUT_SECONDS = 5
const AT_ONCE = 16

let ai: AiScene
beforeAll(async () => {
  const names = [...TEMPORARY, ...FINAL, ...GOOD, 'redirect', 'limited', 'limitedFor', 'limitedForEver', 'away 1', 'away 2', 'after']
  ai = await startAiScene({ ...Object.fromEntries(names.map((name) => [`${name}.txt`, name])), [BROKEN]: 'no picture' })
}, LIMIT_MS)
afterAll(() => ai[Symbol.asyncDispose]())
beforeEach(async () => {
  await ai.configure({ concurrency: AT_ONCE, timeoutSeconds: TIMEOUT_SECONDS })
})

const nameOf = (title: string): string => title.replace(/\.txt$/, '')

/** The queue is not held up: another job is done, and nobody holds a connection any more. */
const expectFree = async (): Promise<void> => {
  ai.model.answer(says('Fine.'))
  expect((await ai.ended(await ai.ask('describe', 'after.txt'))).status).toBe('done')
  await waitFor(
    () => (ai.model.open() === 0 ? true : undefined),
    LIMIT_MS,
    () => `${ai.model.open()} connections are still open`,
  )
  expect((await ai.admin.get('/api/ai-tagging/jobs', { status: 'running' })).body.jobs).toEqual([])
}

describe('an endpoint that misbehaves', () => {
  const jobs = new Map<string, Json>()

  test(
    'lets every job end while all of them go wrong at once',
    async () => {
      ai.model.answer((request) => {
        const name = nameOf(titleIn(request))
        return name === 'redirect' ? redirectsTo('http://127.0.0.1:9/elsewhere') : MISBEHAVIOURS[name as Name]
      })
      const names = [...TEMPORARY, ...FINAL, ...GOOD, 'redirect']
      const ids = await Promise.all(names.map(async (name) => [name, await ai.ask('describe', `${name}.txt`)] as const))
      for (const [name, id] of ids) jobs.set(name, await ai.ended(id))
      await expectFree()
    },
    LIMIT_MS,
  )

  test.each(TEMPORARY)('%s: the job failed after three attempts, with a reason', async (name) => {
    expect(jobs.get(name)).toMatchObject({ status: 'failed', attempts: 3, error: expect.stringMatching(/\w+ \w+/) })
    expect((await ai.fields(`${name}.txt`)).description).toBe(null)
  })

  test.each([...FINAL, 'redirect'])('%s: the job failed at once, with a reason', (name) => {
    expect(jobs.get(name)).toMatchObject({ status: 'failed', attempts: 1, error: expect.stringMatching(/\w+ \w+/) })
  })

  test.each(GOOD)('%s: the answer is taken', async (name) => {
    expect(jobs.get(name)).toMatchObject({ status: 'done', attempts: 1 })
    expect((await ai.fields(`${name}.txt`)).description).toBe('Fine.')
  })

  test('a reason holds nothing of what the endpoint said', () => {
    const said = [...jobs.values()].map(({ error }) => error ?? '').join('\n')
    expect(said).not.toMatch(/sk-12345|out of memory|slow down|Sign in|elsewhere/)
  })
})

test(
  'a picture that cannot be opened is not described by its name, but may be tagged by it',
  async () => {
    await makeTag(ai.admin, 'Broken')
    ai.model.answer(says('{"tags": ["Broken"]}'))
    const before = ai.model.chats().length
    const described = await ai.ended(await ai.ask('describe', BROKEN))
    expect(described).toMatchObject({ status: 'failed', attempts: 1, error: expect.stringMatching(/\w+ \w+/) })
    expect(ai.model.chats().length).toBe(before)
    expect((await ai.fields(BROKEN)).description).toBe(null)
    expect((await ai.ended(await ai.ask('tag', BROKEN))).status).toBe('done')
    expect(ai.model.chats().length).toBe(before + 1)
  },
  LIMIT_MS,
)

const waitsFor = (path: string): Promise<Json> =>
  waitFor(
    async () => {
      const { jobs } = await ai.fields(path)
      return jobs.find(({ status, error }: Json) => status === 'queued' && error)
    },
    LIMIT_MS,
    () => `The job of ${path} does not say that it waits`,
  )

describe('an endpoint that wants to be asked less', () => {
  test(
    'is left in peace for as long as it says, and the job counts it once at most',
    async () => {
      ai.model.answer(inTurn(answersWith(429, '{}', { 'Retry-After': '2' }), says('Now.')))
      const before = ai.model.chats().length
      const job = await ai.ended(await ai.ask('describe', 'limitedFor.txt'))
      expect(job).toMatchObject({ status: 'done', attempts: 1 })
      const [first, second, ...more] = ai.model.chats().slice(before)
      expect(more).toEqual([])
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2000)
    },
    LIMIT_MS,
  )

  test(
    'and says no time is left in peace for a moment all the same',
    async () => {
      ai.model.answer(inTurn(answersWith(429, '{}', { 'Retry-After': '0' }), says('Now.')))
      const before = ai.model.chats().length
      expect(await ai.ended(await ai.ask('describe', 'limitedFor.txt'))).toMatchObject({ status: 'done', attempts: 1 })
      const [first, second] = ai.model.chats().slice(before)
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000)
    },
    LIMIT_MS,
  )

  test(
    'is not waited for once another one is set, nor is the other one, whatever the first says then',
    async () => {
      await using other = await startFakeModel()
      const refusal = answersWith(429, '{}', { 'Retry-After': '3600' })
      const held: (() => void)[] = []
      ai.model.answer((asked) => ({ behave: (socket) => void held.push(() => refusal.behave(socket, asked)) }))
      const refused = await ai.ask('describe', 'limited.txt')
      const refusedLater = await ai.ask('describe', 'limitedFor.txt')
      await waitFor(
        () => held.length === 2 || undefined,
        LIMIT_MS,
        () => 'The endpoint was not asked',
      )
      held[0]?.()
      await waitFor(
        async () => (await ai.job(refused)).status === 'queued' || (await ai.job(refusedLater)).status === 'queued' || undefined,
        LIMIT_MS,
        () => 'Nothing waits',
      )
      await ai.configure({ endpoint: other.url })
      held[1]?.()
      for (const id of [refused, refusedLater]) expect(await ai.ended(id)).toMatchObject({ status: 'done', attempts: 1 })
      expect(await ai.ended(await ai.ask('describe', 'after.txt'))).toMatchObject({ status: 'done', attempts: 1 })
    },
    LIMIT_MS,
  )

  test(
    'is not asked for other items meanwhile either, and they say what they wait for',
    async () => {
      ai.model.answer(inTurn(answersWith(429, '{}', { 'Retry-After': '3600' }), says('Now.')))
      const before = ai.model.chats().length
      const first = await ai.ask('describe', 'limited.txt')
      await waitsFor('limited.txt')
      const second = await ai.ask('describe', 'after.txt')
      expect((await waitsFor('after.txt')).error).toContain('429')
      expect(ai.model.chats().length).toBe(before + 1)
      await ai.configure()
      for (const id of [first, second]) expect(await ai.ended(id)).toMatchObject({ status: 'done', attempts: 1 })
    },
    LIMIT_MS,
  )

  test.each([429, 503])(
    'by %d, and never gives an answer, fails the job in the end',
    async (status) => {
      ai.model.answer(answersWith(status, '{}'))
      const job = await ai.ended(await ai.ask('describe', 'limitedForEver.txt'))
      expect(job).toMatchObject({ status: 'failed', attempts: 3, error: expect.stringContaining(String(status)) })
      await ai.configure({ concurrency: AT_ONCE })
      await expectFree()
    },
    LIMIT_MS,
  )
})

describe('an endpoint that is not ready yet', () => {
  test(
    'is left in peace for as long as it says',
    async () => {
      ai.model.answer(inTurn(answersWith(503, '{}', { 'Retry-After': '2' }), says('Now.')))
      const before = ai.model.chats().length
      expect(await ai.ended(await ai.ask('describe', 'limited.txt'))).toMatchObject({ status: 'done', attempts: 1 })
      const [first, second, ...more] = ai.model.chats().slice(before)
      expect(more).toEqual([])
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2000)
    },
    LIMIT_MS,
  )
})

describe('one item that the endpoint has an error with, and says when to come back', () => {
  test(
    'fails in the end, and the others are done',
    async () => {
      const error = answersWith(503, '{}', { 'Retry-After': '1' })
      ai.model.answer((asked) => (titleIn(asked).startsWith('limited.') ? error : says('Fine.')))
      const poisoned = await ai.ask('describe', 'limited.txt')
      const end = ai.ended(poisoned)
      let isOver = false
      void end.then(() => {
        isOver = true
      })
      while (!isOver) expect((await ai.ended(await ai.ask('describe', 'after.txt'))).status).toBe('done')
      expect(await end).toMatchObject({ status: 'failed', attempts: 3, error: expect.stringContaining('503') })
    },
    LIMIT_MS,
  )
})

describe('an endpoint that is away', () => {
  test(
    'makes jobs wait and say so, and they are done once it is back, without an attempt lost',
    async () => {
      await ai.model.away()
      const ids = [await ai.ask('describe', 'away 1.txt'), await ai.ask('describe', 'away 2.txt')]
      for (const path of ['away 1.txt', 'away 2.txt']) expect((await waitsFor(path)).error).toMatch(/cannot be reached/)
      const { queue } = (await ai.admin.get('/api/ai-tagging/jobs')).body
      expect(queue).toEqual({ paused: false, waiting: expect.stringMatching(/cannot be reached/) })
      ai.model.answer(says('Back.'))
      await ai.model.back()
      for (const id of ids) expect(await ai.ended(id)).toMatchObject({ status: 'done', attempts: 1, error: null })
      await expectFree()
    },
    LIMIT_MS,
  )

  test(
    'lets also a text wait that it alone can read, and says so',
    async () => {
      await ai.configure({ ocrMode: 'llm-only' })
      await ai.model.away()
      const described = await ai.ask('describe', 'away 1.txt')
      await waitsFor('away 1.txt')
      const id = await ai.ask('extract', BROKEN)
      expect((await waitsFor(BROKEN)).error).toMatch(/cannot be reached/)
      const { jobs } = (await ai.admin.get('/api/ai-tagging/jobs', { status: 'queued' })).body
      expect(jobs.find((job: Json) => job.id === id).error).toMatch(/cannot be reached/)
      for (const job of [id, described]) await ai.admin.delete(`/api/ai-tagging/jobs/${job}`)
      await ai.model.back()
      await ai.configure()
      await expectFree()
    },
    LIMIT_MS,
  )

  test(
    'is not there again because something else went wrong',
    async () => {
      await ai.configure({ ocrMode: 'tesseract' })
      await ai.model.away()
      const id = await ai.ask('describe', 'away 1.txt')
      await waitsFor('away 1.txt')
      await ai.admin.delete(`/api/ai-tagging/jobs/${id}`)
      expect((await ai.ended(await ai.ask('extract', BROKEN))).status).toBe('failed')
      expect((await ai.admin.get('/api/ai-tagging/queue')).body.waiting).toMatch(/cannot be reached/)
      await ai.model.back()
    },
    LIMIT_MS,
  )

  test(
    'is asked at once when the settings change',
    async () => {
      await ai.configure({ endpoint: 'http://127.0.0.1:9/v1' })
      const id = await ai.ask('describe', 'away 1.txt')
      await waitsFor('away 1.txt')
      // No probe finds an endpoint that is elsewhere now.
      await ai.configure()
      expect(await ai.ended(id)).toMatchObject({ status: 'done', attempts: 1 })
    },
    LIMIT_MS,
  )
})
