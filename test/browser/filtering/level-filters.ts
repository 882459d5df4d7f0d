import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { ALL_FILMS, type FilterScene, isSaid, ODD_TAG, pagesOf, panel, parameter, toggle, waitForEntries } from '../filter-scene.ts'

/** The behaviours of the library views, by their number in the user's specification. */
export const levelFilters = (scene: () => FilterScene): void => {
  const { films, openFilters, season, visit } = pagesOf(scene)

  test('3: a game series passes when a single child game has the whole filter, and not when two of them share it', () =>
    visit({}, async (page) => {
      await page.goto(`/l/${scene().idOf('Games')}`)
      await waitForEntries(page, ['Saga', 'Twins', 'Puzzle'])
      await openFilters(page)
      await toggle(page, 'Drama').click()
      await waitForEntries(page, ['Saga', 'Twins'])
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Saga'])
      await page.getByPlaceholder('Search by title').fill('Saga Two')
      await page.getByText('Nothing matches').waitFor()
      await page.getByPlaceholder('Search by title').fill('Saga One')
      await waitForEntries(page, ['Saga'])
    }))

  test('3: inside a game series the filter leaves its games', () =>
    visit({}, async (page) => {
      await page.goto(`/l/${scene().idOf('Games')}/gs/Twins`)
      await waitForEntries(page, ['First Twin', 'Second Twin'])
      await openFilters(page)
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Second Twin'])
      await isSaid(page, '1 result')
      const card = page.locator('main [role=gridcell]')
      const width = await card.evaluate((element) => element.clientWidth)
      await page.keyboard.press('+')
      await page.waitForURL('**size=large**')
      expect(await card.evaluate((element) => element.clientWidth)).toBeGreaterThan(width)
    }))

  test('4: in a season the filter leaves episodes of that season', () =>
    visit({}, async (page) => {
      await page.goto(season())
      await waitForEntries(page, ['Harbour S01E01.mkv', 'Harbour S01E02.mkv', 'Harbour S01E03.mkv'])
      await openFilters(page)
      await toggle(page, 'Comedy').click()
      await waitForEntries(page, ['Harbour S01E01.mkv', 'Harbour S01E02.mkv'])
      await isSaid(page, '2 results')
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Harbour S01E02.mkv'])
      await isSaid(page, '1 result')
      await page.getByRole('button', { name: 'Remove filter Comedy' }).click()
      await page.getByPlaceholder('Search this season').fill('e02')
      await waitForEntries(page, ['Harbour S01E02.mkv'])
      await page.getByPlaceholder('Search this season').fill('e01')
      await page.getByText('Nothing matches').waitFor()
    }))

  test('5: a series appears when an episode of any of its seasons carries the tag', () =>
    visit({}, async (page) => {
      await page.goto(`/l/${scene().idOf('Series')}`)
      await waitForEntries(page, ['Harbour', 'Lonely'])
      await openFilters(page)
      await toggle(page, 'Drama').click()
      await waitForEntries(page, ['Harbour'])
      await toggle(page, 'Quiet').click()
      await page.getByText('Nothing matches').waitFor()
    }))

  test('6: an item must carry all selected tags, and may carry none that is excluded', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await openFilters(page)
      await panel(page).getByText('Items must have all selected tags.').waitFor()
      await toggle(page, 'Drama').click()
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Alder (2001)'])
      const row = panel(page).getByRole('listitem').filter({ hasText: 'Quiet' })
      await row.getByRole('button', { name: 'Exclude' }).click()
      await waitForEntries(page, ['Birch (2002)'])
      await row.getByRole('button', { name: 'Exclude' }).click()
      await toggle(page, 'Drama').click()
      await waitForEntries(page, ALL_FILMS)
      expect(new URL(page.url()).search).toBe('?panel=filters')
    }))

  test('7: the panel lists the tags and categories that the library uses, with what each would leave', () =>
    visit({}, async (page) => {
      await page.goto(`${films()}?panel=filters`)
      await toggle(page, 'Drama').waitFor()
      const headings = await panel(page).getByRole('heading', { level: 3 }).allInnerTexts()
      expect(headings.map((text) => text.split('\n')[0])).toEqual(['Genre', 'Mood'])
      const names = await panel(page).getByRole('listitem').locator('button:first-child').allInnerTexts()
      expect(names.map((text) => text.replace(/\s+/g, ' ')).toSorted()).toEqual([`${ODD_TAG} 1`, 'Drama 2', 'Quiet 2'])
      await panel(page)
        .getByRole('button', { name: /^Genre/ })
        .click()
      await toggle(page, 'Drama').waitFor({ state: 'detached' })
      await panel(page)
        .getByRole('button', { name: /^Genre/ })
        .click()
      await toggle(page, 'Drama').click()
      await panel(page)
        .getByRole('button', { name: /^Genre/ })
        .click()
      expect(await toggle(page, 'Drama').isVisible()).toBe(true)
      await panel(page)
        .getByRole('button', { name: /^Genre/ })
        .click()
    }))

  test('8: the selector of an episode stays open on choosing, also where the row no longer fits the filter; Escape closes it alone', () =>
    visit({}, async (page) => {
      await page.goto(`${season()}?tags=${scene().tag('Quiet')}&panel=filters`)
      await waitForEntries(page, ['Harbour S01E02.mkv'])
      await page.getByRole('button', { name: /^Tags of Harbour S01E02/ }).click()
      const selector = page.getByRole('dialog')
      await selector.getByRole('button', { name: /^Drama/ }).click()
      await selector.getByRole('button', { name: /^Quiet/ }).click()
      await page.getByText('“Quiet” removed').waitFor()
      // For as long as somebody points at it, it stays.
      await page.getByRole('status').filter({ hasText: '“Quiet” removed' }).getByRole('button', { name: 'Undo' }).hover()
      await selector.getByRole('button', { name: /^Drama/, pressed: true }).waitFor()
      await selector.getByRole('button', { name: /^Quiet/, pressed: false }).waitFor()
      await page.keyboard.press('Escape')
      await selector.waitFor({ state: 'detached' })
      expect(await panel(page).isVisible()).toBe(true)
      await page.getByText('Nothing matches').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await waitForEntries(page, ['Harbour S01E02.mkv'])
      const key = scene().keyOf('Series', 'tv_episode:Harbour/Season 01/Harbour S01E02.mkv')
      const { body } = await scene().admin.get('/api/tags/assignments', { itemKey: key })
      expect(body.tags.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Comedy', 'Drama', 'Quiet'])
      await scene().admin.delete('/api/tags/assignments', { itemKey: key, tagId: scene().tag('Drama') })
    }))

  test('what carries no tag can be shown alone, also by a link, and goes as soon as it is tagged', () =>
    visit({}, async (page) => {
      const untagged = panel(page).getByRole('button', { name: 'Untagged' })
      await page.goto(`/l/${scene().idOf('Games')}`)
      await openFilters(page)
      await untagged.click()
      await page.waitForURL(/untagged=1/)
      await untagged.click()
      await page.goto(`${films()}?untagged=1&panel=filters`)
      await waitForEntries(page, ['100% # & + ? (2004)'])
      expect(await untagged.getAttribute('aria-pressed')).toBe('true')
      await page.getByRole('button', { name: 'Remove filter Untagged' }).click()
      await waitForEntries(page, ALL_FILMS)
      await page.goto(`${season()}?untagged=1`)
      await waitForEntries(page, ['Harbour S01E03.mkv'])
      await page.getByRole('button', { name: /^Tags of Harbour S01E03/ }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Drama/ })
        .click()
      await page.keyboard.press('Escape')
      await page.getByText('Nothing matches').waitFor()
      const itemKey = scene().keyOf('Series', 'tv_episode:Harbour/Season 01/Harbour S01E03.mkv')
      await scene().admin.delete('/api/tags/assignments', { itemKey, tagId: scene().tag('Drama') })
    }))

  test('what somebody has watched can be left out, with names and tags, and is gone as soon as it is marked', async () => {
    const client = await scene().server.as('half way through')
    const done = ['movie:Alder (2001)', 'movie:Cedar (2003)'].map((path) => scene().keyOf('Films', path))
    const episodes = [1, 2, 3].map((n) => scene().keyOf('Series', `tv_episode:Harbour/Season 01/Harbour S01E0${n}.mkv`))
    const lonely = scene().keyOf('Series', 'tv_episode:Lonely/Season 01/Lonely S01E01.mkv')
    for (const itemKey of [...done, ...episodes.slice(0, 1), lonely]) await client.put('/api/progress', { itemKey, completed: true })
    const unwatched = (page: Page) => panel(page).getByRole('button', { name: 'Unwatched' })
    await visit({ client }, async (page) => {
      await page.goto(films())
      await openFilters(page)
      await unwatched(page).click()
      await waitForEntries(page, ['Birch (2002)', '100% # & + ? (2004)'])
      expect(parameter(page, 'unfinished')).toBe('1')
      await toggle(page, 'Drama').click()
      await waitForEntries(page, ['Birch (2002)'])
      expect(await panel(page).getByRole('listitem').locator('button:first-child').allInnerTexts()).toEqual(
        expect.arrayContaining([expect.stringMatching(/Drama\s+1/), expect.stringMatching(/Quiet\s+0/)]),
      )
      await page.reload()
      await waitForEntries(page, ['Birch (2002)'])
      await page.getByRole('button', { name: 'Remove filter Unwatched' }).click()
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      await page.goBack()
      await waitForEntries(page, ['Birch (2002)'])
      await panel(page).getByRole('button', { name: 'Clear all' }).click()
      await waitForEntries(page, ALL_FILMS)

      await page.goto(`/l/${scene().idOf('Series')}?panel=filters`)
      await waitForEntries(page, ['Harbour', 'Lonely'])
      await unwatched(page).click()
      await waitForEntries(page, ['Harbour'])
      // Its quiet episode and its funny ones are left, but for the first.
      await toggle(page, 'Comedy').click()
      await waitForEntries(page, ['Harbour'])

      await page.goto(`${season()}?panel=filters&unfinished=1`)
      await waitForEntries(page, ['Harbour S01E02.mkv', 'Harbour S01E03.mkv'])
      await page.getByRole('button', { name: /^Mark .*S01E02.* as watched|^Watched: .*S01E02/ }).click()
      await waitForEntries(page, ['Harbour S01E03.mkv'])
    })
    await visit({ client, screen: 'phone' }, async (page) => {
      await page.goto(`/l/${scene().idOf('Manga')}/b/Ink`)
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Unread' }).click()
      await page.getByRole('dialog').getByText('1 result').waitFor()
    })
    await visit({ client }, async (page) => {
      await page.goto(`/l/${scene().idOf('Games')}`)
      await openFilters(page)
      await toggle(page, 'Drama').waitFor()
      expect(
        await panel(page)
          .getByRole('button', { name: /^Un(watched|read)/ })
          .count(),
      ).toBe(0)
    })
  })
}
