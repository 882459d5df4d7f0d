import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
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
