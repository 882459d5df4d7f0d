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
