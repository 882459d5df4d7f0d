/** Mixed libraries folder by folder: what is seen, and what the address, Back and this device remember. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { makePicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { card, holdRequests, isTitled, onPage, TEST_LIMIT_MS } from './on-page.ts'
import { type ServedLibraries, serveLibraries } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)

const ODD = '100% #?日本 & co'
const PICTURES = ['top.jpg', '2020/beach.jpg', '2020/Summer/lake.jpg', '2020/Summer/lamp.jpg', `2020/${ODD}/odd.jpg`, 'gone/soon.jpg']

let folder: TemporaryFolder
let scene: ServedLibraries

beforeAll(async () => {
  folder = await temporaryFolder('folders')
  const path = join(folder.path, 'album')
  for (const [seed, name] of PICTURES.entries()) await makePicture(join(path, name), { seed })
  scene = await serveLibraries(folder, [{ type: 'mixed', name: 'Album', path }])
}, 120_000)
afterAll(() => scene?.[Symbol.asyncDispose]())

const shown = (page: Page): Promise<(string | null)[]> =>
  page.locator('a[data-item-key]').evaluateAll((cards) => cards.map((each) => each.getAttribute('title')))
const folderLink = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Folders in here' }).getByRole('link', { name: new RegExp(`^${RegExp.escape(name)}`) })
const inFolder = (page: Page) => new URL(page.url()).searchParams.get('folder')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const openFolders = async (page: Page) => {
  await page.goto('/l/1')
  await card(page, 'odd.jpg').waitFor()
  await page.getByTitle('Folders', { exact: true }).click()
  await folderLink(page, '2020').waitFor()
}

test('all files stand there at first; by folders those of the root and its folders, and so on down and back', () =>
  onPage(scene, {}, async (page) => {
    await openFolders(page)
    await card(page, 'odd.jpg').waitFor({ state: 'detached' })
    expect(await shown(page)).toEqual(['top.jpg'])
    await folderLink(page, '2020').click()
    await heading(page, '2020').waitFor()
    await card(page, 'beach.jpg').waitFor()
    expect([inFolder(page), await page.title()]).toEqual(['2020', '2020 - Album - Vitrine'])
    await card(page, 'beach.jpg').click()
    await isTitled(page, 'beach.jpg - 2020 - Album - Vitrine')
    await page.keyboard.press('Escape')
    await isTitled(page, '2020 - Album - Vitrine')
    await folderLink(page, 'Summer').click()
    await card(page, 'lake.jpg').waitFor()
    expect(await shown(page)).toEqual(['lake.jpg', 'lamp.jpg'])
    await page.reload()
    await card(page, 'lamp.jpg').waitFor()
    await page.getByRole('navigation', { name: 'Folder' }).getByRole('link', { name: '2020' }).click()
    await card(page, 'beach.jpg').waitFor()
    await page.goBack()
    await card(page, 'lamp.jpg').waitFor()
    await page.goBack()
    await page.goBack()
    await card(page, 'top.jpg').waitFor()
    await heading(page, 'Album').waitFor()
  }))

test('the choice between all files and folders comes late, and pushes nothing down', () =>
  onPage(scene, { isIntercepted: true }, async (page) => {
    const { asked, letGo } = await holdRequests(page, 'GET', /assets\/mixe-/)
    await page.goto('/l/1', { waitUntil: 'commit' })
    await card(page, 'odd.jpg').waitFor()
    await asked
    const top = () => page.getByRole('grid').evaluate((grid) => grid.getBoundingClientRect().top)
    const before = await top()
    letGo()
    await page.getByTitle('Folders', { exact: true }).waitFor()
    expect(await top()).toBe(before)
  }))

test('each folder shows a picture out of it, or of a folder in it', () =>
  onPage(scene, {}, async (page) => {
    await openFolders(page)
    const pictureOf = (name: string) =>
      folderLink(page, name)
        .locator('img')
        .evaluate(async (image: HTMLImageElement) => {
          await image.decode()
          return new URL(image.currentSrc).searchParams.get('itemKey')
        })
    expect(await pictureOf('2020')).toBe('mixed_file:1:2020/beach.jpg')
    await folderLink(page, '2020').click()
    expect(await pictureOf('Summer')).toBe('mixed_file:1:2020/Summer/lake.jpg')
    expect(await pictureOf(ODD)).toBe(`mixed_file:1:2020/${ODD}/odd.jpg`)
  }))

test('a name that is full of reserved characters is opened, kept through a reload, and left', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/1?folder=2020')
    await folderLink(page, ODD).click()
    await card(page, 'odd.jpg').waitFor()
    expect(inFolder(page)).toBe(`2020/${ODD}`)
    await page.reload()
    await heading(page, ODD).waitFor()
    await card(page, 'odd.jpg').waitFor()
    await page.getByRole('navigation', { name: 'Folder' }).getByRole('link', { name: 'Album' }).click()
    await card(page, 'top.jpg').waitFor()
  }))

test('what is searched for is looked for below the folder as well, and nowhere else', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/1?folder=2020')
    await card(page, 'beach.jpg').waitFor()
    await page.getByPlaceholder('Search by title').fill('a')
    await page.getByText('In “2020” and the folders below it').waitFor()
    await card(page, 'lake.jpg').waitFor()
    expect(await shown(page)).toEqual(['beach.jpg', 'lake.jpg', 'lamp.jpg'])
    expect(await page.getByRole('list', { name: 'Folders in here' }).count()).toBe(0)
  }))

test('the viewer goes through the files of the folder, and its details lead to the folder of a picture', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/1?folder=2020%2FSummer')
    await card(page, 'lake.jpg').click()
    await page.getByText('1 / 2').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText('2 / 2').waitFor()
    await page.keyboard.press('Escape')
    await card(page, 'lake.jpg').waitFor()
    await page.goto(`/l/1?item=${encodeURIComponent('mixed_file:1:2020/beach.jpg')}`)
    await page.getByText(/^\d \/ \d$/).waitFor()
    await page.keyboard.press('i')
    await page.getByRole('link', { name: '2020/beach.jpg' }).click()
    await heading(page, '2020').waitFor()
    // The heading comes from the address; what was shown before stays until the answer is there.
    await card(page, 'lake.jpg').waitFor({ state: 'detached' })
    expect(await shown(page)).toEqual(['beach.jpg'])
  }))

test('the viewer that was opened here is left by one step, also after a reload', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Album' }).click()
    // The home screen, which is there until then, has a card of it too.
    await heading(page, 'Album').waitFor()
    await card(page, 'lake.jpg').click()
    const viewer = page.getByRole('dialog')
    await viewer.waitFor()
    await page.reload()
    await viewer.waitFor()
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  }))

test('Back takes back that folders were chosen, and that all files were', () =>
  onPage(scene, {}, async (page) => {
    await openFolders(page)
    await page.goBack()
    await card(page, 'odd.jpg').waitFor()
    await page.goto('/l/1')
    await folderLink(page, '2020').waitFor()
    await page.getByTitle('All files', { exact: true }).click()
    await card(page, 'odd.jpg').waitFor()
    await page.goBack()
    await folderLink(page, '2020').waitFor()
    await page.goForward()
    await card(page, 'odd.jpg').waitFor()
    await page.reload()
    await card(page, 'odd.jpg').waitFor()
  }))

test('one by one, the files of the folder are gone through, and closing leads to the folder', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/1/feed?folder=2020%2FSummer')
    await page.getByText('1 / 2').waitFor()
    await page.keyboard.press('Escape')
    await heading(page, 'Summer').waitFor()
    expect(inFolder(page)).toBe('2020/Summer')
  }))

test('one by one goes on into the folders of the folder, so that one that holds nothing but folders is not empty', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/1?folder=2020')
    await page.getByRole('link', { name: 'One by one' }).click()
    await page.getByText('1 / 4').waitFor()
    await page.keyboard.press('Escape')
    await heading(page, '2020').waitFor()
  }))

test('this device remembers that folders were chosen, until all files are', () =>
  onPage(scene, {}, async (page) => {
    await openFolders(page)
    await page.goto('/l/1')
    await folderLink(page, '2020').waitFor()
    await card(page, 'top.jpg').waitFor()
    expect(await shown(page)).toEqual(['top.jpg'])
    await page.getByTitle('All files', { exact: true }).click()
    await card(page, 'odd.jpg').waitFor()
    await page.goto('/l/1')
    await card(page, 'odd.jpg').waitFor()
    expect(await page.getByRole('list', { name: 'Folders in here' }).count()).toBe(0)
  }))

test('a link to a picture stands for its folder where this device has chosen folders; with a filter, for all that it finds', () =>
  onPage(scene, {}, async (page) => {
    await openFolders(page)
    const asked: (string | null)[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/api/browse') asked.push(searchParams.get('path'))
    })
    const lake = `item=${encodeURIComponent('mixed_file:1:2020/Summer/lake.jpg')}`
    await page.goto(`/l/1?${lake}`)
    await page.getByText('1 / 2').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText('2 / 2').waitFor()
    await page.keyboard.press('Escape')
    await heading(page, 'Summer').waitFor()
    await card(page, 'lamp.jpg').waitFor()
    expect([await shown(page), inFolder(page)]).toEqual([['lake.jpg', 'lamp.jpg'], '2020/Summer'])
    expect(new Set(asked)).toEqual(new Set(['2020/Summer']))
    await page.goto(`/l/1?q=a&${lake}`)
    await page.getByText('2 / 3').waitFor()
    await page.keyboard.press('Escape')
    await card(page, 'beach.jpg').waitFor()
    expect(await shown(page)).toEqual(['beach.jpg', 'lake.jpg', 'lamp.jpg'])
  }))

test('a folder that is gone says so, and leads up; by the keyboard and on a phone too', () =>
  onPage(scene, { screen: 'phone', theme: 'light' }, async (page) => {
    rmSync(join(folder.path, 'album/gone'), { recursive: true })
    await scene.server.scanAndWait(1)
    await page.goto('/l/1?folder=gone')
    await page.getByRole('heading', { name: 'This folder is not there' }).waitFor()
    await page.getByRole('link', { name: 'Up to Album' }).press('Enter')
    await card(page, 'top.jpg').waitFor()
    await folderLink(page, '2020').press('Enter')
    await card(page, 'beach.jpg').waitFor()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(390)
  }))
