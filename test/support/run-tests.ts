/**
 * `bun run test [filters and flags of bun test]`: makes sure of the packages, the programs and the built client,
 * runs everything, and ends with the plain line `N passed, N failed`. Nothing is skipped: a machine that
 * lacks a program gets it, or exit code 2 and one line that names it.
 */

import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient } from './built-client.ts'
import { installPackages, installPrograms } from './installed.ts'
import { countTests, failuresIn } from './test-report.ts'

const REPOSITORY = join(import.meta.dir, '../..')
const REPORTS = join(REPOSITORY, 'test-results/junit')
/** What takes minutes, and gigabytes of disk: `bun run test:long`. */
const LONG_TESTS = 'test/long/**'
const filesOf = (names: string[]): string[] => names.map((name) => `test/${name}.test.ts`)

/** The other tests with a browser take little: this way the parts take about as long. */
const LARGE_BROWSER_TESTS = filesOf(
  ['ai', 'client', 'every-screen', 'feed', 'filters', 'player', 'reader'].map((name) => `browser/${name}`),
)

/** What takes five seconds and more and does not compute all the while: it waits for leases, locks, limits, clocks and disks. */
const WAITING_TESTS = filesOf([
  'ai/chat-client',
  'ai-queue/clearing',
  'ai-queue/clock',
  'ai-queue/library-off',
  'ai-queue/misbehaviours',
  'ai-queue/queue',
  'api/ai-tagging',
  'api/game-archive',
  'api/hostile-pages',
  'api/nearly-full-disk',
  'auth/throttle',
  'backup',
  'browser/film-parts',
  'browser/install',
  'browser/leaving',
  'client/primitives/create-ai-fields',
  'db/migrate',
  'db/migrate-together',
  'deletions/failures',
  'http/unread-body',
  'main',
  'scans/held',
  'scans/schedule',
  'scans/shared-database',
  'scans/uploads',
])

interface Part {
  name: string
  args: string[]
  /** Files at once, each in a process of its own. */
  processes: number
}

/** Two that compute beside a large one with a browser keep two cores busy, and one that waits takes little from them; what somebody asks for is one run. */
const partsOf = (args: string[]): Part[] =>
  args.length > 0
    ? [{ name: 'chosen', args, processes: 2 }]
    : [
        {
          name: 'others',
          args: [...LARGE_BROWSER_TESTS, ...WAITING_TESTS].flatMap((file) => ['--path-ignore-patterns', file]),
          processes: 2,
        },
        { name: 'browser', args: LARGE_BROWSER_TESTS, processes: 1 },
        { name: 'waiting', args: WAITING_TESTS, processes: 1 },
      ]

/** Passes a stream through as it comes and keeps it as text. */
const tee = async (stream: ReadableStream<Uint8Array>, write: (chunk: Uint8Array) => unknown): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    write(chunk)
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

const reportOf = ({ name }: Part): string => join(REPORTS, `${name}.xml`)

const runPart = async (part: Part): Promise<{ exitCode: number; printed: string; report: string }> => {
  const child = Bun.spawn(
    [
      ...[process.execPath, 'test', '--path-ignore-patterns', LONG_TESTS, `--parallel=${part.processes}`],
      ...['--reporter=junit', `--reporter-outfile=${reportOf(part)}`, ...part.args],
    ],
    {
      cwd: REPOSITORY,
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'pipe',
      env: { ...process.env, ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}) },
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const printed = await tee(child.stderr, (chunk) => process.stderr.write(chunk))
  const exitCode = await child.exited
  const report = existsSync(reportOf(part)) ? await Bun.file(reportOf(part)).text() : ''
  return { exitCode, printed, report }
}

const fail = (reason: unknown): never => {
  process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`)
  process.stdout.write('0 passed, 1 failed\n')
  process.exit(1)
}

await installPackages(REPOSITORY).catch(fail)
const missing = await installPrograms()
if (missing.length > 0) {
  process.stderr.write(`The tests need these Debian packages: apt-get install ${missing.join(' ')}\n`)
  process.exit(2)
}
await buildClient(REPOSITORY).catch(fail)
rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })
const runs = await Promise.all(partsOf(process.argv.slice(2)).map(runPart))
const counts = runs.map(countTests)
const sumOf = (name: 'passed' | 'failed' | 'skipped'): number => counts.reduce((sum, count) => sum + count[name], 0)
const [passed, failed, skipped] = [sumOf('passed'), sumOf('failed'), sumOf('skipped')]
if (skipped > 0) process.stderr.write(`${skipped} skipped tests count as failed.\n`)
for (const { printed } of failed > 0 ? runs : []) process.stderr.write(`\n${failuresIn(printed)}\n`)
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : Math.max(...runs.map(({ exitCode }) => exitCode)))
