/** Runs programs that a hostile file may be fed to, and takes from them no more than they may have (SECURITY, part 1 D). */

import { DecodeError } from './decode-error.ts'
import { MediaError } from './inside.ts'

/** An 8K frame with its reference frames takes about 1 GiB; a bomb stops here. */
const MAX_MEMORY_KIB = 2 * 1024 * 1024
const MAX_LOG_CHARACTERS = 64 * 1024

interface Limits {
  memoryKib?: number
  /** `address` counts what is reserved, `data` what can be written to: a JavaScript engine reserves more than any machine has. */
  memory?: 'address' | 'data'
  /** Of processor time; whoever takes longer is ended by `SIGXCPU`. */
  seconds?: number
  niceness?: number
}

/** A shell sets the limits, which then hold for the program that takes its place. `nice` is not everywhere. */
export const withLimits = (
  program: readonly string[],
  { memoryKib = MAX_MEMORY_KIB, memory = 'address', seconds, niceness = 0 }: Limits = {},
): string[] => {
  const limits = [`-${memory === 'address' ? 'v' : 'd'} ${memoryKib}`, '-c 0', ...(seconds === undefined ? [] : [`-S -t ${seconds}`])]
  const behindOthers = niceness > 0 ? `if command -v nice >/dev/null; then exec nice -n ${niceness} "$@"; fi; ` : ''
  const set = limits.map((limit) => `ulimit ${limit}`).join(' && ')
  return ['/bin/sh', '-c', `${set} || exit 1; ${behindOthers}exec "$@"`, 'sh', ...program]
}

/** Threads share two heaps: each further one would reserve 64 MiB of the address space that is counted. */
export const childEnvironment = (): Record<string, string> => ({ LC_ALL: 'C', MALLOC_ARENA_MAX: '2', PATH: process.env.PATH ?? '' })

const readLimited = async (stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) throw new DecodeError('too_large', 'The program wrote more than it should.')
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
const assertEndedByItself = ({ signalCode }: Pick<Bun.Subprocess, 'signalCode'>, log: string): void => {
  if (OUTER_SIGNALS.has(signalCode) || CAUGHT_SIGNAL.test(log))
    throw new MediaError('unreadable', new Error(`It was ended from outside by ${signalCode ?? 'a signal'}.`))
}

interface ProgramRun {
  stdin: 'ignore' | Uint8Array
  /** Descriptors that it has from 3 on. */
  files?: readonly number[]
  /** That it may write. */
  maxBytes: number
  timeoutMs: number
  /** Beside what every program gets. */
  env?: Readonly<Record<string, string | undefined>>
  /** Of the one who waits for it: it ends with them, by `DecodeError('timeout')`. */
  signal?: AbortSignal | undefined
}

export interface ProgramResult {
  output: Uint8Array
  /** What it said beside that. */
  log: string
  exitCode: number
  /** Its own end: a file may crash it, or want too much of it. */
  signalCode: Bun.Subprocess['signalCode']
}

/** Throws `DecodeError` (`timeout`, `too_large`), and `MediaError` where it was ended from outside. */
export const runProgram = async (command: readonly string[], run: ProgramRun): Promise<ProgramResult> => {
  const { stdin, files = [], maxBytes, timeoutMs, env, signal } = run
  const child = Bun.spawn([...command], { stdio: [stdin, 'pipe', 'pipe', ...files], env: { ...childEnvironment(), ...env } })
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new DecodeError('timeout', `The program took longer than ${timeoutMs} ms.`)), timeoutMs)
  const giveUp = (): void => late.reject(new DecodeError('timeout', 'Nobody waits for it any more.'))
  signal?.addEventListener('abort', giveUp)
  try {
    const streams = Promise.all([readLimited(child.stdout, maxBytes), readLog(child.stderr)])
    const [output, log] = await Promise.race([streams, late.promise])
    const exitCode = await Promise.race([child.exited, late.promise])
    assertEndedByItself(child, log)
    return { output, log, exitCode, signalCode: child.signalCode }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    child.kill('SIGKILL')
    await child.exited
  }
}
