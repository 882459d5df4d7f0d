import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ignore from 'ignore'

/** What can be known of the image without building it. */

const REPOSITORY = join(import.meta.dir, '../..')
const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8')
const instructions = read('Dockerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Paths that a COPY takes out of the build context. */
const contextSources = instructions
  .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  .flatMap((line) => line.split(/\s+/).slice(1, -1))

test('every path that the image copies is in the repository and is not kept out by .dockerignore', () => {
  const kept = ignore().add(read('.dockerignore'))
  expect(contextSources.length).toBeGreaterThan(5)
  for (const path of contextSources) {
    expect(existsSync(join(REPOSITORY, path))).toBe(true)
    expect(kept.ignores(path)).toBe(false)
  }
})

test('what stays out of the build context is what no stage needs', () => {
  const kept = ignore().add(read('.dockerignore'))
  for (const path of [
    'node_modules/hono',
    'data/vitrine.db',
    'demo/media',
    '.git/config',
    'client/dist/index.html',
    'test/support/check.ts',
  ]) {
    expect(kept.ignores(path)).toBe(true)
  }
})

test('the image runs the program itself, as an ordinary user, with a health check', () => {
  expect(instructions.at(-1)).toBe('CMD ["bun", "src/main.ts"]')
  expect(instructions).toContain('USER bun')
  expect(instructions).toContain('VOLUME /data')
  const check = instructions.find((line) => line.startsWith('HEALTHCHECK'))
  expect(JSON.parse(check?.slice(check.indexOf('[')) ?? '')).toHaveLength(3)
})

test('the health check ends with 0 on a healthy answer and with another code on any other', async () => {
  const [, , script = ''] = JSON.parse(instructions.find((line) => line.startsWith('HEALTHCHECK'))?.replace(/^[^[]*/, '') ?? '')
  const isHealthy = { value: false }
  using server = Bun.serve({
    port: 0,
    fetch: ({ url }) => new Response('', { status: isHealthy.value && url.endsWith('/x/api/health') ? 200 : 503 }),
  })
  const check = (port: string): Promise<number> =>
    Bun.spawn([process.execPath, '-e', script], {
      env: { ...process.env, PORT: port, BASE_PATH: '/x' },
      stdout: 'ignore',
      stderr: 'ignore',
    }).exited
  expect(await check(String(server.port))).not.toBe(0)
  isHealthy.value = true
  expect(await check(String(server.port))).toBe(0)
  expect(await check('1')).not.toBe(0)
})

test('every place that pins Bun names the same version', () => {
  const { engines } = JSON.parse(read('package.json'))
  const version = engines.bun.replace('>=', '')
  expect(read('README.md').match(/bun@[0-9.]+[0-9]/g)).toEqual(expect.arrayContaining([`bun@${version}`]))
  for (const path of ['README.md', 'CHANGELOG.md', 'Dockerfile', '.ci/run']) {
    const pinned = [...read(path).matchAll(/(?:bun[@:]|^version=)(\d+\.\d+\.\d+)/gm)].map(([, found]) => found)
    expect(pinned.filter((found) => found !== version)).toEqual([])
  }
  expect(read('.ci/run')).toContain(`version=${version}\n`)
})
