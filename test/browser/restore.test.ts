/** Manage, System: going back to a daily backup. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../bench/free-port.ts'
import { makeTag } from '../support/ai-scene.ts'
import { launchBrowser, openPage } from '../support/browser.ts'
import type { Json } from '../support/http-client.ts'
import { ADMIN, startServer } from '../support/test-server.ts'
import { holdRequests } from './on-page.ts'

setDefaultTimeout(120_000)
const WAIT_LIMIT_MS = 30_000

const NAMES = ['vitrine-2026-11-20.db', 'vitrine-2026-11-19.db']

test('says what goes back, restores it, waits for the server and leads to its sign-in; what fails changes nothing', async () => {
  await using server = await startServer({ port: freePort() })
  const admin = await server.as('admin')
  const folder = join(server.dataDir, 'backups')
  await mkdir(folder)
  await makeTag(admin, 'Before')
  const backup = await (await admin.fetch('/api/system/backup', { method: 'POST' })).bytes()
  await writeFile(join(folder, NAMES[0] ?? ''), backup)
  await writeFile(join(folder, NAMES[1] ?? ''), backup.subarray(0, 5000))
  await makeTag(admin, 'After')
  await using browser = await launchBrowser()
  const opened = await openPage(browser, { url: server.url, client: admin })
  const { page } = opened
  page.setDefaultTimeout(WAIT_LIMIT_MS)
  // What begins to be routed on a page at work may be missed.
  await page.route('**/*', (route) => route.fallback())
  await page.goto('/manage/system')
  const restore = page.getByRole('button', { name: /^Restore the backup of/ })
  const dialog = page.getByRole('dialog')
  await restore.nth(1).click()
  await dialog.getByText('Everybody has to sign in again').waitFor()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'This backup is damaged.' }).waitFor()
  await page.keyboard.press('Escape')
  await restore.nth(0).click()
  const { asked, letGo } = await holdRequests(page, 'POST', /\/api\/system\/restore/)
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await asked
  // What cannot be stopped stays in sight.
  await dialog.getByRole('button', { name: 'Cancel' }).evaluate((button: HTMLElement) => button.click())
  expect(await dialog.isVisible()).toBe(true)
  letGo()
  await page.getByLabel('Name').fill(ADMIN.username)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'System', level: 1 }).waitFor()
  const { tags } = (await (await server.login(ADMIN.username, ADMIN.password)).get('/api/tags/items')).body
  expect(tags.map(({ name }: Json) => name)).toEqual(['Before'])
  expect(opened.problems.filter((problem) => !/status of 4(?:01|09)|ERR_|failed request/.test(problem))).toEqual([])
  await opened.close()
})
