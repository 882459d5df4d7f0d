/** Scroll-through in a real browser: one flick moves one item, whatever it is (UI.md 1.3). */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { WIDTHS } from '../support/browser.ts'
import type { DemoCollection } from '../support/demo-collection.ts'
import { makeClip } from '../support/real-media.ts'
import { waitFor } from '../support/test-server.ts'
import { axeFindings } from './axe.ts'
import { waitForFocus } from './focus.ts'
import {
  card,
  createHistoryBack,
  createSystemBack,
  holdRequests,
  MOVING,
  onPage,
  pressTwice,
  SETTLED_MS,
  TEST_LIMIT_MS,
  WAIT_LIMIT_MS,
} from './on-page.ts'
import { openScene, type Scene } from './scene.ts'
import { swipe, tap } from './touch.ts'

setDefaultTimeout(TEST_LIMIT_MS)

const PHOTO = '2024/IMG_20240603_001.jpg'
/** Three videos in a row, then pictures. */
const REEL = ['reel 1.mp4', 'reel 2.mp4', 'reel 3.mp4', 'reel 4.jpg', 'reel 5.jpg', 'reel 6.jpg', 'reel 7.jpg', 'reel 8.jpg', 'reel 9.txt']
const VISIBLE = REEL.length - 1
/** More than a page of the list. */
const MANY = 120

const prepare = async ({ libraries: { mixed } }: DemoCollection): Promise<void> => {
  await mkdir(join(mixed, 'reel'))
  // Too large to be fetched whole before it is looked at.
  await makeClip(join(mixed, 'large.mp4'), { width: 960, height: 540, seconds: 90 })
  for (const name of REEL) {
    const path = join(mixed, 'reel', name)
    if (name.endsWith('.mp4')) await makeClip(path, { seconds: 10, rate: 8 })
    else if (name.endsWith('.jpg')) await copyFile(join(mixed, PHOTO), path)
    else await Bun.write(path, 'no picture')
  }
  const drawing = { width: 300, height: 100, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.2 } } as const
  await sharp({ create: drawing }).png().toFile(join(mixed, 'drawing.png'))
  await mkdir(join(mixed, 'roll'))
  const small = await sharp(join(mixed, PHOTO)).resize(240).toBuffer()
  for (let index = 1; index <= MANY; index++) await writeFile(join(mixed, 'roll', `shot ${index}.jpg`), small)
}

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ size: 'small', types: ['movies', 'mixed'], prepare })
}, 180_000)
afterAll(() => scene?.[Symbol.asyncDispose]())

const address = (query = 'q=reel') => `/l/${scene.idOf('mixed')}/feed?${query}`
const key = (name: string) => scene.keyOf('mixed_file', `reel/${name}`)
/** The address says which item is looked at. */
/** Longer than nothing may scroll before the box rests. */
const BUSY_MS = 300
const isAt = (page: Page, name: string) =>
  page.waitForFunction((wanted) => new URLSearchParams(location.search).get('i') === wanted, key(name))
/** The articles that are there, and which video of theirs has bytes or plays. */
const articles = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('article')].map((article) => {
      const video = article.querySelector('video')
      return {
        index: Number(article.dataset.index),
        hasSource: video ? video.currentSrc !== '' && video.src !== '' : null,
        plays: video ? !video.paused : null,
      }
    }),
  )
const plays = (page: Page, index: number) =>
  page.waitForFunction((place) => {
    const video = document.querySelector<HTMLVideoElement>(`article[data-index="${place}"] video`)
    return video !== null && !video.paused && video.currentTime > 0
  }, index)

test('one fling moves exactly one item, forwards and back', () =>
  onPage(scene, { ...MOVING, screen: 'phone' }, async (page) => {
    await page.goto(address())
    await isAt(page, 'reel 1.mp4')
    await page.waitForSelector('article[data-index="1"]')
    for (const name of ['reel 2.mp4', 'reel 3.mp4', 'reel 4.jpg']) {
      await swipe(page, { x: 195, y: 740 }, { x: 195, y: 60 })
      await isAt(page, name)
      await page.waitForTimeout(700)
      await isAt(page, name)
    }
    await swipe(page, { x: 195, y: 120 }, { x: 195, y: 780 })
    await isAt(page, 'reel 3.mp4')
  }))

test('one roll of a mouse wheel moves exactly one item, forwards and back, and a touchpad scrolls by itself', () =>
  onPage(scene, MOVING, async (page) => {
    await page.goto(address())
    await plays(page, 0)
    await page.mouse.move(640, 400)
    const roll = async (notches: readonly number[], name: string) => {
      // As one roll of it: one after the other they come as late as the machine is busy.
      await Promise.all(notches.map((notch) => page.mouse.wheel(0, notch)))
      await isAt(page, name)
      await page.waitForTimeout(SETTLED_MS)
      await isAt(page, name)
    }
    await roll([120], 'reel 2.mp4')
    await roll([120, 120, 120], 'reel 3.mp4')
    await roll([-120], 'reel 2.mp4')
    const isOurs = (deltaY: number) =>
      page.evaluate((by) => {
        const wheel = new WheelEvent('wheel', { deltaY: by, cancelable: true, bubbles: true })
        document.querySelector('article')?.dispatchEvent(wheel)
        return wheel.defaultPrevented
      }, deltaY)
    expect(await isOurs(7)).toBe(false)
  }))

test('what is on the screen is what is counted, also where nobody has told that it came', () =>
  onPage(scene, {}, async (page) => {
    await page.addInitScript(() => {
      const Native = IntersectionObserver
      Object.assign(window, {
        IntersectionObserver: class extends Native {
          constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
            super((changes, observer) => document.documentElement.dataset.isSilent || tell(changes, observer), options)
          }
        },
      })
    })
    await page.goto(address())
    await isAt(page, 'reel 1.mp4')
    await page.waitForSelector('article[data-index="1"]')
    await page.evaluate(() => {
      document.documentElement.dataset.isSilent = 'yes'
    })
    await page.keyboard.press('j')
    await isAt(page, 'reel 2.mp4')
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-index') === '1')
  }))

test('whoever has scrolled past all that is drawn sees what is there, and goes on from it', () =>
  onPage(scene, {}, async (page) => {
    await page.goto(address())
    await plays(page, 0)
    await page.getByRole('feed').evaluate((feed) => feed.scrollTo({ top: feed.clientHeight * 5, behavior: 'instant' }))
    await isAt(page, 'reel 6.jpg')
    await page.keyboard.press('ArrowDown')
    await isAt(page, 'reel 7.jpg')
  }))

test('at most five items are there, only the current one plays, and any other but the next has no source', () =>
  onPage(scene, MOVING, async (page) => {
    await page.goto(address())
    await plays(page, 0)
    await page.keyboard.press('j')
    await plays(page, 1)
    await page.waitForFunction(() => document.querySelector<HTMLVideoElement>('article[data-index="2"] video')?.currentSrc !== '')
    const now = await articles(page)
    expect(now.map(({ index }) => index)).toEqual([0, 1, 2, 3])
    expect(now.map(({ plays: isPlaying }) => isPlaying)).toEqual([false, true, false, null])
    expect(now.map(({ hasSource }) => hasSource)).toEqual([false, true, true, null])
    for (const name of ['reel 3.mp4', 'reel 4.jpg', 'reel 5.jpg']) {
      await page.keyboard.press('PageDown')
      await isAt(page, name)
    }
    await page.waitForFunction(() => document.querySelector('article')?.dataset.index === '2')
    expect((await articles(page)).map(({ index }) => index)).toEqual([2, 3, 4, 5, 6])
  }))

test('keys that follow each other faster than it scrolls are all counted, and one that is held goes no faster', () =>
  onPage(scene, MOVING, async (page) => {
    await page.goto(address())
    await plays(page, 0)
    const press = (keys: string[], repeat = false) =>
      page.evaluate(
        ([names, isRepeat]) => {
          for (const name of names) document.dispatchEvent(new KeyboardEvent('keydown', { key: name, repeat: isRepeat }))
        },
        [keys, repeat] as const,
      )
    const rests = async (name: string) => {
      await isAt(page, name)
      await page.waitForTimeout(SETTLED_MS)
      await isAt(page, name)
    }
    await press(['j', 'j', 'j'])
    await rests('reel 4.jpg')
    await press(['k', 'j', 'j'])
    await rests('reel 5.jpg')
    await press(['k', 'k', 'k'], true)
    await rests('reel 4.jpg')
    // What was on its way to the end of the list is over, and counts no more.
    await press(['End', 'j', 'j'])
    await rests('reel 8.jpg')
    await press(['k'])
    await rests('reel 7.jpg')
  }))

test('a video that is left before it may begin has no source either', () =>
  onPage(scene, { ...MOVING, isIntercepted: true }, async (page) => {
    await page.goto(address())
    await plays(page, 0)
    await page.waitForFunction(() => document.querySelector<HTMLVideoElement>('article[data-index="1"] video')?.currentSrc !== '')
    const playback = await holdRequests(page, 'GET', /api\/playback/)
    await page.keyboard.press('j')
    await playback.asked
    await page.keyboard.press('j')
    await isAt(page, 'reel 3.mp4')
    expect((await articles(page))[1]).toEqual({ index: 1, hasSource: false, plays: false })
    playback.letGo()
  }))

test('a tag in the caption has the colour of its category', async () => {
  const { category } = (await scene.admin.post('/api/tags/categories', { name: 'Mood', color: '#d9534f' })).body
  await scene.admin.post('/api/tags/items', { name: 'Calm', categoryId: category.id, itemKey: key('reel 4.jpg') })
  await onPage(scene, {}, async (page) => {
    await page.goto(address(`q=reel&i=${encodeURIComponent(key('reel 4.jpg'))}`))
    const dot = page.getByRole('link', { name: 'Calm' }).locator('span').first()
    expect(await dot.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(217, 83, 79)')
  })
})

test('whoever may not tag sees the tags, and no key goes on or leaves under them', async () => {
  const { category } = (await scene.admin.post('/api/tags/categories', { name: 'Shown' })).body
  await scene.admin.post('/api/tags/items', { name: 'Dusk', categoryId: category.id, itemKey: key('reel 4.jpg') })
  const client = await scene.server.as('somebody who only looks', { permissions: { tag: false } })
  await onPage(scene, { client }, async (page) => {
    await page.goto(address(`q=reel&i=${encodeURIComponent(key('reel 4.jpg'))}`))
    const tags = page.getByRole('button', { name: 'Tags of reel 4.jpg' })
    await tags.click()
    const dialog = page.getByRole('dialog', { name: 'Tags of reel 4.jpg' })
    await dialog.getByRole('link', { name: 'Dusk' }).waitFor()
    for (const pressed of ['j', 'ArrowUp', 'Escape']) await page.keyboard.press(pressed)
    await dialog.waitFor({ state: 'detached' })
    await waitForFocus(page, 'Tags of reel 4.jpg')
    await isAt(page, 'reel 4.jpg')
  })
  await scene.admin.delete(`/api/tags/categories/${category.id}`)
})

test('a tag that was taken off elsewhere is in no caption, whatever was known of it before', async () => {
  const { category } = (await scene.admin.post('/api/tags/categories', { name: 'Fleeting' })).body
  const { tag } = (await scene.admin.post('/api/tags/items', { name: 'Brief', categoryId: category.id, itemKey: key('reel 6.jpg') })).body
  await onPage(scene, {}, async (page) => {
    const chip = page.getByRole('article').getByRole('link', { name: 'Brief' })
    await page.goto(address('q=reel 6'))
    await chip.waitFor()
    await page.getByRole('link', { name: 'Open in the library' }).click()
    await page.getByRole('dialog', { name: 'reel 6.jpg' }).waitFor()
    await scene.admin.post('/api/tags/assignments/bulk', { itemKeys: [key('reel 6.jpg')], remove: [tag.id] })
    await page.goBack()
    await page.getByRole('article').waitFor()
    await chip.waitFor({ state: 'detached' })
  })
  await scene.admin.delete(`/api/tags/categories/${category.id}`)
})

test('a list that grows stays where one is in it', () =>
  onPage(scene, {}, async (page) => {
    await page.goto(address('q=shot'))
    await page.getByText(`1 / ${MANY}`).waitFor()
    const more = page.waitForResponse((response) => response.url().includes('cursor='))
    // Of what is loaded.
    await page.keyboard.press('End')
    await page.getByText(`100 / ${MANY}`).waitFor()
    await more
    // The answer has come, and the list has grown a moment later.
    await waitFor(
      async () => {
        await page.keyboard.press('End')
        return (await page.getByText(`${MANY} / ${MANY}`).isVisible()) || undefined
      },
      WAIT_LIMIT_MS,
      () => 'The end of the list was never reached',
    )
  }))

test('what a scan adds before what is looked at does not move it: the same video goes on, and what is new can be reached', async () => {
  const folder = join(scene.collection.libraries.mixed, 'tide')
  const place = (name: string) => scene.keyOf('mixed_file', `tide/${name}`)
  await mkdir(folder)
  await makeClip(join(folder, 'tide 5.mp4'), { seconds: 10, rate: 8 })
  await copyFile(join(folder, '../', PHOTO), join(folder, 'tide 6.jpg'))
  const { admin, server } = scene
  await server.scanAndWait(scene.idOf('mixed'))
  await onPage(scene, MOVING, async (page) => {
    await page.clock.install()
    await page.goto(address('q=tide'))
    await plays(page, 0)
    await page.evaluate(() => document.querySelector('video')?.setAttribute('data-first', ''))
    for (const number of [1, 2, 3]) await copyFile(join(folder, 'tide 6.jpg'), join(folder, `tide ${number}.jpg`))
    await server.scanAndWait(scene.idOf('mixed'))
    // The libraries are asked for now and then.
    await page.clock.fastForward('00:30')
    await page.getByText('4 / 5').waitFor()
    expect(new URL(page.url()).searchParams.get('i')).toBe(place('tide 5.mp4'))
    await plays(page, 3)
    expect(await page.locator('video[data-first]').count()).toBe(1)
    const top = () => page.evaluate(() => document.querySelector('video')?.getBoundingClientRect().top)
    expect(await top()).toBe(0)
    for (const number of [3, 2, 1]) {
      await page.keyboard.press('k')
      await page.waitForFunction((wanted) => new URLSearchParams(location.search).get('i') === wanted, place(`tide ${number}.jpg`))
    }
    await page.getByText('1 / 5').waitFor()
  })
  expect((await admin.get('/api/browse', { libraryId: scene.idOf('mixed'), q: 'tide' })).body.total).toBe(5)
})

test('what has been looked at and moves on disk is the same item, once, also where what is before it changes at once, and in the viewer', async () => {
  const { mixed } = scene.collection.libraries
  const place = (folder: string, number: number) => scene.keyOf('mixed_file', `${folder}/drift ${number}.jpg`)
  await mkdir(join(mixed, 'drift'))
  for (const number of [1, 2, 3, 4]) await copyFile(join(mixed, PHOTO), join(mixed, 'drift', `drift ${number}.jpg`))
  await scene.server.scanAndWait(scene.idOf('mixed'))
  // What is asked for between a move and the next look at the libraries is not there any more.
  await onPage(scene, { expected: /404.*(files|thumbnails)\?itemKey/ }, async (page) => {
    await page.clock.install()
    let before = 0
    const isThere = async (name: 'i' | 'item', folder: string, number: number) => {
      await page.waitForFunction(([part, wanted]) => new URLSearchParams(location.search).get(part) === wanted, [
        name,
        place(folder, number),
      ] as const)
      await page.getByText(`${before + number} / ${before + 4}`).waitFor()
      expect(await page.getByText('cannot be shown').count()).toBe(0)
    }
    const move = async (from: string, to: string, change: (path: string) => Promise<void>) => {
      await rename(join(mixed, from), join(mixed, to))
      await change(join(mixed, to, 'drift 0.jpg'))
      await scene.server.scanAndWait(scene.idOf('mixed'))
      // The libraries are asked for now and then.
      await page.clock.fastForward('00:30')
    }
    await page.goto(address('q=drift'))
    await isThere('i', 'drift', 1)
    for (const number of [2, 3]) {
      await page.keyboard.press('j')
      await isThere('i', 'drift', number)
    }
    await move('drift', 'ashore', (path) => copyFile(join(mixed, PHOTO), path))
    before = 1
    await isThere('i', 'ashore', 3)
    for (const [pressed, number] of [
      ['k', 2],
      ['k', 1],
      ['j', 2],
      ['j', 3],
      ['j', 4],
    ] as const) {
      await page.keyboard.press(pressed)
      await isThere('i', 'ashore', number)
    }
    await page.goto(`/l/${scene.idOf('mixed')}?q=drift&item=${encodeURIComponent(place('ashore', 1))}`)
    await isThere('item', 'ashore', 1)
    await page.keyboard.press('ArrowRight')
    await isThere('item', 'ashore', 2)
    await move('ashore', 'drift', (path) => rm(path))
    before = 0
    await isThere('item', 'drift', 2)
    for (const [pressed, number] of [
      ['ArrowLeft', 1],
      ['ArrowRight', 2],
      ['ArrowRight', 3],
    ] as const) {
      await page.keyboard.press(pressed)
      await isThere('item', 'drift', number)
    }
  })
})

test('what is tagged and left out by the filter from then on stays, and the next one follows', async () => {
  const { category } = (await scene.admin.post('/api/tags/categories', { name: 'Sorted' })).body
  const { tag } = (await scene.admin.post('/api/tags/items', { name: 'Seen', categoryId: category.id })).body
  await onPage(scene, { expected: /404/ }, async (page) => {
    await page.goto(address(`q=reel&not=${tag.id}&i=${encodeURIComponent(key('reel 5.jpg'))}`))
    for (const number of [5, 6]) {
      await page.getByText(`${number} / ${VISIBLE}`).waitFor()
      await page
        .getByRole('navigation')
        .getByRole('button', { name: /Tags of/ })
        .click()
      const selector = page.getByRole('dialog', { name: /Tags of/ })
      await selector.getByRole('button', { name: /^Seen/ }).click()
      await selector.getByRole('button', { name: /^Seen/, pressed: true }).waitFor()
      const again = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/browse')
      await page.keyboard.press('Escape')
      await selector.waitFor({ state: 'detached' })
      await again
      await page.waitForTimeout(SETTLED_MS)
      await page.getByText(`${number} / ${VISIBLE}`).waitFor()
      await page.keyboard.press('j')
      await isAt(page, `reel ${number + 1}.jpg`)
    }
  })
  await scene.admin.delete(`/api/tags/categories/${category.id}`)
})

test('only what carries no tag and is not finished is gone through where the library asks for that, and the way out keeps it', async () => {
  const { category } = (await scene.admin.post('/api/tags/categories', { name: 'Begun' })).body
  await scene.admin.post('/api/tags/items', { name: 'Done', categoryId: category.id, itemKey: key('reel 4.jpg') })
  await scene.admin.put('/api/progress', { itemKey: key('reel 1.mp4'), completed: true })
  await onPage(scene, {}, async (page) => {
    await page.goto(address('q=reel&untagged=1&unfinished=1'))
    await isAt(page, 'reel 2.mp4')
    await page.getByText(`1 / ${VISIBLE - 2}`).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === `/l/${scene.idOf('mixed')}`)
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ q: 'reel', untagged: '1', unfinished: '1' })
  })
  await scene.admin.put('/api/progress', { itemKey: key('reel 1.mp4'), completed: false })
  await scene.admin.delete(`/api/tags/categories/${category.id}`)
})

test('the videos of a library are looked at alone where that is chosen, and gone through alone', async () => {
  const videos = REEL.filter((name) => name.endsWith('.mp4'))
  await onPage(scene, {}, async (page) => {
    await page.goto(`/l/${scene.idOf('mixed')}?q=reel&panel=filters`)
    const choice = (name: string) => page.getByRole('complementary').getByRole('button', { name, exact: true })
    await choice('Videos').click()
    await card(page, 'reel 4.jpg').waitFor({ state: 'detached' })
    expect(await page.locator('a[data-item-key$=".mp4"]').count()).toBe(videos.length)
    await choice('Other files').click()
    await card(page, 'reel 9.txt').waitFor()
    expect(await page.locator('a[data-item-key$=".jpg"]').count()).toBe(0)
    await page.getByRole('button', { name: 'Remove filter Other files' }).click()
    await card(page, 'reel 9.txt').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'One by one' }).click()
    await isAt(page, videos[0] ?? '')
    await page.getByText(`1 / ${videos.length}`).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === `/l/${scene.idOf('mixed')}`)
    expect(new URL(page.url()).searchParams.get('files')).toBe('videos')
  })
  // Where nothing that fills a screen is chosen, everything that does is gone through.
  await onPage(scene, {}, async (page) => {
    await page.goto(address('q=reel&files=others'))
    await page.getByText(`1 / ${VISIBLE}`).waitFor()
  })
})

for (const [system, createBack] of Object.entries({ 'a phone': createSystemBack, 'a browser without close requests': createHistoryBack }))
  test(`the way back of ${system} and a tap beside the details close them`, () =>
    onPage(scene, { screen: 'phone' }, async (page) => {
      const back = await createBack(page)
      await page.goto(`/l/${scene.idOf('mixed')}?q=reel`)
      await page.getByRole('link', { name: 'One by one' }).click()
      await plays(page, 0)
      const details = page.getByRole('complementary', { name: 'Details' })
      await page.getByRole('button', { name: 'Details' }).click()
      await details.waitFor()
      await back()
      await details.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Details' }).click()
      await details.waitFor()
      await tap(page, { x: 195, y: 150 })
      await details.waitFor({ state: 'detached' })
      expect((await articles(page))[0]).toMatchObject({ plays: true })
      await back()
      await page.waitForURL((url) => url.pathname === `/l/${scene.idOf('mixed')}`)
    }))

test('a reload goes on where it was, and Back returns to the library', () =>
  onPage(scene, MOVING, async (page) => {
    await page.goto(`/l/${scene.idOf('mixed')}?q=reel`)
    await page.waitForSelector('a[data-item-key]')
    await page.getByRole('link', { name: 'One by one' }).click()
    await isAt(page, 'reel 1.mp4')
    for (const name of ['reel 2.mp4', 'reel 3.mp4', 'reel 4.jpg']) {
      await page.keyboard.press('ArrowDown')
      await isAt(page, name)
    }
    await page.reload()
    await page.waitForSelector('article[data-index="3"]')
    await isAt(page, 'reel 4.jpg')
    await page.getByText(`4 / ${VISIBLE}`).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Family album', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('reel')
  }))

test('whoever leaves it goes on in the grid from what it showed last, and comes back to it there', () =>
  onPage(scene, { isIntercepted: true }, async (page) => {
    // The grid has not loaded that far.
    await page.route(/\/api\/browse\?/, (route) => route.fallback({ url: route.request().url().replace('limit=200', 'limit=20') }))
    const goesOnFrom = async (number: number) => {
      await page.waitForFunction(
        (wanted) => (document.activeElement as HTMLElement | null)?.dataset.itemKey === wanted,
        scene.keyOf('mixed_file', `roll/shot ${number}.jpg`),
      )
      await waitFor(
        async () =>
          (await card(page, `shot ${number}.jpg`).evaluate((link) => link.getBoundingClientRect().top < innerHeight)) || undefined,
        WAIT_LIMIT_MS,
        () => 'It has the focus where nobody sees it',
      )
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
    }
    await page.goto(`/l/${scene.idOf('mixed')}?q=shot`)
    await page.waitForSelector('a[data-item-key]')
    await page.getByRole('link', { name: 'One by one' }).click()
    await page.getByText(`1 / ${MANY}`).waitFor()
    await page.waitForSelector('article')
    await page.keyboard.press('End')
    await page.getByText(`100 / ${MANY}`).waitFor()
    await page.keyboard.press('Escape')
    await goesOnFrom(100)
    await page.keyboard.press('ArrowLeft')
    await goesOnFrom(99)
    await page.getByRole('link', { name: 'One by one' }).click()
    await page.getByText(`100 / ${MANY}`).waitFor()
    await page.waitForSelector('article')
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.getByText(`98 / ${MANY}`).waitFor()
    await page.waitForFunction(
      (wanted) => new URLSearchParams(location.search).get('i') === wanted,
      scene.keyOf('mixed_file', 'roll/shot 98.jpg'),
    )
    await page.goBack()
    await goesOnFrom(98)
    // Nobody came from the library: it takes the place of what is left.
    await page.goto(address(`q=shot&i=${encodeURIComponent(scene.keyOf('mixed_file', 'roll/shot 70.jpg'))}`))
    await page.getByText(`70 / ${MANY}`).waitFor()
    await page.waitForSelector('article')
    await page.getByRole('button', { name: 'Back to the library' }).click()
    await goesOnFrom(70)
  }))

test('whoever came by its address leaves for the library as it is called, and for what it was narrowed down to', () =>
  onPage(scene, {}, async (page) => {
    for (const search of ['', '?q=reel']) {
      await page.goto(`/l/${scene.idOf('mixed')}/feed${search}`)
      await page.waitForURL('**i=mixed_file**')
      await page.getByRole('button', { name: 'Back to the library' }).click()
      await page.waitForURL((url) => !url.pathname.endsWith('/feed'))
      expect(await page.evaluate(() => location.href.replace(location.origin, ''))).toBe(`/l/${scene.idOf('mixed')}${search}`)
    }
  }))

test('two presses of the way out are one step back', () =>
  onPage(scene, MOVING, async (page) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Family album' }).first().click()
    await page.getByRole('link', { name: 'One by one' }).click()
    await page.waitForSelector('article')
    await pressTwice(page.getByRole('button', { name: 'Back to the library' }))
    await page.getByRole('heading', { level: 1, name: 'Family album', exact: true }).waitFor()
    await page.waitForTimeout(SETTLED_MS)
    expect(new URL(page.url()).pathname).toBe(`/l/${scene.idOf('mixed')}`)
  }))

test('an answer that does not come loses no place', () =>
  onPage(scene, { ...MOVING, isIntercepted: true, expected: /ERR_INTERNET_DISCONNECTED|failed request/ }, async (page) => {
    let isFirst = true
    await page.route(/api\/browse/, (route) => {
      if (!isFirst) return route.fallback()
      isFirst = false
      return route.abort('internetdisconnected')
    })
    await page.goto(address(`q=reel&i=${encodeURIComponent(key('reel 4.jpg'))}`))
    await page.getByText(`4 / ${VISIBLE}`).waitFor()
    await isAt(page, 'reel 4.jpg')
  }))

test('where the next ones cannot be had that is said, and they are asked for again', () =>
  onPage(scene, { expected: /status of 500/, isIntercepted: true }, async (page) => {
    const further = /\/api\/browse\?.*cursor=/
    await page.route(further, (route) => route.fulfill({ status: 500, json: { code: 'internal', title: 'Broken' } }))
    await page.goto(address('q=shot'))
    await page.getByText(`1 / ${MANY}`).waitFor()
    await page.locator('article').first().waitFor()
    await page.keyboard.press('End')
    await page.getByText(`100 / ${MANY}`).waitFor()
    const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    await page.getByRole('alert').getByText('The next items could not be loaded').waitFor()
    // What is there can be gone through meanwhile.
    await page.keyboard.press('ArrowUp')
    await page.getByText(`99 / ${MANY}`).waitFor()
    await retry.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await retry.waitFor()
    await page.unroute(further)
    await retry.click()
    await page.waitForSelector('article[data-index="100"]')
    await retry.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await page.getByText(`101 / ${MANY}`).waitFor()
  }))

test('so it is with those before', () =>
  onPage(scene, { expected: /status of 500/, isIntercepted: true }, async (page) => {
    const before = /\/api\/browse\?.*cursor=/
    await page.route(before, (route) => route.fulfill({ status: 500, json: { code: 'internal', title: 'Broken' } }))
    // The second item of the second page.
    await page.goto(address(`q=shot&i=${encodeURIComponent(scene.keyOf('mixed_file', 'roll/shot 102.jpg'))}`))
    await page.getByText(`102 / ${MANY}`).waitFor()
    await page.locator('article').first().waitFor()
    await page.keyboard.press('ArrowUp')
    await page.getByText(`101 / ${MANY}`).waitFor()
    const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    await page.getByRole('alert').getByText('The earlier items could not be loaded').waitFor()
    await page.unroute(before)
    await retry.click()
    await page.waitForSelector('article[data-index="99"]')
    await retry.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowUp')
    await page.getByText(`100 / ${MANY}`).waitFor()
  }))

test('where those before cannot be had the next ones come all the same', () =>
  onPage(scene, { expected: /status of 500/, isIntercepted: true }, async (page) => {
    // Near the beginning of a page that has one before it and one after it: the one before is asked for first.
    await page.route(/\/api\/browse\?/, (route) => route.fallback({ url: route.request().url().replace('limit=100', 'limit=20') }))
    const refused = Promise.withResolvers<void>()
    const refuse = (route: Route) => {
      refused.resolve()
      return route.fulfill({ status: 500, json: { code: 'internal', title: 'Broken' } })
    }
    await page.route(/\/api\/browse\?.*cursor=/, refuse, { times: 1 })
    await page.goto(address(`q=shot&i=${encodeURIComponent(scene.keyOf('mixed_file', 'roll/shot 45.jpg'))}`))
    await page.getByText(`45 / ${MANY}`).waitFor()
    await refused.promise
    await page.keyboard.press('End')
    await page.getByText(`60 / ${MANY}`).waitFor()
    await waitFor(
      async () => {
        await page.keyboard.press('ArrowDown')
        return (await page.getByText(/^6[2-9] \//).count()) || undefined
      },
      WAIT_LIMIT_MS,
      () => 'The next ones never came.',
    )
  }))

test('what is not in the list begins it from the start', () =>
  onPage(scene, { ...MOVING, expected: /status of 40[04]/ }, async (page) => {
    await page.goto(address(`q=reel&i=${encodeURIComponent(key('no such reel.jpg'))}`))
    await isAt(page, 'reel 1.mp4')
  }))

test('what is transparent in a picture has neither black nor white behind it, and the screen around it is black', () =>
  onPage(scene, { screen: 'phone' }, async (page) => {
    await page.goto(address('q=drawing'))
    const drawn = page.locator('article img.feed-drawing')
    expect(await drawn.evaluate((image) => getComputedStyle(image).backgroundImage)).toContain('conic-gradient')
    const { width = 0, height = 0, y = 0 } = (await drawn.boundingBox()) ?? {}
    expect([width, height]).toEqual([WIDTHS.phone, WIDTHS.phone / 3])
    expect(y).toBeGreaterThan(0)
    await page.goto(address('q=reel 5'))
    await page.waitForFunction(() => document.querySelector('article img')?.matches(':not(.feed-drawing)'))
  }))

test('where there is nothing to look through, there is a way out', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/99999/feed')
    await page.getByRole('link', { name: 'Go to the start page' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.goto(`/l/${scene.idOf('movies')}/feed`)
    await page.locator('[data-stage]').getByRole('link', { name: 'Films' }).click()
    await page.getByRole('heading', { level: 1, name: 'Films' }).waitFor()
  }))

test('where the filter leaves nothing to look through that is said, and it can be taken off there', () =>
  onPage(scene, {}, async (page) => {
    await page.goto(address('q=nothing of that name'))
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.locator('article').first().waitFor()
    expect(new URL(page.url()).searchParams.has('q')).toBe(false)
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === `/l/${scene.idOf('mixed')}`)
  }))

test('sound is off until somebody wants it, and then stays on for the visit', () =>
  onPage(scene, MOVING, async (page) => {
    const isMuted = (index: number) =>
      page.evaluate((place) => document.querySelector<HTMLVideoElement>(`article[data-index="${place}"] video`)?.muted, index)
    await page.goto(address())
    await plays(page, 0)
    expect(await isMuted(0)).toBe(true)
    await page.keyboard.press('m')
    expect(await isMuted(0)).toBe(false)
    await page.keyboard.press('j')
    await plays(page, 1)
    expect(await isMuted(1)).toBe(false)
    await page.keyboard.press(' ')
    await page.waitForFunction(() => document.querySelector<HTMLVideoElement>('article[data-index="1"] video')?.paused)
  }))

test('whoever wants less motion on this device is not moved on', () =>
  onPage(scene, MOVING, async (page) => {
    const advance = page.getByRole('button', { name: 'Go on by itself' })
    await page.goto(address())
    await advance.waitFor()
    await page.evaluate(() => localStorage.setItem('vitrine.motion', 'reduce'))
    await page.reload()
    await page.getByRole('article').first().waitFor()
    expect(await advance.count()).toBe(0)
  }))

test('whoever tags an item means this one: nothing goes on by itself any more', () =>
  onPage(scene, MOVING, async (page) => {
    await page.clock.install()
    await page.goto(address(`q=reel&i=${encodeURIComponent(key('reel 4.jpg'))}`))
    const advance = (pressed: boolean) => page.getByRole('button', { name: 'Go on by itself', pressed })
    await advance(false).click()
    await advance(true).waitFor()
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /Tags of/ })
      .click()
    const field = page.getByPlaceholder('Search or create a tag')
    await field.fill('Ca')
    await page.clock.fastForward('00:06')
    await advance(false).waitFor()
    expect(await field.inputValue()).toBe('Ca')
    await isAt(page, 'reel 4.jpg')
  }))

test('keys move the focus from item to item, and out of the list', async () => {
  const { category } = (await scene.admin.post('/api/tags/categories', { name: 'Passing' })).body
  await scene.admin.post('/api/tags/items', { name: 'Passed by', categoryId: category.id, itemKey: key('reel 8.jpg') })
  await onPage(scene, MOVING, async (page) => {
    await page.goto(address())
    await isAt(page, 'reel 1.mp4')
    await page.keyboard.press('End')
    await isAt(page, 'reel 8.jpg')
    await page.getByRole('link', { name: 'Passed by' }).waitFor()
    const focused = () =>
      page.evaluate(() => {
        const active = document.activeElement
        return [active?.getAttribute('aria-posinset'), active?.getAttribute('aria-setsize')]
      })
    await page.waitForFunction(() => document.activeElement?.tagName === 'ARTICLE')
    expect(await focused()).toEqual([String(VISIBLE), String(VISIBLE)])
    // Also where the page is busy when the box, which the key before has moved, comes to rest.
    await page.evaluate((until) => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', cancelable: true }))
      for (const end = performance.now() + until; performance.now() < end; );
    }, BUSY_MS)
    await isAt(page, 'reel 7.jpg')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-posinset') === '7')
    // Tab leads to what can be done with it, and not on to the next one, of which the tags are known.
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Tags of reel 7.jpg')
    await isAt(page, 'reel 7.jpg')
    await page.keyboard.press('Control+Home')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Back to the library')
    await page.keyboard.press('Control+End')
    expect(await page.evaluate(() => document.activeElement?.closest('nav') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Family album', exact: true }).waitFor()
  })
  await scene.admin.delete(`/api/tags/categories/${category.id}`)
})

test('a shuffled order is the same after a reload, and holds every item once', () =>
  onPage(scene, MOVING, async (page) => {
    const walk = async () => {
      const seen: string[] = []
      for (let step = 0; step < VISIBLE; step++) {
        await page.getByText(`${step + 1} / ${VISIBLE}`).waitFor()
        await page.waitForFunction((last) => {
          const shown = new URLSearchParams(location.search).get('i')
          return shown !== null && shown !== last
        }, seen.at(-1) ?? '')
        seen.push(new URL(page.url()).searchParams.get('i') ?? '')
        await page.keyboard.press('j')
      }
      return seen
    }
    await page.goto(address('q=reel&order=random&seed=7'))
    const first = await walk()
    await page.goto(address('q=reel&order=random&seed=7'))
    expect(await walk()).toEqual(first)
    expect([...first].sort()).toEqual(REEL.slice(0, VISIBLE).map(key))
    expect(first).not.toEqual(REEL.slice(0, VISIBLE).map(key))
  }))

test('a key that is pressed as soon as the first item is there leads on, however late the browser tells what a screen is', () =>
  onPage(scene, MOVING, async (page) => {
    await page.addInitScript((ms) => {
      const Told = window.ResizeObserver
      window.ResizeObserver = class extends Told {
        constructor(tell: ResizeObserverCallback) {
          super((...told) => setTimeout(() => tell(...told), ms))
        }
      }
    }, 300)
    await page.goto(address('q=reel'))
    await page.getByText(`1 / ${VISIBLE}`).waitFor()
    await page.waitForFunction(() => new URLSearchParams(location.search).has('i'))
    await page.keyboard.press('j')
    await page.getByText(`2 / ${VISIBLE}`).waitFor()
    await page.waitForTimeout(SETTLED_MS)
    expect(await page.getByText(`2 / ${VISIBLE}`).count()).toBe(1)
  }))

describe('a server that is gone', () => {
  const lost = (page: Page) => page.getByRole('heading', { name: 'The connection broke' })
  const cutOff = async (page: Page) => {
    await page.route('**/api/**', (route) => route.abort('internetdisconnected'))
    await page.context().setOffline(true)
  }
  const mend = async (page: Page) => {
    await page.unroute('**/api/**')
    await page.context().setOffline(false)
  }
  const look = { ...MOVING, expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|failed request|dynamically imported/ }

  test('is waited for, and the video goes on where it was', () =>
    onPage(scene, look, async (page) => {
      await page.goto(`/l/${scene.idOf('mixed')}/feed?q=large`)
      await plays(page, 0)
      await cutOff(page)
      const to = await page.evaluate(() => {
        const video = document.querySelector('video')
        if (!video) return 0
        video.currentTime = video.duration - 20
        return video.currentTime
      })
      await lost(page).waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent === 'Retry')
      await mend(page)
      await lost(page).waitFor({ state: 'detached' })
      await plays(page, 0)
      // It may begin before it is there; to come so far from the start would take more than the time there is.
      await page.waitForFunction((from) => (document.querySelector('video')?.currentTime ?? 0) >= from, to)
    }))

  test('is waited for by a picture too', () =>
    onPage(scene, look, async (page) => {
      await page.goto(address(`q=reel&i=${encodeURIComponent(key('reel 4.jpg'))}`))
      // The address says so from the start: the picture and what is loaded ahead of it come first.
      await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('article[data-index="3"] img')?.naturalWidth ?? 0) > 0)
      await page.waitForSelector('article[data-index="4"]')
      await cutOff(page)
      // Further than what is loaded ahead.
      for (const name of ['reel 5.jpg', 'reel 6.jpg', 'reel 7.jpg', 'reel 8.jpg']) {
        await page.keyboard.press('j')
        await isAt(page, name)
      }
      const last = page.getByRole('article', { name: 'reel 8.jpg' })
      await last.getByText('The connection broke').waitFor()
      await mend(page)
      await last.getByText('The connection broke').waitFor({ state: 'detached' })
      const isThere = () => last.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth > 0 || undefined)
      await waitFor(isThere, WAIT_LIMIT_MS, () => 'The picture did not come')
    }))

  test('is waited for before a video has begun, and what was scrolled past says no more', () =>
    onPage(scene, look, async (page) => {
      await page.goto(address())
      await plays(page, 0)
      await cutOff(page)
      await page.keyboard.press('j')
      await isAt(page, 'reel 2.mp4')
      await lost(page).waitFor()
      await page.keyboard.press('j')
      await isAt(page, 'reel 3.mp4')
      const inArticle = (index: number) =>
        page.locator(`article[data-index="${index}"]`).getByRole('heading', { name: 'The connection broke', includeHidden: true })
      await inArticle(2).waitFor()
      expect(await inArticle(1).count()).toBe(0)
      await mend(page)
      await plays(page, 2)
      expect(await lost(page).count()).toBe(0)
    }))
})

describe('for everybody', () => {
  for (const screen of ['desktop', 'phone'] as const) {
    test(`nothing serious is found among pictures and videos, details and help (${screen})`, () =>
      onPage(scene, { screen }, async (page) => {
        await page.goto(address())
        await plays(page, 0)
        const found: Record<string, string[]> = { video: await axeFindings(page) }
        await scene.admin.post('/api/tags/import', { categories: [{ name: 'Place', tags: [{ name: 'Harbour' }] }] })
        const { tags } = (await scene.admin.get('/api/tags/items', { q: 'Harbour' })).body
        await scene.admin.put('/api/tags/assignments', { itemKey: key('reel 5.jpg'), tagId: tags[0].id })
        await page.goto(address(`q=reel&i=${encodeURIComponent(key('reel 5.jpg'))}`))
        await isAt(page, 'reel 5.jpg')
        await page.getByRole('article', { name: 'reel 5.jpg' }).getByRole('link', { name: 'Harbour' }).waitFor()
        found.picture = await axeFindings(page)
        await page.getByRole('button', { name: 'Details' }).click()
        await page.getByRole('complementary', { name: 'Details' }).getByText('reel/reel 5.jpg').waitFor()
        found.details = await axeFindings(page)
        await page.keyboard.press('Escape')
        await page.keyboard.press('Shift+?')
        await page.getByRole('dialog', { name: 'Keys' }).waitFor()
        found.help = await axeFindings(page)
        expect(found).toEqual({ video: [], picture: [], details: [], help: [] })
      }))
  }
})
