import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onPage } from './on-page.ts'
import { openScene, type Scene } from './scene.ts'
import { SCREENS_LIMIT_MS, screenProblems } from './screen-problems.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ size: 'small' })
}, 120_000)
afterAll(() => scene?.[Symbol.asyncDispose]())

test(
  'no screen of a desktop is too wide, too small for fingers, lacks its heading or title, keeps somebody out, or loses the focus',
  async () => expect(await screenProblems(scene, 'desktop')).toEqual({}),
  SCREENS_LIMIT_MS,
)

test('what is on can be told from what is off where the system chooses the colours', () =>
  onPage(scene, { context: { forcedColors: 'active' } }, async (page) => {
    await page.goto('/settings/reader')
    await page.waitForSelector('[role=switch]:checked')
    const backgroundOf = (selector: string) =>
      page.evaluate((wanted) => {
        const element = document.querySelector(wanted)
        return element && getComputedStyle(element).backgroundColor
      }, selector)
    expect(await backgroundOf('[role=switch]:checked')).not.toBe(await backgroundOf('[role=switch]:not(:checked)'))
    expect(await backgroundOf('nav [aria-current=page]')).not.toBe(await backgroundOf('nav a:not([aria-current])'))
  }))
