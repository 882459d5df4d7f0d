/** The client in German, chosen by the browser or by the person. That every screen is: test/long/german-screens.test.ts. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { waitFor } from '../support/test-server.ts'
import { onPage, TEST_LIMIT_MS, WAIT_LIMIT_MS, waitForKeys } from './on-page.ts'
import { openScene, type Scene } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)

/** The second click counts no sooner than this after the first. */
const GUARD_MS = 600

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
      const isKept = async () => (await client.get('/api/user-settings')).body.language === 'de' || undefined
      await waitFor(isKept, WAIT_LIMIT_MS, () => 'The language was not kept')
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

  test('texts that cannot be had leave the language as it is, and that is said in words for people', async () => {
    const client = await scene().server.as('refused')
    await onPage(scene(), { client, expected: /ERR_FAILED|failed request/ }, async (page) => {
      await page.route(/\/assets\/germ-/, (route) => route.abort())
      await page.goto('/settings/appearance')
      await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
      await page.getByText('A part of this page is missing.').waitFor()
      expect(await page.getByText('dynamically imported').count()).toBe(0)
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

  test('why the server cannot do it is said in German', () =>
    onPage(scene(), { context: { locale: 'de-DE' }, expected: /status of 503/ }, async (page) => {
      const body = { code: 'unavailable', detail: 'The library is read-only for this service.' }
      await page.route(/\/api\/items\?/, (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ status: 503, json: body }) : route.fallback(),
      )
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent('The Salt Meridian (1994)')}`)
      // What comes late moves the button away from under the eyes, which disarms it.
      await page.getByText('Je weniger, desto schneller und besser.').waitFor()
      await page.getByRole('button', { name: 'Ordner löschen' }).click()
      const armed = page.getByRole('button', { name: /erneut klicken$/ })
      await armed.waitFor()
      await page.waitForTimeout(GUARD_MS)
      await armed.click()
      await page.getByRole('alert').getByText('Der Server darf in dieser Bibliothek nur lesen, nicht schreiben.').waitFor()
    }))

  test('what is wrong with a file of tags is said in German', () =>
    onPage(scene(), { context: { locale: 'de-DE' }, expected: /status of 400/ }, async (page) => {
      await page.goto('/manage/tags')
      await page.getByRole('button', { name: 'Importieren' }).click()
      const dialog = page.getByRole('dialog')
      const choose = (name: string, text: string) =>
        dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
      const lead = 'Diese Datei ist nicht lesbar; es wurde nichts geändert:'
      await choose('line.csv', 'category,tag\nPlace\n')
      await dialog.getByText(`${lead} Zeile 2 der Datei braucht eine Kategorie und ein Tag.`).waitFor()
      await choose('none.json', 'no JSON')
      await dialog.getByText(`${lead} Die Datei ist kein JSON.`).waitFor()
      await choose('name.json', '{"categories": [{"tags": []}]}')
      await dialog.getByText(`${lead} categories.0.name: Diese Angabe ist so nicht möglich.`).waitFor()
    }))

  test('keys are called what is printed on a German keyboard', () =>
    onPage(scene(), { context: { locale: 'de-DE' } }, async (page) => {
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await waitForKeys(page)
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Tasten' })
      for (const key of ['Pos1', 'Ende', 'Bild auf', 'Bild ab']) await help.getByText(key, { exact: true }).waitFor()
    }))

  test('what is no picture is said to be none', () =>
    onPage(scene(), { context: { locale: 'de-DE' }, expected: /status of 400/ }, async (page) => {
      await page.goto(`/l/${scene().idOf('games')}/g/${encodeURIComponent('Pocket Orchard')}?tab=screenshots`)
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Bildschirmfotos hinzufügen' }).click()
      await (await choosing).setFiles({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
      await page.getByRole('alert').getByText('Das ist kein brauchbares Bild.').waitFor()
    }))
})

describe('long words on a phone', () => {
  const box = async (target: Locator) => (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  /** What an ellipsis hides, in pixels. */
  const hidden = (target: Locator) => target.evaluate((element) => element.scrollWidth - element.clientWidth)
  const look = { screen: 'phone', context: { locale: 'de-DE' } } as const

  test('no button and no fact is cut off, and a field keeps its width', () =>
    onPage(scene(), look, async (page) => {
      await page.goto(`/l/${scene().idOf('tv')}/s/${encodeURIComponent('Northline (2018)')}`)
      await page.getByText('NFO gefunden').waitFor()
      expect(await hidden(page.getByText('Metadaten neu lesen'))).toBe(0)
      await page.goto('/manage/users')
      expect(await hidden(page.getByText(/^Administration · /))).toBe(0)
      await page.goto('/settings/devices')
      expect((await box(page.getByLabel('Name des Schlüssels'))).width).toBeGreaterThan(240)
    }))

  test('the chosen tab is in sight, and its line is as long as its name', () =>
    onPage(scene(), look, async (page) => {
      for (const activity of ['translation', 'tagging']) {
        await page.goto(`/manage/ai-tagging/${scene().idOf('manga')}?activity=${activity}`)
        const tab = page.getByRole('tab', { selected: true })
        await tab.waitFor()
        const list = await box(page.getByRole('tablist'))
        const words = await tab.evaluate((element) => {
          const range = document.createRange()
          range.selectNodeContents(element)
          const { x, width } = range.getBoundingClientRect()
          return { x, width }
        })
        expect(words.x).toBeGreaterThanOrEqual(list.x - 1)
        expect(words.x + words.width).toBeLessThanOrEqual(list.x + list.width + 1)
        const line = await tab.evaluate((element) => Number.parseFloat(getComputedStyle(element, '::after').width))
        expect(Math.abs(line - words.width)).toBeLessThan(1)
      }
    }))

  test('a button stands where its column begins, and its words in its middle', () =>
    onPage(scene(), look, async (page) => {
      await page.goto('/manage/ai-tagging')
      const icon = page.getByRole('button', { name: 'Warteschlange anhalten' }).locator('svg')
      const heading = page.getByRole('heading', { name: 'Letzte Stapel' })
      await Promise.all([icon.waitFor(), heading.waitFor()])
      expect(Math.abs((await box(icon)).x - (await box(heading)).x)).toBeLessThan(1)

      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent('The Salt Meridian (1994)')}`)
      const button = page.getByRole('button', { name: 'Ordner löschen' })
      const offCentre = await button.evaluate((element) => {
        // At one time: what comes late moves the button.
        const label = [...element.querySelectorAll('span span')].find((part) => part.textContent === 'Ordner löschen')
        const words = document.createRange()
        words.selectNodeContents(label ?? element)
        const [inner, outer] = [words.getBoundingClientRect(), element.getBoundingClientRect()]
        return label ? Math.abs(inner.y + inner.height / 2 - outer.y - outer.height / 2) : undefined
      })
      expect(offCentre).toBeLessThan(1)
    }))
})
