import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type FilterScene, ODD_TAG, pagesOf } from '../filter-scene.ts'

const BIRCH = 'movie:Birch (2002)'
const CEDAR = 'movie:Cedar (2003)'
/** So many come before any other that is not used either: what the list shows without a word in the field. */
const OTHERS = Array.from({ length: 25 }, (_, at) => `Air ${at}`)

/** The clock of a page is stopped a moment ahead: never in its past. */
const PAUSE_LATER_MS = 5000

/** What the selector of tags shows of what is chosen in it by typing. */
export const tagSelector = (scene: () => FilterScene): void => {
  const { films, visit } = pagesOf(scene)
  const openSelector = async (page: Page) => {
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    const selector = page.getByRole('dialog')
    const assigned = selector.locator('section').filter({ has: page.getByRole('heading', { name: 'Assigned' }) })
    return { selector, assigned, field: selector.getByPlaceholder('Search or create a tag') }
  }
  /** Makes these tags in a category of their own, which goes with what `work` has done to them. */
  const withTags = async (names: readonly string[], work: (ids: number[]) => Promise<unknown>) => {
    const { admin } = scene()
    const { category } = (await admin.post('/api/tags/categories', { name: 'Weather' })).body
    const ids: number[] = []
    for (const name of names) ids.push((await admin.post('/api/tags/items', { name, categoryId: category.id })).body.tag.id)
    try {
      await work(ids)
    } finally {
      await admin.delete(`/api/tags/categories/${category.id}`)
    }
  }
  const tagsOf = async (typeAndPath: string): Promise<string[]> => {
    const { tags } = (await scene().admin.get('/api/tags/assignments', { itemKey: scene().keyOf('Films', typeAndPath) })).body
    return tags.map(({ name }: { name: string }) => name)
  }

  test('Enter takes no tag off: it says that it is on, and of several that match takes one that is not', () =>
    withTags(['Rainy', 'Rainfall'], () =>
      visit({}, async (page) => {
        await page.clock.install()
        await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
        const { field } = await openSelector(page)
        await field.fill('rainy')
        await field.press('Enter')
        await page.getByText('“Rainy” added').waitFor()
        await field.fill('rainy')
        await field.press('Enter')
        await page.getByText('“Rainy” is assigned already').waitFor()
        expect(await field.inputValue()).toBe('')
        // No pause in typing is waited for: whoever closes the selector right after would have tagged nothing.
        await page.clock.pauseAt(Date.now() + PAUSE_LATER_MS)
        await field.fill('rain')
        const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('q') === 'rain')
        await field.press('Enter')
        await asked
        await page.clock.resume()
        await page.getByText('“Rainfall” added').waitFor()
        expect(await tagsOf(BIRCH)).toEqual(expect.arrayContaining(['Rainy', 'Rainfall']))
      }),
    ))

  test('what is put on while something is searched stands on top afterwards, and can be taken off there', () =>
    withTags([...OTHERS, 'Rainy', 'Snowy'], () =>
      visit({}, async (page) => {
        await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
        const { selector, assigned, field } = await openSelector(page)
        await assigned.getByRole('button', { name: 'Drama', pressed: true }).waitFor()
        await field.fill('rainy')
        await field.press('Enter')
        await assigned.getByRole('button', { name: 'Rainy', pressed: true }).waitFor()
        await field.fill('snow')
        await selector.getByRole('button', { name: /^Snowy/ }).click()
        await selector.getByRole('button', { name: /^Snowy/, pressed: true }).waitFor()
        await field.fill('')
        await assigned.getByRole('button', { name: 'Snowy', pressed: true }).waitFor()
        await assigned.getByRole('button', { name: 'Rainy' }).click()
        await page.getByText('“Rainy” removed').waitFor()
        await assigned.getByRole('button', { name: 'Rainy', pressed: false }).waitFor()
        expect(await tagsOf(BIRCH)).toEqual(expect.arrayContaining(['Drama', 'Snowy']))
      }),
    ))

  test('what the selected items carry stands on top, and can be taken off all of them', () =>
    withTags([...OTHERS, 'Rainy', 'Snowy'], async (ids) => {
      await scene().admin.put('/api/tags/assignments', { itemKey: scene().keyOf('Films', BIRCH), tagId: ids[OTHERS.length] })
      await visit({}, async (page) => {
        await page.goto(films())
        await page.getByRole('button', { name: 'Select', exact: true }).click()
        for (const title of ['Birch (2002)', 'Cedar (2003)']) await page.getByRole('checkbox', { name: `Select ${title}` }).click()
        const { selector, assigned, field } = await openSelector(page)
        await assigned.getByRole('button', { name: 'Rainy' }).waitFor()
        const carried = await assigned.getByRole('button').evaluateAll((all) => all.map((one) => `${one.textContent} ${one.ariaPressed}`))
        expect(carried.toSorted()).toEqual([`${ODD_TAG} mixed`, 'Drama mixed', 'Quiet mixed', 'Rainy mixed'])
        await field.fill('snow')
        await field.press('Enter')
        await assigned.getByRole('button', { name: 'Snowy', pressed: true }).waitFor()
        await page.keyboard.press('Escape')
        await selector.waitFor({ state: 'detached' })
        await openSelector(page)
        await assigned.getByRole('button', { name: 'Snowy', pressed: true }).click()
        await page.getByText('“Snowy” removed from 2 items').waitFor()
        await assigned.getByRole('button', { name: 'Rainy' }).click()
        await page.getByText('“Rainy” added to 1 item').waitFor()
        expect([await tagsOf(BIRCH), await tagsOf(CEDAR)].map((names) => names.filter((name) => /Rainy|Snowy/.test(name)))).toEqual([
          ['Rainy'],
          ['Rainy'],
        ])
      })
    }))

  test('a new tag is offered for one category, and by the keyboard for any other', () =>
    withTags([], () =>
      visit({}, async (page) => {
        await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
        const { selector, field } = await openSelector(page)
        await field.fill('Windy')
        await selector.getByText('No tag is called “Windy”.').waitFor()
        const offered = () => selector.getByRole('button', { name: /^Create/ }).allTextContents()
        expect(await offered()).toEqual(['Create “Windy” in Genre'])
        const others = selector.getByRole('button', { name: 'In another category…', expanded: false })
        await others.waitFor()
        for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
        await selector.getByRole('button', { name: 'In another category…', expanded: true }).waitFor()
        expect(await offered()).toEqual(['Genre', 'Mood', 'Shelf', 'Weather'].map((category) => `Create “Windy” in ${category}`))
        for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
        await page.getByText('“Weather/Windy” added').waitFor()
        // The next one often belongs there too.
        await field.fill('Foggy')
        await selector.getByText('No tag is called “Foggy”.').waitFor()
        expect(await offered()).toEqual(['Create “Foggy” in Weather'])
        await others.waitFor()
      }),
    ))
}
