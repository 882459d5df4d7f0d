/** The library changes while somebody looks at it: what they do is done to what they meant, and what they typed stays. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { drawnPages, makeClip, makePicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'
import { holdRequests, MOVING, onPage, SETTLED_MS, TEST_LIMIT_MS, WAIT_LIMIT_MS, waitForKeys } from './on-page.ts'
import { type ServedLibraries, serveLibraries } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)
const SCENE_LIMIT_MS = 180_000
const FILMS = 1
const ALBUM = 2
const MANGA = 3
const LETTERS = 4
const HEAP = 5

let folder: TemporaryFolder
let scene: ServedLibraries
let admin: HttpClient

const writePages = async (path: string, count: number) => {
  await mkdir(path, { recursive: true })
  for (const [name, bytes] of Object.entries(await drawnPages(count))) await writeFile(join(path, name), bytes)
}

beforeAll(async () => {
  folder = await temporaryFolder('changing')
  const films = makeTree(join(folder.path, 'films'), { 'Arrival (2016)/film.mkv': 10, 'Brazil (1985)/film.mkv': 10 })
  const album = join(folder.path, 'album')
  for (const number of [2, 3, 4]) await makePicture(join(album, `photo ${number}.jpg`), { seed: number, width: 1600, height: 1200 })
  await makeClip(join(album, 'take.mp4'), { seconds: 60, rate: 8 })
  const manga = join(folder.path, 'manga')
  await writePages(join(manga, 'Lanterns/Lanterns v01'), 8)
  await writePages(join(manga, 'Lanterns/Lanterns v02'), 3)
  const more = Object.fromEntries(Array.from({ length: 230 }, (_, place) => [`zero ${place + 1}.txt`, 10]))
  const letters = makeTree(join(folder.path, 'letters'), { 'one.txt': 10, 'two.txt': 10, 'three.txt': 10, ...more })
  const heap = makeTree(
    join(folder.path, 'heap'),
    Object.fromEntries(Array.from({ length: 60 }, (_, place) => [`sheet ${place + 1}.txt`, 10])),
  )
  scene = await serveLibraries(folder, [
    { type: 'movies', name: 'Films', path: films },
    { type: 'mixed', name: 'Album', path: album },
    { type: 'manga', name: 'Manga', path: manga },
    { type: 'mixed', name: 'Letters', path: letters },
    { type: 'mixed', name: 'Heap', path: heap },
  ])
  admin = scene.admin
}, SCENE_LIMIT_MS)
afterAll(() => scene?.[Symbol.asyncDispose]())

/** The libraries are asked for now and then. */
const askAgain = (page: Page) => page.clock.fastForward('00:30')
const photo = (number: number) => `mixed_file:${ALBUM}:photo ${number}.jpg`
const heading = (page: Page, name: string) => page.getByRole('dialog').getByRole('heading', { name })
const openPhoto = async (page: Page, number: number) => {
  await page.goto(`/l/${ALBUM}?item=${encodeURIComponent(photo(number))}`)
  await heading(page, `photo ${number}`).waitFor()
}

test('a library is saved without what another administrator has changed of it meanwhile', () =>
  // The folder that is left is still being listed, perhaps.
  onPage(scene, { expected: /filesystem/ }, async (page) => {
    await page.goto(`/manage/libraries/${FILMS}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Cinema')
    const moved = join(folder.path, 'films on another disk')
    await rename(join(folder.path, 'films'), moved)
    await admin.patch(`/api/libraries/${FILMS}`, { path: moved, scanSchedule: '0 4 * * *' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { library } = (await admin.get(`/api/libraries/${FILMS}`)).body
    expect(library).toMatchObject({ name: 'Cinema', path: moved, scanSchedule: '0 4 * * *' })
  }))

test('a tag is saved without what somebody else has changed of it meanwhile', async () => {
  const { category } = (await admin.post('/api/tags/categories', { name: 'Mood', color: '#aabbcc' })).body
  const { category: other } = (await admin.post('/api/tags/categories', { name: 'Place', color: '#aabbcc' })).body
  const { tag } = (await admin.post('/api/tags/items', { name: 'Calm', categoryId: category.id })).body
  await onPage(scene, {}, async (page) => {
    await page.goto(`/manage/tags/${category.id}`)
    await page.getByRole('button', { name: /Calm/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Quiet')
    await admin.patch(`/api/tags/items/${tag.id}`, { categoryId: other.id })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { tags } = (await admin.get('/api/tags/items', { q: 'Quiet' })).body
    expect(tags[0]).toMatchObject({ name: 'Quiet', categoryId: other.id })
  })
  for (const { id } of [category, other]) await admin.delete(`/api/tags/categories/${id}`)
})

test('whoever opens the tags of a picture while the slideshow runs tags that picture', async () => {
  const { category } = (await admin.post('/api/tags/categories', { name: 'Who', color: '#aabbcc' })).body
  await admin.post('/api/tags/items', { name: 'Anna', categoryId: category.id })
  await onPage(scene, {}, async (page) => {
    await page.clock.install()
    await openPhoto(page, 3)
    const details = page.getByRole('complementary', { name: 'Details' })
    await page.keyboard.press('i')
    await details.getByRole('button', { name: 'Add tags' }).waitFor()
    await page.keyboard.press('i')
    await page.keyboard.press('ArrowLeft')
    await heading(page, 'photo 2').waitFor()
    await page.getByRole('button', { name: 'Start slideshow' }).click()
    await page.keyboard.press('t')
    const selector = page.getByRole('dialog', { name: /Tags of/ })
    await selector.getByRole('button', { name: /^Anna/ }).waitFor()
    await page.clock.fastForward('00:06')
    await page.getByRole('button', { name: 'Start slideshow', includeHidden: true }).waitFor()
    await selector.getByRole('button', { name: /^Anna/ }).click()
    await selector.getByRole('button', { name: /^Anna/, pressed: true }).waitFor()
    await page.keyboard.press('Escape')
    await details.getByRole('link', { name: 'Anna' }).waitFor()
    await heading(page, 'photo 2').waitFor()
  })
  const carriers = await Promise.all(
    [2, 3, 4].map(async (number) => (await admin.get('/api/tags/assignments', { itemKey: photo(number) })).body.tags.length),
  )
  expect(carriers).toEqual([1, 0, 0])
  await admin.delete(`/api/tags/categories/${category.id}`)
})

test('a video goes on in the viewer, and a picture stays enlarged, where a scan adds others before it', () =>
  onPage(scene, MOVING, async (page) => {
    await page.clock.install()
    await page.goto(`/l/${ALBUM}?item=${encodeURIComponent(`mixed_file:${ALBUM}:take.mp4`)}`)
    const time = () => page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
    await page.evaluate(() => {
      const video = document.querySelector('video')
      if (video) video.currentTime = 20
      video?.setAttribute('data-first', '')
    })
    const add = async (...numbers: number[]) => {
      for (const number of numbers) await makePicture(join(folder.path, 'album', `early ${number}.jpg`), { seed: number })
      await scene.server.scanAndWait(ALBUM)
      await askAgain(page)
    }
    await page.getByText('4 / 4').waitFor()
    await add(1, 2)
    await page.getByText('6 / 6').waitFor()
    expect(await page.locator('video[data-first]').count()).toBe(1)
    expect(await time()).toBeGreaterThanOrEqual(20)
    for (const name of ['photo 4', 'photo 3']) {
      await page.keyboard.press('ArrowLeft')
      await heading(page, name).waitFor()
    }
    const picture = page.locator('.pswp__item[aria-hidden=false] img.pswp__img:not(.pswp__img--placeholder)')
    const width = () => picture.evaluate((image) => Math.round(image.getBoundingClientRect().width))
    await picture.evaluate((image: HTMLImageElement) => image.decode())
    const fit = await width()
    await page.keyboard.press('+')
    await page.clock.runFor(1000)
    const enlarged = await width()
    expect(enlarged).toBeGreaterThan(fit)
    await add(3)
    await page.getByText('5 / 7').waitFor()
    expect(await width()).toBe(enlarged)
    const source = async () => {
      // Chromium chooses among the sizes a moment after the picture is there.
      const address = () => picture.evaluate((image: HTMLImageElement) => image.currentSrc || undefined)
      const chosen = await waitFor(address, WAIT_LIMIT_MS, () => 'The picture has no address')
      return new URL(chosen).searchParams.get('itemKey')
    }
    const goTo = async (key: string, name: string) => {
      await page.keyboard.press(key)
      await heading(page, name).waitFor()
    }
    for (const name of ['photo 2', 'early 3', 'early 2']) {
      await goTo('ArrowLeft', name)
      expect(await source()).toBe(`mixed_file:${ALBUM}:${name}.jpg`)
    }
    await goTo('End', 'take')
    for (const name of ['photo 4', 'photo 3']) {
      await goTo('ArrowLeft', name)
      expect(await source()).toBe(`mixed_file:${ALBUM}:${name}.jpg`)
    }
  }))

test('a file that was renamed is shown by its new name, however short the scan was', () =>
  onPage(scene, {}, async (page) => {
    await page.clock.install()
    await page.goto(`/l/${LETTERS}`)
    await page.getByRole('link', { name: 'three' }).waitFor()
    await rename(join(folder.path, 'letters', 'three.txt'), join(folder.path, 'letters', 'four.txt'))
    await scene.server.scanAndWait(LETTERS)
    await askAgain(page)
    await page.getByRole('link', { name: 'four' }).waitFor()
    expect(await page.getByRole('link', { name: 'three' }).count()).toBe(0)
  }))

test('what somebody has typed about a picture stays when that is renamed, also while they look at another one', async () => {
  const place = (name: string) => join(folder.path, 'album', name)
  await makePicture(place('sign.jpg'), { seed: 9 })
  await scene.server.scanAndWait(ALBUM)
  const keyOf = (name: string) => `mixed_file:${ALBUM}:${name}`
  await admin.patch('/api/ai-tagging/fields', { itemKey: keyOf('sign.jpg'), extractedText: 'Way out' })
  // What was asked for before the page knew.
  await onPage(scene, { expected: /404/ }, async (page) => {
    await page.clock.install()
    await page.goto(`/l/${ALBUM}?item=${encodeURIComponent(keyOf('sign.jpg'))}`)
    await heading(page, 'sign').waitFor()
    await page.keyboard.press('i')
    const text = page.getByRole('textbox', { name: 'Extracted text' })
    const isText = (wanted: string) =>
      waitFor(
        async () => ((await text.count()) === 1 && (await text.inputValue()) === wanted) || undefined,
        WAIT_LIMIT_MS,
        () => 'Another text stands there',
      )
    const move = async (from: string, to: string) => {
      await rename(place(from), place(to))
      await scene.server.scanAndWait(ALBUM)
      await askAgain(page)
    }
    await text.fill('Way out, and in')
    await move('sign.jpg', 'sign 2.jpg')
    await heading(page, 'sign 2').waitFor()
    await isText('Way out, and in')
    await page.getByRole('button', { name: 'Previous item' }).click()
    await heading(page, 'photo 4').waitFor()
    await move('sign 2.jpg', 'sign 3.jpg')
    await page.getByRole('button', { name: 'Next item' }).click()
    await heading(page, 'sign 3').waitFor()
    await isText('Way out, and in')
    const isHeld = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
    expect(await isHeld()).toBe(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    expect(await isHeld()).toBe(false)
    expect((await admin.get('/api/ai-tagging/fields', { itemKey: keyOf('sign 3.jpg') })).body.extractedText).toBe('Way out, and in')
  })
  await rm(place('sign 3.jpg'))
  await scene.server.scanAndWait(ALBUM)
})

/** Has these requests refused, once they are let go. */
const refuseLater = async (page: Page, method: string, address: RegExp, detail: string) => {
  const isLetGo = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    await isLetGo.promise
    await route.fulfill({ status: 409, json: { status: 409, code: 'conflict', detail } })
  })
  const asked = page.waitForRequest((request) => request.method() === method && address.test(request.url()))
  return { asked, letGo: isLetGo.resolve }
}

test('what was refused after its screen was left is told where somebody is by then', async () => {
  await admin.patch('/api/ai-tagging/fields', { itemKey: photo(2), extractedText: 'A bill' })
  // Films that are none have no pictures.
  await onPage(scene, { expected: /thumbnails|status of 4/, isIntercepted: true }, async (page) => {
    const openFilm = async () => {
      await page.goto(`/l/${FILMS}`)
      await page.getByRole('link', { name: 'Arrival (2016)' }).click()
      // What comes late moves the button away from under the eyes, which disarms it.
      await page.getByText('The fewer, the faster').waitFor()
    }
    await openFilm()
    const nfo = await holdRequests(page, 'POST', /api\/nfo-refresh/)
    await page.getByRole('button', { name: 'Refresh metadata' }).click()
    await nfo.asked
    await page.goBack()
    nfo.letGo()
    await page.getByText('There is no NFO file beside it.').waitFor()

    await openFilm()
    const deletion = await refuseLater(page, 'DELETE', /api\/items\?/, 'It cannot be deleted now.')
    await page.getByRole('button', { name: 'Delete folder' }).click()
    const armed = page.getByRole('button', { name: 'Delete 1 file: click again' })
    await armed.waitFor()
    await page.waitForTimeout(SETTLED_MS)
    await armed.click()
    await deletion.asked
    await page.goBack()
    await page.waitForURL(`**/l/${FILMS}`)
    deletion.letGo()
    await page.getByText('It cannot be deleted now.').waitFor()

    const text = await refuseLater(page, 'PATCH', /api\/ai-tagging\/fields/, 'It cannot be saved now.')
    await openPhoto(page, 2)
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Extracted text' }).fill('A bill of 1985')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await text.asked
    await page.getByRole('button', { name: 'Next item' }).click()
    await heading(page, 'photo 3').waitFor()
    text.letGo()
    await page.getByText('It cannot be saved now.').waitFor()
  })
  await admin.patch('/api/ai-tagging/fields', { itemKey: photo(2), extractedText: '' })
})

test('what is selected stays so when its folder is renamed, also where somebody has begun to type a tag for it', async () => {
  const names = [1, 2, 3].map((number) => `pile ${number}.txt`)
  const place = (name: string) => join(folder.path, 'heap', name)
  await mkdir(place('before'))
  for (const name of names) await writeFile(place(`before/${name}`), 'x'.repeat(10))
  await scene.server.scanAndWait(HEAP)
  const { category } = (await admin.post('/api/tags/categories', { name: 'Sort' })).body
  await admin.post('/api/tags/items', { name: 'Sorted', categoryId: category.id })
  await onPage(scene, {}, async (page) => {
    await page.clock.install()
    await page.goto(`/l/${HEAP}?q=pile`)
    const mark = (number: number) => page.getByRole('checkbox', { name: `Select pile ${number}` })
    const isMarked = () => Promise.all([1, 2, 3].map((number) => mark(number).getAttribute('aria-checked')))
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await mark(1).click()
    await mark(3).click()
    await page.getByText('2 selected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'))
    await page.keyboard.type('sort')
    await rename(place('before'), place('after'))
    await scene.server.scanAndWait(HEAP)
    await askAgain(page)
    await page.locator(`main [data-item-key="mixed_file:${HEAP}:after/pile 1.txt"]`).waitFor({ state: 'attached' })
    await page.keyboard.type('ed')
    expect(await page.locator('[role=dialog] input').inputValue()).toBe('sorted')
    await page.keyboard.press('Enter')
    await page.getByText('“Sorted” added to 2 items').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('2 selected', { exact: true }).waitFor()
    expect(await isMarked()).toEqual(['true', 'false', 'true'])
    const { entries } = (await admin.get('/api/browse', { libraryId: HEAP, q: 'pile' })).body
    expect(entries.map(({ tagIds }: Json) => tagIds.length)).toEqual([1, 0, 1])
    // Shift still goes on from the one that was chosen last.
    await mark(2).click({ modifiers: ['Shift'] })
    await page.getByText('3 selected', { exact: true }).waitFor()
  })
  await admin.delete(`/api/tags/categories/${category.id}`)
  await rm(place('after'), { recursive: true })
  await scene.server.scanAndWait(HEAP)
})

test('what is selected far down stays so while a scan adds others above, which push it behind the pages that are there', async () => {
  const make = (from: string, count: number) =>
    makeTree(
      join(folder.path, 'heap/deep'),
      Object.fromEntries(Array.from({ length: count }, (_, place) => [`${from} ${place + 1}.txt`, 10])),
    )
  make('layer', 390)
  await scene.server.scanAndWait(HEAP)
  const { category } = (await admin.post('/api/tags/categories', { name: 'Depth' })).body
  await admin.post('/api/tags/items', { name: 'Deep', categoryId: category.id })
  await onPage(scene, {}, async (page) => {
    await page.clock.install()
    await page.goto(`/l/${HEAP}?sort=added`)
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.locator('[data-selection-bar]').waitFor()
    await page.locator('main [data-item-key]').first().waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.getByText('450 selected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'))
    await page.keyboard.type('dee')
    make('above', 240)
    await scene.server.scanAndWait(HEAP)
    await askAgain(page)
    await page.locator(`main [data-item-key*="deep/above"]`).first().waitFor({ state: 'attached' })
    await page.waitForTimeout(SETTLED_MS)
    expect(await page.getByText(/^\d+ selected$/).textContent()).toBe('450 selected')
    await page.keyboard.type('p')
    await page.keyboard.press('Enter')
    await page.getByText('“Deep” added to 450 items').waitFor()
  })
  await admin.delete(`/api/tags/categories/${category.id}`)
  await rm(join(folder.path, 'heap/deep'), { recursive: true })
  await scene.server.scanAndWait(HEAP)
})

test('a viewer and a feed that are opened at the old address of a picture show it among its neighbours, also far down', async () => {
  const old = Array.from({ length: 120 }, (_, place) => `roll/shot ${String(place).padStart(3, '0')}.jpg`)
  const album = join(folder.path, 'album')
  await mkdir(join(album, 'roll'))
  for (const [place, name] of old.entries()) await makePicture(join(album, name), { seed: place, width: 40, height: 30 })
  await scene.server.scanAndWait(ALBUM)
  await rename(join(album, 'roll'), join(album, 'role'))
  await scene.server.scanAndWait(ALBUM)
  await onPage(scene, {}, async (page) => {
    for (const [name, address] of [
      ['item', `/l/${ALBUM}?`],
      ['i', `/l/${ALBUM}/feed?`],
    ] as const) {
      await page.goto(`${address}q=shot&${name}=${encodeURIComponent(`mixed_file:${ALBUM}:${old[110]}`)}`)
      const isAt = (place: number) =>
        page.waitForFunction(([part, key]) => new URLSearchParams(location.search).get(part) === key, [
          name,
          `mixed_file:${ALBUM}:${old[place]?.replace('roll', 'role')}`,
        ] as const)
      await isAt(110)
      await page.getByText('111 / 120', { exact: true }).waitFor()
      await page.keyboard.press(name === 'i' ? 'k' : 'ArrowLeft')
      await isAt(109)
      await page.getByText('110 / 120', { exact: true }).waitFor()
    }
  })
  // Only once the page is closed: it still asks for the neighbours of what it shows.
  await rm(join(album, 'role'), { recursive: true })
  await scene.server.scanAndWait(ALBUM)
})

test('a volume that loses pages, or gets more, is read on with those that there are', () =>
  // What was asked for while the pages went.
  onPage(scene, { expected: /404/ }, async (page) => {
    const volume = join(folder.path, 'manga/Lanterns/Lanterns v01')
    const has = (place: string) => page.getByText(place, { exact: true }).first().waitFor()
    const isThere = (name: string) =>
      page.waitForFunction((alt) => (document.querySelector<HTMLImageElement>(`img[alt="${alt}"]`)?.naturalWidth ?? 0) > 0, name)
    await page.clock.install()
    await page.goto(`/read/${encodeURIComponent(`manga_volume:${MANGA}:Lanterns/Lanterns v01`)}?page=7`)
    await has('Page 7 of 8')
    for (const number of [6, 7, 8]) await rm(join(volume, `00${number}.jpg`))
    await scene.server.scanAndWait(MANGA)
    await askAgain(page)
    await has('Page 5 of 5')
    await isThere('Page 5')
    await writePages(volume, 10)
    await scene.server.scanAndWait(MANGA)
    await askAgain(page)
    await has('Page 7 of 10')
    await isThere('Page 7')
    await page.keyboard.press('End')
    await has('Page 10 of 10')
    await isThere('Page 10')
  }))

test('what somebody may see stands still in the list while a library is renamed', async () => {
  await scene.server.as('bob', { libraryIds: [ALBUM] })
  const { users } = (await admin.get('/api/users')).body
  const { id } = users.find(({ username }: Json) => username === 'bob')
  await onPage(scene, {}, async (page) => {
    await page.clock.install()
    await page.goto(`/manage/users/${id}`)
    const box = page.getByRole('checkbox', { name: 'Album' })
    await box.focus()
    await admin.patch(`/api/libraries/${ALBUM}`, { name: 'Albums' })
    await askAgain(page)
    const renamed = page.getByRole('checkbox', { name: 'Albums' })
    await renamed.waitFor()
    expect(await renamed.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

test('a library that is taken away is gone with the first thing that is not found, and Back does not show it', async () => {
  const client = await scene.server.as('carol', { libraryIds: [FILMS, ALBUM] })
  const { id } = (await client.get('/api/auth/me')).body.user
  // Films that are none have no pictures.
  await onPage(scene, { client, expected: /api\/thumbnails|status of 404/ }, async (page) => {
    await page.goto(`/l/${FILMS}`)
    const link = page.getByRole('navigation', { name: 'Main' }).locator(`a[href="/l/${FILMS}"]`)
    await link.waitFor()
    await page.getByRole('link', { name: /Arrival/ }).waitFor()
    await admin.patch(`/api/users/${id}`, { libraryIds: [ALBUM] })
    await page.getByRole('link', { name: /Arrival/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Nothing here' }).waitFor()
    // Sooner than the libraries are asked for by themselves.
    await link.waitFor({ state: 'detached', timeout: 5000 })
    await page.goBack()
    await page.getByText('There is no such library').waitFor()
  })
})

test('the form of a library goes with its page', () =>
  onPage(scene, {}, async (page) => {
    const sections = page.getByRole('navigation', { name: 'Sections' })
    await page.goto('/manage/libraries')
    for (const name of ['Manga', 'Letters']) {
      await page.getByRole('link', { name: `Manage: ${name}` }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      if (name === 'Manga') await sections.getByRole('link', { name: 'Libraries' }).click()
    }
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Post')
    await page.evaluate(() => history.go(-2))
    await page.getByRole('heading', { level: 1, name: 'Manga' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  }))

test('what a scan would mark missing is seen before it is applied, and again where a newer scan has looked meanwhile', () =>
  onPage(scene, { isIntercepted: true, expected: /409/ }, async (page) => {
    await page.clock.install()
    const lose = async (from: number, to: number) => {
      for (let number = from; number <= to; number++) await rm(join(folder.path, 'heap', `sheet ${number}.txt`))
      expect(await scene.server.scanAndWait(HEAP)).toMatchObject({ status: 'held' })
    }
    await lose(1, 30)
    const losses = await holdRequests(page, 'GET', /losses/)
    await page.goto(`/manage/libraries/${HEAP}`)
    const apply = page.getByRole('button', { name: 'Apply the losses' })
    await losses.asked
    await apply.waitFor()
    expect(await apply.isDisabled()).toBe(true)
    losses.letGo()
    await page.getByTitle(`mixed_file:${HEAP}:sheet 30.txt`).waitFor()
    // So that the page does not look again by itself before.
    await page.clock.pauseAt(Date.now() + 5000)
    await lose(31, 40)
    await apply.click()
    await page.clock.resume()
    await page.getByText('A newer scan of this library has looked again.').waitFor()
    await page.getByTitle(`mixed_file:${HEAP}:sheet 40.txt`).waitFor()
    // It says nothing of what is lost elsewhere.
    await admin.post('/api/scans', { libraryId: HEAP, path: 'a folder' })
    await scene.server.waitForScans()
    await page.reload()
    await apply.click()
    await apply.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.matches('h1'))
    expect((await admin.get(`/api/libraries/${HEAP}`)).body.library.itemCount).toBe(20)
    // What others have scanned, however short that was, in words, and once of all that went with one disk.
    const gone = { [HEAP]: join(folder.path, 'heap'), [MANGA]: join(folder.path, 'manga') }
    for (const [id, path] of Object.entries(gone)) {
      await rename(path, `${path} elsewhere`)
      expect(await scene.server.scanAndWait(Number(id))).toMatchObject({ status: 'failed' })
    }
    await askAgain(page)
    await page.getByText(/^The scan of (Heap, Manga|Manga, Heap) failed. .* its disk may be away/).waitFor()
    expect(await page.getByText(/^The scan of .* failed/).count()).toBe(1)
    // Also where another one of each has followed before anybody looked, and of none that one of all of it has followed.
    const follow = async (path?: string) => {
      // However often the page looks until the next ones are over.
      const { libraries } = (await admin.get('/api/libraries')).body
      for (const { id, lastScan } of libraries) if (id in gone) lastScan.status = 'running'
      await page.route(/api\/libraries$/, (route) => route.fulfill({ json: { libraries } }))
      await page.goto('/settings/appearance')
      await waitForKeys(page)
      for (const libraryId of [HEAP, MANGA]) await admin.post('/api/scans', { libraryId, path })
      await scene.server.waitForScans()
      // While a scan runs the page looks again by itself, and before long.
      const answers = [1, 2].map((count) => page.waitForResponse((answer) => /api\/scans\b/.test(answer.url()) && --count === 0))
      await page.unroute(/api\/libraries$/)
      await Promise.all(answers)
      await page.clock.runFor(1000)
    }
    await follow('a folder')
    await page.getByText(/^The scan of (Heap, Manga|Manga, Heap) failed/).waitFor()
    expect(await page.getByText(/^The scan of .* failed/).count()).toBe(1)
    for (const path of Object.values(gone)) await rename(`${path} elsewhere`, path)
    await follow()
    await page.getByText('Heap has been scanned.').waitFor()
    expect(await page.getByText(/^The scan of .* failed/).count()).toBe(0)
  }))

test('a grid that could not be asked for again goes on to its end', () =>
  onPage(scene, { isIntercepted: true, expected: /500/ }, async (page) => {
    await page.clock.install()
    await page.goto(`/l/${LETTERS}`)
    await page.getByRole('link', { name: 'one.txt' }).waitFor()
    const refused = Promise.withResolvers<void>()
    await page.route(/api\/browse/, async (route) => {
      await route.fulfill({ status: 500, json: { status: 500, code: 'internal', title: 'Internal error' } })
      refused.resolve()
    })
    makeTree(join(folder.path, 'letters'), { 'zero.txt': 10 })
    await scene.server.scanAndWait(LETTERS)
    await askAgain(page)
    await refused.promise
    await page.unroute(/api\/browse/)
    await page.clock.runFor(1000)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.getByRole('link', { name: 'zero 200' }).waitFor()
  }))

test('what is seen of a grid stays where it is while a scan adds and removes others before it', () =>
  onPage(scene, {}, async (page) => {
    await page.clock.install()
    await page.goto(`/l/${LETTERS}`)
    await page.getByRole('link', { name: 'one.txt' }).waitFor()
    await page.evaluate(() => scrollTo(0, 3000))
    await page.clock.runFor(1000)
    const middle = () => document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('a')?.dataset.itemKey
    const key = await (await page.waitForFunction(middle)).jsonValue()
    const top = async () => Math.round((await page.locator(`a[data-item-key="${key}"]`).boundingBox())?.y ?? Number.NaN)
    const before = await top()
    expect(before).toBeGreaterThan(0)
    const added = Array.from({ length: 30 }, (_, place) => `alpha ${place + 1}.txt`)
    const scanned = async (work: () => Promise<unknown>, count: string) => {
      await work()
      await scene.server.scanAndWait(LETTERS)
      await askAgain(page)
      await page.getByText(count).waitFor()
      await page.clock.runFor(1000)
    }
    const { itemCount } = (await admin.get(`/api/libraries/${LETTERS}`)).body.library
    await scanned(
      async () => makeTree(join(folder.path, 'letters'), Object.fromEntries(added.map((name) => [name, 10]))),
      `${itemCount + 30} items`,
    )
    expect(await top()).toBe(before)
    await scanned(() => Promise.all(added.map((name) => rm(join(folder.path, 'letters', name)))), `${itemCount} items`)
    expect(await top()).toBe(before)
    await page.evaluate(() => scrollTo(0, 0))
    await scanned(() => writeFile(join(folder.path, 'letters', 'alpha.txt'), 'alpha'), `${itemCount + 1} items`)
    await page.getByRole('link', { name: 'alpha.txt' }).waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)
  }))

test('a player and a reader go along with what is renamed, and whoever comes by an old address finds it', () =>
  // What was asked for before the page knew.
  onPage(scene, { ...MOVING, expected: /404/ }, async (page) => {
    const move = async (library: number, from: string, to: string) => {
      await rename(join(folder.path, from), join(folder.path, to))
      await scene.server.scanAndWait(library)
      await askAgain(page)
    }
    await page.clock.install()
    const film = (name: string) => `/l/${FILMS}/m/${encodeURIComponent(name)}`
    await rename(join(folder.path, 'films on another disk/Brazil (1985)'), join(folder.path, 'films on another disk/Brasil (1985)'))
    await scene.server.scanAndWait(FILMS)
    await page.goto(film('Brazil (1985)'))
    await page.waitForURL(`**${film('Brasil (1985)')}`)
    await page.getByRole('heading', { name: 'Brasil (1985)' }).waitFor()

    await page.goto(`/watch/${encodeURIComponent(`mixed_file:${ALBUM}:take.mp4`)}`)
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
    await page.evaluate(() => {
      for (const element of document.querySelectorAll('video')) element.currentTime = 20
    })
    await move(ALBUM, 'album/take.mp4', 'album/take 2.mp4')
    await page.getByRole('heading', { name: 'take 2' }).waitFor()
    await page.waitForFunction(() => {
      const element = document.querySelector('video')
      return element && new URL(element.currentSrc).searchParams.get('itemKey')?.endsWith('take 2.mp4') && element.currentTime >= 20
    })

    const volume = (name: string) => `/read/${encodeURIComponent(`manga_volume:${MANGA}:Lanterns/${name}`)}`
    await page.goto(`${volume('Lanterns v02')}?page=2`)
    await page.getByRole('img', { name: 'Page 2', exact: true }).waitFor()
    await move(MANGA, 'manga/Lanterns/Lanterns v02', 'manga/Lanterns/Lanterns v2')
    await page.waitForURL(`**${volume('Lanterns v2')}?page=2`)
    await page.getByRole('img', { name: 'Page 2', exact: true }).waitFor()

    // Nobody is shut in with what is forgotten while it is read.
    await rm(join(folder.path, 'manga/Lanterns/Lanterns v2'), { recursive: true })
    await scene.server.scanAndWait(MANGA)
    await admin.post(`/api/libraries/${MANGA}/purge-missing`)
    await askAgain(page)
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
    await page.getByRole('link', { name: 'Back' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/l\//)
  }))

test('of a library whose disk is away it is said, and no more is promised than there is', () =>
  // Of what cannot be read.
  onPage(scene, { expected: /status of (404|503)/ }, async (page) => {
    const away = page.getByText('The folder of this library cannot be read right now.')
    const film = `/l/${FILMS}/m/${encodeURIComponent('Arrival (2016)')}`
    await page.goto(film)
    await page.getByRole('link', { name: 'Download film.mkv' }).waitFor()
    expect(await away.count()).toBe(0)
    const roots = ['films on another disk', 'manga'].map((name) => join(folder.path, name))
    for (const root of roots) await rename(root, `${root} away`)
    for (const id of [FILMS, MANGA]) await admin.post('/api/scans', { libraryId: id })
    await scene.server.waitForScans()

    await page.goto(`/l/${FILMS}`)
    await away.waitFor()
    await page.getByRole('link', { name: /Arrival/ }).click()
    await away.waitFor()
    await page.getByText('film.mkv').first().waitFor()
    expect(await page.getByRole('link', { name: 'Download film.mkv' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /^(Scan this folder|Delete folder)/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Play', exact: true }).click()
    await page.getByText('The disk of this library is not there right now').waitFor()
    await page.goto(`/l/${MANGA}`)
    await page.getByRole('link', { name: /Lanterns/ }).click()
    await away.waitFor()

    await page.goto('/manage/libraries')
    const row = page.getByRole('row', { name: /Manga/ })
    await row.getByText('Failed').waitFor()
    expect(await row.getByText('No changes').count()).toBe(0)

    for (const root of roots) await rename(`${root} away`, root)
    await page.goto(film)
    await page.getByRole('link', { name: 'Download film.mkv' }).waitFor()
    expect(await away.count()).toBe(0)
  }))

test('what is looked at, played and read is not called damaged while the disk is away, and goes on when that is back', () =>
  onPage(scene, { isIntercepted: true, expected: /status of (404|503)/ }, async (page) => {
    // A picture that there is in small would be shown as that.
    let isAway = false
    await page.route(/\/api\/thumbnails/, (route) => (isAway ? route.fulfill({ status: 404 }) : route.fallback()))
    const move = async (isLeaving: boolean) => {
      isAway = isLeaving
      for (const root of ['album', 'manga'].map((name) => join(folder.path, name)))
        await (isLeaving ? rename(root, `${root} away`) : rename(`${root} away`, root))
    }
    // By whatever name it has by now.
    const [take] = (await admin.get('/api/browse', { libraryId: ALBUM, q: 'take' })).body.entries
    const viewer = (key: string) => page.goto(`/l/${ALBUM}?item=${encodeURIComponent(key)}`)
    const feed = (key: string) => page.goto(`/l/${ALBUM}/feed?i=${encodeURIComponent(key)}`)
    const isPlaying = () => document.querySelector('video')?.paused === false
    const isDrawn = () => Array.from(document.images).some(({ src, naturalWidth }) => /files|page\?/.test(src) && naturalWidth > 0)
    const look = async (visit: () => Promise<unknown>, isThere: () => boolean, stage = page.locator('body')) => {
      await move(true)
      await visit()
      const away = stage.getByText('The disk of this library is not there right now').first()
      await away.waitFor()
      expect(await page.getByRole('link', { name: /^Download/ }).count()).toBe(0)
      await move(false)
      await page.waitForFunction(isThere)
      await away.waitFor({ state: 'detached' })
    }
    await look(() => viewer(photo(3)), isDrawn)
    await look(() => viewer(take.itemKey), isPlaying)
    const article = (name: string) => page.getByRole('article', { name })
    await look(() => feed(photo(2)), isDrawn, article('photo 2'))
    await look(() => feed(take.itemKey), isPlaying, article('take'))
    await look(() => page.goto(`/read/${encodeURIComponent(`manga_volume:${MANGA}:Lanterns/Lanterns v01`)}?page=1`), isDrawn)
    // The first ones are loaded ahead.
    await look(() => page.keyboard.press('End'), isDrawn)
  }))
