/**
 * The bytes of an opened file as the body of an answer. Fast is only what Bun sends by itself, from a path that it opens
 * when it renders the answer; `/proc/self/fd/N` is such a path and leads to the very file that was checked, for as long
 * as our descriptor is open. `closingFiles` keeps it open until then, and no longer.
 *
 * What Bun 1.4.5 does, by trial: `Bun.file(fd).slice()` sends the length of the whole file and hangs; a `Bun.file` that is
 * not sliced answers a `Range` header by itself, whatever `If-Range` says; a slice in the middle with status 206 and a
 * `Content-Range` of ours is sent as it is; a stream is sent in chunks, without the length that its headers name, of type `direct`
 * and as a generator too, and `Bun.file().stream()` is taken for the file itself.
 */

import { createGateOfEach } from '../domain/gate.ts'
import { AppError } from '../errors.ts'
import type { ByteRange } from './byte-range.ts'
import { createDiskPace } from './disk-pace.ts'
import { type Client, createStreamPlaces } from './stream-places.ts'

/** An opened file, as `media/inside.ts` gives it out. */
export interface SentFile {
  handle: {
    read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
    close(): Promise<void>
  }
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch. */
  modifiedAtMs: number
  /** Differs from that of any other file, and of this one with other bytes; letters, digits and dashes. */
  version: string
  /** Differs between file systems. */
  device: string
  /** Lies where reading may hang in the middle, however quick it is. */
  isRemote: boolean
  /** A path that leads to this very file while `handle` is open. */
  stablePath: string
}

/**
 * Up to this much is read at once, which is cheaper than handing over a descriptor. Bun 1.4.5 gathers 16 KiB with their
 * headers into one packet; above that an answer that was waited for takes one for each piece of each header.
 */
const MEMORY_BYTES = 12 * 1024
/** So much of a remote file is read at once, so that nobody else waits where its disk hangs in the middle. */
export const PIECE_BYTES = 1024 * 1024
const CHUNK_BYTES = 256 * 1024
/** Of one file system: one that hangs keeps a thread for each, and all that is opened, read and hashed shares 64. */
const READS_AT_ONCE = 16

/** The descriptors to close once the answer to a request has been rendered. */
const heldFiles = new WeakMap<Request, SentFile[]>()

/**
 * Wraps the server's outermost handler. Bun renders the answer, and opens its file, in the microtasks that follow the
 * handler; an immediate comes after them. Without it files are sent all the same, as slower streams without a length.
 */
export const closingFiles =
  <Rest extends unknown[]>(handle: (request: Request, ...rest: Rest) => Response | Promise<Response>) =>
  async (request: Request, ...rest: Rest): Promise<Response> => {
    const files: SentFile[] = []
    heldFiles.set(request, files)
    try {
      return await handle(request, ...rest)
    } finally {
      heldFiles.delete(request)
      if (files.length > 0) setImmediate(() => void Promise.all(files.map((file) => file.handle.close())))
    }
  }

/** A length that was announced must be kept, so a file that has shrunk since it was opened is not sent at all. */
const readFully = async (file: SentFile, { start, end }: ByteRange): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new Uint8Array(end - start + 1)
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await file.handle.read(bytes, filled, bytes.length - filled, start + filled)
    if (bytesRead === 0) throw new AppError('unavailable', 'The file has just changed.')
    filled += bytesRead
  }
  return bytes
}

/** Read only as fast as the client takes it; the file is closed at its end, when it breaks off, or when the client goes away. */
export const streamOf = (handle: SentFile['handle'], { start, end }: ByteRange): ReadableStream<Uint8Array> => {
  let position = start
  const readOn = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end + 1 - position))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) throw new Error('The file has shrunk while it was sent.')
    position += bytesRead
    controller.enqueue(chunk.subarray(0, bytesRead))
    if (position <= end) return
    await handle.close()
    controller.close()
  }
  return new ReadableStream(
    {
      pull: (controller) =>
        readOn(controller).catch(async (error: unknown) => {
          // Nobody cancels a stream that failed, and a handle that is collected while it is open ends the process.
          await handle.close()
          throw error
        }),
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  )
}

interface BodyOptions {
  /** Whom it is for. */
  userId: number
  range: ByteRange | 'whole'
  /** Bun must not look at the request's `Range` header: the whole file is to be sent although there is one. */
  isRangeIgnored: boolean
}

/** Takes over the file: it is closed when its bytes are read, or when Bun has opened it for itself. */
type BodyOf = (request: Request, file: SentFile, options: BodyOptions) => Promise<Blob | ReadableStream | Uint8Array<ArrayBuffer>>

/** What is known of disks, and the places of streams, are of all files that it is asked for. */
export const createFileBodies = (): BodyOf => {
  const isDiskQuick = createDiskPace()
  const takeStreamPlace = createStreamPlaces({ each: 20, all: 200 })
  const inReadOf = createGateOfEach<string>(READS_AT_ONCE)
  const readInTurn =
    ({ handle, device }: SentFile): SentFile['handle']['read'] =>
    (...place) =>
      inReadOf(device)(() => handle.read(...place))

  /** Takes over the file. Its place is given back when it is closed. */
  const placedStreamOf = async (file: SentFile, range: ByteRange, client: Client) => {
    const { handle } = file
    const leave = await takeStreamPlace(client).catch(async (error: unknown) => {
      await handle.close()
      throw error
    })
    const close = (): Promise<void> => handle.close().finally(leave)
    return streamOf({ read: readInTurn(file), close }, range)
  }

  return async (request, file, options) => {
    const part = options.range === 'whole' ? { start: 0, end: file.size - 1 } : options.range
    const atOnce = file.isRemote && options.range !== 'whole' ? PIECE_BYTES : MEMORY_BYTES
    const { signal } = request
    if (part.end - part.start < atOnce) {
      const reading = inReadOf(file.device)(() => readFully(file, part), signal)
      return reading.finally(() => file.handle.close())
    }
    const client = { userId: options.userId, signal }
    const held = heldFiles.get(request)
    if (!held || options.isRangeIgnored) return placedStreamOf(file, part, client)
    const isQuick = await isDiskQuick(file, part, signal).catch(async (error: unknown) => {
      await file.handle.close()
      throw new AppError('unavailable', 'The file cannot be read now.', { cause: error })
    })
    if (!isQuick) return placedStreamOf(file, part, client)
    held.push(file)
    const body = Bun.file(file.stablePath)
    return options.range === 'whole' ? body : body.slice(part.start, part.end + 1)
  }
}
