/** The scanner's thread: walks one library at a time, and makes content hashes of files while moves are matched. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isLibraryType } from '../domain/item-type.ts'
import { errorMessage } from '../domain/thrown-error.ts'
import { hashesInside } from '../media/content-hash.ts'
import { byDepth, toColumnBatch } from '../scan/column-batch.ts'
import { RootUnavailableError, type ScanBatch, scanLibrary } from '../scan/scan-library.ts'
import { type HashAnswer, type HashRequest, isHashRequest, isRecord, isText, type ScanMessage, type ScanRequest } from './protocol.ts'

declare const self: Worker

/** Batches under way to the main thread: it must not drown in what it has not written yet, and writes all that have come at once. */
const MAX_UNACKNOWLEDGED = 16

/** How long the walk may keep the thread from reading its messages. */
const PAUSE_EVERY_MS = 25

const post = (message: ScanMessage | HashAnswer): void => self.postMessage(message)

interface RunningScan {
  unacknowledged: number
  /** Set while the scan waits for an acknowledgement. */
  wake: (() => void) | undefined
}

let running: RunningScan | undefined

const untilWoken = (scan: RunningScan): Promise<void> =>
  new Promise((resolve) => {
    scan.wake = resolve
  })

const toMessage = (batch: ScanBatch, { asColumns, libraryId }: ScanRequest): ScanMessage => {
  if (!asColumns) return { type: 'units', ...batch, batches: [] }
  const rows = batch.units.flatMap((unit) => unit.items.map((item) => ({ unit: unit.path, item })))
  const units = batch.units.map((unit) => ({ ...unit, items: [] }))
  return { type: 'units', ...batch, units, batches: byDepth(rows).map((group) => toColumnBatch(libraryId, group)) }
}

const runScan = async (request: ScanRequest, scan: RunningScan): Promise<ScanMessage> => {
  const { libraryType, root, paths, knownSignatures, batchSize } = request
  const steps = scanLibrary({ libraryType, root, paths, knownSignatures, batchSize })
  let pausedAt = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return { type: 'done', ...step.value }
    if (step.value) {
      post(toMessage(step.value, request))
      scan.unacknowledged += 1
    }
    if (step.value || performance.now() - pausedAt > PAUSE_EVERY_MS) {
      // Messages that have arrived are handled meanwhile. A timer would take a millisecond, for every batch.
      await nextTurn()
      pausedAt = performance.now()
    }
    while (scan.unacknowledged >= MAX_UNACKNOWLEDGED) await untilWoken(scan)
  }
}

const describe = (error: unknown): ScanMessage => {
  const message = errorMessage(error)
  return { type: 'failed', code: error instanceof RootUnavailableError ? 'root_unavailable' : 'scanner_failed', message }
}

const startScan = async (request: ScanRequest): Promise<void> => {
  if (running) return post({ type: 'failed', code: 'scanner_failed', message: 'This thread is scanning already.' })
  const scan: RunningScan = { unacknowledged: 0, wake: undefined }
  running = scan
  const outcome = await runScan(request, scan).catch(describe)
  running = undefined
  post(outcome)
}

let hashing: Promise<void> | undefined

const answerHashes = async ({ id, root, paths }: HashRequest): Promise<void> =>
  post({ type: 'hashes', id, hashes: await hashesInside(root, paths) })

/** The walk attends to messages where it has no folder open. */
const end = async (): Promise<void> => {
  await hashing
  process.exit()
}

const isScanRequest = (message: Record<string, unknown>): message is Record<string, unknown> & ScanRequest =>
  isText(message.libraryType) &&
  isLibraryType(message.libraryType) &&
  isText(message.root) &&
  message.root.startsWith('/') &&
  Number.isInteger(message.libraryId) &&
  typeof message.asColumns === 'boolean' &&
  (message.paths === null || (Array.isArray(message.paths) && message.paths.every(isText))) &&
  isRecord(message.knownSignatures) &&
  Number.isInteger(message.batchSize) &&
  Number(message.batchSize) > 0

const handle = async (message: unknown): Promise<void> => {
  if (!isRecord(message)) return
  if (message.type === 'scan' && isScanRequest(message)) return startScan(message)
  if (isHashRequest(message)) {
    hashing = answerHashes(message)
    return hashing
  }
  if (message.type === 'end') return end()
  if (message.type === 'ack' && running) running.unacknowledged = Math.max(0, running.unacknowledged - 1)
  if (message.type === 'scan' || message.type === 'hash') {
    return post({ type: 'failed', code: 'scanner_failed', message: `The ${message.type} request is not well formed.` })
  }
  running?.wake?.()
}

self.onmessage = ({ data }: MessageEvent<unknown>): void => {
  void handle(data)
}
