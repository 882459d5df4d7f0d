interface TestRun {
  /** The JUnit report of `bun test`; empty where it wrote none. */
  report: string
  /** What `bun test` printed. */
  printed: string
  exitCode: number
}

interface TestCounts {
  passed: number
  failed: number
  skipped: number
}

const COLOURS = /\u001b\[[0-9;]*m/g

const attribute = (line: string, name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(line)?.[1] ?? 0)

/**
 * The sums of a run. The report knows the tests; a file that cannot be loaded stands only in the printed summary
 * (as a ` 1 fail`), and a run that crashes in neither. Skipped tests count as failed.
 */
export const countTests = ({ report, printed, exitCode }: TestRun): TestCounts => {
  const totals = /<testsuites [^>]*>/.exec(report)?.[0] ?? ''
  const skipped = attribute(totals, 'skipped')
  const failures = attribute(totals, 'failures')
  const summary = [...printed.replaceAll(COLOURS, '').matchAll(/^ (\d+) fail$/gm)].at(-1)
  const failed = Math.max(failures, Number(summary?.[1] ?? 0)) + skipped
  const hasCrashed = exitCode !== 0 && failed === 0
  return { passed: attribute(totals, 'tests') - failures - skipped, failed: hasCrashed ? 1 : failed, skipped }
}

const RESULT = /^\((?:pass|fail)\) /
const FILE = /^test\/\S+:$/
/** Of each failure that is repeated: its last lines say what went wrong. */
const MAX_LINES = 40

/** What was printed of each failed test, its own line last: thousands of lines come after it in a long run. */
export const failuresIn = (printed: string): string => {
  const failures: string[] = []
  let lines: string[] = []
  for (const line of printed.replaceAll(COLOURS, '').split('\n')) {
    lines.push(line)
    if (line.startsWith('(fail) ')) failures.push(lines.slice(-MAX_LINES).join('\n'))
    if (RESULT.test(line)) lines = []
    else if (FILE.test(line)) lines = [line]
    // The summary lists the failures once more.
    else if (/^\d+ tests failed:$/.test(line)) break
  }
  return failures.join('\n\n')
}
