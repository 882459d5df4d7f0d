/** The reader in a real browser: every direction, what it remembers, and what lies beyond the last page. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Response } from 'playwright-core'
import type { ItemKey } from '../../src/domain/item-key.ts'
import { drawnPicture, makeZip } from '../support/real-media.ts'
import { waitFor } from '../support/test-server.ts'
import { axeFindings } from './axe.ts'
import {
  atRest,
  card,
  createOutage,
  createSystemBack,
  holdRequests,
  onPage,
  SETTLED_MS,
  TEST_LIMIT_MS,
  WAIT_LIMIT_MS,
  waitForKeys,
} from './on-page.ts'
import { openScene, type Scene } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)

const PAGES = 24
/** The reader waits this long for a second press. */
const CONFIRM_MS = 3200
/** What has been read is saved by then. */
const SAVED_MS = 1500
/** Many windows high, as chapters of webtoons are. */
const TALL = [400, 4000]

let opened: Scene | undefined
const scene = (): Scene => {
  if (!opened) throw new Error('The scene is not open')
  return opened
}

/** Pages of many shapes: high ones, wide ones, and ordinary ones. */
const shapes = Array.from({ length: PAGES }, (_, index) => (index === 7 ? [900, 600] : index % 3 === 0 ? [400, 1400] : [400, 600]))

const drawVolume = async (path: string, sizes: readonly (readonly number[])[]): Promise<void> => {
  const pages = await Promise.all(
    sizes.map(
      async ([width = 400, height = 600], index): Promise<[string, Buffer]> => [
        `${String(index + 1).padStart(3, '0')}.jpg`,
        await drawnPicture({ width, height, seed: index + 1 })
          .jpeg()
          .toBuffer(),
      ],
    ),
  )
  await makeZip(path, Object.fromEntries(pages))
}

beforeAll(async () => {
  opened = await openScene({
    size: 'small',
    types: ['manga'],
    prepare: async ({ libraries }) => {
      const folder = join(libraries.manga, 'Shapes')
      await mkdir(folder)
      await drawVolume(join(folder, 'Shapes v01.cbz'), shapes)
      await drawVolume(join(folder, 'Shapes v02.cbz'), shapes.slice(0, 3))
      await drawVolume(join(folder, 'Shapes v03.cbz'), shapes.slice(1, 2))
      await mkdir(join(libraries.manga, 'Scroll'))
      await drawVolume(join(libraries.manga, 'Scroll/Scroll v01.cbz'), [TALL, TALL])
      await drawVolume(join(libraries.manga, 'Scroll/Scroll v02.cbz'), [TALL])
      await mkdir(join(libraries.manga, 'Replaced'))
      await drawVolume(join(libraries.manga, 'Replaced/Replaced v01.cbz'), shapes.slice(0, 5))
      await mkdir(join(libraries.manga, 'Damaged'))
      await Bun.write(join(libraries.manga, 'Damaged/Damaged v01.cbz'), 'no archive')
    },
  })
}, 240_000)
afterAll(() => opened?.[Symbol.asyncDispose]())

const keyOf = (volume: number): ItemKey => scene().keyOf('manga_volume', `Shapes/Shapes v0${volume}.cbz`)
const addressOf = (volume: number, page: number): string => `/read/${encodeURIComponent(keyOf(volume))}?page=${page}`
const seriesAddress = (): string => `/l/${scene().idOf('manga')}/b/Shapes`
const picture = (page: Page, number: number) => page.getByRole('img', { name: `Page ${number}`, exact: true })
const pageInAddress = (page: Page): string | null => new URL(page.url()).searchParams.get('page')
const settle = (page: Page, number: number) => page.waitForURL((url) => url.searchParams.get('page') === String(number))
const strip = (page: Page) => page.locator('[data-own-keys] ol')
/** Someone who has chosen nothing yet, and has seen the tap zones. */
let people = 0
const somebody = () => scene().server.as(`reader ${++people}`)
/** Waits for what the page or the server comes to by itself. */
const until = (holds: () => Promise<boolean>) =>
  waitFor(
    async () => (await holds()) || undefined,
    WAIT_LIMIT_MS,
    () => 'It did not come to that in time',
  )

/** Opens a volume as a person without habits. */
const reading = async (work: (page: Page) => Promise<void>, look: Parameters<typeof onPage>[1] = {}): Promise<void> => {
  const client = look.client === undefined ? await somebody() : look.client
  await onPage(scene(), { ...look, client }, async (page) => {
    await page.addInitScript(() => location.protocol === 'http:' && localStorage.setItem('vitrine.reader-hint', 'seen'))
    await work(page)
  })
}

/** What lies in the middle of the strip: a page, and how far down in it. */
const middleOf = (page: Page): Promise<{ page: number; fraction: number }> =>
  page.evaluate(() => {
    const items = [...document.querySelectorAll('[data-own-keys] ol > li')]
    const y = window.innerHeight / 2
    const index = items.findIndex((item) => item.getBoundingClientRect().bottom > y)
    const { top, height } = items[index]?.getBoundingClientRect() ?? { top: 0, height: 1 }
    return { page: index + 1, fraction: (y - top) / height }
  })

test('a page that the browser loads anew by itself leaves alone the place where one has come to on another device', async () => {
  const client = await somebody()
  const kept = async () => (await client.get('/api/progress', { itemKey: keyOf(1) })).body.page
  await reading(
    async (page) => {
      await page.goto(addressOf(1, 3))
      await until(async () => (await kept()) === 2)
      await client.put('/api/progress', { itemKey: keyOf(1), page: 9 })
      await page.reload()
      await picture(page, 3).waitFor()
      await page.waitForTimeout(SAVED_MS)
      expect(await kept()).toBe(9)
      await page.keyboard.press('ArrowLeft')
      await until(async () => (await kept()) === 3)
    },
    { client },
  )
})

test.each(['one page', 'two pages'])(
  'who has stayed at %s while another device went on leaves its place alone, also when the tablet is turned',
  async (shown) => {
    const client = await somebody()
    const isDouble = shown === 'two pages'
    await client.put('/api/manga/reader-settings', { itemKey: keyOf(1), settings: { doublePage: isDouble, coverAlone: false } })
    const kept = async () => (await client.get('/api/progress', { itemKey: keyOf(1) })).body.page
    await reading(
      async (page) => {
        await page.goto(addressOf(1, 3))
        await until(async () => (await kept()) === (isDouble ? 3 : 2))
        await client.put('/api/progress', { itemKey: keyOf(1), page: 9 })
        const { width = 0, height = 0 } = page.viewportSize() ?? {}
        await page.setViewportSize({ width: height, height: width })
        await page.waitForTimeout(SAVED_MS)
        expect(await kept()).toBe(9)
        await page.keyboard.press('ArrowLeft')
        await until(async () => (await kept()) === 3)
      },
      { client },
    )
  },
)

test('who has stayed at the last two pages while another device began anew leaves its place alone, also when the tablet is turned', async () => {
  const client = await somebody()
  await client.put('/api/manga/reader-settings', { itemKey: keyOf(1), settings: { doublePage: true, coverAlone: false } })
  const kept = async () => (await client.get('/api/progress', { itemKey: keyOf(1) })).body.page
  await reading(
    async (page) => {
      await page.goto(addressOf(1, PAGES - 1))
      await until(async () => (await kept()) === PAGES - 1)
      await client.put('/api/progress', { itemKey: keyOf(1), page: 9 })
      const { width = 0, height = 0 } = page.viewportSize() ?? {}
      await page.setViewportSize({ width: height, height: width })
      await picture(page, PAGES).waitFor({ state: 'detached' })
      await page.waitForTimeout(SAVED_MS)
      expect(await kept()).toBe(9)
    },
    { client },
  )
})

describe('turning pages', () => {
  test('from right to left the left arrow is the next page, and the address follows without a trace in the history', () =>
    reading(async (page) => {
      await page.goto(seriesAddress())
      await card(page, 'Shapes v01').click()
      await picture(page, 1).waitFor()
      for (const number of [2, 3]) {
        await page.keyboard.press('ArrowLeft')
        await picture(page, number).waitFor()
        await settle(page, number)
      }
      await page.keyboard.press('ArrowRight')
      await picture(page, 2).waitFor()
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Shapes' }).waitFor()
    }))

  test('from left to right it is the right arrow, and each series is read in its own way, on every device', async () => {
    const client = await somebody()
    await reading(
      async (page) => {
        await page.goto(addressOf(1, 2))
        await picture(page, 2).waitFor()
        await page.keyboard.press('l')
        await page.keyboard.press('ArrowRight')
        await picture(page, 3).waitFor()
        await until(async () => {
          const { settings } = (await client.get('/api/manga/reader-settings', { itemKey: keyOf(2) })).body
          return settings.mode === 'ltr'
        })
      },
      { client },
    )
    await reading(
      async (page) => {
        await page.goto(addressOf(2, 1))
        await picture(page, 1).waitFor()
        await page.keyboard.press('ArrowRight')
        await picture(page, 2).waitFor()
        const other = scene().keyOf('manga_volume', 'Paper Lanterns/Paper Lanterns v01.cbz')
        await page.goto(`/read/${encodeURIComponent(other)}?page=2`)
        await picture(page, 2).waitFor()
        await page.keyboard.press('ArrowRight')
        await picture(page, 1).waitFor()
      },
      { client },
    )
  })

  test('what was chosen in one volume holds in another that was read before, from its first moment', async () => {
    const client = await somebody()
    await reading(
      async (page) => {
        const open = async (volume: number) => {
          await card(page, `Shapes v0${volume}`).click()
          await page.getByRole('heading', { name: `Shapes v0${volume}` }).waitFor({ state: 'attached' })
        }
        const leave = async () => {
          await page.goBack()
          await card(page, 'Shapes v01').waitFor()
        }
        await page.goto(seriesAddress())
        for (const volume of [2, 1]) {
          await open(volume)
          await picture(page, 1).waitFor()
          if (volume === 2) await leave()
        }
        await page.keyboard.press('w')
        await strip(page).waitFor()
        await until(async () => (await client.get('/api/manga/reader-settings', { itemKey: keyOf(2) })).body.settings.mode === 'webtoon')
        await leave()
        const settings = await holdRequests(page, 'GET', /reader-settings/)
        const isAsked = (response: Response) =>
          response.request().method() === 'GET' && new URL(response.url()).pathname === '/api/progress'
        const progress = page.waitForResponse(isAsked)
        await page.evaluate(() => {
          const look = () => {
            const hasPage = document.querySelector('img[alt="Page 1"]') !== null
            if (hasPage && !document.querySelector('[data-own-keys] ol')) Object.assign(window, { wasPaged: true })
          }
          new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
        })
        await open(2)
        await Promise.all([settings.asked, progress])
        await page.keyboard.press('c')
        settings.letGo()
        await strip(page).waitFor()
        expect(await page.evaluate(() => 'wasPaged' in window)).toBe(false)
        expect((await client.get('/api/manga/reader-settings', { itemKey: keyOf(1) })).body.settings.mode).toBe('webtoon')
      },
      { client, isIntercepted: true },
    )
  })

  test('what was chosen for a series before stays, also where it could not be asked for at first', async () => {
    const client = await somebody()
    const settingsOf = async () => (await client.get('/api/manga/reader-settings', { itemKey: keyOf(1) })).body.settings
    await client.put('/api/manga/reader-settings', { itemKey: keyOf(1), settings: { background: 'grey' } })
    await reading(
      async (page) => {
        let isFailing = true
        const json = { code: 'internal_error', detail: 'Something went wrong on the server' }
        await page.route(/\/api\/manga\/reader-settings/, (route) => (isFailing ? route.fulfill({ status: 500, json }) : route.fallback()))
        await page.goto(addressOf(1, 2))
        await picture(page, 2).waitFor()
        await page.keyboard.press('l')
        await page.getByText('Something went wrong on the server').waitFor()
        isFailing = false
        const settings = await holdRequests(page, 'GET', /reader-settings/)
        await page.keyboard.press('l')
        await settings.asked
        // Nobody is put out of the volume for that, and nothing is said before it holds.
        expect(await picture(page, 2).count()).toBe(1)
        const word = page.getByText('Left to right', { exact: true })
        expect(await word.count()).toBe(0)
        settings.letGo()
        await word.waitFor()
        await until(async () => (await settingsOf()).mode === 'ltr')
        expect(await settingsOf()).toEqual({ background: 'grey', mode: 'ltr' })
      },
      { client, expected: /status of 500/ },
    )
  })

  test('taps in the outer thirds turn, the middle brings and takes the bars, and all of it follows the direction', () =>
    reading(
      async (page) => {
        const tapAt = (share: number) => page.touchscreen.tap(share * 390, 400)
        await page.goto(addressOf(1, 2))
        await picture(page, 2).waitFor()
        await tapAt(0.1)
        await picture(page, 3).waitFor()
        await tapAt(0.9)
        await picture(page, 2).waitFor()
        const slider = page.getByRole('slider', { name: 'Page' })
        await slider.waitFor({ state: 'hidden' })
        await tapAt(0.5)
        await slider.waitFor()
        expect(await slider.getAttribute('dir')).toBe('rtl')
        await tapAt(0.5)
        await slider.waitFor({ state: 'hidden' })
        await page.keyboard.press('l')
        await tapAt(0.9)
        await picture(page, 3).waitFor()
      },
      { screen: 'phone' },
    ))

  test('the zones are shown on the first visit, for a moment, and never again', async () => {
    const client = await somebody()
    await onPage(scene(), { client }, async (page) => {
      const hint = page.getByRole('status').filter({ hasText: 'Menu' })
      await Promise.all([hint.waitFor(), page.goto(addressOf(1, 2), { waitUntil: 'commit' })])
      await hint.waitFor({ state: 'detached' })
      await page.reload()
      await picture(page, 2).waitFor()
      expect(await hint.count()).toBe(0)
    })
  })

  test('with large text on a phone the title is read, and every tool is on the screen', () =>
    reading(
      async (page) => {
        await page.goto(addressOf(1, 2))
        await picture(page, 2).waitFor()
        await page.addStyleTag({ content: 'html { font-size: 24px }' })
        const header = page.locator('header').filter({ has: page.getByLabel('Reading settings') })
        const edges = () => header.locator('*').evaluateAll((all) => all.map((element) => element.getBoundingClientRect().right))
        expect(Math.max(...(await edges()))).toBeLessThanOrEqual(390)
        expect((await header.locator('p').first().boundingBox())?.width).toBeGreaterThan(100)
      },
      { context: { viewport: { width: 390, height: 844 } } },
    ))

  test('two pages lie side by side in landscape alone, the cover and wide pages by themselves', () =>
    reading(async (page) => {
      const shown = () =>
        page.locator('[data-own-keys] img[alt^="Page"]').evaluateAll((images) => images.map((image) => image.getAttribute('alt')))
      await page.goto(addressOf(1, 1))
      await picture(page, 1).waitFor()
      await page.keyboard.press('d')
      expect(await shown()).toEqual(['Page 1'])
      await page.keyboard.press('ArrowLeft')
      await picture(page, 3).waitFor()
      expect(await shown()).toEqual(['Page 2', 'Page 3'])
      const [first, second] = [await picture(page, 2).boundingBox(), await picture(page, 3).boundingBox()]
      expect(first && second && first.x > second.x).toBe(true)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByText('Two pages are shown in landscape.').first().waitFor()
      expect(await shown()).toEqual(['Page 2'])
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(addressOf(1, 8))
      await picture(page, 8).waitFor()
      expect(await shown()).toEqual(['Page 8'])
    }))

  test('a page is chosen by its number, by its picture and by the slider', () =>
    reading(async (page) => {
      await page.goto(addressOf(1, 2))
      await picture(page, 2).waitFor()
      await page.keyboard.press('g')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Page').fill('99')
      await dialog.getByText('Enter a page from 1 to 24.').waitFor()
      await dialog.getByLabel('Page').fill('10')
      await page.keyboard.press('Enter')
      await picture(page, 10).waitFor()
      await page.keyboard.press('t')
      await page.getByRole('button', { name: 'Page 12', exact: true }).click()
      await settle(page, 12)
      await page.getByRole('slider', { name: 'Page' }).fill('14')
      await settle(page, 14)
    }))

  test('more of them at a time than Safari takes addresses, and the address follows all the same', () =>
    reading(async (page) => {
      await page.addInitScript(() => {
        for (const name of ['pushState', 'replaceState'] as const) {
          const take = history[name]
          history[name] = (...step) => {
            if ('isFull' in window && window.isFull)
              throw new DOMException('Attempt to use it more than 100 times per 10 seconds', 'SecurityError')
            take.apply(history, step)
          }
        }
      })
      await page.goto(addressOf(1, 2))
      await picture(page, 2).waitFor()
      await page.evaluate('isFull = true')
      const slider = page.getByRole('slider', { name: 'Page' })
      for (const number of [8, 16]) {
        await slider.fill(String(number))
        await picture(page, number).waitFor()
      }
      expect(pageInAddress(page)).toBe('2')
      await page.evaluate('isFull = false')
      await settle(page, 16)
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { level: 1, name: 'Shapes' }).waitFor()
    }))

  test('a large page stays where it was read to, whatever else of the reader is changed', () =>
    reading(async (page) => {
      await page.goto(addressOf(1, 4))
      await picture(page, 4).waitFor()
      await page.keyboard.press('c')
      const top = () =>
        page.locator('[data-own-keys] img[alt="Page 4"]').evaluate((image) => {
          let box = image.parentElement
          while (box && box.scrollHeight <= box.clientHeight) box = box.parentElement
          return box?.scrollTop ?? -1
        })
      await until(async () => (await top()) === 0)
      await page.keyboard.press(' ')
      await until(async () => (await top()) > 700)
      const before = await top()
      await page.keyboard.press('s')
      await page.getByRole('combobox', { name: 'Background' }).selectOption('White')
      await page.locator('.bg-stage-white').waitFor()
      expect(await top()).toBe(before)
    }))

  test('a page that comes late stays where it was read to', () =>
    reading(async (page) => {
      await page.goto(addressOf(1, 3))
      await picture(page, 3).waitFor()
      const late = await holdRequests(page, 'GET', /manga\/page\?.*index=9/)
      await page.goto(addressOf(1, 10))
      await picture(page, 10).waitFor()
      await page.keyboard.press('c')
      const stage = page.locator('[data-own-keys] .overflow-auto', { has: picture(page, 10) })
      const top = () => stage.evaluate((element) => element.scrollTop)
      // Not by the wheel, whose last turn may be answered when the place has been read already.
      await until(async () => {
        await stage.evaluate((element) => element.scrollTo(0, 600))
        return (await top()) === 600
      })
      late.letGo()
      await page.waitForFunction(() => document.querySelector<HTMLImageElement>('img[alt="Page 10"]')?.complete)
      await page.waitForTimeout(SETTLED_MS)
      expect(await top()).toBe(600)
    }))

  test('Escape closes what lies on top, and then the reader', () =>
    reading(async (page) => {
      await page.goto(addressOf(1, 2))
      await picture(page, 2).waitFor()
      await page.keyboard.press('t')
      await page.keyboard.press('h')
      const dialog = page.getByRole('dialog', { name: 'Keys of the reader' })
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      const strip = page.getByRole('button', { name: 'Page 12', exact: true })
      await strip.waitFor()
      await page.keyboard.press('Escape')
      await strip.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { level: 1, name: 'Shapes' }).waitFor()
    }))
})

// Safari before 26.2 tells nobody where one came from.
test.each([true, false])('whoever leaves the reader for the series it was opened from is one step from the library (told: %p)', (isTold) =>
  reading(
    async (page) => {
      if (!isTold) await page.addInitScript('delete window.navigation')
      await page.goto(`/l/${scene().idOf('manga')}`)
      await waitForKeys(page)
      await card(page, 'Shapes').click()
      for (const leave of [() => page.keyboard.press('Escape'), () => page.getByRole('link', { name: 'Back', exact: true }).click()]) {
        await card(page, 'Shapes v01').click()
        await picture(page, 1).waitFor()
        await leave()
        await page.getByRole('heading', { level: 1, name: 'Shapes', exact: true }).waitFor()
      }
      await page.goBack()
      await card(page, 'Shapes').waitFor()
      expect(new URL(page.url()).pathname).toBe(`/l/${scene().idOf('manga')}`)
    },
    // A volume of which there is no picture.
    { expected: /404.*thumbnails.*Damaged/ },
  ),
)

test('the way back of a phone closes the settings, and then the reader', () =>
  reading(
    async (page) => {
      const back = await createSystemBack(page)
      await page.goto(seriesAddress())
      await card(page, 'Shapes v01').click()
      await picture(page, 1).waitFor()
      await page.getByRole('button', { name: 'Reading settings' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await back()
      await dialog.waitFor({ state: 'detached' })
      await picture(page, 1).waitFor()
      await back()
      await page.getByRole('heading', { level: 1, name: 'Shapes' }).waitFor()
    },
    { screen: 'phone' },
  ))

test('the settings of a phone offer the volume itself, and say so', () =>
  reading(
    async (page) => {
      await page.goto(addressOf(1, 1))
      await page.getByRole('button', { name: 'Reading settings' }).click()
      const file = page.getByRole('dialog').getByRole('link', { name: 'Download Shapes v01' })
      expect(await file.textContent()).toBe('Download')
    },
    { screen: 'phone' },
  ))

describe('a volume that cannot be read', () => {
  const damaged = () => encodeURIComponent(scene().keyOf('manga_volume', 'Damaged/Damaged v01.cbz'))

  for (const way of ['button', 'Escape'] as const) {
    test(`says so, and leaves the way back open (${way})`, () =>
      // Its picture may have been asked for before anybody knew that there is none.
      onPage(scene(), { expected: /status of (?:422|404 .*\/api\/thumbnails)/ }, async (page) => {
        await page.goto(`/read/${damaged()}`)
        await page.getByRole('alert').getByText('no ZIP or RAR archive').waitFor()
        if (way === 'button') await page.getByRole('link', { name: 'Back' }).click()
        else await page.keyboard.press('Escape')
        await page.getByRole('heading', { level: 1, name: 'Damaged' }).waitFor()
      }))
  }

  test('nor be found leads to the start', () =>
    onPage(scene(), { expected: /status of 404/ }, async (page) => {
      await page.goto('/read/nothing')
      await page.getByRole('alert').waitFor()
      await page.getByRole('link', { name: 'Back' }).click()
      await page.waitForURL((url) => url.pathname === '/')
    }))
})

describe('the strip', () => {
  test('stays at the page and the place in it, whatever its width becomes', () =>
    reading(async (page) => {
      await page.goto(addressOf(1, 7))
      await picture(page, 7).waitFor()
      await page.keyboard.press('w')
      await strip(page).waitFor()
      await page.mouse.move(640, 400)
      await page.mouse.wheel(0, 700)
      await until(async () => (await middleOf(page)).fraction > 0.2)
      const before = await atRest(page, () => middleOf(page))
      for (const [width, height] of [
        [390, 844],
        [840, 700],
        [1280, 800],
      ] as const) {
        await page.setViewportSize({ width, height })
        // So that what was there before the change is not taken for what comes after it.
        await page.waitForTimeout(300)
        await until(async () => {
          const after = await middleOf(page)
          return after.page === before.page && Math.abs(after.fraction - before.fraction) < 0.02
        })
        expect(Number(pageInAddress(page))).toBe(before.page)
      }
    }))

  test('is where it was, and not at its end, on a phone that is turned', () =>
    reading(
      async (page) => {
        await page.goto(addressOf(1, 17))
        await picture(page, 17).waitFor()
        await page.keyboard.press('w')
        await strip(page).waitFor()
        for (const [width, height] of [
          [844, 390],
          [390, 844],
        ] as const) {
          await page.setViewportSize({ width, height })
          await until(async () => (await strip(page).evaluate((pages) => pages.parentElement?.clientWidth)) === width)
          await page.waitForTimeout(SETTLED_MS)
          expect((await middleOf(page)).page).toBe(17)
          expect(pageInAddress(page)).toBe('17')
        }
      },
      { screen: 'phone', context: { hasTouch: true, isMobile: true } },
    ))

  test('begins where the address says, and the address follows the middle of the window', () =>
    reading(async (page) => {
      await page.goto(addressOf(1, 5))
      await picture(page, 5).waitFor()
      await page.keyboard.press('w')
      await strip(page).waitFor()
      await until(async () => (await middleOf(page)).page === 5)
      expect(pageInAddress(page)).toBe('5')
      await page.keyboard.press('End')
      await settle(page, PAGES)
      await picture(page, PAGES).waitFor()
      await page.keyboard.press('Home')
      await settle(page, 1)
      expect(await page.locator('[data-own-keys] img[alt^="Page"]').count()).toBeLessThan(10)
    }))

  test('is read once the end of its last page has been seen, and stands where it stood after a reload', async () => {
    const client = await somebody()
    await reading(
      async (page) => {
        const itemKey = scene().keyOf('manga_volume', 'Scroll/Scroll v01.cbz')
        const saved = async () => (await client.get('/api/progress', { itemKey })).body
        const scrollTo = (fraction: number) =>
          strip(page).evaluate((pages, at) => pages.parentElement?.scrollTo(0, pages.clientHeight * at), fraction)
        await page.goto(`/read/${encodeURIComponent(itemKey)}`)
        await picture(page, 1).waitFor()
        await page.keyboard.press('w')
        await strip(page).waitFor()
        await page.waitForTimeout(300)
        await scrollTo(0.7)
        await settle(page, 2)
        const before = await atRest(page, () => middleOf(page))
        expect(before.fraction).toBeGreaterThan(0.2)
        await page.waitForTimeout(SAVED_MS)
        expect(await saved()).toMatchObject({ page: 0, completed: false })
        await page.reload()
        await picture(page, 2).waitFor()
        const after = await atRest(page, () => middleOf(page))
        expect(after.page).toBe(2)
        expect(after.fraction).toBeCloseTo(before.fraction, 2)
        await scrollTo(1)
        await until(async () => (await saved()).completed)
      },
      { client },
    )
  })

  test('of a single page that was read begins at its top when it is opened again, and not when it is loaded again', async () => {
    const client = await somebody()
    await reading(
      async (page) => {
        const itemKey = scene().keyOf('manga_volume', 'Scroll/Scroll v02.cbz')
        const end = () => strip(page).evaluate((pages) => pages.parentElement?.scrollTo(0, pages.clientHeight))
        await page.goto(`/read/${encodeURIComponent(itemKey)}`)
        await picture(page, 1).waitFor()
        await page.keyboard.press('w')
        await strip(page).waitFor()
        await page.waitForTimeout(300)
        await end()
        await until(async () => (await client.get('/api/progress', { itemKey })).body.completed)
        await page.reload()
        await strip(page).waitFor()
        await until(async () => (await atRest(page, () => middleOf(page))).fraction > 0.9)
        await page.keyboard.press('Escape')
        await card(page, 'Scroll v02').click()
        await strip(page).waitFor()
        expect((await atRest(page, () => middleOf(page))).fraction).toBeLessThan(0.2)
      },
      { client },
    )
  })

  test('space moves on by a screen, and Shift with it back', () =>
    reading(async (page) => {
      const top = () => page.evaluate(() => document.querySelector('[data-own-keys] ol')?.parentElement?.scrollTop ?? -1)
      await page.goto(addressOf(1, 1))
      await picture(page, 1).waitFor()
      await page.keyboard.press('w')
      await strip(page).waitFor()
      await page.waitForTimeout(300)
      await page.keyboard.press(' ')
      await until(async () => Math.abs((await top()) - 720) < 2)
      await page.keyboard.press('Shift+ ')
      await until(async () => (await top()) === 0)
    }))

  test('pulled on below its end it goes on with the next volume', () =>
    reading(async (page) => {
      await page.goto(addressOf(2, 3))
      await picture(page, 3).waitFor()
      await page.keyboard.press('w')
      await strip(page).waitFor()
      await page.mouse.move(640, 400)
      await page.waitForTimeout(300)
      await page.mouse.wheel(0, 9000)
      await page.getByRole('link', { name: 'Next: Shapes v03' }).first().waitFor()
      await atRest(page, () => strip(page).evaluate((pages) => pages.parentElement?.scrollTop))
      const next = page.getByRole('heading', { name: 'Shapes v03' })
      // A wheel that rests begins anew, which it may seem to on a busy machine.
      await until(async () => {
        await page.waitForTimeout(800)
        await Promise.all([page.mouse.wheel(0, 100), page.mouse.wheel(0, 120)])
        return next.waitFor({ timeout: 2000 }).then(
          () => true,
          () => false,
        )
      })
    }))
})

describe('beyond the last page', () => {
  test('one press asks, and what comes too late asks again', () =>
    reading(async (page) => {
      await page.goto(addressOf(2, 3))
      await picture(page, 3).waitFor()
      const question = page.getByText('That was Shapes v02. Press again to read on.')
      const press = () => Promise.all([question.waitFor(), page.keyboard.press('ArrowLeft')])
      await press()
      await page.waitForTimeout(CONFIRM_MS)
      await question.waitFor({ state: 'detached' })
      await press()
      expect(pageInAddress(page)).toBe('3')
    }))

  test('where no volume follows or comes before, nothing is promised for another press', () =>
    reading(async (page) => {
      await page.goto(addressOf(3, 1))
      await picture(page, 1).waitFor()
      await Promise.all([
        page.getByText('That was Shapes v03.', { exact: true }).waitFor(),
        page.getByRole('link', { name: 'Back to the series' }).waitFor(),
        page.keyboard.press('ArrowLeft'),
      ])
      await page.goto(addressOf(1, 1))
      await picture(page, 1).waitFor()
      await Promise.all([page.getByText('Shapes v01 begins here.', { exact: true }).waitFor(), page.keyboard.press('ArrowRight')])
    }))

  test('two presses within three seconds go on without leaving the reader, and Back leads out of it', () =>
    reading(async (page) => {
      await page.goto(seriesAddress())
      await card(page, 'Shapes v02').click()
      await picture(page, 1).waitFor()
      await page.keyboard.press('End')
      await picture(page, 3).waitFor()
      await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      await page.getByRole('heading', { name: 'Shapes v03' }).waitFor()
      await picture(page, 1).waitFor()
      expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
      await Promise.all([page.getByText('Shapes v03 begins here. Press again to go back.').waitFor(), page.keyboard.press('ArrowRight')])
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: 'Shapes v02' }).waitFor()
      // The page before is the last one, whatever was read of the volume.
      await picture(page, 3).waitFor()
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Shapes', exact: true }).waitFor()
    }))

  test('the next volume keeps full screen, and whoever leaves the reader leaves it', () =>
    reading(async (page) => {
      const isFull = (wanted: boolean) => page.waitForFunction((full) => (document.fullscreenElement !== null) === full, wanted)
      await page.goto(seriesAddress())
      await card(page, 'Shapes v01').click()
      await picture(page, 1).waitFor()
      await page.keyboard.press('f')
      await isFull(true)
      await page.getByRole('link', { name: 'Next: Shapes v02' }).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname.includes('v02'))
      await picture(page, 1).waitFor()
      await isFull(true)
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Shapes' }).waitFor()
      await isFull(false)
    }))

  test('a page that is drawn while the next volume is asked for changes nothing', () =>
    reading(async (page) => {
      const drawn = Promise.withResolvers<void>()
      await page.route(
        (url) => url.pathname.endsWith('/pages') && url.searchParams.get('itemKey') === keyOf(3),
        async (route) => {
          await drawn.promise
          await route.continue()
        },
      )
      await page.goto(addressOf(2, 3))
      await picture(page, 3).waitFor()
      const left = await picture(page, 3).elementHandle()
      await page.getByRole('link', { name: 'Shapes v03' }).first().waitFor({ state: 'attached' })
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      await page.waitForURL((url) => url.pathname.includes('v03'))
      await picture(page, 3).waitFor({ state: 'detached' })
      await left?.dispatchEvent('load')
      drawn.resolve()
      await picture(page, 1).waitFor()
    }))

  test('after the last volume the series is offered', () =>
    reading(async (page) => {
      await page.goto(addressOf(3, 1))
      await picture(page, 1).waitFor()
      await Promise.all([page.getByRole('link', { name: 'Back to the series' }).click(), page.keyboard.press('ArrowLeft')])
      await page.getByRole('heading', { level: 1, name: 'Shapes', exact: true }).waitFor()
    }))
})

describe('a page that does not come', () => {
  const hasCome = (page: Page, number: number) =>
    until(() => picture(page, number).evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))

  for (const [mode, key] of [
    ['a page', 'r'],
    ['a strip', 'w'],
  ] as const) {
    test(`for want of a connection says so, and comes by itself when the server is back (${mode})`, () =>
      reading(
        async (page) => {
          const outage = await createOutage(page)
          await page.goto(addressOf(1, 1))
          await hasCome(page, 1)
          await page.keyboard.press(key)
          outage.begin()
          await page.keyboard.press('End')
          const word = page.getByRole('status').filter({ hasText: 'The connection broke' }).last()
          await word.waitFor()
          outage.end()
          await word.waitFor({ state: 'detached' })
          await hasCome(page, PAGES)
        },
        { expected: /ERR_INTERNET_DISCONNECTED|failed request/ },
      ))
  }

  test('at once is waited for in sight', () =>
    reading(
      async (page) => {
        const { letGo } = await holdRequests(page, 'GET', /\/api\/manga\/page.*index=1\b/)
        await page.goto(addressOf(1, 2), { waitUntil: 'commit' })
        const sign = page.getByRole('status', { name: 'Loading' })
        await sign.waitFor()
        letGo()
        await hasCome(page, 2)
        await sign.waitFor({ state: 'detached' })
      },
      { isIntercepted: true },
    ))

  test('while the server answers is called damaged', () =>
    reading(
      async (page) => {
        await page.route('**/api/manga/**', (route) => (route.request().resourceType() === 'image' ? route.abort() : route.continue()))
        await page.goto(addressOf(1, 1))
        await page.getByText('This page cannot be shown').first().waitFor()
      },
      { expected: /ERR_FAILED|failed request/ },
    ))
})

describe('what is remembered and prepared', () => {
  test('the page, also of who closes the window at once; a volume of one page is read by opening it', async () => {
    const client = await somebody()
    const progressOf = async (volume: number) => (await client.get('/api/progress', { itemKey: keyOf(volume) })).body
    await reading(
      async (page) => {
        await page.goto(addressOf(1, 4))
        await picture(page, 4).waitFor()
        await page.keyboard.press('ArrowLeft')
        await picture(page, 5).waitFor()
        await page.goto('/icon.svg')
        await until(async () => (await progressOf(1)).page === 4)
        await page.goto(addressOf(3, 1))
        await picture(page, 1).waitFor()
        await until(async () => (await progressOf(3)).completed === true)
        await page.goto(`/read/${encodeURIComponent(keyOf(1))}`)
        await picture(page, 5).waitFor()
      },
      { client },
    )
  })

  test('where somebody is who reads a volume again, which begins anew once it has been read', async () => {
    const client = await somebody()
    await client.put('/api/progress', { itemKey: keyOf(1), page: PAGES - 1, completed: true })
    await reading(
      async (page) => {
        await page.goto(`/read/${encodeURIComponent(keyOf(1))}`)
        await picture(page, 1).waitFor()
        await page.keyboard.press('ArrowLeft')
        await picture(page, 2).waitFor()
        await page.goto('/icon.svg')
        await until(async () => (await client.get('/api/progress', { itemKey: keyOf(1) })).body.page === 1)
        await page.goto(seriesAddress())
        await page.getByRole('link', { name: 'Continue: Shapes v01', exact: true }).click()
        await picture(page, 2).waitFor()
      },
      { client },
    )
  })

  test('what is read while the server is gone, also of who leaves the reader before it is back', async () => {
    const client = await somebody()
    const progress = async () => (await client.get('/api/progress', { itemKey: keyOf(1) })).body
    await reading(
      async (page) => {
        const outage = await createOutage(page)
        const goneOffline = async () => {
          const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT')
          outage.begin()
          await page.keyboard.press('ArrowLeft')
          await failed
        }
        const comeBack = async () => {
          outage.end()
          await page.evaluate(() => window.dispatchEvent(new Event('online')))
        }
        await client.put('/api/progress', { itemKey: keyOf(1), page: PAGES - 3 })
        await page.goto(seriesAddress())
        await card(page, 'Shapes v01').click()
        await picture(page, PAGES - 2).waitFor()
        await goneOffline()
        expect((await progress()).page).toBe(PAGES - 3)
        await comeBack()
        await until(async () => (await progress()).page === PAGES - 2)
        await goneOffline()
        await page.goBack()
        await page.getByRole('heading', { level: 1, name: 'Shapes', exact: true }).waitFor()
        expect((await progress()).completed).toBe(false)
        await comeBack()
        await until(async () => (await progress()).completed === true)
      },
      { client, expected: /ERR_INTERNET_DISCONNECTED|failed request/ },
    )
  })

  test('nothing of a page that a better file does not have: the volume begins anew, and is not read by opening it', async () => {
    const client = await somebody()
    const itemKey = scene().keyOf('manga_volume', 'Replaced/Replaced v01.cbz')
    expect((await client.put('/api/progress', { itemKey, page: 3 })).status).toBe(200)
    await drawVolume(join(scene().collection.libraries.manga, 'Replaced/Replaced v01.cbz'), shapes.slice(0, 2))
    await scene().server.scanAndWait(scene().idOf('manga'))
    await reading(
      async (page) => {
        await page.goto(`/read/${encodeURIComponent(itemKey)}`)
        await picture(page, 1).waitFor()
        await until(async () => (await client.get('/api/progress', { itemKey })).body.page === 0)
        expect((await client.get('/api/progress', { itemKey })).body.completed).toBe(false)
      },
      { client },
    )
  })

  test('five pages ahead, one behind, and near the end the beginning of the next volume', () =>
    reading(async (page) => {
      const asked = new Set<string>()
      page.on('request', (request) => {
        const url = new URL(request.url())
        if (url.pathname === '/api/manga/page')
          asked.add(`${url.searchParams.get('itemKey') === keyOf(1) ? 1 : 2}: ${Number(url.searchParams.get('index')) + 1}`)
      })
      await page.goto(addressOf(1, 4))
      await picture(page, 4).waitFor()
      await until(async () => asked.size >= 7)
      expect([...asked].sort()).toEqual(['1: 3', '1: 4', '1: 5', '1: 6', '1: 7', '1: 8', '1: 9'])
      await page.goto(addressOf(1, PAGES - 10))
      await until(async () => ['2: 1', '2: 2', '2: 3'].every((wanted) => asked.has(wanted)))
    }))
})

for (const [screen, theme] of [
  ['desktop', 'dark'],
  ['phone', 'light'],
] as const) {
  test(`nothing in the reader keeps anybody out (${screen}, ${theme})`, () =>
    reading(
      async (page) => {
        const findings: string[] = []
        await page.goto(addressOf(1, 3))
        await picture(page, 3).waitFor()
        findings.push(...(await axeFindings(page)))
        await page.keyboard.press('t')
        findings.push(...(await axeFindings(page)))
        await page.keyboard.press('s')
        await page.getByRole('dialog').waitFor()
        findings.push(...(await axeFindings(page)))
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.keyboard.press('w')
        await page.waitForTimeout(300)
        findings.push(...(await axeFindings(page)))
        expect(findings).toEqual([])
      },
      { screen, theme },
    ))
}
