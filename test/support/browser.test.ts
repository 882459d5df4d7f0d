import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { launchBrowser, lookAt, openPage, WIDTHS } from './browser.ts'
import { httpClient } from './http-client.ts'

const html = (body: string): Response =>
  new Response(`<!doctype html><meta name=viewport content="width=device-width"><title>t</title>${body}`, {
    headers: { 'content-type': 'text/html' },
  })

let browser: Browser
const server = Bun.serve({
  port: 0,
  routes: {
    '/sign-in': new Response(null, { headers: { 'set-cookie': 'session=abc; Path=/; HttpOnly' } }),
    '/who': (request) => html(`<p>${request.headers.get('cookie')}</p>`),
    '/bad': html(
      '<script>console.error("oh"); setTimeout(() => { throw new Error("no") }); fetch("http://elsewhere.invalid/x").catch(() => 0)</script><p>bad',
    ),
    '/good': html('<link rel=icon href="data:,"><p>good'),
  },
})
const url = `http://127.0.0.1:${server.port}`

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop(true)
})

test('a page tells of console errors, uncaught errors and requests to other hosts', async () => {
  const { page, problems, close } = await openPage(browser, { url })
  await page.goto('/bad')
  await page.waitForTimeout(200)
  await close()
  expect(problems).toEqual(
    expect.arrayContaining([`console: oh (${url}/bad)`, 'uncaught: no', 'foreign request: http://elsewhere.invalid/x']),
  )
})

test('a page has the session of its client', async () => {
  const client = httpClient(url)
  await client.get('/sign-in')
  const { page, close } = await openPage(browser, { url, client })
  await page.goto('/who')
  expect(await page.textContent('p')).toBe('session=abc')
  await close()
})

const seen = (page: Page) =>
  page.evaluate(() => ({
    cookies: document.cookie,
    mark: localStorage.getItem('mark'),
    year: new Date().getFullYear(),
    isOnline: navigator.onLine,
  }))

test.each([
  ['is kept in it', async () => undefined],
  ['its clock says', (page: Page) => page.clock.setFixedTime('1999-06-01')],
  ['it has no network for', (page: Page) => page.context().setOffline(true)],
  ['it opened', (page: Page) => page.evaluate(() => void window.open('/good'))],
])('a page knows nothing of the one before: what %s', async (_, change) => {
  const before = await openPage(browser, { url })
  await before.page.goto('/good')
  await before.page.context().addCookies([{ name: 'mark', value: '1', url }])
  await before.page.evaluate(() => localStorage.setItem('mark', '1'))
  await change(before.page)
  await before.close()
  const { page, close } = await openPage(browser, { url })
  await page.goto('/good')
  expect(await seen(page)).toEqual({ cookies: '', mark: null, year: new Date().getFullYear(), isOnline: true })
  expect(
    page
      .context()
      .pages()
      .filter((opened) => opened.url() !== 'about:blank'),
  ).toEqual([page])
  await close()
})

test('pages that are open at once know nothing of each other', async () => {
  const [one, other] = [await openPage(browser, { url }), await openPage(browser, { url })]
  await Promise.all([one.page.goto('/good'), other.page.goto('/good')])
  await one.page.evaluate(() => localStorage.setItem('mark', '1'))
  expect(await other.page.evaluate(() => localStorage.getItem('mark'))).toBeNull()
  await Promise.all([one.close(), other.close()])
})

test('a look is four pictures, at both widths in both themes', async () => {
  const { paths, problems } = await lookAt(browser, {
    url,
    path: '/good',
    name: 'support-look',
    until: (page) => page.waitForSelector('p'),
  })
  const widths = await Promise.all(paths.map(async (path) => (await sharp(path).metadata()).width))
  await Promise.all(paths.map((path) => rm(path)))
  expect(widths).toEqual([WIDTHS.desktop, WIDTHS.desktop, WIDTHS.phone, WIDTHS.phone])
  expect(problems).toEqual([])
})
