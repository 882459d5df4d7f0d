import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { onPage, waitForKeys } from '../on-page.ts'
import type { Scene } from '../scene.ts'
import { listScreens, visit } from '../screens.ts'

/** More than any of these screens has to stop at. */
const MOST_STOPS = 80

interface Stop {
  name: string
  /** What lies over it, if anything does. */
  coveredBy: string | undefined
}

const stopAt = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body) return undefined
    const { x, y, width, height } = element.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    const bar = top?.closest('nav, header, [data-stage]')
    return {
      name: element.getAttribute('aria-label') ?? element.textContent,
      coveredBy: bar && !bar.contains(element) ? bar.outerHTML.slice(0, 80) : undefined,
    }
  })

const walk = async (page: Page): Promise<Stop[]> => {
  const stops: Stop[] = []
  for (let count = 0; count < MOST_STOPS; count += 1) {
    await page.keyboard.press('Tab')
    const stop = await stopAt(page)
    if (!stop) break
    stops.push(stop)
  }
  return stops
}

const focusedKey = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.itemKey)

/** Waits until this item's link has the focus. */
const getsBackTo = (page: Page, itemKey: string | undefined) =>
  page.waitForFunction((key) => (document.activeElement as HTMLElement | null)?.dataset.itemKey === key, itemKey)

export const goingByKeys = (scene: () => Scene): void => {
  test('whoever comes back goes on from the entry that they had opened: in a grid', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}`)
      // What brings one back to an entry comes with the keys.
      await waitForKeys(page)
      await page.locator('[role=grid] a').first().focus()
      await page.keyboard.press('End')
      const opened = await focusedKey(page)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/m\//)
      await page.goBack()
      await getsBackTo(page, opened)
      await page.keyboard.press('ArrowLeft')
      const neighbour = await focusedKey(page)
      expect(neighbour).toBeDefined()
      expect(neighbour).not.toBe(opened)
      // Whoever comes anew begins at the heading.
      await page.getByRole('navigation').getByRole('link', { name: 'Home', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      await page.getByRole('navigation').getByRole('link', { name: 'Films', exact: true }).click()
      await page.waitForFunction(() => document.activeElement?.matches('h1') && document.activeElement.textContent === 'Films')
    }))

  test('whoever comes back goes on from the entry that they had opened: in that visit of a screen, and not in a later one', () =>
    onPage(scene(), {}, async (page) => {
      const openAt = async (key: 'Home' | 'End') => {
        await page.locator('[role=grid] a').first().focus()
        await page.keyboard.press(key)
        const opened = await focusedKey(page)
        await page.keyboard.press('Enter')
        await page.waitForURL(/\/m\//)
        return opened
      }
      await page.goto(`/l/${scene().idOf('movies')}`)
      await waitForKeys(page)
      const last = await openAt('End')
      await page.getByRole('navigation').getByRole('link', { name: 'Films', exact: true }).first().click()
      await page.waitForFunction(() => document.activeElement?.matches('h1') && document.activeElement.textContent === 'Films')
      const first = await openAt('Home')
      expect(first).not.toBe(last)
      await page.goBack()
      await getsBackTo(page, first)
      await page.goBack()
      await page.waitForURL(/\/m\//)
      await page.goBack()
      await getsBackTo(page, last)
      // Forth again, each is where it was.
      await page.goForward()
      await page.waitForURL(/\/m\//)
      await page.goForward()
      await getsBackTo(page, first)
    }))

  test('whoever comes back goes on from the entry that they had opened: from the reader and the player', () =>
    onPage(scene(), {}, async (page) => {
      const series = `/l/${scene().idOf('manga')}/b/${encodeURIComponent('Paper Lanterns')}`
      await page.goto(series)
      await waitForKeys(page)
      await page.locator('main a[data-item-key]').nth(1).focus()
      const volume = await focusedKey(page)
      await page.keyboard.press('Enter')
      await page.getByRole('img', { name: /^Page/ }).first().waitFor()
      await page.keyboard.press('Escape')
      await getsBackTo(page, volume)
      await page.goto(`/l/${scene().idOf('tv')}/s/${encodeURIComponent('Northline (2018)')}/season/1`)
      await waitForKeys(page)
      await page.locator('main a[data-item-key]').nth(1).focus()
      const episode = await focusedKey(page)
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Back', exact: true }).press('Enter')
      await getsBackTo(page, episode)
    }))

  test('on a phone no bar lies over what has the focus', () =>
    onPage(scene(), { screen: 'phone' }, async (page) => {
      const looksAt = ['home', 'game-about', 'settings-playback', 'manage-libraries']
      for (const spec of listScreens(scene()).filter(({ name }) => looksAt.includes(name))) {
        await visit(page, spec)
        const stops = await walk(page)
        expect(stops.length).toBeGreaterThan(10)
        expect(stops.filter(({ coveredBy }) => coveredBy !== undefined)).toEqual([])
      }
    }))

  test('the keys are listed in the colours of what they are listed over', () =>
    onPage(scene(), { theme: 'light' }, async (page) => {
      const help = page.getByRole('dialog', { name: /Keys/ })
      const theme = () => help.evaluate((element) => element.closest<HTMLElement>('[data-theme]')?.dataset.theme)
      await page.goto(`/l/${scene().idOf('mixed')}`)
      await waitForKeys(page)
      await page.locator('[role=grid] a').first().focus()
      await page.keyboard.press('?')
      await help.waitFor()
      expect(await theme()).toBe('light')
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'detached' })
      await page.goto(`/l/${scene().idOf('mixed')}/feed`)
      await page.locator('article').first().waitFor()
      await page.keyboard.press('?')
      await help.waitFor()
      expect(await theme()).toBe('dark')
    }))

  for (const screen of ['phone', 'desktop'] as const) {
    test(`what lies behind a film has no stop of the keyboard (${screen})`, () =>
      onPage(scene(), { screen }, async (page) => {
        await page.goto(`/watch/${encodeURIComponent(scene().keyOf('movie', 'The Long Way (2020)'))}`)
        await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
        const names = (await walk(page)).map(({ name }) => name)
        expect(names).toContain('Back')
        expect(names.filter((name) => ['Home', 'Films', 'Vitrine', 'More', 'Manage'].includes(name.trim()))).toEqual([])
      }))
  }
}
