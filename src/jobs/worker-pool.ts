/** Threads that answer one request at a time. A thread that dies fails its request and is replaced. */

interface Identified {
  id: number
}

interface Thread<Answer> {
  worker: Worker
  /** From the moment that a request gets it: two requests of one turn must not get the same thread. */
  isTaken: boolean
  settle: ((answer: Answer) => void) | undefined
  fail: ((error: Error) => void) | undefined
}

/** A request without its id, which the pool gives; of a union, each member without it. */
type Unnumbered<Request> = Request extends Identified ? Omit<Request, 'id'> : never

export interface WorkerPool<Request extends Identified, Answer extends Identified> {
  /**
   * Resolves with the answer to this request; rejects when the thread dies or takes longer than the limit. An urgent
   * request gets the next free thread, before everything that waits.
   */
  ask(request: Unnumbered<Request>, options?: { isUrgent?: boolean }): Promise<Answer>
  /** Threads that have nothing to do. */
  idle(): number
  close(): void
}

export interface WorkerPoolOptions {
  url: string
  size: number
  timeoutMs: number
  /** Threads without work are let go after this long; they hold decoders and their memory. */
  idleMs: number
}

export const createWorkerPool = <Request extends Identified, Answer extends Identified>(
  options: WorkerPoolOptions,
): WorkerPool<Request, Answer> => {
  const threads: Thread<Answer>[] = []
  const waiting: (() => void)[] = []
  let nextId = 1
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
    worker.addEventListener('error', (event) => discard(thread, new Error(`The thread failed: ${event.message}`)))
    worker.addEventListener('close', () => discard(thread, new Error('The thread ended.')))
    threads.push(thread)
    return thread
  }

  const acquire = async (isUrgent: boolean): Promise<Thread<Answer>> => {
    for (;;) {
      if (isClosed) throw new Error('The threads are closed.')
      const free = threads.find((thread) => !thread.isTaken) ?? (threads.length < options.size ? open() : undefined)
      if (free) {
        free.isTaken = true
        return free
      }
      await new Promise<void>((resolve) => (isUrgent ? waiting.unshift(resolve) : waiting.push(resolve)))
    }
  }

  const letGoWhenIdle = (): void => {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => {
      for (const thread of threads.filter(({ isTaken }) => !isTaken)) discard(thread, new Error('idle'))
    }, options.idleMs)
    idleTimer.unref()
  }

  return {
    ask: async (request, { isUrgent = false } = {}) => {
      const thread = await acquire(isUrgent)
      const id = nextId++
      const answer = Promise.withResolvers<Answer>()
      thread.settle = (data) => {
        if (data.id === id) answer.resolve(data)
      }
      thread.fail = answer.reject
      const timer = setTimeout(() => discard(thread, new Error('The thread took too long.')), options.timeoutMs)
      thread.worker.postMessage({ ...request, id })
      try {
        return await answer.promise
      } finally {
        clearTimeout(timer)
        thread.isTaken = false
        thread.settle = undefined
        thread.fail = undefined
        waiting.shift()?.()
        letGoWhenIdle()
      }
    },
    idle: () => options.size - threads.filter(({ isTaken }) => isTaken).length,
    close: () => {
      isClosed = true
      clearTimeout(idleTimer)
      for (const thread of [...threads]) discard(thread, new Error('The threads are closed.'))
      for (const wake of waiting.splice(0)) wake()
    },
  }
}
