/** A library of 20,000 items under a fast thumb: nothing holds the screen for long (UI.md 3.5). */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FilterScene, MANY_ITEMS, openFilterScene } from '../browser/filter-scene.ts'

const SCENE_LIMIT_MS = 180_000
const STEPS = 60
const LONGEST_TASK_MS = 150
const MOST_ROWS = 60

let opened: FilterScene | undefined
beforeAll(async () => {
  opened = await openFilterScene()
}, SCENE_LIMIT_MS)
afterAll(() => opened?.[Symbol.asyncDispose](), SCENE_LIMIT_MS)

test.each(['grid', 'list'] as const)(
  `of ${MANY_ITEMS} items as a %s no task of ${STEPS} steps is long`,
  async (view) => {
    if (!opened) throw new Error('The scene is not open')
    const { page, close } = await opened.open()
    await page.goto(`/l/${opened.idOf('Papers')}?view=${view}`)
    await page.locator('[role=row] a').first().waitFor()
    const observed = await page.evaluateHandle(() => {
      const durations: number[] = []
      new PerformanceObserver((list) => durations.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
      return durations
    })
    const rows: number[] = []
    for (let step = 0; step < STEPS; step += 1) {
      await page.evaluate(() => window.scrollBy(0, 1000))
      await page.waitForTimeout(50)
      rows.push(await page.locator('[role=row]').count())
    }
    const tasks = await observed.jsonValue()
    const scrolled = await page.evaluate(() => window.scrollY)
    await close()
    const longest = Math.max(0, ...tasks)
    process.stdout.write(`\n${view}: ${STEPS} steps to ${scrolled} px, ${Math.max(...rows)} rows at most, longest task ${longest} ms\n`)
    expect(Math.max(...rows)).toBeWithin(5, MOST_ROWS + 1)
    expect(scrolled).toBeGreaterThan(10_000)
    expect(longest).toBeLessThanOrEqual(LONGEST_TASK_MS)
  },
  SCENE_LIMIT_MS,
)
