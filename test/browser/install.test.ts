/** The client as an installed app: its own files are at hand, and nothing of anybody's library is kept (UI.md 1.5). */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, openPage } from '../support/browser.ts'
import { buildClient } from '../support/built.ts'
import { makeClip } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ADMIN, startServer, type TestServer, waitFor } from '../support/test-server.ts'
import { holdRequests, TEST_LIMIT_MS, WAIT_LIMIT_MS } from './on-page.ts'
import { REPOSITORY } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)

const BASE = '/shelf'
/** What is told of a service worker that waits is on the screen by then. */
const SHOWN_MS = 500

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: TestServer
let browser: Browser
beforeAll(async () => {
  await buildClient(REPOSITORY)
  folder = await temporaryFolder('install')
  await makeClip(`${folder.path}/clip.mp4`)
  ;[server, browser] = await Promise.all([
    startServer({ libraries: [{ type: 'mixed', path: folder.path }], args: ['--base-path', BASE] }),
    launchBrowser(),
  ])
  await server.waitForScans()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await folder?.remove()
})

/** What stands before the server, and may answer in its place. What is forwarded may get something behind it. */
const before = (
  answer: (path: string, forward: (more?: string) => Promise<Response>, request: Request) => Response | Promise<Response>,
): Bun.Server<undefined> =>
  Bun.serve({
    port: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url)
      const forward = async (more = ''): Promise<Response> => {
        const headers = new Headers(request.headers)
        for (const name of ['host', 'origin', 'if-none-match']) headers.delete(name)
        headers.set('accept-encoding', 'identity')
        const body = await request.arrayBuffer()
        const answered = await fetch(new URL(pathname + search, server.url), {
          method: request.method,
          headers,
          ...(body.byteLength && { body }),
        })
        return more === '' ? answered : new Response((await answered.text()) + more, answered)
      }
      return answer(pathname, forward, request)
    },
  })

test('the service worker stands below the base path, keeps the client and no answer of the API', async () => {
  const client = await server.as('admin')
  const { page, close } = await openPage(browser, { url: server.url, client, context: { serviceWorkers: 'allow' } })
  await page.goto(`${server.url}/l/1`)
  await page.waitForSelector('a[data-item-key]')
  const { scope } = await page.evaluate(async () => ({ scope: new URL((await navigator.serviceWorker.ready).scope).pathname }))
  expect(scope).toBe(`${BASE}/`)
  // Nor is the first one taken for a newer one.
  await page.waitForTimeout(SHOWN_MS)
  expect(await page.getByText('A new version is ready').count()).toBe(0)
  // Everything is answered by the worker from here on.
  await page.reload()
  await page.waitForSelector('a[data-item-key]')
  await page.locator('a[data-item-key]').first().click()
  await page.waitForSelector('video')
  const kept = await page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)))
    return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept).toContain(`${BASE}/index.html`)
  expect(kept.filter((path) => path.startsWith(`${BASE}/api/`))).toEqual([])
  expect((await page.goto(`${server.url}/api/health`))?.headers()['content-type']).toContain('application/json')
  await close()
})

test('that a newer version is ready is said to a page that is older, and stays so, whatever else is done and said meanwhile', async () => {
  let script = ''
  let isPageOlder = false
  let asked = 0
  const newer = before(async (path, forward, { headers }) => {
    if (path === `${BASE}/sw.js`) return forward(script)
    if (path !== `${BASE}/` || headers.get('sec-fetch-mode') === 'navigate') return forward()
    asked += 1
    return isPageOlder ? new Response((await (await forward()).text()).replaceAll('assets/', 'assets/newer-')) : forward()
  })
  const client = await server.as('admin')
  await client.put('/api/progress', { itemKey: 'mixed_file:1:clip.mp4', positionSeconds: 60, durationSeconds: 600 })
  const url = `${newer.url.origin}${BASE}`
  const { page, close } = await openPage(browser, { url, client, context: { serviceWorkers: 'allow' } })
  await page.goto(`${url}/`)
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.reload()
  const update = () => page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
  // A page comes from the server, and may be as new as the worker that waits.
  script = '\n// Another one.'
  await update()
  await waitFor(
    () => asked > 0 || undefined,
    WAIT_LIMIT_MS,
    () => 'The page did not ask whether it is the newest.',
  )
  await page.waitForTimeout(SHOWN_MS)
  expect(await page.getByText('A new version is ready').count()).toBe(0)
  isPageOlder = true
  script = '\n// And another one.'
  await update()
  await page.getByText('A new version is ready').waitFor()
  await page.getByRole('button', { name: /out of this row/ }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await page.waitForTimeout(SHOWN_MS)
  expect(await page.getByText('A new version is ready').count()).toBe(1)
  await close()
  await newer.stop(true)
})

test('a sign-in that stands before the server is reached; where the server is away, the client starts all the same', async () => {
  let inItsPlace: (() => Response) | undefined
  const proxy = before((path, forward, request) => {
    if (path === '/sign-in') return new Response('<h1>Who is there?</h1>', { headers: { 'content-type': 'text/html' } })
    const isPage = request.headers.get('sec-fetch-mode') === 'navigate'
    return (isPage && inItsPlace?.()) || forward()
  })
  const url = `${proxy.url.origin}${BASE}`
  const client = await server.as('admin')
  const { page, close } = await openPage(browser, { url, client, context: { serviceWorkers: 'allow' } })
  const start = () => page.goto(`${url}/`)
  const isOwnPage = () => page.locator('html:has(link[rel=manifest])').waitFor({ state: 'attached' })
  await start()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.reload()
  await page.getByRole('banner').waitFor()

  inItsPlace = () => Response.redirect('/sign-in')
  await page.reload()
  await page.getByRole('heading', { name: 'Who is there?' }).waitFor()
  inItsPlace = () => new Response('<h1>Not yet</h1>', { status: 401, headers: { 'content-type': 'text/html' } })
  await page.goto(`${url}/l/1`)
  await page.getByRole('heading', { name: 'Not yet' }).waitFor()
  // No browser asks for a name and a password for what comes through a worker; it does for what a page of ours asks for.
  const basic = { 'www-authenticate': 'Basic realm="house"', 'content-type': 'text/html' }
  inItsPlace = () => new Response('<h1>Who are you?</h1>', { status: 401, headers: basic })
  await page.goto(`${url}/`)
  await isOwnPage()
  await page.getByRole('banner').waitFor()
  // Nothing of it is kept, nor stands in for the client.
  inItsPlace = () => new Response('Bad gateway', { status: 502 })
  await start()
  await isOwnPage()
  await page.getByRole('banner').waitFor()
  expect((await page.goto(`${url}/api/nothing`))?.status()).toBe(502)
  await proxy.stop(true)
  await start()
  await isOwnPage()
  await page.getByText('The server does not answer').waitFor()
  await close()
})

test('a server that is slow to answer who is there leaves no empty page; one that cannot is said to be away, also while it is asked again', async () => {
  const held = Promise.withResolvers<void>()
  let asked = 0
  let first: (() => Response) | undefined
  const proxy = before((path, forward) => {
    if (path !== `${BASE}/api/auth/status`) return forward()
    asked += 1
    return (asked === 1 && first?.()) || held.promise.then(() => forward())
  })
  const { page, close } = await openPage(browser, { url: `${proxy.url.origin}${BASE}` })
  const start = () => page.goto(`${proxy.url.origin}${BASE}/`, { waitUntil: 'commit' })
  await start()
  await page.getByText('Loading', { exact: true }).waitFor()
  // What the page has asked for ahead is its first attempt.
  expect(asked).toBe(1)
  asked = 0
  first = () => new Response('Bad gateway', { status: 502 })
  await start()
  await page.getByText('The server does not answer').waitFor()
  await waitFor(
    () => asked > 1 || undefined,
    WAIT_LIMIT_MS,
    () => 'The server was not asked again.',
  )
  expect(await page.getByText('The server does not answer').count()).toBe(1)
  held.resolve()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await close()
  await proxy.stop(true)
})

test('a server that takes longer than it is given each time is waited for longer each time', async () => {
  // What is asked for ahead is on its way for longer than the page waits for it, however long the page takes to begin.
  const ahead = Promise.withResolvers<void>()
  let asked = 0
  const proxy = before(async (path, forward) => {
    if (path !== `${BASE}/api/auth/status`) return forward()
    asked += 1
    await (asked === 1 ? ahead.promise : Bun.sleep(1200))
    return forward()
  })
  const { page, close } = await openPage(browser, { url: `${proxy.url.origin}${BASE}` })
  await page.addInitScript(() => {
    const { timeout } = AbortSignal
    AbortSignal.timeout = (milliseconds) => timeout.call(AbortSignal, milliseconds / 10)
  })
  await page.goto(`${proxy.url.origin}${BASE}/`, { waitUntil: 'commit' })
  await page.getByText('The server does not answer').waitFor()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  ahead.resolve()
  await close()
  await proxy.stop(true)
})

test('who signs in while it is still asked who is there stays signed in', async () => {
  const held = Promise.withResolvers<void>()
  let asked = 0
  const proxy = before(async (path, forward) => {
    if (path !== `${BASE}/api/auth/status`) return forward()
    const answer = await forward()
    asked += 1
    if (asked === 1) return answer
    await held.promise
    return answer
  })
  const { page, close } = await openPage(browser, { url: `${proxy.url.origin}${BASE}` })
  await page.goto(`${proxy.url.origin}${BASE}/`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await waitFor(
    () => asked > 1 || undefined,
    WAIT_LIMIT_MS,
    () => 'It was not asked again',
  )
  await page.getByLabel('Name', { exact: true }).fill(ADMIN.username)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('banner').waitFor()
  held.resolve()
  await page.waitForTimeout(SHOWN_MS)
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0)
  await page.getByRole('banner').waitFor()
  await close()
  await proxy.stop(true)
})

test('a frame that takes long to arrive leaves no empty page', async () => {
  const { page, close } = await openPage(browser, { url: server.url, client: await server.as('admin') })
  const frame = await holdRequests(page, 'GET', /\/assets\/fram-/)
  await page.goto(`${server.url}/`, { waitUntil: 'commit' })
  await page.getByText('Loading', { exact: true }).waitFor()
  frame.letGo()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  expect(await page.getByText('Loading', { exact: true }).count()).toBe(0)
  await close()
})

test('the manifest names pictures that are there, in their sizes, and is asked for with cookies', async () => {
  const { page, close } = await openPage(browser, { url: server.url })
  await page.goto(`${server.url}/login`)
  const link = page.locator('link[rel=manifest]')
  expect(await link.getAttribute('crossorigin')).toBe('use-credentials')
  const sizes = await page.evaluate(async () => {
    const address = document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href ?? ''
    const { icons, start_url: start } = await (await fetch(address)).json()
    const found = await Promise.all(
      icons.map(async ({ src, sizes: said }: { src: string; sizes: string }) => {
        const image = new Image()
        image.src = new URL(src, address).href
        await image.decode()
        return said === 'any' || said === `${image.naturalWidth}x${image.naturalHeight}`
      }),
    )
    return { found, start: new URL(start, address).pathname }
  })
  expect(sizes).toEqual({ found: [true, true, true, true], start: `${BASE}/` })
  await close()
})
