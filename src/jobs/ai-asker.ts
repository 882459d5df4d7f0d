/** The main thread's side of the thread that asks models (workers/ai-asker.ts): one thread, many jobs at a time. */

import type { AiTask } from '../services/ai-job-input.ts'
import { ASKER_ALIVE_MS, type AskerAnswer, type AskerEnd, type AskerRequest, type AskerTask } from '../workers/protocol.ts'
import { threadUrl } from './thread-url.ts'
import { ThreadError } from './worker-pool.ts'

/** A thread that has work and says nothing for so long hangs; a machine that is short of time is no reason. */
const SILENT_MS = 30_000
const IDLE_MS = 30_000

/** Who waits for a job: thousands a second, to each of whom a promise would cost as much again. */
interface Asked {
  ended: (end: AskerEnd) => void
  /** By a `ThreadError`: the thread died, hangs or cannot be started, which may be another job's fault, or nobody's. */
  failed: (error: Error) => void
}

export interface AiAsker {
  /** Whoever waits hears of one thing, once. A signal ends the job, whose end then says nothing. */
  ask(task: AiTask, options: { isUrgent: boolean; signal: AbortSignal }, waiting: Asked): void
  /** Has what has not begun given back; resolves once it is. */
  recall(): Promise<void>
  /** Questions under way at a time; takes effect as they end. */
  resize(atOnce: number): void
  close(): void
}

const THREAD = threadUrl('ai-asker')

const parseEnds = (text: string): AskerEnd[] => JSON.parse(text)

/** `url`: of the thread's module. `silentMs`: a thread that says nothing for so long hangs. */
export const createAiAsker = ({ url = THREAD, silentMs = SILENT_MS } = {}): AiAsker => {
  const asked = new Map<number, Asked>()
  let thread: Worker | undefined
  let outbox: AskerTask[] = []
  /** Of what is in there. */
  let common: AiTask['settings'] | undefined
  let nextNumber = 1
  /** The vocabulary that the thread has heard of last. */
  let told: AiTask['vocabulary'] | undefined
  let atOnce = 1
  let heardAt = 0
  let watch: ReturnType<typeof setInterval> | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  /** Of those who wait for what they have recalled, in the order in which they are answered. */
  const recalls: (() => void)[] = []

  const post = (request: AskerRequest): void => thread?.postMessage(request)

  const discard = (gone: Worker | undefined, error: Error): void => {
    if (!gone || gone !== thread) return
    thread = undefined
    told = undefined
    outbox = []
    clearInterval(watch)
    watch = undefined
    clearTimeout(idle)
    gone.terminate()
    const waiting = [...asked.values()]
    asked.clear()
    for (const { failed } of waiting) failed(error)
    for (const done of recalls.splice(0)) done()
  }

  const hear = (answer: AskerAnswer): void => {
    heardAt = performance.now()
    if (answer.type === 'alive') return
    if (answer.type === 'recalled') return recalls.shift()?.()
    for (const end of parseEnds(answer.ends)) {
      const waiting = asked.get(end.id)
      asked.delete(end.id)
      waiting?.ended(end)
    }
    if (asked.size === 0) rest()
  }

  const rest = (): void => {
    clearInterval(watch)
    watch = undefined
    clearTimeout(idle)
    const resting = thread
    idle = setTimeout(() => {
      if (asked.size === 0) discard(resting, new Error('idle'))
    }, IDLE_MS)
    idle.unref()
  }

  const look = (): void => {
    if (performance.now() - heardAt > silentMs) discard(thread, new ThreadError('The thread that asks models hangs.'))
  }

  const open = (): Worker => {
    const worker = new Worker(url, { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<AskerAnswer>) => {
      if (worker === thread) hear(data)
    })
    worker.addEventListener('error', (event) => discard(worker, new ThreadError(`The thread failed: ${event.message}`)))
    worker.addEventListener('close', () => discard(worker, new ThreadError('The thread ended.')))
    return worker
  }

  const send = (): void => {
    const tasks = outbox
    outbox = []
    if (common && tasks.length > 0) post({ type: 'ask', settings: common, tasks: JSON.stringify(tasks) })
  }

  /** What is asked for in one turn goes in one message. */
  const put = (task: AskerTask): void => {
    if (outbox.push(task) === 1) queueMicrotask(send)
  }

  const start = (): void => {
    if (!thread) {
      thread = open()
      post({ type: 'limit', atOnce })
    }
    clearTimeout(idle)
    if (watch) return
    heardAt = performance.now()
    watch = setInterval(look, Math.min(ASKER_ALIVE_MS, silentMs))
    watch.unref()
  }

  return {
    ask: ({ settings, vocabulary, activity, apiKey, payload, item, maxCharacters }, { isUrgent, signal }, waiting) => {
      const id = nextNumber++
      // A signal that has been given is not given again.
      if (signal.aborted) return waiting.ended({ type: 'recalled', id })
      try {
        start()
      } catch (error) {
        // A machine, or a container, has so many threads and no more.
        return waiting.failed(new ThreadError('The thread that asks models cannot be started.', { cause: error }))
      }
      asked.set(id, waiting)
      const hasVocabulary = vocabulary.length > 0
      const isNews = hasVocabulary && vocabulary !== told
      if (isNews || settings !== common) send()
      if (isNews) post({ type: 'vocabulary', vocabulary })
      if (hasVocabulary) told = vocabulary
      common = settings
      put({ activity, apiKey, payload, item, maxCharacters, id, isUrgent, hasVocabulary })
      const cancel = (): void => {
        if (asked.get(id) !== waiting) return
        send()
        post({ type: 'cancel', id })
      }
      signal.addEventListener('abort', cancel)
    },
    recall: async () => {
      if (!thread) return
      const { promise, resolve } = Promise.withResolvers<void>()
      recalls.push(resolve)
      send()
      post({ type: 'recall' })
      await promise
    },
    resize: (wanted) => {
      atOnce = wanted
      post({ type: 'limit', atOnce })
    },
    close: () => discard(thread, new Error('The thread is closed.')),
  }
}
