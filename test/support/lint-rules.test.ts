import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/**
 * The house rules are only worth something where breaking them turns `bun run check` red, so every rule
 * of biome.json that stands for a line of the README meets a file that breaks it.
 */

const REPOSITORY = join(import.meta.dir, '../..')

interface Probe {
  path: string
  code: string
  /** The lint rule that must fire, or undefined where the file keeps every rule. */
  rule: string | undefined
}

const imports = (specifier: string): string => `import { thing } from '${specifier}'\n\nexport const used = thing\n`

const importProbe = (path: string, specifier: string, isAllowed = false): Probe => ({
  path,
  code: imports(specifier),
  rule: isAllowed ? undefined : 'noRestrictedImports',
})

const refusedImports: [from: string, specifiers: string[]][] = [
  ['domain', ['zod', 'node:path', 'bun', '../db/client.ts', '../errors.ts', 'bun:sqlite']],
  ['scan', ['../db/client.ts', '../services/items.ts', '../media/nfo.ts', '../log.ts', 'hono', 'drizzle-orm', 'bun:sqlite']],
  ['media', ['../db/client.ts', '../services/items.ts', '../http/problem.ts', 'hono']],
  ['ai', ['../db/client.ts', '../jobs/ai-queue.ts', '../routes/ai.ts', 'hono']],
  ['db', ['../services/items.ts', '../routes/items.ts', '../jobs/schedule.ts', '../app.ts', 'hono', 'bun:sqlite']],
  ['db/schema', ['../../services/items.ts', '../../http/guards.ts']],
  ['services', ['hono', 'hono/factory', '../routes/items.ts', '../jobs/ai-queue.ts', '../workers/protocol.ts', '../http/guards.ts']],
  ['http', ['../services/items.ts', '../routes/items.ts', '../jobs/schedule.ts', '../db/client.ts', 'drizzle-orm']],
  ['auth', ['../services/users.ts', '../routes/auth.ts', '../jobs/schedule.ts', '../scan/walk.ts']],
  ['jobs', ['../routes/items.ts', '../workers/scanner.ts', '../scan/walk.ts', '../media/thumbnail.ts', 'hono', '../http/problem.ts']],
  ['workers', ['../db/client.ts', '../services/items.ts', '../jobs/worker-pool.ts', '../routes/items.ts', 'hono', '@libsql/client']],
  [
    'routes',
    ['../db/client.ts', 'drizzle-orm', 'drizzle-orm/libsql', 'node:fs', 'node:fs/promises', '../scan/walk.ts', '../jobs/schedule.ts'],
  ],
]

const allowedImports: [from: string, specifiers: string[]][] = [
  ['domain', ['./title.ts']],
  ['scan', ['../domain/title.ts', 'node:fs/promises', './walk.ts']],
  ['db', ['../domain/title.ts', '../errors.ts', 'drizzle-orm', './writer.ts']],
  ['db/schema', ['../../domain/title.ts', '../client.ts', './items.ts']],
  ['services', ['../db/client.ts', '../domain/title.ts', '../media/nfo.ts', '../deps.ts', '../errors.ts']],
  ['auth', ['../db/client.ts', '../domain/permissions.ts']],
  ['jobs', ['../services/scans.ts', '../workers/protocol.ts', '../log.ts', '../db/client.ts']],
  ['workers', ['../scan/walk.ts', '../media/thumbnail.ts', '../ai/ocr.ts', './protocol.ts']],
  ['routes', ['../services/items.ts', '../http/guards.ts', '../errors.ts', 'hono']],
]

const otherProbes: Probe[] = [
  importProbe('client/src/api/tags.ts', '../../../src/services/tags.ts'),
  importProbe('client/src/api/tags.ts', '../../../src/db/client.ts'),
  importProbe('client/src/views/tv/page.ts', '../../../../src/errors.ts'),
  importProbe('client/src/api/tags.ts', 'node:path'),
  importProbe('client/src/api/tags.ts', '../../../src/api-type.ts', true),
  importProbe('client/src/api/tags.ts', '../../../src/domain/title.ts', true),
  importProbe('client/src/views/tv/page.ts', '../../api/tags.ts', true),
  { path: 'src/domain/clock.ts', code: 'export const version = Bun.version\n', rule: 'noRestrictedGlobals' },
  { path: 'src/app.ts', code: "export const load = () => import('bun:sqlite')\n", rule: 'noRestrictedImports' },
  { path: 'src/app.ts', code: 'console.log(1)\nexport {}\n', rule: 'noConsole' },
  { path: 'src/app.ts', code: 'export const read = (value: any) => value\n', rule: 'noExplicitAny' },
  { path: 'src/app.ts', code: 'const app = 1\nexport default app\n', rule: 'noDefaultExport' },
  { path: 'src/app.ts', code: 'export const first = (list: string[]): string => list[0]!\n', rule: 'noNonNullAssertion' },
  { path: 'src/services/tags.ts', code: "export * from './items.ts'\n", rule: 'noReExportAll' },
  { path: 'src/services/tags.ts', code: "export { a } from './items.ts'\n", rule: 'noBarrelFile' },
  { path: 'src/services/tags.ts', code: imports('../deps'), rule: 'useImportExtensions' },
  { path: 'src/services/tags.ts', code: imports('left-pad'), rule: 'noUndeclaredDependencies' },
  { path: 'src/services/tagManager.ts', code: 'export const a = 1\n', rule: 'useFilenamingConvention' },
  {
    path: 'src/services/tags.ts',
    code: 'export const a = () => {\n  try {\n    return 1\n  } catch {}\n}\n',
    rule: 'noEmptyBlockStatements',
  },
  {
    path: 'src/services/tags.ts',
    code: 'const save = async (): Promise<number> => 1\nexport const a = () => {\n  save()\n}\n',
    rule: 'noFloatingPromises',
  },
  { path: 'test/tags.test.ts', code: "import { test } from 'bun:test'\n\ntest.skip('a rule', () => undefined)\n", rule: 'noSkippedTests' },
  { path: 'test/tags.test.ts', code: "import { test } from 'bun:test'\n\ntest.only('a rule', () => undefined)\n", rule: 'noFocusedTests' },
  { path: 'src/services/tags.ts', code: 'export const a = (b: unknown) => b as unknown as string\n', rule: 'plugin' },
  {
    path: 'src/services/tags.ts',
    code: "import { sql } from 'drizzle-orm'\n\nexport const a = (b: string) => sql.raw(b)\n",
    rule: 'plugin',
  },
  { path: 'client/src/views/card.tsx', code: 'export const Card = (props: { t: string }) => <p innerHTML={props.t} />\n', rule: 'plugin' },
  {
    path: 'client/src/views/card.ts',
    code: 'export const show = (p: HTMLElement, t: string) => {\n  p.innerHTML = t\n}\n',
    rule: 'plugin',
  },
  { path: 'client/src/views/card.tsx', code: 'export const Card = (props: { t: string }) => <p>{props.t}</p>\n', rule: undefined },
  {
    path: 'client/src/views/card.ts',
    code: "import { on } from 'solid-js'\n\nexport const a = (props: { b: string }) => on(() => props.b, () => undefined, { defer: true })\n",
    rule: 'plugin',
  },
]

const probes: Probe[] = [
  ...refusedImports.flatMap(([from, specifiers]) => specifiers.map((specifier) => importProbe(`src/${from}/probe.ts`, specifier))),
  ...allowedImports.flatMap(([from, specifiers]) => specifiers.map((specifier) => importProbe(`src/${from}/probe.ts`, specifier, true))),
  ...otherProbes,
]

const SUBJECT = /\/probe-(?<number>\d+)\//

interface BiomeReport {
  diagnostics: { category: string; severity: string; location: { path: string } }[]
}

/** One tree with the repository's configuration, each probe in a folder of its own, one run of the linter over all of them. */
const lintAll = async (root: string): Promise<Map<number, string[]>> => {
  for (const name of ['biome.json', 'package.json', 'test/support/lint'])
    await cp(join(REPOSITORY, name), join(root, name), { recursive: true })
  for (const [number, { path, code }] of probes.entries()) {
    const file = join(root, dirname(path), `probe-${number}`, basename(path))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, code)
  }
  await writeFile(join(root, 'src/services/deps.ts'), 'export const thing = 1\n')
  const run = Bun.spawn(
    [join(REPOSITORY, 'node_modules/.bin/biome'), 'lint', '--reporter=json', '--max-diagnostics=none', 'src', 'client', 'test'],
    {
      cwd: root,
      stdout: 'pipe',
      stderr: 'ignore',
    },
  )
  const report: BiomeReport = JSON.parse(await new Response(run.stdout).text())
  const rules = new Map<number, string[]>()
  for (const { category, severity, location } of report.diagnostics) {
    const number = Number(SUBJECT.exec(location.path)?.groups?.number)
    if (severity === 'error') rules.set(number, [...(rules.get(number) ?? []), category])
  }
  return rules
}

describe('the house rules', () => {
  let root = ''
  let rulesOf = new Map<number, string[]>()
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'vitrine-lint-'))
    rulesOf = await lintAll(root)
  }, 60_000)
  afterAll(() => rm(root, { recursive: true, force: true }))

  for (const [number, { path, code, rule }] of probes.entries()) {
    const summary = `${path}: ${code.replaceAll(/\s+/g, ' ').trim()}`
    if (rule === undefined) test(`allow ${summary}`, () => expect(rulesOf.get(number)).toBeUndefined())
    else test(`refuse ${summary} (${rule})`, () => expect(rulesOf.get(number)?.some((found) => found.endsWith(rule))).toBe(true))
  }
})
