/** 10,000 jobs of the AI queue against a model that answers at once, against asking that model the same without a queue. */

import { basename, join } from 'node:path'
import { buildRequest } from '../../src/ai/prompts.ts'
import { defaultAiSettings } from '../../src/domain/ai-settings.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { forEachAtOnce } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer } from '../support/test-server.ts'
import type { Bench } from './bench.ts'
import { untilAtRest } from './process-stats.ts'
import { interleave, median, secondsOf } from './rounds.ts'
import { type Row, ratioAtLeast, ratioAtMost } from './table.ts'

const JOBS = 10_000
const AT_ONCE = 8
const FILES_PER_FOLDER = 500
const POLL_MS = 100
/** Somebody turns pages meanwhile. */
const BROWSE_PAUSE_MS = 20
const QUIET_PAGES = 50

/** What the model may choose from. */
const TAG_NAMES = Array.from({ length: 40 }, (_, index) => `Tag ${index}`)

const SETTINGS = { ...defaultAiSettings(), model: 'instant' }

const startModel = async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'instant-model.ts')], { stdout: 'pipe', stderr: 'inherit' })
  const { value } = await child.stdout.getReader().read()
  return { url: `http://127.0.0.1:${Number(new TextDecoder().decode(value))}/v1`, stop: () => child.kill() }
}

const FILES = Array.from({ length: JOBS }, (_, index) => `folder ${Math.floor(index / FILES_PER_FOLDER)}/file ${index}.txt`)

/** What the queue asks about such a file. */
const questionAbout = (file: string) => {
  const item = {
    title: basename(file),
    itemType: 'mixed_file' as const,
    mediaKind: 'other' as const,
    parentTitle: null,
    year: null,
    genres: [],
    plot: null,
    tags: [],
    file,
    description: null,
    extractedText: null,
  }
  return { ...buildRequest('tagging', SETTINGS, { item, vocabulary: TAG_NAMES }), stream: false }
}

const askAll = (url: string): Promise<void> =>
  forEachAtOnce(AT_ONCE, FILES, async (file) => {
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(questionAbout(file)),
    })
    const { choices } = await response.json()
    if (JSON.parse(choices[0].message.content).tags.length === 0) throw new Error(`The model chose nothing for ${file}.`)
  })

const workOff = async (admin: HttpClient, libraryId: number): Promise<void> => {
  const { body } = await admin.post('/api/ai-tagging/batch', { libraryId, activity: 'tagging', scope: 'all' })
  if (body.queued !== JOBS) throw new Error(`${JOBS} jobs were to be queued: ${JSON.stringify(body)}`)
  for (;;) {
    const { counts } = (await admin.get('/api/ai-tagging/jobs', { runId: body.runId, limit: 1 })).body
    if (counts.queued + counts.running === 0) {
      if (counts.done !== JOBS) throw new Error(`Not all jobs were done: ${JSON.stringify(counts)}`)
      return
    }
    await Bun.sleep(POLL_MS)
  }
}

const browseOnce = (admin: HttpClient, libraryId: number): Promise<number> =>
  secondsOf(() => admin.get('/api/browse', { libraryId, limit: 100, sort: 'added' }))

/** The same in peace, in the same rhythm: pages without a pause are faster by half, for nothing of the server falls asleep in between. */
const browseInPeace = async (admin: HttpClient, libraryId: number): Promise<number[]> => {
  const waits: number[] = []
  while (waits.length < QUIET_PAGES) {
    waits.push(await browseOnce(admin, libraryId))
    await Bun.sleep(BROWSE_PAUSE_MS)
  }
  return waits
}

/** Waits for a page, in seconds, for as long as the work goes on. */
const browseDuring = async (admin: HttpClient, libraryId: number, work: Promise<unknown>): Promise<number[]> => {
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  const waits: number[] = []
  while (!isOver) {
    waits.push(await browseOnce(admin, libraryId))
    await Bun.sleep(BROWSE_PAUSE_MS)
  }
  return waits
}

export const queueBench: Bench = async ({ rounds, say }) => {
  await using folder = await temporaryFolder('bench-queue')
  makeTree(join(folder.path, 'media'), Object.fromEntries(FILES.map((file) => [file, file])))
  const model = await startModel()
  await using server = await startServer({
    libraries: [{ type: 'mixed', path: join(folder.path, 'media') }],
    dataDir: join(folder.path, 'data'),
  })
  await server.waitForScans()
  const admin = await server.as('admin')
  const libraryId: number = (await admin.get('/api/libraries')).body.libraries[0].id
  const { body }: { body: Json } = await admin.post('/api/tags/categories', { name: 'Kind' })
  for (const name of TAG_NAMES) await admin.post('/api/tags/items', { name, categoryId: body.category.id })
  await admin.put('/api/ai-settings', { endpoint: model.url, model: 'instant', enabled: true, concurrency: AT_ONCE })
  /** Neither thumbnails nor what the round before has left to index are to be measured. */
  const rested = async (work: () => Promise<void>): Promise<number> => {
    await untilAtRest(server.pid)
    return secondsOf(work)
  }
  const quiet: number[] = []
  const busy: number[] = []
  try {
    say(`${JOBS} jobs, ${AT_ONCE} at a time`)
    const measured = await interleave(rounds, {
      alone: { measure: () => rested(() => askAll(model.url)) },
      queue: {
        measure: async () => {
          await untilAtRest(server.pid)
          quiet.push(...(await browseInPeace(admin, libraryId)))
          const work = secondsOf(() => workOff(admin, libraryId))
          busy.push(...(await browseDuring(admin, libraryId, work)))
          return work
        },
      },
    })
    const perSecond = (seconds: readonly number[]): number => JOBS / median(seconds)
    const rows: Row[] = [
      {
        what: 'jobs a second',
        unit: '/s',
        vitrine: perSecond(measured.queue),
        peer: { name: 'the model alone', value: perSecond(measured.alone) },
        reach: ratioAtLeast(0.5),
      },
      {
        what: 'a page meanwhile, median',
        unit: 'ms',
        vitrine: median(busy) * 1000,
        peer: { name: 'the same in peace', value: median(quiet) * 1000 },
        reach: ratioAtMost(1.2),
      },
    ]
    return rows
  } finally {
    model.stop()
  }
}
