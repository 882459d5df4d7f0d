/** The client in German, chosen by the browser or by the person. That every screen is: test/long/german-screens.test.ts. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { onPage } from './on-page.ts'
import { openScene, type Scene } from './scene.ts'

setDefaultTimeout(60_000)

let opened: Scene | undefined
const scene = (): Scene => {
  if (!opened) throw new Error('The scene is not open')
  return opened
}
beforeAll(async () => {
  opened = await openScene({ size: 'small' })
}, 240_000)
afterAll(() => opened?.[Symbol.asyncDispose]())

describe('whose language it is', () => {
  test("nobody has chosen: it is the browser's, also before signing in, and English where there are no texts", async () => {
    for (const [locale, title] of [
      ['de-AT', 'Anmelden'],
      ['fr-FR', 'Sign in'],
    ] as const) {
      await onPage(scene(), { client: null, context: { locale } }, async (page) => {
        await page.goto('/login')
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
      })
    }
  })

  test('who chooses one has it at once, on every device, and at the next visit from the first moment', async () => {
    const client = await scene().server.as('chooser')
    await onPage(scene(), { client }, async (page) => {
      await page.goto('/settings/appearance')
      await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
      await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
      await page.getByRole('heading', { level: 1, name: 'Darstellung' }).waitFor()
      expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      // The message of it may have come and gone, and in either language.
      await page.waitForFunction(async () => (await (await fetch('/api/user-settings')).json()).language === 'de')
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'Darstellung' }).waitFor()
    })
    expect((await client.get('/api/user-settings')).body.language).toBe('de')
    await onPage(scene(), { client, context: { locale: 'en-US' } }, async (page) => {
      await page.goto('/manage/users')
      await page.getByRole('heading', { level: 1, name: 'Keine Berechtigung' }).waitFor()
      await page.goto('/settings/appearance')
      await page.getByRole('combobox', { name: 'Sprache' }).selectOption('auto')
      await page.getByRole('heading', { level: 1, name: 'Appearance' }).waitFor()
    })
  })

  test('what the server refuses is said in German', () =>
    onPage(scene(), { client: null, context: { locale: 'de-DE' }, expected: /status of 401/ }, async (page) => {
      await page.goto('/login')
      await page.getByLabel('Name').fill('nobody')
      await page.getByLabel('Passwort', { exact: true }).fill('nothing at all')
      await page.getByRole('button', { name: 'Anmelden' }).click()
      await page.getByRole('alert').getByText('Name oder Passwort ist falsch.').waitFor()
    }))
})
