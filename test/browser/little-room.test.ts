/** What gives way where there is little room: long names, low windows, and screens with round corners and a bar for gestures. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { WIDTHS } from '../support/browser.ts'
import type { DemoCollection } from '../support/demo-collection.ts'
import type { Json } from '../support/http-client.ts'
import { runProgram } from '../support/program.ts'
import { makeClip } from '../support/real-media.ts'
import { onPage, TEST_LIMIT_MS } from './on-page.ts'
import { LIBRARY_NAMES, openScene, type Scene } from './scene.ts'
import type { ScreenSpec } from './screens.ts'

setDefaultTimeout(TEST_LIMIT_MS)

const LONG = 'The Extraordinarily Long and Winding Tale of the Clockmaker Who Sold the Seven Hours Between Midnight and Dawn to a Merchant'
const ONE_WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützensammlung'
/** Each of its episodes is longer than one. */
const HOURS = 'Hours'
const PHOTO = '2024/IMG_20240603_001.jpg'
/** The second click counts no sooner than this after the first. */
const GUARD_MS = 600
/** A phone on its side. */
const LOW = { width: 844, height: 390 }

const prepare = async ({ libraries: { tv, mixed } }: DemoCollection): Promise<void> => {
  await copyFile(join(mixed, PHOTO), join(mixed, `${LONG}.jpg`))
  const season = join(tv, 'Northline (2018)/Season 01')
  const [episode = ''] = (await readdir(season)).filter((name) => name.endsWith('.mkv'))
  await mkdir(join(tv, LONG, 'Season 01'), { recursive: true })
  await copyFile(join(season, episode), join(tv, LONG, 'Season 01/Clockmaker S01E01.mkv'))
  await mkdir(join(tv, ONE_WORD, 'Season 01'), { recursive: true })
  await copyFile(join(season, episode), join(tv, ONE_WORD, 'Season 01/Caps S01E01.mkv'))
  await mkdir(join(tv, ONE_WORD, ONE_WORD))
  await copyFile(join(season, episode), join(tv, ONE_WORD, ONE_WORD, 'Caps S02E01.mkv'))
  await Bun.write(join(tv, ONE_WORD, 'tvshow.nfo'), `<tvshow><genre>${ONE_WORD}geschichten</genre></tvshow>`)
  const hours = join(tv, HOURS, 'Season 01')
  const piece = await makeClip(join(hours, 'Hours S01E01.mp4'), { seconds: 60, width: 64, height: 36, source: 'black', audioCodec: 'none' })
  await runProgram([
    'ffmpeg',
    '-nostdin',
    '-loglevel',
    'error',
    '-stream_loop',
    '62',
    '-i',
    piece,
    '-c',
    'copy',
    join(hours, 'Hours S01E02.mp4'),
  ])
  await copyFile(join(hours, 'Hours S01E02.mp4'), piece)
  await Bun.write(join(hours, 'Hours S01E01.en.srt'), '1\n00:00:00,000 --> 00:00:30,000\nSomebody says something\n')
}

let opened: Scene | undefined
const scene = (): Scene => {
  if (!opened) throw new Error('The scene is not open')
  return opened
}
beforeAll(async () => {
  opened = await openScene({ size: 'small', prepare })
}, 240_000)
afterAll(() => opened?.[Symbol.asyncDispose]())

interface Edges {
  left: number
  right: number
  top: number
  bottom: number
}
const edgesOf = (page: Page, selector: string): Promise<Edges[]> =>
  page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      return { left, right, top, bottom }
    }),
  )

const series = () => `/l/${scene().idOf('tv')}/s/${encodeURIComponent(LONG)}`

describe('a long name', () => {
  for (const screen of ['desktop', 'phone'] as const) {
    test(`leaves the way back and what stands beside it whole (${screen})`, () =>
      onPage(scene(), { screen }, async (page) => {
        await page.goto(`${series()}/season/1`)
        const crumbs = 'header nav ol a'
        await page.locator(crumbs).nth(1).waitFor()
        const [library, name] = await edgesOf(page, crumbs)
        expect(library?.right).toBeLessThanOrEqual(name?.left ?? 0)
        expect(
          await page
            .locator(crumbs)
            .first()
            .evaluate((link) => link.scrollWidth - link.clientWidth),
        ).toBe(0)
        const [account] = await edgesOf(page, 'header button[aria-haspopup=menu]')
        expect(Math.round((account?.right ?? 0) - (account?.left ?? 0))).toBe(Math.round((account?.bottom ?? 0) - (account?.top ?? 0)))
      }))
  }

  test('of a library makes what was found no wider than the phone', async () => {
    const { admin, idOf } = scene()
    const rename = (name: string) => admin.patch(`/api/libraries/${idOf('mixed')}`, { name })
    await rename(ONE_WORD)
    await onPage(scene(), { screen: 'phone' }, async (page) => {
      await page.goto('/search?q=Clockmaker')
      await page.getByRole('heading', { name: ONE_WORD }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(WIDTHS.phone)
    })
    await rename(LIBRARY_NAMES.mixed)
  })

  test('of a series or a genre that is one word makes no page wider than the phone', async () => {
    const { admin, keyOf, idOf } = scene()
    await admin.post('/api/nfo-refresh', { itemKey: keyOf('tv_series', ONE_WORD) })
    await onPage(scene(), { screen: 'phone' }, async (page) => {
      const width = () => page.evaluate(() => document.documentElement.scrollWidth)
      const address = `/l/${idOf('tv')}/s/${encodeURIComponent(ONE_WORD)}`
      await page.goto(address)
      await page.getByText(`${ONE_WORD}geschichten`).waitFor()
      expect(await width()).toBe(WIDTHS.phone)
      await page.goto(`${address}/season/1`)
      await page.getByRole('main').getByRole('link', { name: ONE_WORD }).waitFor()
      expect(await width()).toBe(WIDTHS.phone)
      await page.goto(`${address}/season/2`)
      await page.getByRole('heading', { level: 1, name: ONE_WORD }).waitFor()
      expect(await width()).toBe(WIDTHS.phone)
    })
  })

  test('can be read to its end on its own page, also on a phone', () =>
    onPage(scene(), { screen: 'phone' }, async (page) => {
      await page.goto(series())
      const heading = page.getByRole('heading', { level: 1, name: LONG })
      await heading.waitFor()
      expect(await heading.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
    }))
})

test('a title that is written from right to left has its last sign on the left', async () => {
  const { admin, idOf } = scene()
  const rename = (name: string) => admin.patch(`/api/libraries/${idOf('mixed')}`, { name })
  await rename('שלום עולם!')
  await onPage(scene(), {}, async (page) => {
    await page.goto(`/l/${idOf('mixed')}`)
    const heading = page.getByRole('heading', { level: 1, name: 'שלום עולם!' })
    const places = await heading.evaluate(({ firstChild }) => {
      const leftOf = (at: number) => {
        const range = new Range()
        if (firstChild) range.setStart(firstChild, at)
        if (firstChild) range.setEnd(firstChild, at + 1)
        return range.getBoundingClientRect().left
      }
      return { first: leftOf(0), last: leftOf('שלום עולם!'.length - 1) }
    })
    expect(places.last).toBeLessThan(places.first)
  })
  await rename(LIBRARY_NAMES.mixed)
})

test('whoever has twice as large a text on a phone reads and presses everything', () =>
  onPage(scene(), { screen: 'phone', context: { locale: 'de-DE' } }, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    const screens = {
      [`/l/${scene().idOf('mixed')}`]: '[role=grid] a',
      [`${series()}/season/1`]: 'ol li button',
      '/manage/libraries': 'main tbody tr',
      '/manage/users': 'main li a',
      '/manage/users/1': 'main [role=switch]',
      '/manage/ai-tagging': 'main [role=tabpanel]',
      '/manage/system': 'main li button',
    }
    // What the server makes of a night's backup: a line of its own, with a button.
    const backups = join(scene().server.dataDir, 'backups')
    await mkdir(backups, { recursive: true })
    await Bun.write(join(backups, 'vitrine-2026-11-28.db'), 'a backup')
    for (const [path, until] of Object.entries(screens)) {
      await page.goto(path)
      await page.locator(until).first().waitFor()
      const lost = await page.locator('main :is(h1, button, a, label, search)').evaluateAll((elements) =>
        elements.flatMap((element) => {
          const { left, right, width } = element.getBoundingClientRect()
          const isSeen = width > 1 && element.closest('[role=grid], [role=tablist], nav, .sr-only') === null
          const isWhole = left >= 0 && right <= window.innerWidth && (element.localName !== 'search' || width > 150)
          return isSeen && !isWhole ? [`${element.textContent} from ${left} to ${right}`] : []
        }),
      )
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect({ path, lost, width }).toEqual({ path, lost: [], width: 390 })
    }
  }))

test('so they press what a model is asked by, and no page of a film is wider than the phone', async () => {
  const { body: settings } = await scene().admin.get('/api/ai-settings')
  const { apiKeySet: _, ...kept } = settings
  // Nothing is sent there.
  await scene().admin.put('/api/ai-settings', { ...kept, endpoint: 'http://127.0.0.1:9/v1', model: 'any', enabled: true })
  const [film] = (await scene().admin.get('/api/browse', { libraryId: scene().idOf('movies') })).body.entries
  await onPage(scene(), { screen: 'phone', context: { locale: 'de-DE' } }, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent(film.itemKey.split(':').slice(2).join(':'))}`)
    await page.getByRole('button', { name: 'KI-Tags vergeben' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
  await scene().admin.put('/api/ai-settings', kept)
})

test('so they read what a picture is called, and press all that is above it', () =>
  onPage(scene(), { screen: 'phone' }, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    await page.goto(`/l/${scene().idOf('mixed')}?item=${encodeURIComponent(scene().keyOf('mixed_file', `${LONG}.jpg`))}`)
    const viewer = page.getByRole('dialog')
    await viewer.getByRole('link', { name: 'Download' }).waitFor()
    const edges = await viewer
      .locator('button, a')
      .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect()).filter(({ width }) => width > 0))
    expect(edges.length).toBeGreaterThan(3)
    for (const { left, right } of edges) expect([left >= 0, right <= 390]).toEqual([true, true])
    expect((await viewer.getByRole('heading').boundingBox())?.width).toBeGreaterThan(100)
  }))

test('a phone shows what is in a library, and what it is sorted by to whoever asks', () =>
  onPage(scene(), { screen: 'phone' }, async (page) => {
    await page.goto(`/l/${scene().idOf('movies')}`)
    const grid = page.getByRole('grid')
    await grid.waitFor()
    const order = page.getByRole('combobox', { name: 'Sort by' })
    expect(await order.isVisible()).toBe(false)
    // Below the bar of the page two rows, each as high as a finger needs, and not a third one.
    expect((await grid.boundingBox())?.y).toBeLessThan(200)
    await page.getByRole('button', { name: 'Filters' }).focus()
    for (const key of ['Tab', 'Enter', 'Tab']) await page.keyboard.press(key)
    expect(await order.evaluate((select) => select === document.activeElement)).toBe(true)
    await order.selectOption({ label: 'Year' })
    await page.waitForURL('**sort=year')
    expect(await order.evaluate((select) => select === document.activeElement)).toBe(true)
    for (const name of ['Descending', 'Sort and view']) await page.getByRole('button', { name }).click()
    await page.waitForURL('**dir=asc')
    expect(await order.isVisible()).toBe(false)
  }))

test('whatever a library is ordered by is read whole on a phone', () =>
  onPage(scene(), { screen: 'phone' }, async (page) => {
    await page.goto(`/l/${scene().idOf('movies')}`)
    await page.getByRole('button', { name: 'Sort and view' }).click()
    const order = page.getByRole('combobox', { name: 'Sort by' })
    const missing = await order.evaluate((select) => {
      const ruler = document.createElement('canvas').getContext('2d')
      if (!(select instanceof HTMLSelectElement) || !ruler) throw new Error('No select, or no ruler')
      const { font, paddingLeft, paddingRight } = getComputedStyle(select)
      ruler.font = font
      const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return [...select.options].map(({ label }) => label).filter((label) => ruler.measureText(label).width > room)
    })
    expect(missing).toEqual([])
  }))

describe('a tag', () => {
  const WORD = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlung'

  test('of one letter is wide enough for a finger, and a long one is held by its box', async () => {
    const { admin, idOf, keyOf } = scene()
    await admin.post('/api/tags/import', {
      categories: [{ name: 'Length', tags: [{ name: 'x' }, { name: LONG.slice(0, 90) }, { name: WORD }] }],
    })
    const { tags } = (await admin.get('/api/tags/items', { limit: '50' })).body
    const film = 'The Salt Meridian (1994)'
    await admin.post('/api/tags/assignments/bulk', { itemKeys: [keyOf('movie', film)], add: tags.map(({ id }: Json) => id) })
    await onPage(scene(), { screen: 'phone' }, async (page) => {
      await page.goto(`/l/${idOf('movies')}/m/${encodeURIComponent(film)}`)
      const chips = page.getByRole('list', { name: 'Tags' }).getByRole('link')
      await chips.first().waitFor()
      const boxes = await chips.evaluateAll((links) =>
        links.map((link) => {
          const { width, height, right } = link.getBoundingClientRect()
          return { width, height, right, over: link.scrollHeight - link.clientHeight }
        }),
      )
      expect(boxes.length).toBe(tags.length)
      expect(boxes.filter(({ width, height, right, over }) => width < 44 || height < 44 || right > 390 || over > 0)).toEqual([])
      // By which something is looked for, on the narrowest phones.
      await page.setViewportSize({ width: 320, height: 640 })
      await chips.filter({ hasText: WORD }).click()
      await page.getByRole('list', { name: 'Active filters' }).getByRole('button').waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    })
  })
})

describe('the name of a volume', () => {
  test('is read to its end in the reader of a phone: its number stands there', () =>
    onPage(scene(), { screen: 'phone' }, async (page) => {
      await page.goto(`/read/${encodeURIComponent(scene().keyOf('manga_volume', 'Paper Lanterns/Paper Lanterns v02.cbz'))}`)
      const name = page.locator('header p', { hasText: 'v02' })
      await name.waitFor()
      await page.getByRole('button', { name: /^AI: / }).waitFor()
      const hidden = await name.evaluate((text) => [text.scrollWidth - text.clientWidth, text.scrollHeight - text.clientHeight])
      expect(hidden).toEqual([0, 0])
      // Below it the series has room as well.
      const [header] = await edgesOf(page, 'header:has(a[aria-label=Back])')
      const [series] = await edgesOf(page, 'header p:last-child')
      expect(series?.bottom).toBeLessThanOrEqual(header?.bottom ?? 0)
    }))
})

describe('the category of a tag', () => {
  const CATEGORY = LONG.slice(0, 59)

  test('leaves the tag its name where one is chosen to merge with', async () => {
    const { admin } = scene()
    await admin.post('/api/tags/import', { categories: [{ name: CATEGORY, tags: [{ name: 'Slow' }, { name: 'Quick' }] }] })
    const { categories } = (await admin.get('/api/tags/categories')).body
    const { id } = categories.find(({ name }: Json) => name === CATEGORY)
    await onPage(scene(), { screen: 'phone' }, async (page) => {
      await page.goto(`/manage/tags/${id}`)
      await page.getByRole('button', { name: /Slow/ }).click()
      await page.getByRole('menuitem', { name: /^Merge/ }).click()
      const name = page.getByRole('dialog').getByText('Quick', { exact: true })
      await name.waitFor({ state: 'attached' })
      const room = await name.evaluate((element) => ({ shown: element.clientWidth, needed: element.scrollWidth }))
      expect(room.shown).toBe(room.needed)
      expect(room.shown).toBeGreaterThan(30)
      // What the keyboard of a phone leaves.
      await page.setViewportSize({ width: 360, height: 300 })
      await page.getByRole('dialog').getByRole('textbox').fill('Quick')
      await page.getByRole('dialog').getByRole('listitem').nth(1).waitFor({ state: 'detached' })
      const isInSight = await name.evaluate((element) => {
        const { left, bottom } = element.getBoundingClientRect()
        return document.elementFromPoint(left + 1, bottom - 1) === element
      })
      expect(isInSight).toBe(true)
    })
  })
})

describe('what is said in German on a phone', () => {
  const look = { screen: 'phone', context: { locale: 'de-DE' } } as const

  test('what was deleted has room beside the way to the trash', async () => {
    const { admin, idOf } = scene()
    await admin.patch(`/api/libraries/${idOf('movies')}`, { trashDays: 7 })
    await onPage(scene(), look, async (page) => {
      await page.goto(`/l/${idOf('movies')}/m/${encodeURIComponent('Copper Rain (1978)')}`)
      // The last that comes: what pushes an armed button out of sight disarms it.
      await page.getByText('Je weniger, desto schneller und besser.').waitFor()
      await page.getByRole('button', { name: 'Ordner löschen' }).click()
      const armed = page.getByRole('button', { name: /erneut klicken$/ })
      await armed.waitFor()
      // The second half of a double-click confirms nothing.
      await page.waitForTimeout(GUARD_MS)
      await armed.click()
      const said = page.getByText(/liegt im Papierkorb\.$/)
      await said.waitFor()
      // “Papierkorb.” alone takes 80.
      expect((await said.boundingBox())?.width).toBeGreaterThan(150)
    })
  })

  test('the second click on a screenshot stands in its picture', () =>
    onPage(scene(), look, async (page) => {
      await page.goto(`/l/${scene().idOf('games')}/g/${encodeURIComponent('Tidewright')}?tab=screenshots`)
      await page.getByRole('button', { name: 'Bildschirmfoto 1 löschen' }).click()
      await page.getByText('Löschen: erneut klicken').first().waitFor()
      const [tile] = await edgesOf(page, 'li:has(> [data-tile])')
      const [armed] = await edgesOf(page, 'li:has(> [data-tile]) > span button')
      expect(armed?.left).toBeGreaterThanOrEqual(tile?.left ?? 0)
      expect(armed?.right).toBeLessThanOrEqual(tile?.right ?? 0)
    }))
})

describe('the rail', () => {
  test('shows the names of its entries whole, in German too', () =>
    onPage(scene(), { context: { viewport: { width: 900, height: 700 }, locale: 'de-DE' } }, async (page) => {
      await page.goto('/manage/libraries')
      const name = page.locator('aside').getByText('Verwaltung')
      await name.waitFor()
      const { lines, isCut } = await name.evaluate((label) => {
        const words = document.createRange()
        words.selectNodeContents(label)
        return { lines: words.getClientRects().length, isCut: label.scrollWidth > label.clientWidth }
      })
      expect({ lines, isCut }).toEqual({ lines: 1, isCut: false })
      // A name of two words takes two lines.
      const album = page.locator('aside').getByText(LIBRARY_NAMES.mixed)
      expect(await album.evaluate((label) => label.scrollWidth > label.clientWidth)).toBe(false)
    }))
})

for (const width of [320, 340, 360]) {
  test(`the time of a long film is read whole on a phone of ${width} pixels, beside all its buttons`, () =>
    onPage(scene(), { screen: 'phone', context: { viewport: { width, height: 568 } } }, async (page) => {
      await page.goto(`/watch/${encodeURIComponent(scene().keyOf('tv_episode', `${HOURS}/Season 01/Hours S01E01.mp4`))}?t=3601`)
      const bar = page.locator('[data-controls]')
      await bar.getByRole('button', { name: 'Play the next one' }).waitFor()
      // While it stands, its time does too.
      await page.evaluate(() => document.querySelector('video')?.pause())
      await bar.getByRole('button', { name: 'Subtitles', exact: true }).waitFor()
      const time = bar.getByText(/^1:00:0\d \/ 1:03:00$/)
      await time.waitFor()
      expect(await time.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
      const [fullscreen] = await edgesOf(page, 'media-fullscreen-button')
      expect(fullscreen?.right).toBeLessThanOrEqual(width)
    }))
}

describe('a low window', () => {
  test('holds the tags that a key opens, also where their button lies below it', () =>
    onPage(scene(), { context: { viewport: LOW } }, async (page) => {
      await page.goto(`/l/${scene().idOf('mixed')}?item=${encodeURIComponent(scene().keyOf('mixed_file', `${LONG}.jpg`))}`)
      await page.getByRole('dialog').locator('img').first().waitFor()
      await page.keyboard.press('t')
      const selector = '[data-popper-positioner] [role=dialog]'
      await page.locator(`${selector} input`).waitFor()
      await page.waitForFunction(
        ([inside, height]) => (document.querySelector(String(inside))?.getBoundingClientRect().bottom ?? Infinity) <= Number(height),
        [selector, LOW.height],
      )
    }))

  test('begins a form with its first field, and not in its middle', () =>
    onPage(scene(), { context: { viewport: LOW } }, async (page) => {
      await page.goto('/manage/libraries?add=1')
      const first = page.getByRole('dialog').getByRole('radio').first()
      await first.waitFor({ state: 'attached' })
      const chosen = page.getByRole('dialog').getByRole('radio', { checked: true })
      await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'))
      expect(await chosen.evaluate((radio) => radio === document.activeElement)).toBe(true)
    }))

  test('leaves the search of a library room for its words', () =>
    onPage(scene(), { context: { viewport: LOW, hasTouch: true, isMobile: true } }, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}`)
      const field = page.getByRole('textbox', { name: 'Search by title' })
      await field.waitFor()
      expect((await field.boundingBox())?.width).toBeGreaterThan(190)
    }))
})

describe('round corners and a bar for gestures', () => {
  /** As of a telephone that was held upright and then laid on its side. Pixels. */
  const UPRIGHT = { top: 0, right: 0, bottom: 34, left: 0 }
  const SIDEWAYS = { top: 0, right: 59, bottom: 21, left: 59 }
  /** A line of the smallest text. */
  const CAPTION = 16
  const PRESSED = 'a[href], button, input[type=range]'

  /** What is pressed along the edges, and lies in what the screen cuts off or keeps for itself. */
  const inTheWay = (page: Page, selector: string, insets: typeof UPRIGHT): Promise<string[]> =>
    page.locator(selector).evaluateAll((elements, { left, right, bottom }) => {
      const isIn = (box: DOMRect) => box.left < left || box.right > innerWidth - right || box.bottom > innerHeight - bottom
      return elements
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && isIn(element.getBoundingClientRect()))
        .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? '')
    }, insets)

  const looking = (insets: typeof UPRIGHT, { path, until }: Pick<ScreenSpec, 'path' | 'until'>, work: (page: Page) => Promise<void>) => {
    const viewport = insets === UPRIGHT ? { width: LOW.height, height: LOW.width } : LOW
    return onPage(scene(), { context: { viewport, hasTouch: true, isMobile: true } }, async (page) => {
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets })
      await page.goto(path)
      await page.locator(until).first().waitFor()
      await page.waitForFunction((bottom) => {
        const probe = document.body.appendChild(document.createElement('div'))
        probe.style.height = 'env(safe-area-inset-bottom)'
        const isThere = probe.offsetHeight === bottom
        probe.remove()
        return isThere
      }, insets.bottom)
      await work(page)
    })
  }

  test('the bar at the bottom shows its names above them', () =>
    looking(UPRIGHT, { path: '/', until: 'nav.fixed a[href^="/l/"]' }, async (page) => {
      expect(await inTheWay(page, 'nav.fixed span', UPRIGHT)).toEqual([])
      // They are what a bar that is too low would take the height from.
      for (const { top, bottom } of await edgesOf(page, 'nav.fixed span')) expect(bottom - top).toBeGreaterThanOrEqual(CAPTION)
      const [bar] = await edgesOf(page, 'nav.fixed')
      expect(bar?.bottom).toBe(LOW.width)
    }))

  const stages = (): Pick<ScreenSpec, 'name' | 'path' | 'until'>[] => {
    const photo = encodeURIComponent(scene().keyOf('mixed_file', PHOTO))
    return [
      { name: 'library', path: `/l/${scene().idOf('mixed')}`, until: 'a[data-item-key]' },
      { name: 'viewer', path: `/l/${scene().idOf('mixed')}?item=${photo}`, until: '[role=dialog] img' },
      { name: 'feed', path: `/l/${scene().idOf('mixed')}/feed?i=${photo}`, until: 'article img' },
      {
        name: 'reader',
        path: `/read/${encodeURIComponent(scene().keyOf('manga_volume', 'Paper Lanterns/Paper Lanterns v01.cbz'))}?page=3`,
        until: 'img[alt="Page 3"]',
      },
    ]
  }
  test('nothing that is pressed lies below them on any stage', async () => {
    for (const { name, ...stage } of stages()) {
      for (const insets of [UPRIGHT, SIDEWAYS]) {
        await looking(insets, stage, async (page) => {
          const edges =
            name === 'library' ? 'aside a, header a, header button, nav.fixed a' : `[data-stage] :is(header, footer, nav) :is(${PRESSED})`
          // A rail that is too long for the window is scrolled.
          const bound = name === 'library' ? { ...insets, bottom: -LOW.width } : insets
          expect({ name, found: await inTheWay(page, edges, bound) }).toEqual({ name, found: [] })
        })
      }
    }
  })
})
