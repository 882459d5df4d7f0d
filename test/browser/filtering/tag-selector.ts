import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type FilterScene, pagesOf } from '../filter-scene.ts'

const BIRCH = 'movie:Birch (2002)'

/** What the selector of tags shows of what is chosen in it by typing. */
export const tagSelector = (scene: () => FilterScene): void => {
  const { films, visit } = pagesOf(scene)
  const openSelector = async (page: Page) => {
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    const selector = page.getByRole('dialog')
    return { selector, field: selector.getByPlaceholder('Search or create a tag') }
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
        await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
        const { field } = await openSelector(page)
        await field.fill('rainy')
        await field.press('Enter')
        await page.getByText('“Rainy” added').waitFor()
        await field.fill('rainy')
        await field.press('Enter')
        await page.getByText('“Rainy” is assigned already').waitFor()
        expect(await field.inputValue()).toBe('')
        await field.fill('rain')
        await field.press('Enter')
        await page.getByText('“Rainfall” added').waitFor()
        expect(await tagsOf(BIRCH)).toEqual(expect.arrayContaining(['Rainy', 'Rainfall']))
      }),
    ))
}
