import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { onPage } from '../on-page.ts'
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

export const goingByKeys = (scene: () => Scene): void => {
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
