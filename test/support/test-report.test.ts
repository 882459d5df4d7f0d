import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { makeTree } from './library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
import { countTests, failuresIn } from './test-report.ts'

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('report')
})
afterAll(() => folder.remove())

/** Runs a real `bun test` over these files, in a folder of their own. */
const run = async (
  name: string,
  files: Record<string, string>,
): Promise<ReturnType<typeof countTests> & { exitCode: number; failures: string }> => {
  const cwd = makeTree(join(folder.path, name), files)
  const child = Bun.spawn([process.execPath, 'test', '--reporter=junit', '--reporter-outfile=report.xml'], {
    cwd,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const printed = await new Response(child.stderr).text()
  const exitCode = await child.exited
  const report = Bun.file(join(cwd, 'report.xml'))
  return {
    ...countTests({ report: (await report.exists()) ? await report.text() : '', printed, exitCode }),
    exitCode,
    failures: failuresIn(printed),
  }
}

const GOOD = "import { expect, test } from 'bun:test'\ntest('a', () => expect(1).toBe(1))\ntest('b', () => expect(1).toBe(1))\n"
const BAD = "import { expect, test } from 'bun:test'\ntest('c', () => expect(1).toBe(2))\n"
const BROKEN = "import './missing.ts'\n"
const SKIPPED = "import { test } from 'bun:test'\ntest.skip('d', () => undefined)\n"
const CRASH = "import { test } from 'bun:test'\ntest('e', () => process.exit(3))\n"

test('a failed test counts as failed', async () => {
  expect(await run('bad', { 'a.test.ts': GOOD, 'b.test.ts': BAD })).toMatchObject({ passed: 2, failed: 1, exitCode: 1 })
})

test('what was printed of a failure is said once more, and nothing else', async () => {
  const { failures } = await run('again', { 'a.test.ts': GOOD, 'b.test.ts': BAD })
  expect(failures).toMatch(/Expected: 2[^]*\(fail\) c/)
  expect(failures.match(/\(fail\)/g)).toHaveLength(1)
  expect(failures).not.toContain('(pass)')
})

test('a file that cannot be loaded counts as failed', async () => {
  expect(await run('broken', { 'a.test.ts': GOOD, 'b.test.ts': BROKEN })).toMatchObject({ passed: 2, failed: 1, exitCode: 1 })
})

test('a skipped test counts as failed', async () => {
  expect(await run('skipped', { 'a.test.ts': GOOD, 'b.test.ts': SKIPPED })).toMatchObject({ passed: 2, failed: 1, skipped: 1 })
})

test('a run that ends in the middle counts as failed', async () => {
  const counts = await run('crash', { 'a.test.ts': CRASH })
  expect(counts.failed).toBe(1)
  expect(counts.exitCode).not.toBe(0)
})

test('a run without test files counts as failed', async () => {
  expect((await run('none', { 'a.ts': GOOD })).failed).toBe(1)
})

test('a good run has none that failed', async () => {
  expect(await run('good', { 'a.test.ts': GOOD })).toMatchObject({ passed: 2, failed: 0, exitCode: 0 })
})
