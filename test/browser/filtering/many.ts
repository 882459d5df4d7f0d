import { expect, test } from 'bun:test'
import { ALL_FILMS, type FilterScene, MANY_ITEMS, pagesOf, waitForEntries } from '../filter-scene.ts'

const MANY_TAGS = 10_000

/** Many items, and many tags. */
export const many = (scene: () => FilterScene): void => {
  const { films, visit } = pagesOf(scene)

  test(`items: of ${MANY_ITEMS} a few dozen rows are drawn, and Back restores the position to the pixel`, () =>
    visit({}, async (page) => {
      await page.goto(`/l/${scene().idOf('Papers')}?view=list&q=paper&sort=added`)
      await page.getByText('More than 1,000 results').waitFor()
      const rows = () => page.locator('[role=row]').count()
      let most = 0
      for (let step = 0; step < 12; step++) {
        await page.evaluate(() => window.scrollBy(0, 2500))
        await page.waitForTimeout(60)
        most = Math.max(most, await rows())
      }
      expect(most).toBeGreaterThan(10)
      expect(most).toBeLessThanOrEqual(60)
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await page.getByRole('link', { name: 'Papers' }).first().click()
      await page.getByText('20,000 items').waitFor()
      await page.getByRole('radio', { name: 'List' }).check({ force: true })
      await page.waitForFunction(() => document.querySelector('[role=row] a') !== null)
      for (let step = 0; step < 4; step++) {
        await page.evaluate(() => window.scrollBy(0, 2000))
        await page.waitForTimeout(60)
      }
      const before = await page.evaluate(() => window.scrollY)
      expect(before).toBeGreaterThan(5000)
      const middle = await (await page.waitForFunction(() => document.elementFromPoint(600, 400)?.closest('a')?.title)).jsonValue()
      await page.getByRole('link', { name: 'Films' }).first().click()
      await waitForEntries(page, ALL_FILMS)
      await page.goBack()
      await page.waitForFunction((wanted) => Math.abs(window.scrollY - wanted) <= 1, before)
      await page.waitForFunction((wanted) => document.elementFromPoint(600, 400)?.closest('a')?.title === wanted, middle)
    }))

  test(`tags: of ${MANY_TAGS} the selector draws the 25 that are used most, by three requests`, async () => {
    const names = Array.from({ length: MANY_TAGS }, (_, index) => ({ name: `Tag ${String(index).padStart(5, '0')}` }))
    expect((await scene().admin.post('/api/tags/import', { categories: [{ name: 'Many', tags: names }] })).status).toBe(200)
    await visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Cedar (2003)')}`)
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/api/')) asked.push(new URL(request.url()).pathname)
      })
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      await selector.getByRole('button', { name: /^Comedy/ }).waitFor()
      expect(await selector.locator('[data-tag-toggle][aria-pressed]').count()).toBeLessThanOrEqual(27)
      expect(await selector.locator('*').count()).toBeLessThanOrEqual(300)
      expect(asked.filter((path) => path.startsWith('/api/tags/')).toSorted()).toEqual([
        '/api/tags/assignments',
        '/api/tags/categories',
        '/api/tags/items',
      ])
      await selector.getByPlaceholder('Search or create a tag').fill('tag 09999')
      await selector.getByRole('button', { name: /^Tag 09999/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('“Tag 09999” added').waitFor()
      await selector.getByRole('combobox', { name: 'Category' }).selectOption('Many')
      await page.waitForFunction(() => document.querySelectorAll('[role=dialog] [data-tag-toggle][aria-pressed]').length === 25)
    })
  })
}
