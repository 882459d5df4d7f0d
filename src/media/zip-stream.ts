/**
 * An application bundle as a zip archive that is made while it is sent: nothing is compressed, nothing is written to
 * the disk, and nothing is read before the client wants it (SECURITY, S8). Reads are synchronous, which is five times
 * as fast as asynchronous ones, in slices after which everybody else gets their turn (PERFORMANCE, E).
 */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { type BundleEntry, type BundleFile, listBundle } from './bundle-entries.ts'
import type { OpenedFolder } from './inside.ts'
import { plainZip, plainZipLength, type ZipFormat } from './zip-format.ts'
import { zip64, zip64Length } from './zip64-format.ts'

/** Larger ones make more garbage before it is collected than archives may take, and are no faster. */
const READ_BYTES = 128 * 1024
/** Smaller pieces are sent together. */
const BATCH_BYTES = 64 * 1024
/** However slow the disk: nobody waits longer than one read beyond this. */
const SLICE_MS = 10
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const NOTHING = new Uint8Array()

/** A file was exchanged, changed or taken away after the archive was begun: what has been sent is of no use. */
export class BundleChangedError extends Error {
  override readonly name = 'BundleChangedError'
}

const assertSame = (fd: number, file: BundleFile): void => {
  const { ino, dev, size, mtimeMs } = fstatSync(fd)
  if (ino !== file.ino || dev !== file.dev || size !== file.size || mtimeMs !== file.modifiedAtMs)
    throw new BundleChangedError(`${file.name} has changed while the archive was made.`)
}

/** The very bytes of the file that was listed. The descriptor is closed at the end, or when nobody wants the rest. */
function* chunksOf(root: string, file: BundleFile): Generator<Uint8Array<ArrayBuffer>> {
  const fd = openSync(`${root}/${file.path}`, FILE_FLAGS)
  try {
    assertSame(fd, file)
    for (let left = file.size; left > 0; ) {
      const chunk = Buffer.allocUnsafe(Math.min(left, READ_BYTES))
      const bytesRead = readSync(fd, chunk, 0, chunk.length, null)
      if (bytesRead === 0) throw new BundleChangedError(`${file.name} has become shorter while the archive was made.`)
      left -= bytesRead
      yield chunk.subarray(0, bytesRead)
    }
    assertSame(fd, file)
  } finally {
    closeSync(fd)
  }
}

function* fill(format: ZipFormat, chunks: Iterable<Uint8Array<ArrayBuffer>>): Generator<Uint8Array> {
  let crc = 0
  for (const chunk of chunks) {
    crc = crc32(chunk, crc)
    yield* format.fill(chunk, { crc, isLast: false })
  }
  // Only now is it known that the file is the same as at its beginning.
  yield* format.fill(NOTHING, { crc, isLast: true })
}

function* piecesOf(root: string, entries: readonly BundleEntry[], format: ZipFormat): Generator<Uint8Array> {
  for (const entry of entries) {
    yield* format.begin(entry)
    yield* fill(format, 'content' in entry ? [entry.content] : chunksOf(root, entry))
  }
  yield* format.end()
}

/** Small pieces together, large ones as they are; less where it takes long. */
function* batchesOf(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  const batch = Buffer.allocUnsafe(BATCH_BYTES)
  let used = 0
  let startedAt = performance.now()
  for (const piece of pieces) {
    const isLarge = piece.length > BATCH_BYTES
    if (used > 0 && (isLarge || used + piece.length > BATCH_BYTES || performance.now() - startedAt > SLICE_MS)) {
      yield Buffer.from(batch.subarray(0, used))
      used = 0
      startedAt = performance.now()
    }
    if (isLarge) {
      yield piece
      startedAt = performance.now()
    } else {
      batch.set(piece, used)
      used += piece.length
    }
  }
  if (used > 0) yield batch.subarray(0, used)
}

export interface BundleArchive {
  /** For who wants no more than the length. */
  close(): Promise<void>
  /** Bytes; exact, since an archive that would become another is broken off. */
  length: number
  /**
   * The archive, once. The bundle's folder is closed at its end, when the reader cancels, and when it breaks off, which
   * `onError` hears of: a file changed (`BundleChangedError`) or could not be read.
   */
  stream(onError: (error: unknown) => void): ReadableStream<Uint8Array>
}

/**
 * Looks through a bundle and answers its archive, in which everything lies below a folder called `name`. Takes over the
 * opened folder, unless it throws: what `listBundle` throws. `onClosed` hears once that it is closed.
 */
export const archiveOf = async (bundle: OpenedFolder, name: string, onClosed: () => void = () => undefined): Promise<BundleArchive> => {
  const entries = await listBundle(bundle, name)
  const plainLength = plainZipLength(entries)
  const length = plainLength ?? zip64Length(entries)
  const close = async (): Promise<void> => {
    await bundle.handle.close()
    onClosed()
  }
  const stream: BundleArchive['stream'] = (onError) => {
    const format = plainLength === undefined ? zip64() : plainZip()
    const batches = batchesOf(piecesOf(bundle.stablePath, entries, format))
    let ending: Promise<void> | undefined
    let isCancelled = false
    const finish = (): Promise<void> => {
      batches.return(undefined)
      ending ??= close()
      return ending
    }
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          await nextTurn()
          if (ending) return
          try {
            const { value, done } = batches.next()
            if (!done) return controller.enqueue(value)
            await finish()
            if (!isCancelled) controller.close()
          } catch (error) {
            await finish()
            onError(error)
            controller.error(error)
          }
        },
        cancel: () => {
          isCancelled = true
          return finish()
        },
      },
      { highWaterMark: 0 },
    )
  }
  return { length, stream, close }
}
