/** The lightbox in a real browser: gestures, keys, panel, deep links (UI.md 1.3). */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { DemoCollection } from '../support/demo-collection.ts'
import { makeClip } from '../support/real-media.ts'
import { waitFor } from '../support/test-server.ts'
import { axeFindings } from './axe.ts'
import {
  card,
  chunkOf,
  createHistoryBack,
  createOutage,
  createSystemBack,
  holdRequests,
  isTitled,
  MOVING,
  onPage,
  TEST_LIMIT_MS,
  WAIT_LIMIT_MS,
} from './on-page.ts'
import { openScene, type Scene, waitForPictures } from './scene.ts'
import { doubleTapUntil, pinchOut, swipe } from './touch.ts'

setDefaultTimeout(TEST_LIMIT_MS)

const PHOTO = '2024/IMG_20240603_001.jpg'
const TORN = '2024/torn.mp4'
const CLIP = '2024/clip.mp4'
const BROKEN = '2024/broken.jpg'
/** Both are taken away again. */
const GONE_PHOTO = '2024/gone.jpg'
const GONE_CLIP = '2024/gone.mp4'
/** Without a failure, what failed has failed. */
const STILL_MS = 300
const DOUBLE_CLICK_MS = 500
/** More than one page of the grid. */
const MANY = 230
const many = (index: number) => `roll/shot ${String(index).padStart(3, '0')}.jpg`
const isOwnShape = ({ clientWidth, clientHeight, naturalWidth, naturalHeight }: HTMLImageElement) =>
  Math.abs(clientWidth / clientHeight - naturalWidth / naturalHeight) < 0.01
/** Of no usual shape. */
const strip = (index: number) => `strips/strip ${index}.jpg`

const sound = (name: string) => `sounds/sound ${name}`
/** A WAV file: longer than a picture of a slideshow is shown. */
const silence = (): Buffer => {
  const [rate, seconds] = [8000, 20]
  const head = Buffer.from('RIFF    WAVEfmt                     data    ', 'latin1')
  head.writeUInt32LE(36 + rate * seconds, 4)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.writeUInt32LE(rate * seconds, 40)
  return Buffer.concat([head, Buffer.alloc(rate * seconds, 128)])
}

const prepare = async ({ libraries: { mixed } }: DemoCollection): Promise<void> => {
  await mkdir(join(mixed, 'roll'))
  const small = await sharp(join(mixed, PHOTO)).resize(240).toBuffer()
  for (let index = 0; index < MANY; index++) await writeFile(join(mixed, many(index)), small)
  await mkdir(join(mixed, 'strips'))
  const wide = await sharp(join(mixed, PHOTO)).resize(900, 200).toBuffer()
  for (const index of [1, 2, 3]) await writeFile(join(mixed, strip(index)), wide)
  await mkdir(join(mixed, 'sounds'))
  await writeFile(join(mixed, sound('1.wma')), crypto.getRandomValues(new Uint8Array(5000)))
  for (const name of ['2.wav', '3.wav']) await writeFile(join(mixed, sound(name)), silence())
  await writeFile(join(mixed, TORN), 'this is no film at all')
  await writeFile(join(mixed, BROKEN), 'this is no picture at all')
  await makeClip(join(mixed, CLIP), { seconds: 20, rate: 8 })
  await copyFile(join(mixed, PHOTO), join(mixed, GONE_PHOTO))
  await makeClip(join(mixed, GONE_CLIP), { seconds: 4 })
}

const hasPicture = ({ thumbhash }: { thumbhash: string | null }): boolean => thumbhash !== null

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ size: 'small', types: ['mixed'], prepare })
  // The queue of pictures may not have begun yet: an empty one alone says nothing.
  const photo = { libraryId: scene.idOf('mixed'), q: 'IMG_2024' }
  const isMade = async () => (await scene.admin.get('/api/browse', photo)).body.entries.every(hasPicture) || undefined
  await waitFor(isMade, 120_000, () => 'The pictures were not made in time')
  await waitForPictures(scene)
}, 300_000)
afterAll(() => scene?.[Symbol.asyncDispose]())

const keyOf = (path: string) => scene.keyOf('mixed_file', path)
const open = async (page: Page, path: string, query = '') => {
  await page.goto(`/l/${scene.idOf('mixed')}?item=${encodeURIComponent(keyOf(path))}${query}`)
  await shown(page, path.split('/').at(-1) ?? '')
}
const shown = (page: Page, title: string) => page.getByRole('dialog').getByRole('heading', { name: title, exact: true }).waitFor()
const dialog = (page: Page) => page.getByRole('dialog').first()
const middle = { x: 195, y: 450 }
/** The picture that is looked at, once it is there. */
const picture = (page: Page) => page.locator('.pswp__item[aria-hidden=false] img.pswp__img:not(.pswp__img--placeholder)')
const loaded = (page: Page) =>
  picture(page).evaluate(async (image: HTMLImageElement) => {
    await image.decode()
  })
const widthOf = (page: Page) => picture(page).evaluate((image) => Math.round(image.getBoundingClientRect().width))

test('the help names no key that is dead for what is looked at, or for this person', async () => {
  const rows = ['Previous or next', 'Larger, smaller, fitted', 'Details', 'Tags', 'Edit the extracted text', 'Download']
  const told = async (page: Page): Promise<string[]> => {
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.getByText('Full screen').waitFor()
    const counts = await Promise.all(rows.map((row) => help.getByText(row, { exact: true }).count()))
    return rows.filter((_, index) => counts[index] === 1)
  }
  await onPage(scene, {}, async (page) => {
    await open(page, PHOTO)
    expect(await told(page)).toEqual(rows)
  })
  const client = await scene.server.as('onlooker', { permissions: { tag: false, editMetadata: false, download: false } })
  await onPage(scene, { client }, async (page) => {
    await open(page, CLIP, '&q=clip')
    expect(await told(page)).toEqual(['Details'])
  })
})

describe('what cannot be shown', () => {
  test('is said, with the file to download: a video that nothing can play', () =>
    onPage(scene, { expected: /torn|playback/ }, async (page) => {
      await open(page, TORN, '&dir=desc')
      const alert = dialog(page).getByRole('alert')
      // Known when both ways to play it have failed, which takes its time where others want the machine as well.
      const limit = { timeout: 2 * WAIT_LIMIT_MS }
      await alert.getByText('This browser cannot play the file').waitFor(limit)
      expect(await alert.getByRole('link', { name: 'Download' }).getAttribute('href')).toContain('download=1')
      await page.keyboard.press('ArrowRight')
      await alert.waitFor({ state: 'detached' })
      await page.keyboard.press('ArrowLeft')
      await alert.waitFor(limit)
      // A show that meets it goes on.
      await page.getByRole('button', { name: 'Start slideshow' }).click()
      await alert.waitFor({ state: 'detached' })
    }))

  test('is said, with the file to download: sound that the browser has no means for, which a show goes past', () =>
    onPage(scene, {}, async (page) => {
      await page.clock.install()
      await open(page, sound('1.wma'), '&q=sound')
      const alert = dialog(page).getByRole('alert')
      await alert.getByText('This browser cannot play the file').waitFor()
      await alert.getByRole('link', { name: 'Download' }).waitFor()
      await page.getByRole('button', { name: 'Start slideshow' }).click()
      await page.clock.fastForward('00:06')
      await shown(page, 'sound 2.wav')
    }))

  test('is said: a video whose player cannot be had', () =>
    onPage(scene, { expected: /status of 404|dynamically imported/, isIntercepted: true }, async (page) => {
      await page.route(await chunkOf('components/video-player.tsx'), (route) => route.fulfill({ status: 404 }))
      await open(page, CLIP)
      await page.getByText('A part of this page is missing.').waitFor()
    }))

  test('is said, with the file to download: a damaged picture', () =>
    onPage(scene, { expected: /404|broken/ }, async (page) => {
      await open(page, BROKEN)
      await dialog(page).getByRole('alert').getByText('The file may be damaged').waitFor()
      await dialog(page).getByRole('alert').getByRole('link', { name: 'Download' }).waitFor()
    }))
})

describe('a server that is gone', () => {
  test.each([false, true])('is not blamed on the pictures, and they come by themselves when it is back (one after another: %p)', (isSlow) =>
    onPage(scene, { ...MOVING, expected: /ERR_INTERNET_DISCONNECTED|failed request/ }, async (page) => {
      const outage = await createOutage(page)
      await open(page, many(100), '&q=shot')
      await loaded(page)
      let failures = 0
      page.on('requestfailed', () => failures++)
      /** What is loaded ahead, and has no place yet where it could be seen to fail, has failed. */
      const isStill = async () => {
        const before = failures
        await Bun.sleep(STILL_MS)
        return failures === before || undefined
      }
      outage.begin()
      for (const index of [101, 102, 103, 104]) {
        await page.keyboard.press('ArrowRight')
        await shown(page, many(index).split('/')[1] ?? '')
        if (isSlow) await waitFor(isStill, WAIT_LIMIT_MS, () => 'It never came to rest')
      }
      const alert = dialog(page).getByRole('alert')
      await alert.getByText('The connection broke').waitFor()
      expect(await alert.getByRole('link').count()).toBe(0)
      outage.end()
      await alert.waitFor({ state: 'detached' })
      await loaded(page)
      // What was loaded ahead in vain is not called damaged either.
      await page.keyboard.press('ArrowRight')
      await shown(page, many(105).split('/')[1] ?? '')
      await loaded(page)
      expect(await alert.count()).toBe(0)
    }),
  )
})

describe('a picture that nobody has measured yet', () => {
  test('is drawn in its own shape, also when it came before its turn', () =>
    onPage(scene, {}, async (page) => {
      await page.route('**/api/browse?*', async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        const entries = body.entries.map((entry: object) => ({ ...entry, width: null, height: null }))
        await route.fulfill({ response: answer, json: { ...body, entries } })
      })
      const arrived = new Set<string | null>()
      page.on('requestfinished', (request) => arrived.add(new URL(request.url()).searchParams.get('itemKey')))
      await open(page, strip(1), '&q=strip')
      const isAhead = async () => arrived.has(keyOf(strip(3))) || undefined
      await waitFor(isAhead, WAIT_LIMIT_MS, () => 'Nothing was loaded ahead')
      for (const index of [2, 3]) {
        await page.keyboard.press('ArrowRight')
        await shown(page, strip(index).split('/')[1] ?? '')
        const isDrawn = async () => (await picture(page).evaluate(isOwnShape)) || undefined
        await waitFor(isDrawn, WAIT_LIMIT_MS, () => `${strip(index)} was drawn in another shape`)
      }
    }))
})

test('what is transparent in a picture has neither black nor white behind it, once it is there', () =>
  onPage(scene, {}, async (page) => {
    await open(page, many(100), '&q=shot')
    await loaded(page)
    expect(await picture(page).evaluate((image) => getComputedStyle(image).backgroundImage)).toContain('conic-gradient')
    expect(await page.locator('.pswp__img--placeholder.is-drawn').count()).toBe(0)
  }))

describe('a picture that takes its time', () => {
  test('is seen in a blur, in its own shape, until it is there', () =>
    onPage(scene, { isIntercepted: true }, async (page) => {
      await open(page, many(100), '&q=shot')
      await loaded(page)
      const held = await holdRequests(page, 'GET', /\/api\/(files|thumbnails)\?/)
      await page.keyboard.press('Home')
      await shown(page, 'shot 000.jpg')
      await held.asked
      const blur = page.locator('.pswp__item[aria-hidden=false] .pswp__img--placeholder[style*="data:image"]')
      const { width = 0, height = 0 } = (await blur.boundingBox()) ?? {}
      expect(width / height).toBeCloseTo(4 / 3, 1)
      held.letGo()
      await loaded(page)
      await blur.waitFor({ state: 'detached' })
    }))
})

test('where a page may not fill the screen, as on iPhones, no button offers it, and nothing turns unseen over a picture', () =>
  onPage(scene, MOVING, async (page) => {
    const fullscreen = dialog(page).getByRole('button', { name: 'Full screen' })
    await open(page, many(100), '&q=shot')
    await loaded(page)
    await fullscreen.waitFor()
    const moving = await page
      .locator('.pswp')
      .evaluate((engine) =>
        engine.getAnimations({ subtree: true }).flatMap((moved) => ('animationName' in moved ? moved.animationName : [])),
      )
    expect(moving).toEqual([])
    await page.addInitScript(() => Object.defineProperty(Document.prototype, 'fullscreenEnabled', { value: false }))
    await page.reload()
    await shown(page, 'shot 100.jpg')
    expect(await fullscreen.count()).toBe(0)
  }))

test('the second half of a double click neither closes nor enlarges the picture that the first has opened', () =>
  onPage(scene, {}, async (page) => {
    /** Presses as soon as there is a slide, however busy the computer is. */
    const pressAtOnce = (selector: string) =>
      page.evaluate((pressed) => {
        const press = (element: Element) => {
          const { x, y, width } = element.getBoundingClientRect()
          for (const type of ['pointerdown', 'pointerup']) {
            const at = { clientX: x + width / 2, clientY: y + 50, pointerId: 1, pointerType: 'mouse', isPrimary: true }
            element.dispatchEvent(new PointerEvent(type, { bubbles: true, ...at }))
          }
          document.body.dataset.pressed = pressed
        }
        new MutationObserver((_, observer) => {
          const element = document.querySelector(`.pswp__item[aria-hidden=false]${pressed}`)
          if (!element) return
          observer.disconnect()
          press(element)
        }).observe(document.body, { childList: true, subtree: true, attributes: true })
      }, selector)
    for (const selector of ['', ' img.pswp__img']) {
      await page.goto(`/l/${scene.idOf('mixed')}?q=strip`)
      await card(page, 'strip 2.jpg').waitFor()
      await pressAtOnce(selector)
      await card(page, 'strip 2.jpg').click()
      await page.waitForFunction((pressed) => document.body.dataset.pressed === pressed, selector)
      await page.waitForTimeout(STILL_MS)
      await loaded(page)
      expect(await widthOf(page)).toBe(900)
    }
    // Whoever thinks it over closes it beside the picture.
    await page.waitForTimeout(DOUBLE_CLICK_MS)
    await page.mouse.click(640, 150)
    await dialog(page).waitFor({ state: 'detached' })
  }))

test('what is said is seen while the viewer fills the screen, and closing it leaves the grid where it was', () =>
  onPage(scene, { expected: /status of 404|dynamically imported/, isIntercepted: true }, async (page) => {
    await page.route(/\/assets\/key--\w+\.js$/, (route) => route.fulfill({ status: 404 }))
    const isFull = (wanted: boolean) => page.waitForFunction((full) => (document.fullscreenElement !== null) === full, wanted)
    await page.goto(`/l/${scene.idOf('mixed')}?q=shot`)
    await card(page, 'shot 000.jpg').waitFor()
    await page.mouse.wheel(0, 100)
    await page.waitForFunction(() => window.scrollY === 100)
    await card(page, 'shot 008.jpg').click()
    await shown(page, 'shot 008.jpg')
    const before = await page.evaluate(() => window.scrollY)
    expect(before).toBeGreaterThan(0)
    await page.keyboard.press('f')
    await isFull(true)
    await page.keyboard.press('?')
    // It is seen where a pointer meets it, whether or not another toast that says the same has taken its place meanwhile.
    await page.getByText('A part of this page is missing.').click({ trial: true })
    await page.getByRole('button', { name: 'Close viewer' }).click()
    await isFull(false)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction((wanted) => window.scrollY === wanted, before)
  }))

describe('what has gone from the disk', () => {
  beforeAll(async () => {
    for (const path of [GONE_PHOTO, GONE_CLIP]) await rm(join(scene.collection.libraries.mixed, path))
    await scene.server.scanAndWait(scene.idOf('mixed'))
  }, 60_000)

  /** Neither a button nor the key. */
  const offersNoDownload = async (page: Page) => {
    await dialog(page).getByRole('note').getByText('missing since').waitFor()
    expect(await dialog(page).getByRole('link', { name: 'Download' }).count()).toBe(0)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.keyboard.press('d')
    await page.keyboard.press('i')
    await page.getByRole('complementary', { name: 'Details' }).waitFor()
    expect(asked.filter((url) => url.includes('download=1'))).toEqual([])
  }

  test('is no download: a video, which is not played either', () =>
    onPage(scene, { expected: /404.*browse/ }, async (page) => {
      await open(page, GONE_CLIP)
      await offersNoDownload(page)
      expect(await page.locator('video').count()).toBe(0)
    }))

  for (const screen of ['desktop', 'phone'] as const) {
    test(`is no download: a picture, of which the small one is left (${screen})`, () =>
      onPage(scene, { screen, expected: /404.*(browse|thumbnails)/ }, async (page) => {
        await open(page, GONE_PHOTO)
        await offersNoDownload(page)
        await page.keyboard.press('Escape')
        await loaded(page)
        expect(await picture(page).getAttribute('src')).toContain('/api/thumbnails?')
        expect(await dialog(page).getByRole('alert').count()).toBe(0)
        expect(await axeFindings(page)).toEqual([])
      }))
  }
})

describe('keys', () => {
  test('enlarge and fit the picture, and turn it only when they should', () =>
    onPage(scene, MOVING, async (page) => {
      await open(page, PHOTO)
      await loaded(page)
      const fitted = await widthOf(page)
      await page.keyboard.press('+')
      await page.waitForFunction(() => document.querySelector('.pswp--zoomed-in'))
      await page.keyboard.press('0')
      await page.waitForFunction(() => !document.querySelector('.pswp--zoomed-in'))
      await page.waitForFunction(
        (wanted) => Math.round(document.querySelector('.pswp__item[aria-hidden=false] img')?.getBoundingClientRect().width ?? 0) === wanted,
        fitted,
      )
      await page.keyboard.press('End')
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowLeft')
      await page.getByText(/^1 \//).waitFor()
    }))

  test('that are held down do once what is done once, and go on with what goes on', () =>
    onPage(scene, {}, async (page) => {
      await open(page, many(10), '&q=shot&sort=path')
      const hold = async (key: string) => {
        for (let time = 0; time < 4; time++) await page.keyboard.down(key)
        await page.keyboard.up(key)
      }
      await hold('i')
      await page.getByRole('complementary', { name: 'Details' }).waitFor()
      await hold('ArrowRight')
      await shown(page, 'shot 014.jpg')
    }))

  test('open details and tags; Escape closes the selector, then the panel, then the viewer', () =>
    onPage(scene, MOVING, async (page) => {
      await open(page, PHOTO)
      await page.keyboard.press('i')
      const panel = page.getByRole('complementary', { name: 'Details' })
      await panel.getByText(PHOTO, { exact: true }).waitFor()
      await page.keyboard.press('i')
      await panel.waitFor({ state: 'detached' })
      await page.keyboard.press('t')
      const selector = page.getByRole('dialog', { name: /Tags of/ })
      await selector.waitFor()
      await page.keyboard.press('Escape')
      await selector.waitFor({ state: 'detached' })
      await panel.waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await shown(page, 'IMG_20240603_001.jpg')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }))

  test('open the tags of one picture after the other, and the details close by their own key', () =>
    onPage(scene, MOVING, async (page) => {
      await open(page, PHOTO)
      const panel = page.getByRole('complementary', { name: 'Details' })
      const button = page.getByRole('button', { name: 'Details', exact: true })
      const selector = page.getByRole('dialog', { name: /Tags of/ })
      // A selector that closes leaves the focus nowhere for a moment.
      const blur = () => page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
      await blur()
      await page.keyboard.press('i')
      await panel.waitFor()
      await blur()
      await page.keyboard.press('i')
      await panel.waitFor({ state: 'detached' })
      for (const number of [1, 2, 1]) {
        await shown(page, `IMG_20240603_00${number}.jpg`)
        await page.waitForTimeout(STILL_MS)
        expect(await selector.count()).toBe(0)
        await page.keyboard.press('t')
        await page.getByRole('dialog', { name: `Tags of IMG_20240603_00${number}.jpg` }).waitFor()
        await page.keyboard.press('Escape')
        await selector.waitFor({ state: 'detached' })
        await page.keyboard.press(number === 1 ? 'ArrowRight' : 'ArrowLeft')
      }
      expect(await button.getAttribute('aria-pressed')).toBe('true')
      await page.keyboard.press('i')
      await panel.waitFor({ state: 'detached' })
    }))

  test('that are typed before the field of tags is there are its words, and download nothing', () =>
    onPage(scene, MOVING, async (page) => {
      await open(page, PHOTO)
      const downloads: string[] = []
      page.on('download', (download) => downloads.push(download.url()))
      const item = await holdRequests(page, 'GET', /\/api\/items\?/)
      await page.keyboard.press('t')
      await item.asked
      await page.keyboard.type('dim light')
      item.letGo()
      const selector = page.getByRole('dialog', { name: /Tags of/ })
      const field = selector.getByRole('textbox')
      await field.waitFor()
      await page.keyboard.type('s')
      const isWhole = async () => (await field.inputValue()) === 'dim lights' || undefined
      await waitFor(isWhole, WAIT_LIMIT_MS, () => 'Not all that was typed is in the field')
      await selector.getByText('“dim lights”').first().waitFor()
      await page.keyboard.press('Escape')
      await selector.waitFor({ state: 'detached' })
      expect(downloads).toEqual([])
      // From then on keys are the viewer's own again.
      const asked = page.waitForEvent('download')
      await page.keyboard.press('d')
      await asked
    }))

  test('that correct what is typed ahead do so, and press no button that was used before', () =>
    onPage(scene, MOVING, async (page) => {
      await open(page, many(10), '&q=shot&sort=path')
      await page.getByRole('button', { name: 'Next item' }).click()
      await shown(page, 'shot 011.jpg')
      const item = await holdRequests(page, 'GET', /\/api\/items\?/)
      await page.keyboard.press('t')
      await item.asked
      await page.keyboard.type('dimm')
      await page.keyboard.press('Backspace')
      await page.keyboard.type(' light')
      await page.keyboard.press('Enter')
      item.letGo()
      const field = page.getByRole('dialog', { name: /Tags of shot 011/ }).getByRole('textbox')
      await waitFor(
        async () => (await field.inputValue()) === 'dim light' || undefined,
        WAIT_LIMIT_MS,
        () => 'It is not what was typed',
      )
    }))

  test('mean the viewer again where somebody has gone into a panel that could not be filled', () =>
    onPage(scene, { ...MOVING, expected: /500/ }, async (page) => {
      await open(page, PHOTO)
      await page.route(/\/api\/items\?/, (route) => route.fulfill({ status: 500, json: {} }))
      await page.keyboard.press('t')
      const panel = page.getByRole('complementary', { name: 'Details' })
      await panel.getByRole('button', { name: 'Retry' }).focus()
      await page.keyboard.press('i')
      await panel.waitFor({ state: 'detached' })
    }))

  test('turn on beside the details of a picture with tags, by key and by button, and leave at the picture that was looked at last', async () => {
    const category = (await scene.admin.post('/api/tags/categories', { name: 'Turning' })).body.category
    const { tag } = (await scene.admin.post('/api/tags/items', { name: 'Turned', categoryId: category.id, itemKey: keyOf(PHOTO) })).body
    await onPage(scene, MOVING, async (page) => {
      const panel = page.getByRole('complementary', { name: 'Details' })
      const tile = (number: number) => page.locator(`main a[data-item-key="${keyOf(PHOTO.replace('001', `00${number}`))}"]`)
      const openFromGrid = async () => {
        await page.goto(`/l/${scene.idOf('mixed')}?q=IMG_2024`)
        await tile(1).click()
        await shown(page, 'IMG_20240603_001.jpg')
      }
      await openFromGrid()
      await page.keyboard.press('i')
      await panel.getByText('Turned').waitFor()
      await page.keyboard.press('ArrowRight')
      await shown(page, 'IMG_20240603_002.jpg')
      await panel.getByText(PHOTO.replace('001', '002'), { exact: true }).waitFor()
      await page.keyboard.press('t')
      await page.getByRole('dialog', { name: 'Tags of IMG_20240603_002.jpg' }).waitFor()
      for (const layer of [page.getByRole('dialog', { name: /Tags of/ }), panel, page.getByRole('dialog')]) {
        await page.keyboard.press('Escape')
        await layer.waitFor({ state: 'detached' })
      }
      await page.waitForFunction(
        (key) => (document.activeElement as HTMLElement).dataset.itemKey === key,
        await tile(2).getAttribute('data-item-key'),
      )

      await openFromGrid()
      await page.getByRole('button', { name: 'Details', exact: true }).click()
      await panel.getByText('Turned').waitFor()
      await page.mouse.move(400, 300)
      await page.getByRole('button', { name: 'Next item' }).click()
      await shown(page, 'IMG_20240603_002.jpg')
      await page.getByRole('button', { name: 'Close viewer' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.waitForFunction(
        (key) => (document.activeElement as HTMLElement).dataset.itemKey === key,
        await tile(2).getAttribute('data-item-key'),
      )
    })
    await scene.admin.delete(`/api/tags/categories/${tag.categoryId}`)
  })

  test('start a slideshow, and stop it', () =>
    onPage(scene, MOVING, async (page) => {
      await open(page, PHOTO)
      await page.keyboard.press(' ')
      await page.getByRole('button', { name: 'Stop slideshow' }).waitFor()
      await shown(page, 'IMG_20240603_002.jpg')
      await page.getByRole('button', { name: 'Stop slideshow' }).click()
      await page.getByRole('button', { name: 'Start slideshow' }).waitFor()
    }))
})

describe('a video', () => {
  test('plays in its slide, keeps its controls in reach, and lets arrows turn', () =>
    onPage(scene, MOVING, async (page) => {
      await open(page, CLIP)
      await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
      await page.mouse.move(600, 400)
      const button = page.locator('media-play-button')
      const box = await button.boundingBox()
      if (!box) throw new Error('The button has no place')
      const hit = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('media-play-button') !== null, {
        x: box.x + box.width / 2,
        y: box.y + box.height / 2,
      })
      expect(hit).toBe(true)
      await page.keyboard.press(' ')
      await page.waitForFunction(() => document.querySelector('video')?.paused)
      const time = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)
      await page.keyboard.press('l')
      expect(await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)).toBeCloseTo(time + 10, 1)
      const played = () =>
        page.evaluate(() => {
          const { currentTime, volume, muted, paused } = document.querySelector('video') ?? {}
          return { currentTime, volume, muted, paused }
        })
      // Both ways to the help tell of the keys of both, and of none that does something else here.
      const help = page.getByRole('dialog', { name: 'Keys' })
      for (const ask of [() => page.keyboard.press('?'), () => page.locator('.player-bar').getByRole('button', { name: 'Keys' }).click()]) {
        await ask()
        for (const row of ['Previous or next', 'Details', 'Play or pause', 'Slower or faster', '10 seconds back or on'])
          await help.getByText(row, { exact: true }).waitFor()
        for (const row of ['5 seconds back or on', 'Play the video, or start the slideshow'])
          expect(await help.getByText(row, { exact: true }).count()).toBe(0)
        // Whoever reads on in it means nothing else.
        const before = await played()
        for (const key of ['ArrowDown', 'j', 'm', '5', 'k']) await page.keyboard.press(key)
        expect(await played()).toEqual(before)
        await page.keyboard.press('Escape')
        await help.waitFor({ state: 'detached' })
      }
      await page.keyboard.press('ArrowRight')
      await page.locator('video').waitFor({ state: 'detached' })
    }))
})

test('a slideshow hears sound to its end', () =>
  onPage(scene, {}, async (page) => {
    await page.clock.install()
    await open(page, sound('2.wav'), '&q=sound')
    await page.getByRole('button', { name: 'Start slideshow' }).click()
    await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) > 0)
    await page.clock.fastForward('00:06')
    await page.waitForTimeout(STILL_MS)
    await shown(page, 'sound 2.wav')
    await page.evaluate(() => Object.assign(document.querySelector('audio') ?? {}, { currentTime: 19.8 }))
    await shown(page, 'sound 3.wav')
  }))

test('so it does sound that came only when the server was back', () =>
  onPage(scene, { expected: /ERR_INTERNET_DISCONNECTED|failed request/ }, async (page) => {
    let isGone = true
    await page.route(/\/api\//, (route) => {
      const isLost = isGone && (route.request().resourceType() === 'media' || route.request().url().includes('/health'))
      return isLost ? route.abort('internetdisconnected') : route.continue()
    })
    await page.clock.install()
    await open(page, sound('2.wav'), '&q=sound')
    await dialog(page).getByRole('alert').getByText('The connection broke').waitFor()
    await page.getByRole('button', { name: 'Start slideshow' }).click()
    isGone = false
    await page.clock.fastForward('00:04')
    await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) > 0)
    await page.clock.fastForward('00:06')
    await page.waitForTimeout(STILL_MS)
    await shown(page, 'sound 2.wav')
  }))

describe('fingers', () => {
  test('turn by a swipe, enlarge by a pinch and by two taps, and close by a swipe down', () =>
    onPage(scene, { ...MOVING, screen: 'phone' }, async (page) => {
      await page.goto(`/l/${scene.idOf('mixed')}?q=IMG`)
      await card(page, 'IMG_20240603_001.jpg').click()
      await shown(page, 'IMG_20240603_001.jpg')
      await loaded(page)
      await swipe(page, { x: 340, y: 450 }, { x: 60, y: 450 })
      await shown(page, 'IMG_20240603_002.jpg')
      await loaded(page)
      const fitted = await widthOf(page)
      const isZoomed = (wanted: boolean) => (limit: { timeout: number }) =>
        page.waitForFunction((zoomed) => Boolean(document.querySelector('.pswp--zoomed-in')) === zoomed, wanted, limit)
      await pinchOut(page, middle, 150)
      await page.waitForFunction(() => document.querySelector('.pswp--zoomed-in'))
      expect(await widthOf(page)).toBeGreaterThan(fitted)
      await doubleTapUntil(page, middle, isZoomed(false))
      await page.waitForTimeout(500)
      await doubleTapUntil(page, middle, isZoomed(true))
      await page.waitForTimeout(500)
      await doubleTapUntil(page, middle, isZoomed(false))
      await page.waitForTimeout(500)
      await swipe(page, { x: 195, y: 350 }, { x: 195, y: 800 })
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const key = keyOf('2024/IMG_20240603_002.jpg')
      await page.waitForFunction((wanted) => document.activeElement?.getAttribute('data-item-key') === wanted, key)
    }))
})

for (const [system, createBack] of Object.entries({ 'a phone': createSystemBack, 'a browser without close requests': createHistoryBack }))
  test(`the way back of ${system} closes the tags, then the details, then the viewer`, () =>
    onPage(scene, { screen: 'phone' }, async (page) => {
      const back = await createBack(page)
      await page.goto(`/l/${scene.idOf('mixed')}?q=IMG_2024`)
      await card(page, 'IMG_20240603_001.jpg').click()
      await shown(page, 'IMG_20240603_001.jpg')
      await page.getByRole('button', { name: 'Details' }).click()
      const panel = page.getByRole('complementary', { name: 'Details' })
      await panel.getByRole('button', { name: /tags$/ }).first().waitFor()
      // Whoever tags a picture sees it.
      await page.waitForFunction(() => {
        const [seen, over] = ['.pswp__item[aria-hidden=false] .pswp__img:not(.pswp__img--placeholder)', '[role=dialog] aside'].map(
          (selector) => document.querySelector(selector)?.getBoundingClientRect(),
        )
        return seen && over && seen.height > 100 && seen.bottom <= over.top
      })
      await panel.getByRole('button', { name: /tags$/ }).first().click()
      const selector = page.getByRole('dialog', { name: /Tags of/ })
      await selector.waitFor()
      await back()
      await selector.waitFor({ state: 'detached' })
      await panel.waitFor()
      await back()
      await panel.waitFor({ state: 'detached' })
      await shown(page, 'IMG_20240603_001.jpg')
      await back()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(new URL(page.url()).searchParams.get('q')).toBe('IMG_2024')
      // The viewer's own button closes it, whatever is open in it.
      await card(page, 'IMG_20240603_001.jpg').click()
      await shown(page, 'IMG_20240603_001.jpg')
      await page.getByRole('button', { name: 'Details' }).click()
      await panel.waitFor()
      await page.getByRole('button', { name: 'Close viewer' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(new URL(page.url()).searchParams.has('item')).toBe(false)
    }))

test('who closes a picture is where its link was, on the start page or among what was found', () =>
  onPage(scene, {}, async (page) => {
    for (const address of ['/', '/search?q=strip']) {
      await page.goto(address)
      await page.locator('a[data-item-key^="mixed_file:"]').nth(1).click()
      await page.getByRole('dialog').waitFor()
      const first = new URL(page.url()).searchParams.get('item')
      await page.keyboard.press('ArrowRight')
      await page.waitForURL((url) => url.searchParams.get('item') !== first)
      await page.keyboard.press('Escape')
      await page.waitForURL((url) => url.pathname + url.search === address)
      await page.locator('a[data-item-key^="mixed_file:"]').first().waitFor()
    }
  }))

describe('a filter that leaves out what is tagged', () => {
  test('lets somebody tag one after the other, and find again what they tagged', async () => {
    const { category } = (await scene.admin.post('/api/tags/categories', { name: 'Sorted' })).body
    const { tag } = (await scene.admin.post('/api/tags/items', { name: 'Seen', categoryId: category.id })).body
    await onPage(scene, {}, async (page) => {
      await open(page, strip(1), `&q=strip&not=${tag.id}`)
      for (const index of [1, 2]) {
        await page.getByText(`${index} / 3`).waitFor()
        const again = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/browse')
        await page.keyboard.press('t')
        const selector = page.getByRole('dialog', { name: /Tags of/ })
        await selector.getByRole('button', { name: /^Seen/ }).click()
        await selector.getByRole('button', { name: /^Seen/, pressed: true }).waitFor()
        await page.keyboard.press('Escape')
        await selector.waitFor({ state: 'detached' })
        await again
        await page.keyboard.press('Escape')
        await page.waitForTimeout(STILL_MS)
        await page.getByText(`${index} / 3`).waitFor()
        await page.keyboard.press('ArrowRight')
        await shown(page, `strip ${index + 1}.jpg`)
        await loaded(page)
      }
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      await shown(page, 'strip 1.jpg')
    })
    await scene.admin.delete(`/api/tags/categories/${category.id}`)
  })
})

describe('an address with an item', () => {
  test('opens it among its neighbours, wherever in the list it stands', () =>
    onPage(scene, MOVING, async (page) => {
      await open(page, many(220), '&q=shot')
      await page.getByText(`221 / ${MANY}`).waitFor()
      await page.keyboard.press('ArrowLeft')
      await shown(page, 'shot 219.jpg')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await shown(page, 'shot 221.jpg')
      expect(new URL(page.url()).searchParams.get('item')).toBe(keyOf(many(221)))
      await isTitled(page, 'shot 221.jpg - Family album - Vitrine')
    }))

  test('is where one goes on in the grid, also where that had not come so far, and after a reload', () =>
    onPage(scene, MOVING, async (page) => {
      await open(page, many(220), '&q=shot')
      await page.keyboard.press('Escape')
      const tile = (index: number) => page.locator(`a[data-item-key="${keyOf(many(index))}"]:focus`)
      await tile(220).waitFor()
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1000)
      await page.keyboard.press('Enter')
      await shown(page, 'shot 220.jpg')
      await page.reload()
      await shown(page, 'shot 220.jpg')
      await page.keyboard.press('Escape')
      await tile(220).waitFor()
    }))

  test('opens it among its neighbours, also where the first answer did not come', () =>
    onPage(scene, { ...MOVING, isIntercepted: true, expected: /ERR_INTERNET_DISCONNECTED|failed request/ }, async (page) => {
      let isFirst = true
      await page.route(/api\/browse\?.*around=/, (route) => {
        if (!isFirst) return route.fallback()
        isFirst = false
        return route.abort('internetdisconnected')
      })
      await open(page, many(220), '&q=shot')
      await page.getByText(`221 / ${MANY}`).waitFor()
    }))

  test('whose next ones cannot be had says so, and they are asked for again', () =>
    onPage(scene, { expected: /status of 503/, isIntercepted: true }, async (page) => {
      const further = /\/api\/browse\?.*cursor=/
      const problem = { status: 503, json: { code: 'unavailable', detail: 'The database cannot be read.' } }
      await page.route(further, (route) => route.fulfill(problem))
      await open(page, many(198), '&q=shot')
      await page.keyboard.press('ArrowRight')
      await shown(page, 'shot 199.jpg')
      await page.getByText('The next items could not be loaded. The database cannot be read.').waitFor()
      await page.unroute(further)
      await page.getByRole('button', { name: 'Retry' }).click()
      await dialog(page).getByRole('button', { name: 'Next item' }).click()
      await shown(page, 'shot 200.jpg')
    }))

  test('that the filter leaves out is shown alone', () =>
    onPage(scene, { expected: /404/ }, async (page) => {
      await open(page, PHOTO, '&q=shot')
      await page.getByText('1 / 1').waitFor()
    }))

  test('that is not there is said to be gone, and leaves the library', () =>
    onPage(scene, { expected: /404/ }, async (page) => {
      await page.goto(`/l/${scene.idOf('mixed')}?item=${encodeURIComponent(keyOf('no such picture.jpg'))}`)
      await page.getByText('It was moved or deleted, or you may not see it').waitFor()
      await page.waitForURL((url) => !url.searchParams.has('item'))
    }))

  test('loads its neighbours ahead, and of each the width that fits', () =>
    onPage(scene, MOVING, async (page) => {
      const asked = new Set<string>()
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        const isLarger = pathname.endsWith('/api/files') || searchParams.get('size') !== 'small'
        if (isLarger) asked.add(searchParams.get('itemKey') ?? '')
      })
      await open(page, many(10), '&q=shot')
      await loaded(page)
      await waitFor(
        () => [9, 11, 12].every((index) => asked.has(keyOf(many(index)))) || undefined,
        WAIT_LIMIT_MS,
        () => `only these were asked for: ${[...asked].join(', ')}`,
      )
    }))
})

describe('for everybody', () => {
  for (const screen of ['desktop', 'phone'] as const) {
    test(`nothing serious is found in the viewer, its panel and its help (${screen})`, () =>
      onPage(scene, { screen }, async (page) => {
        await open(page, PHOTO)
        await loaded(page)
        const found: Record<string, string[]> = { picture: await axeFindings(page) }
        await page.keyboard.press('i')
        await page.getByRole('complementary', { name: 'Details' }).getByText(PHOTO, { exact: true }).waitFor()
        found.panel = await axeFindings(page)
        await page.keyboard.press('Escape')
        await page.keyboard.press('Shift+?')
        await page.getByRole('dialog', { name: 'Keys' }).waitFor()
        found.help = await axeFindings(page)
        await page.keyboard.press('Escape')
        await open(page, CLIP)
        await page.waitForSelector('video')
        found.video = await axeFindings(page)
        expect(found).toEqual({ picture: [], panel: [], help: [], video: [] })
      }))
  }
})
