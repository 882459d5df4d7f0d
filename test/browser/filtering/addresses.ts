import { expect, test } from 'bun:test'
import { ALL_FILMS, type FilterScene, ODD_TAG, pagesOf, panel, parameter, toggle, waitForEntries } from '../filter-scene.ts'
import { createHistoryBack, SETTLED_MS } from '../on-page.ts'

/** Filters in the address. */
export const addresses = (scene: () => FilterScene): void => {
  const { films, openFilters, visit } = pagesOf(scene)

  test('survive a reload, and Back undoes them one by one', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await openFilters(page)
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Alder (2001)', 'Cedar (2003)'])
      await toggle(page, ODD_TAG).click()
      await waitForEntries(page, ['Cedar (2003)'])
      expect(parameter(page, 'tags')).toBe(`${scene().tag('Quiet')},${scene().tag(ODD_TAG)}`)
      await page.reload()
      await waitForEntries(page, ['Cedar (2003)'])
      await page.getByRole('button', { name: `Remove filter ${ODD_TAG}` }).waitFor()
      await page.goBack()
      await waitForEntries(page, ['Alder (2001)', 'Cedar (2003)'])
      await page.goBack()
      await waitForEntries(page, ALL_FILMS)
      expect(await panel(page).isVisible()).toBe(true)
      await page.goBack()
      await panel(page).waitFor({ state: 'detached' })
      await page.goForward()
      await panel(page).waitFor()
    }))

  test('that were chosen and taken off again do not come back as the panel is closed', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await openFilters(page)
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Alder (2001)', 'Cedar (2003)'])
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ALL_FILMS)
      await panel(page).getByRole('button', { name: 'Close' }).click()
      await panel(page).waitFor({ state: 'detached' })
      await waitForEntries(page, ALL_FILMS)
      expect(new URL(page.url()).search).toBe('')
    }))

  test('are taken off by their chips, and all at once in one step', () =>
    visit({}, async (page) => {
      await page.goto(`${films()}?q=e&tags=${scene().tag('Drama')}&not=${scene().tag('Quiet')}&sort=year`)
      await page.getByText('Nothing matches').waitFor()
      expect(await page.getByRole('link', { name: 'Search all libraries for “e”' }).getAttribute('href')).toBe('/search?q=e')
      await page.getByRole('button', { name: 'Remove filter “e”' }).click()
      await waitForEntries(page, ['Birch (2002)'])
      await page.getByRole('button', { name: 'Remove filter not Quiet' }).click()
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      await page.getByRole('button', { name: 'Clear all' }).first().click()
      await waitForEntries(page, ALL_FILMS)
      expect(new URL(page.url()).search).toBe('?sort=year')
      await page.goBack()
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
    }))

  test('that name no tag are dropped, and said to be', () =>
    visit({}, async (page) => {
      await page.goto(`${films()}?tags=${scene().tag('Drama')},987654,x&not=0`)
      await page.getByText('3 unknown tags were taken out of the filter.').waitFor()
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      expect(new URL(page.url()).search).toBe(`?tags=${scene().tag('Drama')}`)
    }))

  test('by a tag that was deleted meanwhile are dropped where one comes back to them', async () => {
    const { admin, idOf, keyOf, tag } = scene()
    const { category } = (await admin.post('/api/tags/categories', { name: 'Passing' })).body
    const passing = (await admin.post('/api/tags/items', { name: 'Fleeting', categoryId: category.id })).body.tag.id
    await admin.put('/api/tags/assignments', { itemKey: keyOf('Films', 'movie:Birch (2002)'), tagId: passing })
    await visit({}, async (page) => {
      await page.goto(`${films()}?tags=${tag('Drama')},${passing}`)
      await waitForEntries(page, ['Birch (2002)'])
      await page.getByRole('button', { name: 'Remove filter Fleeting' }).waitFor()
      await page.getByRole('link', { name: 'Manage' }).first().click()
      await page.getByRole('link', { name: 'Tags', exact: true }).first().click()
      await page.getByRole('link', { name: /^Passing/ }).click()
      await page.getByRole('button', { name: 'Actions for Fleeting' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Fleeting has been deleted.').waitFor()
      while (new URL(page.url()).pathname !== `/l/${idOf('Films')}`) await page.goBack()
      await page.getByText('1 unknown tag was taken out of the filter.').waitFor()
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      expect(parameter(page, 'tags')).toBe(String(tag('Drama')))
    })
    await admin.delete(`/api/tags/categories/${category.id}`)
  })

  test('of one library do not follow into another', () =>
    visit({}, async (page) => {
      await page.goto(`${films()}?tags=${scene().tag('Drama')}`)
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      await page.getByRole('link', { name: 'Games' }).first().click()
      await waitForEntries(page, ['Saga', 'Twins', 'Puzzle'])
    }))

  test('say what is on the screen after two steps back in a hurry, of which the first ends the selecting', () =>
    visit({}, async (page) => {
      await createHistoryBack(page)
      await page.goto(`/l/${scene().idOf('Papers')}`)
      await page.getByRole('link', { name: 'Home' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor({ state: 'attached' })
      await page.getByRole('link', { name: 'Films' }).first().click()
      await waitForEntries(page, ALL_FILMS)
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await page.getByText('0 selected', { exact: true }).waitFor()
      await page.evaluate(() => {
        history.back()
        history.back()
      })
      await page.getByText('0 selected', { exact: true }).waitFor({ state: 'detached' })
      await page.waitForTimeout(SETTLED_MS)
      const shown = await page.getByRole('heading', { level: 1 }).textContent()
      expect(new URL(page.url()).pathname).toBe(shown === 'Films' ? films() : '/')
    }))

  for (const [browser, prepare] of Object.entries({ 'a browser': undefined, 'one without close requests': createHistoryBack }))
    test(`on a phone stand in a sheet, and Back closes it (${browser})`, () =>
      visit({ screen: 'phone' }, async (page) => {
        await prepare?.(page)
        await page.goto(films())
        await page.getByRole('button', { name: 'Filters' }).click()
        const sheet = page.getByRole('dialog', { name: 'Filters' })
        await sheet.getByRole('button', { name: /^Drama/ }).click()
        // It covers what is left over, and keeps it from screen readers.
        await sheet.getByText('2 results', { exact: true }).waitFor()
        await sheet.getByRole('button', { name: 'Close' }).click()
        await sheet.waitFor({ state: 'detached' })
        await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
        await page.getByRole('button', { name: 'Filters' }).click()
        await sheet.waitFor()
        await page.goBack()
        await sheet.waitFor({ state: 'detached' })
        await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      }))
}
