/**
 * Runs ffmpeg on one opened file. A hostile file is fed to a large C program here, so: arguments as an array, the input as
 * an inherited descriptor (no name ever reaches ffmpeg's URL parser), demuxers from a list, no protocol but `file`, one
 * thread, and limits on memory, time and output (SECURITY, part 1 D).
 */

import { type ProgramResult, runProgram, withLimits } from './program.ts'

export const FFMPEG_TIMEOUT_MS = 30_000

/** Uncompressed frames of 1280 pixels' width are below 8 MiB. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

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

interface FfmpegRun {
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

/** No file name, no address and no list of other files is ever taken from what is read. */
export const onlyFiles = (formats: readonly string[]): string[] => ['-protocol_whitelist', 'file', '-format_whitelist', formats.join(',')]

/**
 * Answers whatever was written, be it nothing: the caller judges. Throws `DecodeError` (`timeout`, `too_large`), and
 * `MediaError` where ffmpeg was ended from outside.
 */
export const runFfmpeg = (run: FfmpegRun): Promise<ProgramResult> => {
  const { ffmpegPath, input, formats, inputOptions, outputOptions, timeoutMs = FFMPEG_TIMEOUT_MS, signal } = run
  const [place, stdin, ...files] = typeof input === 'number' ? ([INPUT_PATH, 'ignore', input] as const) : ([INPUT_OF_BYTES, input] as const)
  // biome-ignore format: one option and its value a pair
  const command = withLimits([
    ffmpegPath, '-nostdin', '-hide_banner', '-loglevel', 'info', '-threads', '1', '-filter_threads', '1',
    ...onlyFiles(formats), ...inputOptions, '-i', place, ...outputOptions, 'pipe:1',
  ])
  return runProgram(command, { stdin, files, maxBytes: MAX_OUTPUT_BYTES, timeoutMs, signal })
}

/** What `showinfo` says of the frame before it is scaled: its size in square pixels. */
export const shownSizeOf = (log: string): { width: number; height: number } | null => {
  const [, sarWidth, sarHeight, width, height] = /^\[Parsed_showinfo_\d+ @ \w+\] n: .* sar:(\d+)\/(\d+) s:(\d+)x(\d+) /m.exec(log) ?? []
  if (width === undefined) return null
  const ratio = Number(sarWidth) > 0 && Number(sarHeight) > 0 ? Number(sarWidth) / Number(sarHeight) : 1
  return { width: Math.round(Number(width) * ratio), height: Number(height) }
}
