/** Below a base path: the router's addresses carry it, and what leads on must not carry it twice. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser, type OpenPage, openPage } from '../support/browser.ts'
import { buildClient } from '../support/built.ts'
import { makePicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'
import { card, onPage, TEST_LIMIT_MS } from './on-page.ts'
import { REPOSITORY } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)
const BASE = '/shelf'

let folder: TemporaryFolder
let server: TestServer
let browser: Browser
const scene = { open: async (): Promise<OpenPage> => openPage(browser, { url: server.url, client: await server.as('admin') }) }

beforeAll(async () => {
  await buildClient(REPOSITORY)
  folder = await temporaryFolder('base-path')
  const path = (name: string): string => join(folder.path, name)
  for (const name of ['album/top.jpg', 'album/2020/beach.jpg', 'manga/Ink/Ink v01/001.jpg']) await makePicture(path(name))
  const libraries = [
    { type: 'mixed', path: path('album'), name: 'Album' },
    { type: 'manga', path: path('manga'), name: 'Manga' },
  ] as const
  ;[server, browser] = await Promise.all([startServer({ libraries: [...libraries], args: ['--base-path', BASE] }), launchBrowser()])
  await server.waitForScans()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await folder?.remove()
})

test('a mixed library is gone through folder by folder, down and up', () =>
  onPage(scene, {}, async (page) => {
    await page.goto(`${server.url}/l/1`)
    await card(page, 'beach.jpg').waitFor()
    await page.getByTitle('Folders', { exact: true }).click()
    await page.getByRole('link', { name: /^2020/ }).click()
    await page.getByRole('heading', { level: 1, name: '2020' }).waitFor()
    await card(page, 'beach.jpg').waitFor()
    await page.getByRole('navigation', { name: 'Folder' }).getByRole('link', { name: 'Album' }).click()
    await card(page, 'top.jpg').waitFor()
    expect(new URL(page.url()).pathname).toBe(`${BASE}/l/1`)
  }))

test('from a volume the way up leads back to the series, and the next Back to what was before it', () =>
  onPage(scene, {}, async (page) => {
    await page.goto(`${server.url}/l/2`)
    await card(page, 'Ink').click()
    await page.getByRole('heading', { level: 1, name: 'Ink' }).waitFor()
    await card(page, 'Ink v01').click()
    await page.getByRole('img', { name: 'Page 1' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Ink', exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Manga' }).waitFor()
  }))
