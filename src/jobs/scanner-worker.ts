/** The main thread's end of the scanner threads. */

import type { Deps } from '../deps.ts'
import { slicesOf } from '../domain/slices.ts'
import type { LibraryRow } from '../services/library-cache.ts'
import { RootUnavailable } from '../services/scan-root.ts'
import type { EndRequest, HashAnswer, HashRequest, ScanAcknowledgement, ScanMessage, ScanRequest } from '../workers/protocol.ts'
import { threadUrl } from './thread-url.ts'

type UnitsMessage = Extract<ScanMessage, { type: 'units' }>
type DoneMessage = Extract<ScanMessage, { type: 'done' }>

/** Items a message: they are written in some five milliseconds, in which nobody is answered. */
const BATCH_ITEMS = 500
/** Reading 128 KiB of each of a batch of files from a sleeping disk takes a while; a disk that hangs takes longer. */
const HASH_TIMEOUT_MS = 120_000
const HASH_BATCH_FILES = 200
/** To start a thread takes longer than to look through a small folder; scans often come one after the other. */
const SPARE_MS = 2_000
/** To read the folder that it is at may take a thread a while; on a disk that hangs it takes for ever. */
const END_MS = 10_000

interface Scanner {
  /** Walks the folder; `onUnits` is given what has come since it was given the last. */
  walk(onUnits: (messages: UnitsMessage[]) => Promise<void>): Promise<DoneMessage>
  hashFiles(paths: string[]): Promise<(string | null)[]>
  close(): void
}

interface ScannerSpec {
  library: LibraryRow
  root: string
  paths: string[] | null
  signal: AbortSignal
  asColumns: boolean
}

export interface Scanners {
  start(spec: ScannerSpec): Promise<Scanner>
  /** Lets go of the threads that wait for a scan, or are to end. */
  close(): void
}

interface SpareThreads {
  take(): Worker
  /** Of a thread that is at rest. */
  keep(worker: Worker): void
  /** Of one at work: whatever a thread has open as it is terminated stays open, and its disk cannot be unmounted. */
  endSoon(worker: Worker): void
  close(): void
}

/** Threads that have done a scan to its end wait a moment for the next one. */
const createSpareThreads = (): SpareThreads => {
  const spares = new Map<Worker, ReturnType<typeof setTimeout>>()
  const ending = new Map<Worker, ReturnType<typeof setTimeout>>()
  let isClosed = false
  const forget = (worker: Worker): void => {
    for (const waiting of [spares, ending]) {
      clearTimeout(waiting.get(worker))
      waiting.delete(worker)
    }
  }
  const end = (worker: Worker): void => {
    forget(worker)
    worker.terminate()
  }
  const open = (): Worker => {
    const worker = new Worker(threadUrl('scanner'), { type: 'module' })
    worker.addEventListener('close', () => forget(worker))
    return worker
  }
  return {
    take: () => {
      const [worker = open()] = spares.keys()
      forget(worker)
      return worker
    },
    keep: (worker) => {
      if (isClosed) return worker.terminate()
      const timer = setTimeout(() => end(worker), SPARE_MS)
      spares.set(worker, timer)
    },
    endSoon: (worker) => {
      if (isClosed) return worker.terminate()
      worker.postMessage({ type: 'end' } satisfies EndRequest)
      ending.set(
        worker,
        setTimeout(() => end(worker), END_MS),
      )
    },
    close: () => {
      isClosed = true
      for (const worker of [...spares.keys(), ...ending.keys()]) end(worker)
    },
  }
}

const knownSignatures = async (deps: Pick<Deps, 'db'>, libraryId: number): Promise<Record<string, string>> => {
  const { rows } = await deps.db.$client.execute({ sql: 'SELECT path, signature FROM scan_units WHERE library_id = ?', args: [libraryId] })
  return Object.fromEntries(rows.map((row) => [String(row.path), String(row.signature)]))
}

const startScanner = async (
  deps: Pick<Deps, 'db'>,
  threads: SpareThreads,
  { library, root, paths, signal, asColumns }: ScannerSpec,
): Promise<Scanner> => {
  const request: ScanRequest = {
    type: 'scan',
    libraryId: library.id,
    libraryType: library.type,
    root,
    paths,
    knownSignatures: await knownSignatures(deps, library.id),
    asColumns,
    batchSize: BATCH_ITEMS,
  }
  const worker = threads.take()
  const { promise: crashed, reject } = Promise.withResolvers<never>()
  crashed.catch(() => undefined)
  let isSound = true
  const fail = (reason: unknown): void => {
    isSound = false
    reject(reason)
  }
  const listening = new AbortController()
  worker.addEventListener('error', (event) => fail(new Error(`The scanner thread failed: ${event.message}`)), listening)
  worker.addEventListener('close', () => fail(new Error('The scanner thread ended.')), listening)
  if (signal.aborted) fail(signal.reason)
  else signal.addEventListener('abort', () => fail(signal.reason), listening)
  let isAtRest = false
  /** Until the answer is there, the thread is nobody else's. */
  const untilAnswered = async <T>(answer: Promise<T>): Promise<T> => {
    isAtRest = false
    const given = await Promise.race([answer, crashed])
    isAtRest = true
    return given
  }
  const tell = (message: ScanRequest | ScanAcknowledgement | HashRequest): void => worker.postMessage(message)

  const walk: Scanner['walk'] = (onUnits) => {
    const done = Promise.withResolvers<DoneMessage>()
    let applied = Promise.resolve()
    let arrived: UnitsMessage[] = []
    let isOver = false
    const applyArrived = async (): Promise<void> => {
      const messages = arrived
      arrived = []
      if (messages.length === 0) return
      await onUnits(messages)
      for (const _ of messages) tell({ type: 'ack' })
    }
    worker.onmessage = ({ data }: MessageEvent<ScanMessage>) => {
      if (isOver) return
      if (data.type === 'units') {
        arrived.push(data)
        applied = applied.then(applyArrived)
        applied.catch(done.reject)
      } else if (data.type === 'done') applied.then(() => done.resolve(data), done.reject)
      else if (data.code === 'root_unavailable') done.reject(new RootUnavailable(data.message))
      else done.reject(new Error(data.message))
    }
    tell(request)
    // Nobody may say that the scan is over while a batch of it is still being written.
    return untilAnswered(done.promise).finally(() => {
      isOver = true
      return applied.catch(() => undefined)
    })
  }

  const hashBatch = (paths: string[]): Promise<(string | null)[]> => {
    const answer = Promise.withResolvers<(string | null)[]>()
    worker.onmessage = ({ data }: MessageEvent<HashAnswer>) => answer.resolve(data.hashes)
    tell({ type: 'hash', id: 1, root, paths })
    const timer = setTimeout(() => answer.reject(new Error('Reading the files took too long.')), HASH_TIMEOUT_MS)
    return untilAnswered(answer.promise).finally(() => clearTimeout(timer))
  }

  /** In batches, each with its own time: a whole library that moved to another disk takes hours, and is no disk that hangs. */
  const hashFiles: Scanner['hashFiles'] = async (paths) => {
    const hashes: (string | null)[] = []
    for (const batch of slicesOf(paths, HASH_BATCH_FILES)) hashes.push(...(await hashBatch(batch)))
    return hashes
  }

  const close = (): void => {
    listening.abort()
    if (isAtRest && isSound) threads.keep(worker)
    else threads.endSoon(worker)
  }

  return { walk, hashFiles, close }
}

export const createScanners = (deps: Pick<Deps, 'db'>): Scanners => {
  const threads = createSpareThreads()
  return { start: (spec) => startScanner(deps, threads, spec), close: threads.close }
}
