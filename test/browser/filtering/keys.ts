import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { ALL_FILMS, type FilterScene, pagesOf, panel, waitForEntries } from '../filter-scene.ts'
import { chunkOf, FRESH, holdRequests, pressSearchKey, SETTLED_MS, waitForKeys } from '../on-page.ts'

/** The keyboard alone. */
export const keys = (scene: () => FilterScene): void => {
  const { films, visit } = pagesOf(scene)

  /** By the keys, where what the selector of tags holds is still on its way. */
  const selectFirst = async (page: Page) => {
    const panel = await holdRequests(page, 'GET', await chunkOf('components/tag-selector-panel.tsx'))
    await page.goto(films())
    await waitForEntries(page, ALL_FILMS)
    await waitForKeys(page)
    await page.locator('main a[data-item-key]').first().focus()
    await page.keyboard.press('s')
    await page.keyboard.press('Enter')
    await page.getByText('1 selected', { exact: true }).waitFor()
    return panel
  }

  test('leads into the grid, through it, to an item and back to where it was', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await page.getByRole('radio', { name: 'Medium' }).focus()
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip the items')
      await page.keyboard.press('Tab')
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('title'))
      const first = await focused()
      expect(ALL_FILMS).toContain(String(first))
      await page.keyboard.press('End')
      const last = await focused()
      expect(last).not.toBe(first)
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      const second = await focused()
      expect(new Set([first, second, last]).size).toBe(3)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: String(second) }).waitFor()
      await page.goBack()
      await waitForEntries(page, ALL_FILMS)
    }))

  test('takes filters off one after the other, and goes on from the button of the panel after the last', () =>
    visit({}, async (page) => {
      const filtered = `${films()}?tags=${scene().tag('Drama')}&not=${scene().tag('Quiet')}`
      await page.goto(filtered)
      await waitForEntries(page, ['Birch (2002)'])
      await page.getByRole('button', { name: 'Remove filter Drama' }).press('Enter')
      await page.locator('[aria-label="Remove filter not Quiet"]:focus').waitFor()
      await page.keyboard.press('Enter')
      await page.locator('[data-filters-button]:focus').waitFor()
      await waitForEntries(page, ALL_FILMS)
      await page.goto(filtered)
      await page.getByRole('button', { name: 'Clear all' }).press('Enter')
      await page.locator('[data-filters-button]:focus').waitFor()
      await page.goto(`${films()}?q=nothing`)
      await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
      await page.locator('[data-filters-button]:focus').waitFor()
    }))

  test('ends a selection, and goes on from where it was begun', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      const select = page.getByRole('button', { name: 'Select', exact: true })
      await select.press('Enter')
      await page.getByRole('button', { name: 'Done' }).press('Enter')
      await page.getByRole('button', { name: 'Done' }).waitFor({ state: 'detached' })
      expect(await select.evaluate((button) => button === document.activeElement)).toBe(true)
    }))

  test('selects on the way, all at once and by what is tagged, and takes the selection up again that a key has ended', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await waitForKeys(page)
      const selected = (count: number) => page.getByText(`${count} selected`, { exact: true }).waitFor()
      await page.locator('main a[data-item-key]').first().focus()
      await page.keyboard.press('s')
      await selected(0)
      await page.keyboard.press('Shift+ArrowRight')
      await selected(2)
      const cards = page.locator('main a[data-item-key]')
      // What is pressed next lies on no way.
      for (const count of [3, 2]) {
        await cards.last().click()
        await selected(count)
      }
      await cards.nth(1).focus()
      await page.keyboard.press('Enter')
      await selected(1)
      await page.keyboard.press('ArrowRight')
      await selected(1)
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keys' })
      await help.getByText('Select what lies on the way').waitFor()
      expect(await help.getByText('Open', { exact: true }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'detached' })
      await selected(1)
      await page.keyboard.press('Control+a')
      await selected(ALL_FILMS.length)
      await page.keyboard.press('t')
      const selector = page.getByRole('dialog')
      await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'))
      await page.keyboard.type('sat')
      expect(await selector.getByPlaceholder('Search or create a tag').inputValue()).toBe('sat')
      await page.keyboard.press('Escape')
      await selector.waitFor({ state: 'detached' })
      await selected(ALL_FILMS.length)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Done' }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await selected(ALL_FILMS.length)
    }))

  test('opens the tags of what is selected right after the help, which gives the focus back a moment later', () =>
    visit(FRESH, async (page) => {
      await page.addInitScript(() => {
        const { setTimeout } = window
        const later = (run: () => void, wait = 0) => setTimeout(run, wait === 0 ? 300 : wait)
        Object.assign(window, { setTimeout: later })
      })
      const panel = await selectFirst(page)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).getByText('Select what lies on the way').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('t')
      await panel.asked
      await page.waitForTimeout(SETTLED_MS)
      panel.letGo()
      await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'))
    }))

  test('leaves the tags of what is selected by Tab also while they are on their way', () =>
    visit(FRESH, async (page) => {
      const panel = await selectFirst(page)
      const button = page.locator('[data-selection-bar] [aria-haspopup=dialog]').first()
      await button.press('Enter')
      await panel.asked
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Tab')
      const left = await page.evaluate(() => document.activeElement?.outerHTML)
      panel.letGo()
      await page.waitForTimeout(SETTLED_MS)
      expect(await page.evaluate(() => document.activeElement?.outerHTML)).toBe(left)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }))

  test('selects to the end of the list, also where no page has brought that yet, and goes there', () =>
    visit({}, async (page) => {
      const cards = page.locator('main a[data-item-key]')
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-item-key'))
      const at = (number: number) => scene().keyOf('Papers', `mixed_file:paper 01${String(number).padStart(3, '0')}.txt`)
      await page.goto(`/l/${scene().idOf('Papers')}?q=paper 01`)
      await page.getByText('1,000 results').waitFor()
      await waitForKeys(page)
      await cards.nth(3).focus()
      await page.keyboard.press('s')
      await page.getByText('0 selected', { exact: true }).waitFor()
      await page.keyboard.press('Shift+End')
      await page.getByText('997 selected', { exact: true }).waitFor()
      await page.waitForFunction((last) => document.activeElement?.getAttribute('data-item-key') === last, at(999))
      await page.keyboard.press('Shift+Home')
      await page.getByText('1,000 selected', { exact: true }).waitFor()
      expect(await focused()).toBe(at(0))
    }))

  test('selects to the end of the list where somebody moves on meanwhile, and leaves them there', () =>
    visit({}, async (page) => {
      const { asked, letGo } = await holdRequests(page, 'GET', /\/api\/browse\?.*cursor=/)
      await page.goto(`/l/${scene().idOf('Papers')}?q=paper 02`)
      await waitForKeys(page)
      await page.locator('main a[data-item-key]').first().focus()
      await page.keyboard.press('s')
      await page.getByText('0 selected', { exact: true }).waitFor()
      await page.keyboard.press('Shift+End')
      await asked
      await page.getByText('200 selected', { exact: true }).waitFor()
      await page.keyboard.press('Home')
      letGo()
      await page.getByText('1,000 selected', { exact: true }).waitFor()
      const first = scene().keyOf('Papers', 'mixed_file:paper 02000.txt')
      expect(await page.evaluate(() => document.activeElement?.getAttribute('data-item-key'))).toBe(first)
    }))

  test('types on where somebody has begun to, when the heading of the next screen comes late', () =>
    visit({ isIntercepted: true }, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await waitForKeys(page)
      const answer = await holdRequests(page, 'GET', /\/api\/items\?/)
      await page.getByRole('link', { name: 'Birch (2002)' }).click()
      await answer.asked
      await pressSearchKey(page)
      await page.keyboard.type('ced')
      answer.letGo()
      await page.getByRole('heading', { level: 1, name: 'Birch' }).waitFor()
      await page.keyboard.type('ar')
      expect(await page.evaluate(() => document.activeElement instanceof HTMLInputElement && document.activeElement.value)).toBe('cedar')
    }))

  test('opens filters, search, help and other screens; where somebody types, it types', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await waitForKeys(page)
      await page.keyboard.press('f')
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Filters')
      await page.keyboard.press('Tab')
      expect(await panel(page).evaluate((element) => element.contains(document.activeElement))).toBe(true)
      await page.keyboard.press('f')
      await panel(page).waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-expanded') === 'false')
      await page.keyboard.press('/')
      await page.keyboard.type('gh?f/')
      expect(await page.getByPlaceholder('Search by title').inputValue()).toBe('gh?f/')
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to Manage').waitFor()
      await page.keyboard.press('f')
      expect(await panel(page).count()).toBe(0)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('g')
      await page.keyboard.press('m')
      await page.waitForURL('**/manage**')
      await page.keyboard.press('g')
      await page.keyboard.press('h')
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    }))
}
