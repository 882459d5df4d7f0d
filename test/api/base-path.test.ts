import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type HttpClient, httpClient, type Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { makePicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

/** API.md, 1: the service under a sub-path of a reverse proxy. `{base_url}` includes BASE_PATH, so a proxy passes the path on as it is. */

const BASE = '/home/vitrine'

let folder: TemporaryFolder
let server: TestServer
let admin: HttpClient
/** The server's own address, without the base path. */
let origin: string
let gamesId: number

beforeAll(async () => {
  folder = await temporaryFolder('base-path')
  const games = makeTree(join(folder.path, 'games'), { Solo: { 'solo.zip': 'zip', screenshots: {} } })
  for (const path of ['Solo/cover.jpg', 'Solo/screenshots/shot-1600000000000.jpg']) await makePicture(join(games, path))
  server = await startServer({ libraries: [{ type: 'games', path: games }], args: ['--base-path', `${BASE}/`] })
  await server.waitForScans()
  admin = await server.as('admin')
  origin = new URL(server.url).origin
  gamesId = (await admin.get('/api/libraries')).body.libraries[0].id
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

test('the address that the server says it has includes the base path', () => {
  expect(server.url).toBe(origin + BASE)
})

test('outside the base path there is nothing, and it is said with the usual headers', async () => {
  for (const path of [
    '/',
    '/api/health',
    '/api/libraries',
    '/metrics',
    '/home',
    '/home/vitrinex',
    '/home/vitrinex/api/health',
    '/index.html',
    '/HOME/vitrine/',
  ]) {
    const response = await fetch(origin + path)
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 404, 'application/problem+json'])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    await response.body?.cancel()
  }
})

test('the client is served below it, and knows where it is', async () => {
  for (const path of ['', '/', '/some/page']) {
    const response = await fetch(server.url + path)
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
    expect(await response.text()).toContain(`<base href="${BASE}/">`)
  }
})

test('what can be no page of the client is a file, or a problem', async () => {
  for (const path of ['/assets/none.js', '/icons/none.png', '/favicon.ico', '/.env', '/index.php']) {
    const { status, headers, body } = await fetch(server.url + path)
    expect([path, status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      path,
      404,
      'application/problem+json',
      'no-store',
    ])
    await body?.cancel()
  }
  const robots = await fetch(`${server.url}/robots.txt`)
  expect([robots.headers.get('content-type'), await robots.text()]).toEqual(['text/plain;charset=utf-8', 'User-agent: *\nDisallow: /\n'])
  // Names of items stand in addresses of pages.
  for (const path of ['/l/1/m/Film.ico', '/watch/movie%3A1%3AA%2Fb.mkv', '/read/a.cbz', '/some/.page'])
    expect([path, (await fetch(server.url + path)).headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8'])
})

test('every address in an answer carries it, and works', async () => {
  const { entries } = (await admin.get('/api/browse', { libraryId: gamesId })).body
  const solo = entries.find(({ title }: Json) => title === 'Solo')
  const { item } = (await admin.get('/api/items', { itemKey: solo.itemKey })).body
  const urls: string[] = [
    solo.coverUrl,
    solo.thumbnailUrl,
    item.coverUrl,
    item.thumbnailUrl,
    ...item.screenshots.map(({ url }: Json) => url),
  ]
  expect(urls).toHaveLength(5)
  for (const url of urls) {
    expect(url).toStartWith(`${BASE}/api/`)
    // A client that knows nothing but the origin, as a browser does.
    const response = await fetch(origin + url, { headers: { cookie: admin.cookies() } })
    expect([url, response.status, response.headers.get('content-type')]).toEqual([url, 200, expect.stringMatching(/^image\//)])
    await response.body?.cancel()
  }
})

test('the session belongs to it alone', async () => {
  const client = httpClient(server.url)
  const response = await client.fetch('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'password1' }),
  })
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^session=/)
  expect(cookie.split('; ')).toContain(`Path=${BASE}`)
  const over = await client.fetch('/api/auth/logout', { method: 'POST' })
  expect(over.headers.getSetCookie()[0]?.split('; ')).toContain(`Path=${BASE}`)
})

test('the description and its page live below it too', async () => {
  const description = (await admin.get('/api/openapi.json')).body
  expect(description.servers).toEqual([{ url: BASE }])
  expect(description.paths['/api/browse'].get.operationId).toBe('getApiBrowse')
  const html = await (await admin.fetch('/api/docs')).text()
  for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const { pathname } = new URL(address, `${server.url}/api/docs`)
    expect(pathname).toStartWith(`${BASE}/api/docs/`)
    expect((await fetch(origin + pathname, { headers: { cookie: admin.cookies() } })).status).toBe(200)
  }
})
