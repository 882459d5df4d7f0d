/**
 * `bun run test [filters and flags of bun test]`: makes sure of the packages, the programs and the built client,
 * runs everything, and ends with the plain line `N passed, N failed`. Nothing is skipped: a machine that
 * lacks a program gets it, or exit code 2 and one line that names it.
 */

import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildClient, compileServer } from './built.ts'
import { installPackages, installPrograms } from './installed.ts'
import { countTests, failuresIn } from './test-report.ts'

const REPOSITORY = join(import.meta.dir, '../..')
const REPORT = join(REPOSITORY, 'test-results/junit/all.xml')
/** What takes minutes, and gigabytes of disk: `bun run test:long`. */
const LONG_TESTS = 'test/long/**'
/** Files at once, each in a process of its own: two that compute keep two cores busy, and the others have them while those wait. */
const PROCESSES = 4

/**
 * How long each file takes, in milliseconds: the longest begin first, so that at the end no single one keeps a core waiting.
 * It need not be exact; `bun run test --update-timings` measures anew.
 */
const TIMINGS = 'test/timings.json'

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

/** For processes that are gone after seconds. */
const SHORT_LIVED = {
  // A fifth of the processor's time went into compiling for a second and a third time what is gone before that pays.
  BUN_JSC_useFTLJIT: '0',
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '40000',
  // Every core has a file of its own: threads that collect beside the work only take turns with it.
  BUN_JSC_useConcurrentGC: '0',
  BUN_JSC_numberOfGCMarkers: '1',
  // Memory that is given back to the system is asked for again at once.
  MIMALLOC_PURGE_DELAY: '-1',
}

/** Runs what is asked for by the filters and flags of `bun test`, or everything. */
const runTests = async (args: string[]): Promise<{ exitCode: number; printed: string; report: string }> => {
  const child = Bun.spawn(
    [
      ...[process.execPath, 'test', '--path-ignore-patterns', LONG_TESTS, `--parallel=${PROCESSES}`, '--timings', TIMINGS],
      ...['--reporter=junit', `--reporter-outfile=${REPORT}`, ...args],
    ],
    {
      cwd: REPOSITORY,
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'pipe',
      env: { ...process.env, ...SHORT_LIVED, VITRINE_COMPILED: '1', ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}) },
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const printed = await tee(child.stderr, (chunk) => process.stderr.write(chunk))
  const exitCode = await child.exited
  return { exitCode, printed, report: existsSync(REPORT) ? await Bun.file(REPORT).text() : '' }
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
await compileServer(REPOSITORY).catch(fail)
rmSync(dirname(REPORT), { recursive: true, force: true })
mkdirSync(dirname(REPORT), { recursive: true })
const run = await runTests(process.argv.slice(2))
const { passed, failed, skipped } = countTests(run)
if (skipped > 0) process.stderr.write(`${skipped} skipped tests count as failed.\n`)
if (failed > 0) process.stderr.write(`\n${failuresIn(run.printed)}\n`)
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : run.exitCode)
