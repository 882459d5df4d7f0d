/** What Lighthouse says of the first screens, on the telephone and the line that it pretends to be (UI.md 3.5). */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { z } from 'zod'
import { openScene, REPOSITORY, type Scene, waitForPictures } from '../browser/scene.ts'
import { CHROMIUM_FLAGS, CHROMIUM_PATH } from '../support/browser.ts'

const SCENE_LIMIT_MS = 600_000
const AUDIT_LIMIT_MS = 600_000
const RUNS = 3
/** The least that the median of the runs may be. */
const LEAST = { performance: 0.9, accessibility: 1, 'best-practices': 0.95 }
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const

const reportShape = z.object({
  finalDisplayedUrl: z.string(),
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(z.enum(CATEGORIES), z.object({ score: z.number().nullable(), auditRefs: z.array(z.object({ id: z.string() })) })),
  audits: z.record(
    z.string(),
    z.object({ score: z.number().nullable(), scoreDisplayMode: z.string(), displayValue: z.string().optional() }),
  ),
})
type Report = z.infer<typeof reportShape>

let opened: Scene | undefined
const scene = (): Scene => {
  if (!opened) throw new Error('The scene is not open')
  return opened
}
beforeAll(async () => {
  opened = await openScene({ size: 'household', media: join(REPOSITORY, 'demo/media') })
  await waitForPictures(opened)
  // Its browser would take time from the one that is measured.
  await opened.browser.close()
}, SCENE_LIMIT_MS)
afterAll(() => opened?.[Symbol.asyncDispose](), SCENE_LIMIT_MS)

const runLighthouse = async (path: string, cookie: string | undefined) => {
  const child = Bun.spawn(
    [
      Bun.which('node') ?? process.execPath,
      join(REPOSITORY, 'node_modules/lighthouse/cli/index.js'),
      scene().server.url + path,
      ...['--output=json', '--output-path=stdout', '--quiet', '--no-enable-error-reporting'],
      `--only-categories=${CATEGORIES.join(',')}`,
      `--chrome-flags=${['--headless', ...CHROMIUM_FLAGS].join(' ')}`,
      ...(cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
    ],
    { env: { ...process.env, CHROME_PATH: CHROMIUM_PATH }, stdout: 'pipe', stderr: 'pipe' },
  )
  const [written, complaint, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { written, complaint, exitCode }
}

/** The browser lost the beginning of its trace; Lighthouse asks to be run again. */
const TRACE_LOST = 'NO_NAVSTART'
const ATTEMPTS = 3

const audit = async (path: string, cookie: string | undefined, attempt = 1): Promise<Report> => {
  const { written, complaint, exitCode } = await runLighthouse(path, cookie)
  if (complaint.includes(TRACE_LOST) && attempt < ATTEMPTS) return audit(path, cookie, attempt + 1)
  if (exitCode !== 0) throw new Error(`Lighthouse ended with ${exitCode}: ${complaint}`)
  const report = reportShape.parse(JSON.parse(written))
  if (report.runtimeError) throw new Error(report.runtimeError.message)
  return report
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const scoresOf = (reports: readonly Report[]): Record<(typeof CATEGORIES)[number], number> => {
  const of = (category: (typeof CATEGORIES)[number]): number => median(reports.map((report) => report.categories[category]?.score ?? 0))
  return { performance: of('performance'), accessibility: of('accessibility'), 'best-practices': of('best-practices') }
}

const METRICS = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']

/** The figures of one run, and what it found wanting where accessibility or good practice is not complete. */
const told = ({ audits, categories }: Report): string => {
  const found = CATEGORIES.slice(1)
    .flatMap((category) => categories[category]?.auditRefs ?? [])
    .filter(({ id }) => audits[id]?.scoreDisplayMode === 'binary' && audits[id].score === 0)
  return [...METRICS.map((id) => `${id} ${audits[id]?.displayValue ?? '–'}`), ...found.map(({ id }) => `found: ${id}`)].join(', ')
}

const PAGES: [name: string, path: () => string, isSignedIn: boolean][] = [
  ['sign-in', () => '/login', false],
  ['home', () => '/', true],
  ['a library of pictures', () => `/l/${scene().idOf('mixed')}`, true],
  ['a library of films', () => `/l/${scene().idOf('movies')}`, true],
]

test.each(PAGES)(
  '%s is fast, usable by everybody and sound',
  async (name, path, isSignedIn) => {
    const reports: Report[] = []
    for (let run = 0; run < RUNS; run += 1) reports.push(await audit(path(), isSignedIn ? scene().admin.cookies() : undefined))
    const scores = scoresOf(reports)
    process.stdout.write(`\n${name}: ${JSON.stringify(scores)}\n${reports.map((report) => `  ${told(report)}\n`).join('')}`)
    for (const { finalDisplayedUrl } of reports) expect(new URL(finalDisplayedUrl).pathname).toBe(path())
    expect(CATEGORIES.filter((category) => scores[category] < LEAST[category])).toEqual([])
  },
  AUDIT_LIMIT_MS,
)
