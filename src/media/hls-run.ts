/**
 * One ffmpeg that makes the pieces of a stream, from one of them to the last. The pipe is read no faster than its owner
 * wants pieces, and ffmpeg waits when it is full: it neither computes nor stores ahead of the viewer.
 */

import { type FileHandle, open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Boundaries, INIT_NAME, pieceName } from '../domain/hls-playlist.ts'
import { writeChunk } from './atomic-write.ts'
import { clockOf, type HlsSource, hlsArguments } from './hls-command.ts'
import { readFragments } from './hls-fragments.ts'
import { childEnvironment, lastLineOf, readLog, withLimits } from './program.ts'

export interface HlsRunSpec {
  ffmpegPath: string
  /** Descriptor of the file to read; may be closed as soon as the run has started. */
  fd: number
  source: HlsSource
  boundaries: Boundaries
  /** The piece to begin with. */
  from: number
  /** Absolute; exists. Gets the head and the pieces by their names in the playlist, each whole or not at all. */
  folder: string
  onInit(): void
  onPiece(piece: number, bytes: number): void
  /** Resolves when this piece may be made. */
  waitForRoom(piece: number): Promise<void>
}

export interface HlsRun {
  /** Resolves when the last piece is made or the run was stopped. Rejects with what ffmpeg said, or what the disk did. */
  finished: Promise<void>
  /** Resolves once the process is gone. */
  stop(): Promise<void>
}

/** Address space, in KiB: frames of 4K, their references, and a dozen of them in the encoder on every thread. */
const MAX_MEMORY_KIB = 4 * 1024 * 1024

/** Key frames come a little before or after the second at which a piece is said to begin. */
const TOLERANCE_SECONDS = 0.05

export class HlsError extends Error {}

/** Which piece a fragment that begins at this second belongs to. */
const pieceOf = (boundaries: Boundaries, seconds: number): number => {
  let piece = 0
  while (piece < boundaries.length - 2 && (boundaries[piece + 1] ?? 0) <= seconds + TOLERANCE_SECONDS) piece += 1
  return piece
}

interface OpenPiece {
  piece: number
  handle: FileHandle
  bytes: number
}

const pieceFile = (folder: string, piece: number): string => join(folder, pieceName(piece))

/** Writes the parts of the stream into the files of their pieces. The last one is whole if the stream ended well. */
const writePieces = async (spec: HlsRunSpec, stream: AsyncIterable<Uint8Array>, hasEndedWell: () => Promise<boolean>): Promise<void> => {
  const { source, boundaries, from, folder } = spec
  const last = boundaries.length - 2
  let current: OpenPiece | undefined
  let isWanted = false
  let endSeconds = 0

  const close = async (): Promise<void> => {
    if (!current) return
    const { piece, handle, bytes } = current
    current = undefined
    await handle.close()
    await rename(`${pieceFile(folder, piece)}.part`, pieceFile(folder, piece))
    spec.onPiece(piece, bytes)
  }
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!current) return
    await writeChunk(current.handle, bytes)
    current.bytes += bytes.length
  }
  const begin = async (piece: number): Promise<void> => {
    await close()
    await spec.waitForRoom(piece)
    current = { piece, handle: await open(`${pieceFile(folder, piece)}.part`, 'w'), bytes: 0 }
  }

  try {
    for await (const part of readFragments(stream, clockOf(source, boundaries[from] ?? 0))) {
      if (part.type === 'init') {
        const file = join(folder, INIT_NAME)
        await writeFile(`${file}.part`, part.bytes)
        await rename(`${file}.part`, file)
        spec.onInit()
      } else if (part.type === 'fragment') {
        const piece = pieceOf(boundaries, part.startSeconds)
        // What lies between a key frame too early and the piece that is wanted is of no use to anybody.
        isWanted = piece >= from
        if (isWanted && current?.piece !== piece) await begin(piece)
        if (isWanted) await write(part.bytes)
        endSeconds = part.endSeconds
      } else if (part.type === 'data') {
        if (isWanted) await write(part.bytes)
      } else if (current && current.piece < last && endSeconds + TOLERANCE_SECONDS >= (boundaries[current.piece + 1] ?? 0)) {
        await close()
      }
    }
    if (await hasEndedWell()) await close()
  } finally {
    await current?.handle.close()
  }
}

/** Starts ffmpeg. */
export const startHlsRun = (spec: HlsRunSpec): HlsRun => {
  const { ffmpegPath, fd, source, boundaries, from } = spec
  const command = withLimits([ffmpegPath, ...hlsArguments(source, boundaries[from] ?? 0)], { memoryKib: MAX_MEMORY_KIB })
  const child = Bun.spawn(command, { stdio: ['ignore', 'pipe', 'pipe', fd], env: childEnvironment() })
  const said = readLog(child.stderr)
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => undefined)
  let isStopped = false
  const patient = { ...spec, waitForRoom: (piece: number) => Promise.race([spec.waitForRoom(piece), stopped.promise]) }
  const work = async (): Promise<void> => {
    try {
      await writePieces(patient, child.stdout, async () => (await child.exited) === 0)
      const exitCode = await child.exited
      if (exitCode !== 0) throw new HlsError(lastLineOf(await said) || `ffmpeg ended with ${exitCode}.`)
    } catch (error) {
      if (isStopped) return
      throw error instanceof RangeError ? new HlsError(lastLineOf(await said) || error.message) : error
    } finally {
      child.kill('SIGKILL')
      await child.exited
    }
  }
  const finished = work()
  // Whoever waits for a piece is told; nobody may be waiting.
  finished.catch(() => undefined)
  return {
    finished,
    stop: async () => {
      isStopped = true
      child.kill('SIGKILL')
      stopped.reject(new HlsError('stopped'))
      await finished.catch(() => undefined)
    },
  }
}
