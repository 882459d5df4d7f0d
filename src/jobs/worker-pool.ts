/**
 * Threads that answer one request at a time. A thread that dies fails its request and is replaced; so is one whose
 * request takes too long or is not wanted any more, because nothing else ends what a thread is busy with.
 */

import type { StopRequest } from '../workers/protocol.ts'

interface Identified {
  id: number
}

/** Threads without work are let go after this long; they hold decoders and their memory. */
const IDLE_MS = 30_000
/** Nothing closes the files that are open in a thread which is ended: it gets this long to close them itself. */
const STOP_MS = 2_000

/** The thread ended, or took too long: it may be the request's fault. */
export class ThreadError extends Error {}

interface Thread<Answer> {
  worker: Worker
  /** From the moment that a request gets it: two requests of one turn must not get the same thread. */
  isTaken: boolean
  settle: ((answer: Answer) => void) | undefined
  fail: ((error: Error) => void) | undefined
}

/** A request without its id, which the pool gives; of a union, each member without it. */
type Unnumbered<Request> = Request extends Identified ? Omit<Request, 'id'> : never

interface AskOptions<Answer> {
  /** Gets the next free thread, before everything that waits. */
  isUrgent?: boolean
  /** For this request instead of the pool's. */
  timeoutMs?: number
  /** The thread is asked to give up (`StopRequest`). One that does not is ended soon, and the request rejected. */
  signal?: AbortSignal
  /** Says that an answer is one of several, and not the last. The time starts again. */
  onPart?: (answer: Answer) => boolean
  /** Memory of the request that goes over to the thread, where a copy would take as much again; the caller has it no more. */
  handOver?: ArrayBuffer[]
}

interface WorkerPool<Request extends Identified, Answer extends Identified> {
  /** Resolves with the last answer to this request; rejects with `ThreadError` when the thread dies or takes longer than the limit. */
  ask(request: Unnumbered<Request>, options?: AskOptions<Answer>): Promise<Answer>
  /** Takes effect as threads become free. */
  resize(size: number): void
  close(): void
}

interface WorkerPoolOptions {
  url: string
  size: number
  timeoutMs: number
  /** An urgent request that has waited this long gets a thread beyond the pool's size; absent: it waits on. */
  urgentPatienceMs?: number
}

export const createWorkerPool = <Request extends Identified, Answer extends Identified>(
  options: WorkerPoolOptions,
): WorkerPool<Request, Answer> => {
  const threads: Thread<Answer>[] = []
  const waiting: (() => void)[] = []
  let nextId = 1
  let size = options.size
  let isClosed = false
  let idleTimer: ReturnType<typeof setTimeout> | undefined

  const discard = (thread: Thread<Answer>, error: Error): void => {
    const place = threads.indexOf(thread)
    if (place >= 0) threads.splice(place, 1)
    thread.worker.terminate()
    thread.fail?.(error)
  }

  const open = (): Thread<Answer> => {
    const worker = new Worker(options.url, { type: 'module' })
    const thread: Thread<Answer> = { worker, isTaken: false, settle: undefined, fail: undefined }
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => thread.settle?.(data))
    worker.addEventListener('error', (event) => discard(thread, new ThreadError(`The thread failed: ${event.message}`)))
    worker.addEventListener('close', () => discard(thread, new ThreadError('The thread ended.')))
    threads.push(thread)
    return thread
  }

  /** Resolves when a thread may be free, or when an urgent request has lost its patience. */
  const turn = (isUrgent: boolean): Promise<void> =>
    new Promise((resolve) => {
      if (!isUrgent) return waiting.push(resolve)
      waiting.unshift(resolve)
      if (options.urgentPatienceMs === undefined) return
      setTimeout(() => {
        const place = waiting.indexOf(resolve)
        if (place >= 0) waiting.splice(place, 1)
        resolve()
      }, options.urgentPatienceMs)
    })

  const acquire = async (isUrgent: boolean): Promise<Thread<Answer>> => {
    const { urgentPatienceMs = Number.POSITIVE_INFINITY } = options
    const askedAt = performance.now()
    for (;;) {
      if (isClosed) throw new Error('The threads are closed.')
      const most = isUrgent && performance.now() - askedAt >= urgentPatienceMs ? size + 1 : size
      const free = threads.find((thread) => !thread.isTaken) ?? (threads.length < most ? open() : undefined)
      if (free) {
        free.isTaken = true
        return free
      }
      await turn(isUrgent)
    }
  }

  const letGoWhenIdle = (): void => {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => {
      for (const thread of threads.filter(({ isTaken }) => !isTaken)) discard(thread, new Error('idle'))
    }, IDLE_MS)
    idleTimer.unref()
  }

  const letGo = (thread: Thread<Answer>): void => {
    thread.isTaken = false
    thread.settle = undefined
    thread.fail = undefined
    if (threads.length > size + (options.urgentPatienceMs === undefined ? 0 : 1) && threads.includes(thread))
      discard(thread, new Error('There are fewer threads now.'))
    waiting.shift()?.()
    letGoWhenIdle()
  }

  return {
    ask: async (request, { isUrgent = false, timeoutMs = options.timeoutMs, signal, onPart, handOver = [] } = {}) => {
      const thread = await acquire(isUrgent)
      if (signal?.aborted) {
        letGo(thread)
        throw new Error('The request is not wanted any more.')
      }
      const id = nextId++
      const answer = Promise.withResolvers<Answer>()
      const isLate = (): void => discard(thread, new ThreadError('The thread took too long.'))
      let timer = setTimeout(isLate, timeoutMs)
      const isUnwanted = (): void => {
        thread.worker.postMessage({ type: 'stop', id } satisfies StopRequest)
        clearTimeout(timer)
        timer = setTimeout(() => discard(thread, new Error('The request is not wanted any more.')), STOP_MS)
      }
      thread.settle = (data) => {
        if (data.id !== id) return
        if (!onPart?.(data)) return answer.resolve(data)
        if (signal?.aborted) return
        clearTimeout(timer)
        timer = setTimeout(isLate, timeoutMs)
      }
      thread.fail = answer.reject
      signal?.addEventListener('abort', isUnwanted)
      thread.worker.postMessage({ ...request, id }, handOver)
      try {
        return await answer.promise
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', isUnwanted)
        letGo(thread)
      }
    },
    resize: (wanted) => {
      size = wanted
      for (const thread of threads.filter(({ isTaken }) => !isTaken).slice(0, Math.max(0, threads.length - size)))
        discard(thread, new Error('There are fewer threads now.'))
      // Each that finds no thread waits again.
      for (const wake of waiting.splice(0)) wake()
    },
    close: () => {
      isClosed = true
      clearTimeout(idleTimer)
      for (const thread of [...threads]) discard(thread, new Error('The threads are closed.'))
      for (const wake of waiting.splice(0)) wake()
    },
  }
}
