/**
 * Runs ffmpeg on one opened file. A hostile file is fed to a large C program here, so: arguments as an array, the input as
 * an inherited descriptor (no name ever reaches ffmpeg's URL parser), demuxers from a list, no protocol but `file`, one
 * thread, and limits on memory, time and output (SECURITY, part 1 D).
 */

import { DecodeError } from './decode-error.ts'
import { MediaError } from './inside.ts'

export const FFMPEG_TIMEOUT_MS = 30_000

/** Address space, in KiB: an 8K frame with its reference frames takes about 1 GiB; a bomb stops here. */
const MAX_MEMORY_KIB = 2 * 1024 * 1024
/** Uncompressed frames of 1280 pixels' width are below 8 MiB. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const MAX_LOG_CHARACTERS = 64 * 1024

const DESCRIPTORS = `file:${process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd'}`
/** The descriptor gets this number in the child, and a name of its own: ffmpeg opens it anew, able to seek. */
export const INPUT_PATH = `${DESCRIPTORS}/3`
/** Bytes come as standard input, which Bun makes a file in memory on Linux: ffmpeg can seek there, too. */
const INPUT_OF_BYTES = `${DESCRIPTORS}/0`

/**
 * The header of the smallest container that is read (IVF). A file of less, as an empty one that keeps the place of one to come,
 * holds nothing: nobody starts a program for it.
 */
export const SMALLEST_MEDIA_BYTES = 32

export interface FfmpegRun {
  /** From the executable's configuration, never from a client. */
  ffmpegPath: string
  /** Descriptor of the file to read, or what would stand in it. */
  input: number | Uint8Array
  /** Demuxers that may be used, by ffmpeg's names. */
  formats: readonly string[]
  /** Decoder and seeking options, and what is made of the input; the output goes to `pipe:1`. */
  inputOptions: readonly string[]
  outputOptions: readonly string[]
  timeoutMs?: number
  /** Of the one who waits for it: it ends with them, by `DecodeError('timeout')`. */
  signal?: AbortSignal | undefined
}

export interface FfmpegResult {
  output: Uint8Array
  /** What ffmpeg said at log level "info". */
  log: string
  exitCode: number
}

/** A shell sets the limits, which then hold for the program that takes its place. `nice` is not everywhere. */
export const withLimits = (program: readonly string[], { memoryKib = MAX_MEMORY_KIB, niceness = 0 } = {}): string[] => {
  const behindOthers = niceness > 0 ? `if command -v nice >/dev/null; then exec nice -n ${niceness} "$@"; fi; ` : ''
  return ['/bin/sh', '-c', `ulimit -v ${memoryKib} && ulimit -c 0 || exit 1; ${behindOthers}exec "$@"`, 'sh', ...program]
}

/** No file name, no address and no list of other files is ever taken from what is read. */
export const onlyFiles = (formats: readonly string[]): string[] => ['-protocol_whitelist', 'file', '-format_whitelist', formats.join(',')]

/** Threads share two heaps: each further one would reserve 64 MiB of the address space that is counted. */
export const childEnvironment = (): Record<string, string> => ({ LC_ALL: 'C', MALLOC_ARENA_MAX: '2', PATH: process.env.PATH ?? '' })

export const readLimited = async (stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) throw new DecodeError('too_large', 'ffmpeg wrote more than it should.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** What is said; of a long one the head, which tells about the streams, and the tail, where errors stand. */
export const readLog = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder()
  let log = ''
  for await (const chunk of stream) {
    log += decoder.decode(chunk, { stream: true })
    if (log.length > 2 * MAX_LOG_CHARACTERS) log = log.slice(0, MAX_LOG_CHARACTERS) + log.slice(-MAX_LOG_CHARACTERS)
  }
  return log
}

/** Where a program says why it gave up; empty where it said nothing. */
export const lastLineOf = (log: string): string => log.trim().split('\n').at(-1) ?? ''

/** Who sends these means the program, and not the file: somebody stops the server, or the system has no memory left. */
const OUTER_SIGNALS: ReadonlySet<unknown> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'])
/** ffmpeg catches the first two. */
const CAUGHT_SIGNAL = /^Exiting normally, received signal \d+\.$/m

/** What was ended from outside says nothing of what it read: throws `MediaError('unreadable')`. */
export const assertEndedByItself = ({ signalCode }: Pick<Bun.Subprocess, 'signalCode'>, log: string): void => {
  if (OUTER_SIGNALS.has(signalCode) || CAUGHT_SIGNAL.test(log))
    throw new MediaError('unreadable', new Error(`It was ended from outside by ${signalCode ?? 'a signal'}.`))
}

/**
 * Answers whatever was written, be it nothing: the caller judges. Throws `DecodeError` (`timeout`, `too_large`), and
 * `MediaError` where ffmpeg was ended from outside.
 */
export const runFfmpeg = async (run: FfmpegRun): Promise<FfmpegResult> => {
  const { ffmpegPath, input, formats, inputOptions, outputOptions, timeoutMs = FFMPEG_TIMEOUT_MS, signal } = run
  const [place, stdin, ...files] = typeof input === 'number' ? ([INPUT_PATH, 'ignore', input] as const) : ([INPUT_OF_BYTES, input] as const)
  // biome-ignore format: one option and its value a pair
  const command = withLimits([
    ffmpegPath, '-nostdin', '-hide_banner', '-loglevel', 'info', '-threads', '1', '-filter_threads', '1',
    ...onlyFiles(formats), ...inputOptions, '-i', place, ...outputOptions, 'pipe:1',
  ])
  const child = Bun.spawn(command, { stdio: [stdin, 'pipe', 'pipe', ...files], env: childEnvironment() })
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new DecodeError('timeout', `ffmpeg took longer than ${timeoutMs} ms.`)), timeoutMs)
  const giveUp = (): void => late.reject(new DecodeError('timeout', 'Nobody waits for it any more.'))
  signal?.addEventListener('abort', giveUp)
  try {
    const streams = Promise.all([readLimited(child.stdout, MAX_OUTPUT_BYTES), readLog(child.stderr)])
    const [output, log] = await Promise.race([streams, late.promise])
    const exitCode = await Promise.race([child.exited, late.promise])
    assertEndedByItself(child, log)
    return { output, log, exitCode }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    child.kill('SIGKILL')
    await child.exited
  }
}

/** What `showinfo` says of the frame before it is scaled: its size in square pixels. */
export const shownSizeOf = (log: string): { width: number; height: number } | null => {
  const [, sarWidth, sarHeight, width, height] = /^\[Parsed_showinfo_\d+ @ \w+\] n: .* sar:(\d+)\/(\d+) s:(\d+)x(\d+) /m.exec(log) ?? []
  if (width === undefined) return null
  const ratio = Number(sarWidth) > 0 && Number(sarHeight) > 0 ? Number(sarWidth) / Number(sarHeight) : 1
  return { width: Math.round(Number(width) * ratio), height: Number(height) }
}
