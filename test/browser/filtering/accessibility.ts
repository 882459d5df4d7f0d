import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeFindings } from '../axe.ts'
import { type FilterScene, ODD_TAG, pagesOf, toggle, waitForEntries } from '../filter-scene.ts'
import { TEST_LIMIT_MS, waitForKeys } from '../on-page.ts'

/** Nobody is kept out. */
export const accessibility = (scene: () => FilterScene): void => {
  const { films, visit } = pagesOf(scene)

  describe('nobody is kept out, in both themes', () => {
    const check = async (page: Page, found: Record<string, string[]>, name: string) => {
      const problems = await axeFindings(page)
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      if (tooWide > 0) problems.push(`${tooWide} pixels too wide`)
      if (problems.length > 0) found[name] = problems
    }

    for (const screen of ['desktop', 'phone'] as const) {
      test(
        `of panel, selector, list, selection, search and help on a ${screen}`,
        () =>
          visit({ screen }, async (page) => {
            const found: Record<string, string[]> = {}
            await page.goto(`${films()}?panel=filters&tags=${scene().tag('Drama')}&not=${scene().tag(ODD_TAG)}&q=e`)
            await page.getByRole('button', { name: /^Quiet \d/ }).waitFor()
            await check(page, found, 'panel')
            await page.goto(`${films()}?view=list&tags=${scene().tag('Drama')}`)
            await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
            await check(page, found, 'list')
            await page.getByRole('button', { name: 'Select', exact: true }).click()
            await page.getByRole('checkbox', { name: 'Select Birch (2002)' }).click()
            await check(page, found, 'selection')
            await page.goto(`${films()}/m/${encodeURIComponent('Alder (2001)')}`)
            await page.getByRole('button', { name: 'Tags', exact: true }).click()
            await page
              .getByRole('dialog')
              .getByRole('button', { name: /^Comedy/ })
              .waitFor()
            await check(page, found, 'selector')
            await page.getByRole('dialog').getByRole('button', { name: 'New category' }).click()
            await check(page, found, 'new category')
            await page.keyboard.press('Escape')
            await page.goto('/search?q=e')
            await page.locator('mark').first().waitFor()
            await check(page, found, 'search')
            await waitForKeys(page)
            await page.keyboard.press('?')
            await page.getByRole('dialog', { name: 'Keys' }).waitFor()
            await check(page, found, 'help')
            for (const width of [320, 840]) {
              await page.setViewportSize({ width, height: 700 })
              await page.goto(`${films()}?panel=filters&tags=${scene().tag('Drama')}`)
              await page.getByRole('button', { name: /^Quiet \d/ }).waitFor()
              await check(page, found, `panel at ${width}`)
            }
            expect(found).toEqual({})
          }),
        TEST_LIMIT_MS,
      )
    }
  })

  test('no field of a phone has letters so small that Safari enlarges the page for them, also across', () =>
    visit({ screen: 'phone', context: { viewport: { width: 844, height: 390 } } }, async (page) => {
      await page.goto(`${films()}?panel=filters&tags=${scene().tag('Drama')}`)
      await page.getByRole('button', { name: /^Quiet \d/ }).waitFor()
      const sizes = await page
        .locator('input:not([type=radio]), select')
        .evaluateAll((fields) => fields.map((field) => getComputedStyle(field).fontSize))
      expect(sizes.length).toBeGreaterThan(3)
      expect(new Set(sizes)).toEqual(new Set(['16px']))
    }))

  test('where the system chooses the colours, the count of a chosen filter has the colour of its name', () =>
    visit({ context: { forcedColors: 'active' } }, async (page) => {
      await page.goto(`${films()}?panel=filters`)
      await toggle(page, 'Drama').click()
      await page.waitForFunction(() => document.querySelector('aside [aria-pressed=true]'))
      const colours = await toggle(page, 'Drama').evaluate((button) =>
        [button, ...button.querySelectorAll('span:not([aria-hidden])')].map((element) => getComputedStyle(element).color),
      )
      expect(colours.length).toBe(3)
      expect(new Set(colours).size).toBe(1)
    }))
}
