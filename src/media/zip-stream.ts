/**
 * An application bundle as a zip archive that is made while it is sent: nothing is compressed, nothing is written to
 * the disk, and nothing is read before the client wants it (SECURITY, S8), in slices after which everybody else gets their turn.
 */

import type { Stats } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { type BundleEntry, type BundleFile, listBundle } from './bundle-entries.ts'
import { createDiskReader, type DiskReader } from './disk-reader.ts'
import type { OpenedFolder } from './inside.ts'
import { plainZip, plainZipLength, type ZipFormat } from './zip-format.ts'
import { zip64, zip64Length } from './zip64-format.ts'

/** Larger ones make more garbage before it is collected than archives may take, and are no faster. */
const READ_BYTES = 128 * 1024
/** Smaller pieces are sent together. */
const BATCH_BYTES = 64 * 1024
/** Nobody waits longer than one read beyond this. */
const SLICE_MS = 10
const NOTHING = new Uint8Array()

/** A file was exchanged, changed or taken away after the archive was begun: what has been sent is of no use. */
export class BundleChangedError extends Error {
  override readonly name = 'BundleChangedError'
}

/** By size and time: the number of an inode may be another one by now where nobody stores it (scan/inode-numbers.ts). */
const assertSame = ({ size, mtimeMs }: Stats, file: BundleFile): void => {
  if (size !== file.size || mtimeMs !== file.modifiedAtMs)
    throw new BundleChangedError(`${file.name} has changed while the archive was made.`)
}

interface Source {
  /** Leads to the bundle. */
  root: string
  disk: DiskReader
}

/** The very bytes of the file that was listed. The descriptor is closed at the end, or when nobody wants the rest. */
async function* chunksOf({ root, disk }: Source, file: BundleFile): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const fd = await disk.open(`${root}/${file.path}`)
  try {
    assertSame(await disk.stat(fd), file)
    for (let left = file.size; left > 0; ) {
      const chunk = Buffer.allocUnsafe(Math.min(left, READ_BYTES))
      const bytesRead = await disk.read(fd, chunk)
      if (bytesRead === 0) throw new BundleChangedError(`${file.name} has become shorter while the archive was made.`)
      left -= bytesRead
      yield chunk.subarray(0, bytesRead)
    }
    assertSame(await disk.stat(fd), file)
  } finally {
    await disk.close(fd)
  }
}

/** Small pieces together, large ones as they are; less where it takes long. */
const createBatches = () => {
  const batch = Buffer.allocUnsafe(BATCH_BYTES)
  let used = 0
  let startedAt = performance.now()
  const rest = (): Uint8Array => {
    const bytes = Buffer.from(batch.subarray(0, used))
    used = 0
    startedAt = performance.now()
    return bytes
  }
  function* add(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
    for (const piece of pieces) {
      const isLarge = piece.length > BATCH_BYTES
      if (used > 0 && (isLarge || used + piece.length > BATCH_BYTES || performance.now() - startedAt > SLICE_MS)) yield rest()
      if (isLarge) {
        yield piece
        startedAt = performance.now()
      } else {
        batch.set(piece, used)
        used += piece.length
      }
    }
  }
  return { add, rest }
}

/** The archive in parts of some size. */
async function* partsOf(source: Source, entries: readonly BundleEntry[], format: ZipFormat): AsyncGenerator<Uint8Array> {
  const { add, rest } = createBatches()
  for (const entry of entries) {
    let crc = 0
    for (const part of add(format.begin(entry))) yield part
    for await (const chunk of 'content' in entry ? [entry.content] : chunksOf(source, entry)) {
      crc = crc32(chunk, crc)
      for (const part of add(format.fill(chunk, { crc, isLast: false }))) yield part
    }
    // Only now is it known that the file is the same as at its beginning.
    for (const part of add(format.fill(NOTHING, { crc, isLast: true }))) yield part
  }
  for (const part of add(format.end())) yield part
  const last = rest()
  if (last.length > 0) yield last
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
    const source = { root: bundle.stablePath, disk: createDiskReader() }
    const parts = partsOf(source, entries, format)
    let ending: Promise<void> | undefined
    let isCancelled = false
    const finish = (): Promise<void> => {
      ending ??= parts
        .return(undefined)
        .finally(close)
        .then(() => undefined)
      return ending
    }
    const sendOn = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      await nextTurn()
      if (ending) return
      const { value, done } = await parts.next()
      if (ending) return
      if (!done) return controller.enqueue(value)
      await finish()
      if (!isCancelled) controller.close()
    }
    return new ReadableStream<Uint8Array>(
      {
        pull: (controller) =>
          sendOn(controller).catch(async (error: unknown) => {
            // Of what nobody wants any more nobody needs to hear.
            if (ending) return
            await finish()
            onError(error)
            controller.error(error)
          }),
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
