/** Manage → Tags by clicking. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { axeFindings } from './axe.ts'
import { holdEnter, waitForFocus, waitForFocusIn } from './focus.ts'
import { holdRequests, onPage, SETTLED_MS, TEST_LIMIT_MS } from './on-page.ts'
import { type ServedLibraries, serveLibraries } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)
const SCENE_LIMIT_MS = 180_000
const FILES = 6

let folder: TemporaryFolder
let scene: ServedLibraries
let admin: HttpClient

beforeAll(async () => {
  folder = await temporaryFolder('tags-management')
  const media = makeTree(
    join(folder.path, 'media'),
    Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`file ${index}.txt`, 10 + index])),
  )
  scene = await serveLibraries(folder, [{ type: 'mixed', name: 'Papers', path: media }])
  admin = scene.admin
}, SCENE_LIMIT_MS)
afterAll(() => scene?.[Symbol.asyncDispose]())

const keyOf = (index: number): string => `mixed_file:1:file ${index}.txt`
/** A category of this name with these tags, each on so many files. */
const make = async (name: string, tags: Record<string, number>): Promise<void> => {
  const { category } = (await admin.post('/api/tags/categories', { name })).body
  for (const [tagName, count] of Object.entries(tags)) {
    const { tag } = (await admin.post('/api/tags/items', { name: tagName, categoryId: category.id })).body
    for (let index = 0; index < count; index++) await admin.put('/api/tags/assignments', { itemKey: keyOf(index), tagId: tag.id })
  }
}
const usage = async (name: string): Promise<Json> => (await admin.get('/api/tags/items', { q: name })).body.tags

const act = async (page: Page, name: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a category and a tag are made, found, renamed and deleted, and the question says what goes', async () => {
  await onPage(scene, { expected: /status of 40[49]/ }, async (page) => {
    await page.goto('/manage/tags')
    await page.getByRole('heading', { name: 'No categories yet' }).waitFor()
    await page.getByRole('button', { name: 'New category' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Colour')
    await dialog.getByRole('radio', { name: 'Colour 3' }).check({ force: true })
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: /^Colour/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Colour' }).waitFor()

    await page.getByRole('button', { name: 'New tag' }).click()
    await dialog.getByLabel('Name').fill('Red')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await row('Red').getByText('0 items').waitFor()
    await page.getByRole('button', { name: 'New tag' }).click()
    await dialog.getByLabel('Name').fill('RED')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Name').fill('Green')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await row('Green').waitFor()

    await act(page, 'Green', 'Edit')
    await dialog.getByLabel('Name').fill('Blue')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row('Blue').waitFor()
    await row('Green').waitFor({ state: 'detached' })
    // Somebody else is faster: it is not listed any longer than it is there.
    await act(page, 'Blue', 'Delete')
    await dialog.getByText('No item carries it.').waitFor()
    const [blue] = await usage('Blue')
    await admin.delete(`/api/tags/items/${blue.id}`)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await row('Red').waitFor()
    await row('Blue').waitFor({ state: 'detached' })

    const [red] = await usage('Red')
    for (const index of [0, 1, 2]) await admin.put('/api/tags/assignments', { itemKey: keyOf(index), tagId: red.id })
    await page.reload()
    await page.getByRole('link', { name: '3 items: Red' }).click()
    await page.waitForURL(`**/l/*?tags=${red.id}`)
    await page.waitForFunction(() => document.querySelectorAll('main a[data-item-key]').length === 3)
    await page.goBack()
    await act(page, 'Red', 'Delete')
    await dialog.getByText('It is taken off 3 items. This cannot be undone.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Red has been deleted.').waitFor()
    expect(await usage('Red')).toEqual([])

    await act(page, 'Colour', 'Delete')
    await dialog.getByText('0 tags and 0 assignments go with it. This cannot be undone.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/manage/tags')
    await page.getByRole('heading', { name: 'No categories yet' }).waitFor()
  })
})

test('whoever has gone elsewhere while a category goes is not pulled away', async () => {
  await make('Going', {})
  await make('Merging', { Crumb: 1 })
  await make('Staying', {})
  const { categories } = (await admin.get('/api/tags/categories')).body
  const idOf = (name: string): number => categories.find((category: Json) => category.name === name).id
  await onPage(scene, { isIntercepted: true }, async (page) => {
    const dialog = page.getByRole('dialog')
    for (const { name, action, method, toast } of [
      { name: 'Going', action: 'Delete', method: 'DELETE', toast: 'Going has been deleted.' },
      { name: 'Merging', action: 'Merge', method: 'POST', toast: 'Merging is now Staying.' },
    ]) {
      await page.goto(`/manage/tags/${idOf(name)}`)
      await act(page, name, action === 'Merge' ? 'Merge into…' : action)
      if (action === 'Merge') {
        await dialog.getByRole('button', { name: /^Staying/ }).click()
        await dialog.getByText(/1 tag/).first().waitFor()
      }
      const submit = dialog.getByRole('button', { name: action, exact: true }).and(page.locator(':enabled'))
      await submit.waitFor()
      const { asked, letGo } = await holdRequests(page, method, /\/api\/tags\/categories\/\d+/)
      await submit.click()
      await asked
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Home' }).first().click()
      await page.waitForURL((url) => url.pathname === '/')
      letGo()
      await page.getByText(toast).waitFor()
      // What would pull away gets its turn.
      await page.waitForTimeout(SETTLED_MS)
      expect(new URL(page.url()).pathname).toBe('/')
    }
  })
  expect((await usage('Crumb'))[0].usage).toBe(1)
  await admin.delete(`/api/tags/categories/${idOf('Staying')}`)
})

test('whoever closes a dialog that is at work keeps the next one, and is told what went wrong', async () => {
  await make('Leaving', {})
  await make('Lasting', {})
  await onPage(scene, { isIntercepted: true, expected: /status of 404/ }, async (page) => {
    const dialog = page.getByRole('dialog')
    const deleteAndClose = async (name: string) => {
      await act(page, name, 'Delete')
      const submit = dialog.getByRole('button', { name: 'Delete', exact: true }).and(page.locator(':enabled'))
      await submit.waitFor()
      const { asked, letGo } = await holdRequests(page, 'DELETE', /\/api\/tags\/categories\/\d+/)
      await submit.click()
      await asked
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      return letGo
    }
    await page.goto('/manage/tags')
    const letGo = await deleteAndClose('Leaving')
    await page.getByRole('button', { name: 'New category' }).click()
    await dialog.getByLabel('Name').fill('Half typed')
    letGo()
    await page.getByText('Leaving has been deleted.').waitFor()
    await page.getByRole('listitem', { includeHidden: true }).filter({ hasText: 'Leaving' }).waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Half typed')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    const fail = await deleteAndClose('Lasting')
    const { categories } = (await admin.get('/api/tags/categories')).body
    await admin.delete(`/api/tags/categories/${categories.find(({ name }: Json) => name === 'Lasting').id}`)
    fail()
    await page.getByText('There is no such category.').waitFor()
  })
})

test('a merge says what it would do, and the old name stays as another name, which can be taken away', async () => {
  await make('Genre', { Horror: 3, Scary: 2 })
  await make('Mood', { Horror: 1, Calm: 1 })
  await onPage(scene, {}, async (page) => {
    await page.goto('/manage/tags')
    await page.getByLabel('Find a tag').fill('horr')
    await page.getByRole('listitem').filter({ hasText: 'Mood' }).waitFor()
    await page.waitForURL(/[?&]q=horr/)
    await page.getByRole('listitem').filter({ hasText: 'Genre' }).getByRole('button', { name: 'Actions for Horror' }).click()
    await page.getByRole('menuitem', { name: 'Merge into…' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true)
    // The ring of the field that has the focus is whole.
    const room = await dialog.getByLabel('Find a tag').evaluate((field) => {
      const { outlineOffset, outlineWidth } = getComputedStyle(field)
      const box = field.closest('form')?.parentElement
      return (
        field.getBoundingClientRect().top -
        Number(box?.getBoundingClientRect().top) -
        Number.parseFloat(outlineOffset) -
        Number.parseFloat(outlineWidth)
      )
    })
    expect(room).toBeGreaterThanOrEqual(0)
    await dialog.getByRole('button', { name: /^Scary/ }).click()
    await dialog.getByText('New on 1 item, already on 2 items.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect((await usage('Horror')).length).toBe(2)
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await page.getByText('Horror is now Genre / Scary.').waitFor()
    expect((await usage('Scary'))[0].usage).toBe(3)

    await page.getByRole('button', { name: 'Clear' }).click()
    const names = page.getByRole('list', { name: 'Other names' })
    await names.getByText('Genre / Scary').waitFor()
    await page.getByRole('button', { name: 'Remove Horror' }).click()
    await page.getByText('No tag has another name yet.').waitFor()
    await page.getByRole('button', { name: 'Add a name' }).click()
    await dialog.getByLabel('Other name').fill('Peaceful')
    await dialog.getByRole('button', { name: /^Calm/ }).click()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await names.getByText('Mood / Calm').waitFor()

    await act(page, 'Mood', 'Merge into…')
    await dialog.getByRole('button', { name: /^Genre/ }).click()
    await dialog.getByText('2 tags moved, 0 tags merged with one of the same name.').waitFor()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await page.getByText('Mood is now Genre.').waitFor()
    await names.getByText('Genre / Calm').waitFor()
  })
})

test('where the tags to choose from cannot be had, that is said, and they can be asked for again', async () => {
  await make('Seasons', { Misty: 1, Foggy: 1 })
  await onPage(scene, { expected: /status of 500/ }, async (page) => {
    let isFailing = true
    const json = { code: 'internal_error', detail: 'Something went wrong on the server' }
    await page.route(/\/api\/tags\/items\?.*sort=usage/, (route) => (isFailing ? route.fulfill({ status: 500, json }) : route.fallback()))
    await page.goto('/manage/tags?q=misty')
    await act(page, 'Misty', 'Merge into…')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('alert').getByText('Something went wrong on the server').waitFor()
    isFailing = false
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await dialog.getByRole('button', { name: /^Foggy/ }).waitFor()
  })
})

test('whoever merges and deletes tags by the keyboard stays in the dialog, and then in the list', async () => {
  await make('Tone', { Bright: 1, Dim: 1, Even: 1 })
  const [{ categoryId }] = await usage('Bright')
  await onPage(scene, {}, async (page) => {
    await page.goto(`/manage/tags/${categoryId}`)
    const dialog = page.getByRole('dialog')
    const actByKeys = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter')
      await page.getByRole('menuitem', { name: action }).press('Enter')
      await waitForFocusIn(dialog)
    }
    const deleteByKeys = async (name: string) => {
      await actByKeys(name, 'Delete')
      // Until it is said what would go, the button does nothing.
      await dialog.locator('form p').first().waitFor()
      await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
    }
    await actByKeys('Bright', 'Merge into…')
    await dialog.getByRole('button', { name: /^Dim/ }).press('Enter')
    await dialog.getByText('Into Tone / Dim').waitFor()
    await waitForFocusIn(dialog)
    await page.keyboard.press('Tab')
    await waitForFocusIn(dialog)
    await dialog.getByRole('button', { name: 'Merge' }).press('Enter')
    await waitForFocus(page, 'Actions for Dim')
    await deleteByKeys('Even')
    await waitForFocus(page, 'Actions for Dim')
    await deleteByKeys('Dim')
    await waitForFocus(page, 'Tone')
  })
})

test('a category that is merged from its own page leads to the other one, and says which is gone', async () => {
  await make('Weather', { Rain: 1 })
  await make('Climate', { Dry: 1 })
  const { categories } = (await admin.get('/api/tags/categories')).body
  const { id } = categories.find(({ name }: Json) => name === 'Weather')
  await onPage(scene, {}, async (page) => {
    await page.goto('/manage/tags')
    await page.getByRole('link', { name: /^Weather/ }).click()
    await page.waitForURL(`**/manage/tags/${id}`)
    await act(page, 'Weather', 'Merge into…')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Climate/ }).click()
    await dialog.getByText('1 tag moved, 0 tags merged with one of the same name.').waitFor()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await page.getByText('Weather is now Climate.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Climate' }).waitFor()
  })
})

test('other names are taken away one after the other by the keyboard, and none comes back', async () => {
  await make('Sea', { Seaside: 1 })
  const [seaside] = await usage('Seaside')
  const sources = ['Beach', 'Cliff', 'Dune']
  await admin.put('/api/tags/mappings', { mappings: sources.map((source) => ({ source, tagId: seaside.id })) })
  await onPage(scene, { isIntercepted: true }, async (page) => {
    await page.goto('/manage/tags')
    const remove = (source: string) => page.getByRole('button', { name: `Remove ${source}` })
    // Held down: it goes no further than the row it was pressed on.
    await holdEnter(page, remove('Beach'), 'Remove Cliff')
    expect(
      await page
        .getByRole('button', { name: /^Remove / })
        .and(page.locator(':not([aria-disabled])'))
        .count(),
    ).toBe(2)
    // Both are pressed before the first is gone.
    const { asked, letGo } = await holdRequests(page, 'PUT', /\/api\/tags\/mappings/)
    await remove('Cliff').click()
    await asked
    await remove('Dune').evaluate((button: HTMLElement) => button.click())
    letGo()
    await remove('Cliff').waitFor({ state: 'detached' })
    await page.waitForTimeout(SETTLED_MS)
  })
  expect((await admin.get('/api/tags/mappings')).body.mappings.map(({ source }: Json) => source)).toEqual(['Dune'])
})

test('a file is tried before it is taken in; a malformed one changes nothing; the export is a download', async () => {
  const file = (name: string): string => join(folder.path, name)
  await writeFile(file('good.csv'), 'category,tag,aliases\nPlace,Coast,Shore\nPlace,,\nGenre,SCARY,\n')
  await writeFile(file('bad.json'), '{"categories": [{"tags": []}]}')
  await writeFile(file('other.json'), '{"tags": ["Coast"]}')
  await writeFile(file('bad.csv'), 'category,tag\nPlace\n')
  await writeFile(file('empty.csv'), 'category,tag,aliases\n')
  await writeFile(file('nameless.csv'), 'category,tag,aliases\nPlace,,\n')
  await onPage(scene, { expected: /status of 400/ }, async (page) => {
    await page.goto('/manage/tags')
    await page.getByRole('button', { name: 'Import' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await waitForFocusIn(dialog)
    const choose = (name: string) => dialog.locator('input[type=file]').setInputFiles(file(name))
    await choose('bad.json')
    await dialog.getByText('This file cannot be read, and nothing was changed: categories.0.name').waitFor()
    expect(await dialog.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true)
    await choose('other.json')
    await dialog.getByText('nothing was changed: The file holds neither categories nor assignments.').waitFor()
    await choose('bad.csv')
    await dialog.getByText('This file cannot be read, and nothing was changed: Line 2: needs a category and a tag').waitFor()
    const hereAlready = dialog.getByText('Everything in this file is here already.')
    await choose('empty.csv')
    await dialog.getByText('There are no tags in this file.').waitFor()
    await choose('nameless.csv')
    await dialog.getByText('1 skipped', { exact: true }).waitFor()
    expect(await hereAlready.count()).toBe(0)
    await choose('good.csv')
    for (const text of ['What would happen', '1 new category', '1 new tag', '1 new other name', '1 known already', '1 skipped'])
      await dialog.getByText(text, { exact: true }).waitFor()
    await dialog.getByText('Row 3 · Not a name for a tag or a category').waitFor()
    expect(await usage('Coast')).toEqual([])
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.getByText('What was imported').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: /^Place/ }).waitFor()
    expect((await usage('Coast')).length).toBe(1)
    await writeFile(file('again.csv'), 'category,tag\nPlace,Coast\n')
    await page.getByRole('button', { name: 'Import' }).click()
    await choose('again.csv')
    await hereAlready.waitFor()
    await page.keyboard.press('Escape')

    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export' }).click()
    expect((await download).suggestedFilename()).toBe('vitrine-tags.json')
  })
})

test('what went wrong with one file is not said of the next', async () => {
  const path = join(folder.path, 'next.csv')
  await writeFile(path, 'category,tag,aliases\nPlace,Harbour,\n')
  await onPage(scene, { isIntercepted: true, expected: /tags\/import|ERR_FAILED/ }, async (page) => {
    await page.goto('/manage/tags')
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog')
    const choose = () => dialog.locator('input[type=file]').setInputFiles(path)
    await choose()
    await dialog.getByText('What would happen').waitFor()
    await page.route('**/api/tags/import', (route) => route.abort())
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.getByRole('alert').waitFor()
    await choose()
    await dialog.getByText('What would happen').waitFor()
    expect(await dialog.getByRole('alert').count()).toBe(0)
  })
})

test('no other file is chosen while one is taken in', async () => {
  const path = join(folder.path, 'slow.csv')
  await writeFile(path, 'category,tag,aliases\nPlace,Lagoon,\n')
  await onPage(scene, { isIntercepted: true }, async (page) => {
    await page.goto('/manage/tags')
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=file]').setInputFiles(path)
    await dialog.getByText('What would happen').waitFor()
    const { asked, letGo } = await holdRequests(page, 'POST', /\/api\/tags\/import/)
    await dialog.getByRole('button', { name: 'Import' }).click()
    await asked
    const other = dialog.getByRole('button', { name: 'Choose another file' })
    expect(await other.getAttribute('aria-disabled')).toBe('true')
    letGo()
    await dialog.getByText('What was imported').waitFor()
    await other.and(page.locator(':not([aria-disabled])')).waitFor()
  })
})

test('somebody who manages tags and nothing else finds this screen alone', async () => {
  const manager = await scene.server.as('tag manager')
  await onPage(scene, { client: manager }, async (page) => {
    await page.goto('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Manage' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Sections of Manage' }).getByRole('link').allTextContents()).toEqual(['Tags'])
    await page.goto('/manage/libraries')
    await page.getByRole('heading', { name: 'You may not see this' }).waitFor()
  })
})

test('who manages nothing is not led there', async () => {
  const reader = await scene.server.as('reader', { permissions: { manageTags: false } })
  await onPage(scene, { client: reader }, async (page) => {
    await page.goto('/')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'Papers' }).waitFor()
    expect(await navigation.getByRole('link').allTextContents()).toEqual(['Home', 'Papers'])
  })
})

test('whoever has more of a list shown by the keyboard goes on from the first that is new', async () => {
  const names = Array.from({ length: 101 }, (_, index) => `Kind ${index}`)
  const others = Array.from({ length: 21 }, (_, index) => `Called ${index}`)
  const tags = names.map((name, index) => ({ name, aliases: index === 0 ? others : [] }))
  await admin.post('/api/tags/import', { categories: [{ name: 'Kinds', tags }] })
  const { categories } = (await admin.get('/api/tags/categories')).body
  const { id } = categories.find(({ name }: Json) => name === 'Kinds')
  await onPage(scene, { isIntercepted: true }, async (page) => {
    const hasFocus = (row: number, list: Locator) =>
      waitForFocusIn(
        list
          .getByRole('listitem')
          .nth(row - 1)
          .getByRole('button'),
      )
    await page.goto('/manage/tags')
    await page.getByRole('button', { name: /^Show \d+ more$/ }).press('Enter')
    await hasFocus(21, page.getByRole('list', { name: 'Other names' }))
    await page.goto(`/manage/tags/${id}`)
    const rows = page.locator('main').getByRole('list').last()
    const more = page.getByRole('button', { name: 'Load more' })
    await more.press('Enter')
    await hasFocus(101, rows)
    // Whoever has left the button meanwhile is not called back.
    await page.reload()
    const { asked, letGo } = await holdRequests(page, 'GET', /cursor=/)
    await more.press('Enter')
    await asked
    await more.evaluate((button) => button.blur())
    letGo()
    await more.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('body')
  })
  await admin.delete(`/api/tags/categories/${id}`)
})
