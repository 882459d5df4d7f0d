import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ignore from 'ignore'
import { parseConfig } from '../../src/config.ts'
import { RUNTIME_SETTINGS } from '../../src/runtime-settings.ts'

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
    'media/movies/a film.mkv',
    '.git/config',
    'client/dist/index.html',
    'dist/server.js',
    'test/support/check.ts',
  ]) {
    expect(kept.ignores(path)).toBe(true)
  }
})

test('the image brings along the packages that the server imports, and not those that the client is built of', () => {
  const sources = [...new Bun.Glob('src/**/*.ts').scanSync(REPOSITORY)].map(read).join('\n')
  // Its data is a folder beside the others, of whichever languages are there.
  const named = [...sources.matchAll(/'((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/g)].map(([, name]) => name)
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  expect(Object.keys(dependencies).filter((name) => !name.startsWith('@tesseract.js-data/') && !named.includes(name))).toEqual([])
  const imported = [...sources.matchAll(/(?:from|import\() ?'((?:@[\w-]+\/)?[a-z][\w.-]*)[^':]*'/g)].map(([, name]) => name)
  expect(imported.filter((name) => name !== undefined && name in devDependencies)).toEqual([])
})

test('the image runs the program itself, as an ordinary user, with a health check', () => {
  expect(instructions.at(-1)).toBe('CMD ["bun", "src/main.ts"]')
  expect(instructions).toContain('USER bun')
  expect(instructions).toContain('VOLUME /data')
  const check = instructions.find((line) => line.startsWith('HEALTHCHECK'))
  expect(JSON.parse(check?.slice(check.indexOf('[')) ?? '')[0]).toBe('bun')
})

/** Sets the image's variables, as `docker run -e` changes them. */
const imageEnvironment = (changed: Record<string, string>): Record<string, string> => {
  const lines = instructions.filter((line) => line.startsWith('ENV '))
  return {
    ...Object.fromEntries(lines.flatMap((line) => [...line.matchAll(/(\w+)=(\S*)/g)].map(([, name, value]) => [name, value]))),
    ...changed,
  }
}

test('the image sets for the runtime what `bun run start` does', () => {
  expect(imageEnvironment({})).toMatchObject(RUNTIME_SETTINGS)
})

describe('the health check', () => {
  const [, ...command] = JSON.parse(instructions.find((line) => line.startsWith('HEALTHCHECK'))?.replace(/^[^[]*/, '') ?? '')
  /** Its exit code where everything but `/x/y/api/health` is answered with 200, as the client's pages are. */
  const checkOf = async (env: Record<string, string>, { status = 200, host = '127.0.0.1' } = {}): Promise<number> => {
    using server = Bun.serve({
      port: 0,
      hostname: host,
      fetch: ({ url }) => new Response('', { status: new URL(url).pathname === '/x/y/api/health' ? status : 200 }),
    })
    const child = Bun.spawn([process.execPath, ...command], {
      cwd: REPOSITORY,
      env: imageEnvironment({ PORT: String(server.port), ...env }),
      stdout: 'ignore',
      stderr: 'ignore',
    })
    return await child.exited
  }

  test('ends with 0 on a healthy answer and with another code on any other, however the base path is written', async () => {
    for (const BASE_PATH of ['/x/y', 'x/y', '/x/y/', '//x//y']) {
      expect([BASE_PATH, await checkOf({ BASE_PATH }, { status: 503 })]).toEqual([BASE_PATH, 1])
      expect([BASE_PATH, await checkOf({ BASE_PATH })]).toEqual([BASE_PATH, 0])
    }
    expect(await checkOf({ BASE_PATH: '/x/y', PORT: '1' })).toBe(1)
  })

  test('asks where the server listens', async () => {
    for (const HOST of ['127.0.0.2', '::1', '[::1]'])
      expect([HOST, await checkOf({ BASE_PATH: '/x/y', HOST }, { host: HOST.replace(/^\[|\]$/g, '') })]).toEqual([HOST, 0])
    expect(await checkOf({ BASE_PATH: '/x/y', HOST: '' })).toBe(0)
  })
})

test('libraries lie below /media in the image, also where a compose file passes on a variable that is not set', () => {
  const rootsOf = (changed: Record<string, string>) => parseConfig([], { ...imageEnvironment(changed), OCR_DATA_DIR: '' }).mediaRoots
  expect(rootsOf({})).toEqual(['/media'])
  expect(rootsOf({ MEDIA_ROOTS: '' })).toEqual(['/media'])
  expect(rootsOf({ MEDIA_ROOTS: '/srv' })).toEqual(['/srv'])
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
