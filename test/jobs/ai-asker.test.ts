import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AiTask } from '../../src/ai/ai-task.ts'
import { defaultAiSettings } from '../../src/domain/ai-settings.ts'
import { type AiAsker, createAiAsker } from '../../src/jobs/ai-asker.ts'
import { ThreadError } from '../../src/jobs/worker-pool.ts'
import type { AskerEnd } from '../../src/workers/protocol.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

/** The thread that asks for many jobs at a time, as far as it can go wrong: what it does itself, the queue's tests show. */

const settings = defaultAiSettings()
const vocabulary = [{ id: 1, name: 'Horror', category: 'Kind', usage: 0, aliases: [] }]

/** A title "… without" has no vocabulary, and "… anew" one of its own. */
const task = (title: string): AiTask => ({
  activity: 'tagging',
  settings,
  apiKey: null,
  payload: {},
  item: {
    ...{ title, itemType: 'movie', mediaKind: null, parentTitle: null, year: null, genres: [] },
    ...{ plot: null, tags: [], file: title, description: null, extractedText: null },
  },
  vocabulary: title.endsWith('without') ? [] : title.endsWith('anew') ? [...vocabulary] : vocabulary,
  root: '/films',
  pictures: [],
  donePages: [],
  maxCharacters: 1000,
  ffmpegPath: null,
  ocrDataDir: null,
  temporaryFolder: '/nowhere',
})

/** Dies of the task "deadly", keeps "slow" for itself, and says of the others how many vocabularies it was told, and whether it has one. */
const SOURCE = `
let told = 0
const end = (ended) => self.postMessage({ type: 'ended', ends: JSON.stringify([ended]) })
self.onmessage = ({ data }) => {
  if (data.type === 'cancel') end({ type: 'recalled', id: data.id })
  if (data.type === 'vocabulary') told += 1
  if (data.type !== 'ask') return
  for (const { id, item, hasVocabulary } of JSON.parse(data.tasks)) {
    if (item.title === 'deadly') throw new Error('dead')
    if (item.title !== 'slow')
      end({ type: 'done', id, askedModel: true, result: { activity: 'description', text: told + ' told, ' + hasVocabulary } })
  }
}`

let asker: AiAsker | undefined
let folder: TemporaryFolder
beforeEach(async () => {
  folder = await temporaryFolder('asker')
})
afterEach(async () => {
  asker?.close()
  await folder.remove()
})

const askFor = (started: AiAsker, title: string, signal = new AbortController().signal): Promise<AskerEnd> =>
  new Promise((resolve, reject) => started.ask(task(title), { isUrgent: false, signal }, { ended: resolve, failed: reject }))

const startAsker = (silentMs?: number): ((title: string, signal?: AbortSignal) => Promise<unknown>) => {
  const file = join(folder.path, 'thread.ts')
  writeFileSync(file, SOURCE)
  const started = createAiAsker({ url: pathToFileURL(file).href, ...(silentMs !== undefined && { silentMs }) })
  asker = started
  return (title, signal = new AbortController().signal) =>
    askFor(started, title, signal).then(
      (end) => (end.type === 'done' && end.result.activity === 'description' ? end.result.text : end.type),
      (error: unknown) => error,
    )
}

describe('a thread that asks for many', () => {
  test('that dies fails whatever it had, and the next one is told everything anew', async () => {
    const ask = startAsker()
    expect(await ask('a')).toBe('1 told, true')
    expect(await ask('b')).toBe('1 told, true')
    const [slow, deadly] = await Promise.all([ask('slow'), ask('deadly')])
    expect(slow).toBeInstanceOf(ThreadError)
    expect(deadly).toBeInstanceOf(ThreadError)
    expect(await ask('c')).toBe('1 told, true')
  })

  test('is told a vocabulary once, and the next one before whoever needs it', async () => {
    const ask = startAsker()
    const titles = ['a without', 'b', 'c', 'd without', 'e anew', 'f without']
    expect(await Promise.all(titles.map((title) => ask(title)))).toEqual([
      '0 told, false',
      ...['1 told, true', '1 told, true', '1 told, false'],
      ...['2 told, true', '2 told, false'],
    ])
  })

  test('is replaced where it hangs, also the one that came after one that died', async () => {
    const ask = startAsker(500)
    expect(await ask('deadly')).toBeInstanceOf(ThreadError)
    expect(await ask('slow')).toBeInstanceOf(ThreadError)
  })

  test('hears nothing of what was not wanted any more before it was asked for', async () => {
    const ask = startAsker()
    const stopper = new AbortController()
    stopper.abort()
    expect(await ask('deadly', stopper.signal)).toBe('recalled')
    expect(await ask('a')).toBe('1 told, true')
  })

  test('is told to stop with what nobody wants any more, even before it heard of it', async () => {
    const ask = startAsker()
    const stopper = new AbortController()
    const end = ask('slow', stopper.signal)
    stopper.abort()
    expect(await end).toBe('recalled')
  })
})

/** The priorities of this process's threads, as `nice` has them (proc_pid_stat(5)), by their number. */
const priorities = (): Map<number, number> =>
  new Map(
    readdirSync('/proc/self/task').flatMap((thread): [number, number][] => {
      try {
        const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
        return [[Number(thread), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])]]
      } catch {
        // One of a test before, that has just ended.
        return []
      }
    }),
  )

test('the thread goes behind those that answer somebody, and these stay where they are', async () => {
  const before = priorities()
  asker = createAiAsker()
  const end = await askFor(asker, 'A film')
  // Nothing is switched on.
  expect(end.type).toBe('failed')
  const after = priorities()
  const own = before.get(process.pid) ?? 0
  expect([...after].filter(([thread, priority]) => !before.has(thread) && priority > own)).not.toEqual([])
  expect([...after].filter(([thread, priority]) => (before.get(thread) ?? priority) !== priority)).toEqual([])
})
