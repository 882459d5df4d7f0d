/** Series of manga: volumes are tagged, found and looked for like everything else. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Json } from '../support/http-client.ts'
import { drawnPages, makeZip } from '../support/real-media.ts'
import { waitFor } from '../support/test-server.ts'
import { card, onPage, TEST_LIMIT_MS, WAIT_LIMIT_MS } from './on-page.ts'
import { openScene, type Scene } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)

let opened: Scene | undefined
const scene = (): Scene => {
  if (!opened) throw new Error('The scene is not open')
  return opened
}
const keyOf = (volume: number) => scene().keyOf('manga_volume', `Tides/Tides v0${volume}.cbz`)
const seriesAddress = (): string => `/l/${scene().idOf('manga')}/b/Tides`
const secondPage = (page: Page) => page.getByRole('img', { name: 'Page 2', exact: true })

const makeVolume = async (volume: number): Promise<unknown> =>
  makeZip(join(scene().collection.libraries.manga, `Tides/Tides v0${volume}.cbz`), await drawnPages(3, { seed: volume }))

beforeAll(async () => {
  opened = await openScene({
    size: 'small',
    types: ['manga'],
    prepare: async ({ libraries }) => {
      await mkdir(join(libraries.manga, 'Tides'))
      for (const volume of [1, 2, 3])
        await makeZip(join(libraries.manga, `Tides/Tides v0${volume}.cbz`), await drawnPages(3, { seed: volume }))
    },
  })
  const { admin } = scene()
  const { category } = (await admin.post('/api/tags/categories', { name: 'Waters' })).body
  for (const name of ['Sea', 'Lake']) await admin.post('/api/tags/items', { name, categoryId: category.id })
}, 240_000)
afterAll(() => opened?.[Symbol.asyncDispose]())

const tagsOf = async (volume: number): Promise<string[]> =>
  (await scene().admin.get('/api/tags/assignments', { itemKey: keyOf(volume) })).body.tags.map(({ name }: Json) => name)
const untilTagged = (volume: number, names: string[]) =>
  waitFor(
    async () => ((await tagsOf(volume)).join() === names.join() ? true : undefined),
    WAIT_LIMIT_MS,
    () => `Volume ${volume} never had ${names}`,
  )
const shown = (page: Page): Promise<(string | null)[]> =>
  page.locator('a[data-item-key]').evaluateAll((cards) => cards.map((each) => each.getAttribute('title')))

test('a volume is tagged while it is read: the keys of the reader rest, and Escape leaves the tags and not the volume', () =>
  onPage(scene(), {}, async (page) => {
    await page.goto(`/read/${encodeURIComponent(keyOf(2))}?page=2`)
    await secondPage(page).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Tags of Tides v02' }).click()
    const selector = page.getByRole('dialog', { name: 'Tags of Tides v02' })
    const field = selector.getByPlaceholder('Search or create a tag')
    await field.pressSequentially('sea')
    await selector
      .getByRole('status')
      .filter({ hasText: /^1 tag$/ })
      .waitFor()
    await selector.getByRole('button', { name: /^Sea/ }).click()
    await selector.getByRole('button', { name: /^Sea/, pressed: true }).waitFor()
    await untilTagged(2, ['Sea'])
    await page.keyboard.press('Escape')
    await selector.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('page')).toBe('2')
    await page.getByText('· Sea').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Tides' }).waitFor()
  }))

test('who may not tag sees the tags of a volume, and cannot change them', async () => {
  const client = await scene().server.as('reader who may not tag', { permissions: { tag: false } })
  await onPage(scene(), { client }, async (page) => {
    await page.goto(`/read/${encodeURIComponent(keyOf(2))}?page=2`)
    await secondPage(page).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Tags of Tides v02' }).click()
    const dialog = page.getByRole('dialog', { name: 'Tags of Tides v02' })
    await dialog.getByRole('link', { name: 'Sea' }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Tags', exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await secondPage(page).waitFor()
  })
})

test('the volumes of a series are searched, filtered by their tags, and tagged together', () =>
  onPage(scene(), {}, async (page) => {
    await page.goto(seriesAddress())
    await card(page, 'Tides v03').waitFor()
    await page.getByPlaceholder('Search by title').fill('v01')
    await card(page, 'Tides v03').waitFor({ state: 'detached' })
    expect(await shown(page)).toEqual(['Tides v01'])
    await page.goBack()
    await card(page, 'Tides v03').waitFor()

    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await card(page, 'Tides v01').click()
    await card(page, 'Tides v03').click()
    await page.getByRole('button', { name: 'Tags', exact: true }).last().click()
    await page.getByRole('dialog').getByRole('button', { name: /^Lake/ }).click()
    await untilTagged(1, ['Lake'])
    await untilTagged(3, ['Lake'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Done' }).click()

    const { tags } = (await scene().admin.get('/api/tags/items', { q: 'Lake' })).body
    await page.goto(`${seriesAddress()}?tags=${tags[0].id}`)
    await card(page, 'Tides v01').waitFor()
    expect(await shown(page)).toEqual(['Tides v01', 'Tides v03'])
  }))

test('on the page of its series a volume is told by what its title does not share with it, and its whole title is its name', async () => {
  // Who has read nothing yet.
  const client = await scene().server.as('somebody who begins')
  await onPage(scene(), { client }, async (page) => {
    await page.goto(seriesAddress())
    const begin = page.getByRole('link', { name: 'Read Tides v01', exact: true })
    expect(await begin.locator('.sr-only').textContent()).toBe('Tides ')
    expect(await begin.getAttribute('title')).toBe('Read Tides v01')
    const volume = page.getByRole('link', { name: /^Tides v03/ })
    expect(await volume.locator('.sr-only').first().textContent()).toBe('Tides ')
    expect(await volume.getAttribute('title')).toBe('Tides v03')
  })
})

test('the page of a series goes on with the volume that the start page goes on with', async () => {
  const client = await scene().server.as('somebody who reads two at once')
  for (const volume of [1, 2]) await client.put('/api/progress', { itemKey: keyOf(volume), page: 1 })
  await onPage(scene(), { client }, async (page) => {
    await page.goto(seriesAddress())
    await page.getByRole('link', { name: 'Continue: Tides v02', exact: true }).waitFor()
  })
})

test('a volume is downloaded while it is read, on a phone from its settings', async () => {
  const address = `/read/${encodeURIComponent(keyOf(2))}?page=2`
  const fileOf = async (page: Page): Promise<string> => {
    const link = page.getByRole('link', { name: 'Download Tides v02', exact: true })
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
    return file.suggestedFilename()
  }
  await onPage(scene(), {}, async (page) => {
    await page.goto(address)
    await secondPage(page).waitFor()
    await page.keyboard.press('Tab')
    expect(await fileOf(page)).toBe('Tides v02.cbz')
  })
  await onPage(scene(), { screen: 'phone' }, async (page) => {
    await page.goto(address)
    await secondPage(page).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Reading settings' }).click()
    expect(await fileOf(page)).toBe('Tides v02.cbz')
  })
})

test('an administrator has the folder of a series scanned from its page; nobody else is offered to', async () => {
  await onPage(scene(), {}, async (page) => {
    await page.goto(seriesAddress())
    await card(page, 'Tides v03').waitFor()
    await makeVolume(4)
    await page.getByRole('button', { name: 'Scan this folder' }).click()
    await card(page, 'Tides v04').waitFor()
    const { scans } = (await scene().admin.get('/api/scans', { libraryId: scene().idOf('manga') })).body
    expect(scans[0].paths).toEqual(['Tides'])
  })
  const client = await scene().server.as('guest')
  await onPage(scene(), { client }, async (page) => {
    await page.goto(seriesAddress())
    await card(page, 'Tides v03').waitFor()
    expect(await page.getByRole('button', { name: 'Scan this folder' }).count()).toBe(0)
  })
})
