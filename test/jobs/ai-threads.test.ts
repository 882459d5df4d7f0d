import { expect, test } from 'bun:test'
import type { AiTask } from '../../src/ai/ai-task.ts'
import { defaultAiSettings } from '../../src/domain/ai-settings.ts'
import { type AiOutcome, type AiThreads, createAiThreads } from '../../src/jobs/ai-threads.ts'
import { titleIn } from '../support/ai-scene.ts'
import { type FakeModel, says, startFakeModel } from '../support/fake-model.ts'
import { HANGING_DISK, withHangingDisk } from '../support/hanging-disk.ts'
import { silentLog } from '../support/test-database.ts'
import { waitFor } from '../support/test-server.ts'

const LIMIT_MS = 20_000

const taskFor = (url: string, title: string, pictures: AiTask['pictures']): AiTask => ({
  activity: 'description',
  settings: { ...defaultAiSettings(), endpoint: url, model: 'fake', enabled: true },
  apiKey: null,
  payload: {},
  item: {
    ...{ title, itemType: 'movie', mediaKind: null, parentTitle: null, year: null, genres: [] },
    ...{ plot: null, tags: [], file: title, description: null, extractedText: null },
  },
  vocabulary: [],
  // It is there: a film whose picture alone is gone is described without it.
  root: import.meta.dir,
  pictures,
  donePages: [],
  maxCharacters: 1000,
  ffmpegPath: null,
  ocrDataDir: null,
  temporaryFolder: '/nowhere',
})

/** A model that keeps the first question until it is let go, and answers every other. */
const startHolding = async () => {
  const model = await startFakeModel()
  const held = Promise.withResolvers<void>()
  let isFirst = true
  model.answer(() => {
    if (!isFirst) return says('Fine.')
    isFirst = false
    return { behave: (socket, request) => void held.promise.then(() => says('Fine.').behave(socket, request)) }
  })
  return { model, release: held.resolve }
}

const asked = (model: FakeModel): string[] => model.chats().map(titleIn)

/** Whether it needs a thread of its own, or shares one. */
const PICTURES: Record<string, AiTask['pictures']> = { alone: [{ kind: 'image', path: 'gone.jpg' }], together: [] }

const runOn = (threads: AiThreads, task: AiTask, signal = new AbortController().signal): Promise<AiOutcome> =>
  threads.run(task, { lane: 'model', isUrgent: false, signal, onPage: () => undefined })

for (const [name, pictures] of Object.entries(PICTURES))
  test(
    `a job that is cancelled while it waits for its turn asks nothing: ${name}`,
    async () => {
      const { model, release } = await startHolding()
      const threads = createAiThreads({ log: silentLog })
      try {
        threads.resize(1)
        const first = runOn(threads, taskFor(model.url, 'first', [{ kind: 'image', path: 'gone.jpg' }]))
        await waitFor(
          () => asked(model).length === 1 || undefined,
          LIMIT_MS,
          () => 'The first job did not ask',
        )
        const stopper = new AbortController()
        const cancelled = runOn(threads, taskFor(model.url, 'cancelled', pictures), stopper.signal)
        const last = runOn(threads, taskFor(model.url, 'last', pictures))
        stopper.abort()
        release()
        expect((await first).kind).toBe('done')
        expect((await cancelled).kind).toBe('recalled')
        expect((await last).kind).toBe('done')
        expect(asked(model)).toEqual(['first', 'last'])
      } finally {
        threads.close()
        await model.stop()
      }
    },
    LIMIT_MS * 2,
  )

test(
  'what is recalled has been given back when that is over, and what has begun goes on',
  async () => {
    const { model, release } = await startHolding()
    const threads = createAiThreads({ log: silentLog })
    try {
      await threads.recall()
      threads.resize(1)
      const ends: string[] = []
      const titles = ['first', 'second', 'third']
      const all = titles.map((title) =>
        runOn(threads, taskFor(model.url, title, [])).then(({ kind }) => void ends.push(`${title} ${kind}`)),
      )
      await waitFor(
        () => asked(model).length === 1 || undefined,
        LIMIT_MS,
        () => 'The first job did not ask',
      )
      await threads.recall()
      await Bun.sleep(0)
      expect(ends).toEqual(['second recalled', 'third recalled'])
      release()
      await Promise.all(all)
      expect([ends.at(-1), asked(model)]).toEqual(['first done', ['first']])
    } finally {
      threads.close()
      await model.stop()
    }
  },
  LIMIT_MS,
)

test(
  'a job whose thread cannot be started gets one of its own, and leaves its place to the next',
  async () => {
    const model = await startFakeModel()
    model.answer(says('Fine.'))
    const threads = createAiThreads({ log: silentLog })
    const { Worker } = globalThis
    let refused = 0
    globalThis.Worker = class extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        if (refused++ === 0) throw new TypeError('Failed to spawn worker thread')
        super(...given)
      }
    }
    try {
      threads.resize(1)
      expect((await runOn(threads, taskFor(model.url, 'first', []))).kind).toBe('done')
      expect((await runOn(threads, taskFor(model.url, 'second', [{ kind: 'image', path: 'gone.jpg' }]))).kind).toBe('done')
      expect((await runOn(threads, taskFor(model.url, 'third', []))).kind).toBe('done')
      expect(refused).toBeGreaterThan(1)
    } finally {
      globalThis.Worker = Worker
      threads.close()
      await model.stop()
    }
  },
  LIMIT_MS,
)

test('a job whose pictures lie on a disk that hangs waits for that, and no thread is sent there', async () => {
  const threads = createAiThreads({ log: silentLog })
  try {
    await withHangingDisk(async (asked) => {
      const task = { ...taskFor('http://127.0.0.1:9', 'hanging', [{ kind: 'image' as const, path: 'a.jpg' }]), root: `${HANGING_DISK}/ai` }
      expect(await runOn(threads, task)).toMatchObject({ kind: 'failed', failure: { kind: 'root_away' } })
      // By the thread of the server, which asks once at a time.
      expect(asked.access).toBe(1)
    })
  } finally {
    threads.close()
  }
})
