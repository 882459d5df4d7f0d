import { describe, expect, test } from 'bun:test'
import { type FilterScene, isSaid, MARKUP_NAME, pagesOf, panel, parameter, toggle } from '../filter-scene.ts'
import { pressSearchKey } from '../on-page.ts'

/** Search over all libraries. */
export const searching = (scene: () => FilterScene): void => {
  const { films, openFilters, visit } = pagesOf(scene)

  describe('search', () => {
    test('finds titles and tags in every library, marks what matched, and shows markup as the text that it is', () =>
      visit({}, async (page) => {
        await page.goto('/')
        await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
        await pressSearchKey(page)
        await page.keyboard.type('harbour')
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
        await page
          .locator('mark', { hasText: /^Harbour$/ })
          .first()
          .waitFor()
        expect(await page.title()).toBe('Search for “harbour” - Vitrine')
        const field = page.getByPlaceholder('Search all libraries')
        await field.fill('quiet')
        for (const library of ['Films', 'Games', 'Series']) await page.getByRole('list', { name: `Results in ${library}` }).waitFor()
        await isSaid(page, 'Results in Films, Games, Series')
        await page.locator('mark', { hasText: 'Quiet' }).first().waitFor()
        await field.fill('lantern')
        await page.getByText(MARKUP_NAME).waitFor()
        expect(await page.locator('mark').allInnerTexts()).toEqual(['lantern'])
        expect(await page.locator('img[src=x]').count()).toBe(0)
      }))

    test('is ready to be typed into for whoever opens it, also on a phone, and leaves results alone', () =>
      visit({ screen: 'phone' }, async (page) => {
        await page.goto('/')
        await page.getByRole('link', { name: 'Search all libraries' }).click()
        await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
        await page.waitForFunction(() => document.activeElement?.matches('[placeholder="Search all libraries"]'))
        await page.keyboard.type('harbour')
        await page.locator('main a[data-item-key]').first().click()
        await page.getByRole('heading', { level: 1, name: /Harbour/ }).waitFor()
        await page.goBack()
        await page.locator('main a[data-item-key]').first().waitFor()
        const field = page.getByPlaceholder('Search all libraries')
        expect(await field.evaluate((element) => element === document.activeElement)).toBe(false)
      }))

    test('keeps reserved characters through reload and Back', () =>
      visit({}, async (page) => {
        const wanted = '100% # & + ?'
        await page.goto('/search')
        await page.getByPlaceholder('Search all libraries').fill(wanted)
        await page.locator('main a[data-item-key]').first().waitFor()
        expect(parameter(page, 'q')).toBe(wanted)
        await page.reload()
        await page.locator('main a[data-item-key]').first().waitFor()
        expect(await page.getByPlaceholder('Search all libraries').inputValue()).toBe(wanted)
        await page.locator('main a[data-item-key]').first().click()
        await page.getByRole('heading', { level: 1, name: '100% # & + ? (2004)' }).waitFor()
        await page.goBack()
        expect(await page.getByPlaceholder('Search all libraries').inputValue()).toBe(wanted)
        await page.getByPlaceholder('Search all libraries').fill('zzzz')
        await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
        await isSaid(page, 'Nothing found')
      }))
  })

  test('the search within a category finds what differs in case or accents alone, as the search for tags does', async () => {
    const { admin, keyOf } = scene()
    const { category } = (await admin.post('/api/tags/categories', { name: 'Place' })).body
    const names = ['Straße', 'Caf\u00e9', ...Array.from({ length: 8 }, (_, index) => `Place ${index}`)]
    const made = await Promise.all(names.map((name) => admin.post('/api/tags/items', { name, categoryId: category.id })))
    await admin.post('/api/tags/assignments/bulk', {
      itemKeys: [keyOf('Films', 'movie:Alder (2001)')],
      add: made.map(({ body }) => body.tag.id),
    })
    await visit({}, async (page) => {
      await page.goto(films())
      await openFilters(page)
      const field = panel(page).getByPlaceholder('Search Place')
      for (const [typed, found] of [
        ['strasse', 'Straße'],
        ['cafe\u0301', 'Caf\u00e9'],
        ['cafe', 'Caf\u00e9'],
      ] as const) {
        await field.fill(typed)
        await toggle(page, 'Place 0').waitFor({ state: 'detached' })
        await toggle(page, found).waitFor()
      }
    })
    expect((await admin.delete(`/api/tags/categories/${category.id}`)).status).toBe(204)
  })

  describe('the results of a search', () => {
    /** Longer than the half second after a key during which browsers excuse what moves. */
    const STEP_MS = 700

    for (const screen of ['desktop', 'phone'] as const) {
      test(`stay where they are while others come, at first and when more is typed (${screen})`, () =>
        visit({ screen }, async (page) => {
          await page.addInitScript(() => {
            const state = { score: 0 }
            Object.assign(window, { shifts: state })
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) {
                if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput) state.score += Number(entry.value)
              }
            }).observe({ type: 'layout-shift', buffered: true })
          })
          const score = () => page.evaluate(() => (window as Window & { shifts?: { score: number } }).shifts?.score ?? Number.NaN)
          const order: number[] = (await scene().admin.get('/api/libraries')).body.libraries.map(({ id }: { id: number }) => id)
          /** One for each library: it answers no sooner than that. */
          const holdAnswers = () => order.map(() => Promise.withResolvers<void>())
          let held = holdAnswers()
          await page.route('**/api/search?**', async (route) => {
            const place = order.indexOf(Number(new URL(route.request().url()).searchParams.get('libraryId')))
            await held[place]?.promise
            await route.continue().catch(() => undefined)
          })
          /** The lowest is the first to answer. */
          const letAllButTheUppermostAnswer = async () => {
            for (const { resolve } of held.slice(1).toReversed()) {
              resolve()
              await page.waitForTimeout(STEP_MS)
            }
          }
          const letTheUppermostAnswer = async () => {
            held[0]?.resolve()
            await page.waitForTimeout(STEP_MS)
          }
          const lists = page.getByRole('list', { name: /^Results in/ })
          const marks = page.locator('mark')

          await page.goto('/search?q=e')
          await letAllButTheUppermostAnswer()
          await lists.first().waitFor()
          await letTheUppermostAnswer()
          await lists.nth(2).waitFor()
          expect(await score()).toBeLessThan(0.05)

          held = holdAnswers()
          await page.getByPlaceholder('Search all libraries').focus()
          await page.keyboard.type('r')
          // Nothing is empty meanwhile: what was found before stays until there is something else.
          await page.waitForTimeout(STEP_MS)
          expect(await lists.count()).toBeGreaterThan(2)
          await letAllButTheUppermostAnswer()
          await marks.filter({ hasText: /^er/i }).first().waitFor()
          expect(await lists.count()).toBeGreaterThan(0)
          await letTheUppermostAnswer()
          await marks.first().filter({ hasText: /^er/i }).waitFor()
          expect(await score()).toBeLessThan(0.05)
        }))
    }
  })
}
