/** Games and series of them, in a real browser: their files, pictures, and what two clicks are for. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { makeTree } from '../support/library-tree.ts'
import { drawnPicture, makePicture } from '../support/real-media.ts'
import { waitFor } from '../support/test-server.ts'
import { axeFindings } from './axe.ts'
import { waitForFocus } from './focus.ts'
import { card, holdRequests, onPage, TEST_LIMIT_MS, WAIT_LIMIT_MS } from './on-page.ts'
import { openScene, type Scene } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'
/** The second click counts no sooner than this after the first. */
const GUARD_MS = 600
const SPLIT_GAME = 'Long Road'
const PARTS = 40
const NEW_SHOTS = ['one.png', 'two.png', 'three.png']
const LONG_NAME = 'Long.Road.Home.Collectors.Edition.With.Every.Addition.And.The.Soundtrack'

let opened: Scene | undefined
const scene = (): Scene => {
  if (!opened) throw new Error('The scene is not open')
  return opened
}
beforeAll(async () => {
  opened = await openScene({
    size: 'small',
    types: ['games'],
    prepare: async ({ libraries }) => {
      const names = Array.from({ length: PARTS }, (_, index) => `${LONG_NAME}.part${String(index + 1).padStart(2, '0')}.rar`)
      makeTree(join(libraries.games, SPLIT_GAME), {
        ...Object.fromEntries(names.map((name) => [name, 50])),
        // In a form that no Chromium shows.
        'screenshots/scan.tiff': await drawnPicture({ width: 640, height: 360 }).tiff().toBuffer(),
      })
    },
  })
}, 240_000)
afterAll(() => opened?.[Symbol.asyncDispose]())

const addressOf = (game: string, more = ''): string => `/l/${scene().idOf('games')}/g/${encodeURIComponent(game)}${more}`
const shotsOf = (game: string): string[] => readdirSync(join(scene().collection.libraries.games, game, 'screenshots')).sort()
const tiles = (page: Page) => page.locator('[data-tile]')

describe('files', () => {
  test("the visitor's own system comes first, and the others are one click away", async () => {
    for (const [userAgent, first] of [
      [WINDOWS, 'Windows'],
      [MAC, 'macOS'],
    ] as const) {
      await onPage(scene(), { context: { userAgent } }, async (page) => {
        await page.goto(addressOf('Pocket Orchard'))
        await page.getByRole('link', { name: `Download for ${first}` }).waitFor()
        const platforms = page.getByRole('list', { name: 'Platform' }).getByRole('listitem')
        const named = await platforms.allInnerTexts()
        expect(named[0]).toBe(first)
        expect(named.toSorted()).toEqual(['Linux', 'Windows', 'macOS'])
        await page.getByRole('button', { name: 'Other downloads' }).click()
        await page.getByRole('menuitem').nth(3).waitFor()
        expect(await page.getByRole('menuitem').count()).toBe(4)
      })
    }
  })

  for (const screen of ['desktop', 'phone'] as const) {
    test(`the menu of many files with long names keeps to the window, and scrolls to the last, on a ${screen}`, () =>
      onPage(scene(), { screen }, async (page) => {
        await page.goto(addressOf(SPLIT_GAME))
        await page.getByRole('button', { name: 'Other downloads' }).click()
        const items = page.getByRole('menuitem')
        await items.nth(PARTS - 1).waitFor()
        const isInside = async (part: Locator) => {
          const box = await part.boundingBox()
          const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
          return (box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height) || undefined
        }
        await waitFor(
          () => isInside(page.getByRole('menu')),
          WAIT_LIMIT_MS,
          () => 'The menu is larger than the window',
        )
        await items.first().focus()
        await page.keyboard.press('End')
        await waitFor(
          () => isInside(items.last()),
          WAIT_LIMIT_MS,
          () => 'The last file cannot be reached',
        )
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true)
        expect(await items.last().evaluate((item) => item.scrollWidth <= item.clientWidth)).toBe(true)
      }))
  }

  test('what came with a game stands behind it, and is downloaded like it', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(addressOf('Pocket Orchard'))
      const rows = page.getByRole('tabpanel', { name: 'Files' }).getByRole('listitem')
      await rows
        .filter({ hasText: 'manual/manual.txt' })
        .getByText(/^Extra · \d+ B$/)
        .waitFor()
      expect((await rows.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
        ...['Pocket Orchard-linux.tar.gz', 'Pocket Orchard-windows.zip', 'Pocket Orchard.app', 'Pocket Orchard.dmg'],
        ...['manual/manual.txt', 'patches/Pocket Orchard 1.1.zip'],
      ])
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download patches/Pocket Orchard 1.1.zip' }).click()
      expect((await downloading).suggestedFilename()).toBe('Pocket Orchard 1.1.zip')
    }))

  test('for another system that cannot be had leaves the page as it is', () =>
    onPage(scene(), { expected: /status of 404/ }, async (page) => {
      await page.goto(addressOf('Pocket Orchard'))
      await page.route('**/api/game-archive?**', (route) => route.fulfill({ status: 404, json: { code: 'not_found', detail: 'Gone' } }))
      await page.getByRole('button', { name: 'Other downloads' }).click()
      const downloading = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: 'Pocket Orchard-windows.zip' }).click()
      await downloading
      await page.getByRole('heading', { level: 1, name: 'Pocket Orchard' }).waitFor()
    }))

  test('who may not download is offered none, and who may not upload no new pictures', async () => {
    const client = await scene().server.as('looker', { permissions: { download: false, upload: false } })
    await onPage(scene(), { client }, async (page) => {
      await page.goto(addressOf('Pocket Orchard', '?tab=screenshots'))
      await tiles(page).first().click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keys' })
      await help.waitFor()
      expect(await help.getByText('Download', { exact: true }).count()).toBe(0)
      expect(await page.getByRole('link', { name: /Download/ }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await page.locator('input[type=file]').count()).toBe(0)
      expect(await page.getByRole('button', { name: /Delete/ }).count()).toBe(0)
    })
  })

  test('a link is copied also where the browser has a clipboard and refuses it, as in a frame of another site', () =>
    onPage(scene(), {}, async (page) => {
      await page.addInitScript(() =>
        Object.defineProperty(navigator, 'clipboard', {
          value: { writeText: () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError')) },
        }),
      )
      await page.goto(addressOf('Pocket Orchard'))
      await page.getByRole('button', { name: 'Copy link' }).first().click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
    }))

  test('where no way leads into the clipboard, that is said, and in German in German', () =>
    onPage(scene(), { context: { locale: 'de-DE' } }, async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined })
        document.execCommand = () => false
      })
      await page.goto(addressOf('Pocket Orchard'))
      await page.getByRole('button', { name: 'Link kopieren' }).first().click()
      await page.getByText('Die Zwischenablage ist nicht zugänglich.').waitFor()
    }))

  test("a link is copied, with and without the browser's own clipboard", async () => {
    for (const isSecure of [true, false]) {
      const context = { permissions: ['clipboard-read', 'clipboard-write'] }
      await onPage(scene(), { context }, async (page) => {
        if (!isSecure) await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
        await page.goto(addressOf('Pocket Orchard'))
        await page.evaluate(() => {
          Object.assign(window, { copied: '' })
          document.addEventListener('copy', () =>
            Object.assign(window, {
              copied:
                getSelection()?.toString() || (document.activeElement instanceof HTMLTextAreaElement ? document.activeElement.value : ''),
            }),
          )
        })
        await page.getByRole('button', { name: 'Copy link' }).first().click()
        await page.getByRole('button', { name: 'Copied' }).waitFor()
        const copied = isSecure
          ? await page.evaluate(() => navigator.clipboard.readText())
          : await page.evaluate(() => ('copied' in window ? String(window.copied) : ''))
        expect(copied).toContain(`${scene().server.url}/api/game-archive`)
      })
    }
  })
})

describe('screenshots', () => {
  test('who puts away the note about a picture that was refused goes on at the next one, and then at the button that asked for it', () =>
    onPage(scene(), { expected: /status of 4\d\d/ }, async (page) => {
      await page.goto(addressOf('Pocket Orchard', '?tab=screenshots'))
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Add screenshots' }).click()
      const broken = ['one.png', 'two.png'].map((name) => ({ name, mimeType: 'image/png', buffer: Buffer.from('no picture') }))
      await (await choosing).setFiles(broken)
      const dismiss = page.getByRole('button', { name: 'Dismiss' })
      await dismiss.nth(1).waitFor()
      await dismiss.first().press('Enter')
      await page.getByText('one.png').waitFor({ state: 'detached' })
      await waitForFocus(page, 'Dismiss')
      await page.keyboard.press('Enter')
      await waitForFocus(page, 'Add screenshots')
    }))

  test('that do not arrive are sent again or stopped, and whoever has left them is told', async () => {
    const before = shotsOf('Pocket Orchard')
    const buffer = readFileSync(await makePicture(join(scene().server.dataDir, 'again.png'), { width: 400, height: 225 }))
    const choose = (page: Page, ...names: string[]) =>
      page.locator('input[type=file]').setInputFiles(names.map((name) => ({ name, mimeType: 'image/png', buffer })))
    await onPage(scene(), { isIntercepted: true, expected: /ERR_FAILED|failed request|status of 507/ }, async (page) => {
      await page.goto(addressOf('Pocket Orchard', '?tab=screenshots'))
      await tiles(page).first().waitFor()
      const lose = () => page.route('**/api/game-screenshots', (route) => route.abort())
      const find = () => page.unroute('**/api/game-screenshots')
      const retry = page.getByRole('button', { name: 'Retry' })
      await lose()
      await choose(page, 'lost-1.png', 'lost-2.png')
      await retry.nth(1).waitFor()
      const alert = page.getByRole('alert').filter({ hasText: /./ })
      expect(await alert.count()).toBe(1)
      // One that fails again is read out again, also where another has failed for the same reason.
      const again = await holdRequests(page, 'POST', /game-screenshots/)
      await retry.first().click()
      await again.asked
      await alert.waitFor({ state: 'detached' })
      again.letGo()
      await alert.waitFor()
      await find()
      await page.unroute(/game-screenshots/)
      await retry.first().press('Enter')
      await page.getByText('lost-1.png').waitFor({ state: 'detached' })
      expect(await page.getByText('lost-2.png').count()).toBe(1)
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await page.getByText('lost-2.png').waitFor({ state: 'detached' })
      // One that hangs for good, as it could still arrive if it were let go before the browser has dropped it, and one that waits for it.
      const hanging = Promise.withResolvers<void>()
      await page.route('**/api/game-screenshots', () => hanging.resolve(), { times: 1 })
      await choose(page, 'hangs.png', 'waits.png', 'goes.png')
      await hanging.promise
      const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
      await row('waits.png').getByRole('button', { name: 'Cancel' }).click()
      await row('hangs.png').getByRole('button', { name: 'Cancel' }).click()
      await row('goes.png').waitFor({ state: 'detached' })
      expect(shotsOf('Pocket Orchard')).toHaveLength(before.length + 2)
      // What is stopped may have arrived all the same.
      const arrived = Promise.withResolvers<void>()
      const takeWhole = async (route: Route) => {
        await route.fetch()
        arrived.resolve()
      }
      await page.route('**/api/game-screenshots', takeWhole, { times: 1 })
      await choose(page, 'whole.png')
      await arrived.promise
      await row('whole.png').getByRole('button', { name: 'Cancel' }).click()
      await tiles(page)
        .nth(before.length + 2)
        .waitFor()
      const held = await holdRequests(page, 'POST', /game-screenshots/)
      await choose(page, 'left-1.png', 'left-2.png', 'left-3.png')
      await held.asked
      await page.getByRole('tab', { name: 'Files' }).click()
      await row('left-1.png').waitFor({ state: 'detached' })
      // For a reason of its own each.
      await lose()
      const full = { status: 507, json: { code: 'insufficient_storage', detail: 'The disk is full.' } }
      await page.route('**/api/game-screenshots', (route) => route.fulfill(full), { times: 1 })
      held.letGo()
      await page.getByText('Not uploaded: left-2.png. The disk is full.').waitFor()
      await page.getByText('Not uploaded: left-3.png. The server cannot be reached.').waitFor()
    })
  })

  test('a double click deletes nothing, nor does a key that is held down; two clicks do', async () => {
    const before = shotsOf('Pocket Orchard')
    await onPage(scene(), {}, async (page) => {
      await page.goto(addressOf('Pocket Orchard', '?tab=screenshots'))
      await tiles(page).first().waitFor()
      const button = page.getByRole('button', { name: 'Delete screenshot 1' })
      const armed = page.getByRole('button', { name: 'Delete: click again' })
      await button.dblclick()
      await armed.waitFor()
      await page.keyboard.press('Escape')
      await button.waitFor()
      await button.focus()
      await page.keyboard.down('Enter')
      await armed.waitFor()
      for (let press = 0; press < 8; press++) {
        await page.keyboard.down('Enter')
        await page.waitForTimeout(GUARD_MS / 4)
      }
      await page.keyboard.up('Enter')
      expect(shotsOf('Pocket Orchard')).toEqual(before)
      await page.keyboard.press('Escape')
      await button.click()
      await page.waitForTimeout(GUARD_MS)
      await armed.press('Enter')
      await page.waitForFunction((count) => document.querySelectorAll('[data-tile]').length === count, before.length - 1)
      await waitForFocus(page, 'Delete screenshot 1')
    })
    expect(shotsOf('Pocket Orchard')).toHaveLength(before.length - 1)
  })

  test('open in the viewer by their address, and closing leads back to the tile', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(addressOf('Pocket Orchard', '?tab=screenshots'))
      await tiles(page).first().click()
      await page.getByRole('dialog').waitFor()
      expect(new URL(page.url()).searchParams.get('item')).toBe(shotsOf('Pocket Orchard')[0] ?? '')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await waitForFocus(page, 'Screenshot 2')
      expect(new URL(page.url()).searchParams.get('tab')).toBe('screenshots')
      await tiles(page).first().click()
      await page.getByRole('dialog').waitFor()
      await page.goBack()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await waitForFocus(page, 'Screenshot 1')
    }))

  test('that the browser cannot show are shown as a picture made of them', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(addressOf(SPLIT_GAME, '?tab=screenshots&item=scan.tiff'))
      const shown = '.pswp__item[aria-hidden=false] img.pswp__img'
      await page.waitForFunction((selector) => document.querySelector<HTMLImageElement>(selector)?.naturalWidth === 640, shown)
    }))

  test('are downloaded by their key, and the help of the viewer names no key that does nothing', () =>
    onPage(scene(), {}, async (page) => {
      const [name = ''] = shotsOf('Pocket Orchard')
      await page.goto(addressOf('Pocket Orchard', `?tab=screenshots&item=${name}`))
      await page.getByRole('dialog').waitFor()
      const downloading = page.waitForEvent('download')
      await page.keyboard.press('d')
      expect((await downloading).suggestedFilename()).toBe(name)
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keys' })
      await help.getByText('Download', { exact: true }).waitFor()
      for (const panel of ['Details', 'Tags', 'Edit the extracted text'])
        expect(await help.getByText(panel, { exact: true }).count()).toBe(0)
    }))
})

test('what stands small on a game is loaded small, and the viewer shows the screenshot itself', async () => {
  const folder = join(scene().collection.libraries.games, 'Tidewright/screenshots')
  await makePicture(join(folder, 'shot-1.jpg'), { width: 2400, height: 1350 })
  await scene().server.scanAndWait(scene().idOf('games'))
  await onPage(scene(), {}, async (page) => {
    await page.goto(addressOf('Tidewright', '?tab=screenshots'))
    const tile = tiles(page).first().locator('img')
    await page.waitForFunction((image) => image instanceof HTMLImageElement && image.naturalWidth > 0, await tile.elementHandle())
    expect(await tile.evaluate((image: HTMLImageElement) => new URL(image.currentSrc).searchParams.get('size'))).toBe('medium')
    const asked = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name))
        .filter(({ pathname }) => pathname.endsWith('/api/artwork'))
        .map(({ searchParams }) => searchParams.get('size')),
    )
    expect(asked).not.toContain(null)
    await tiles(page).first().click()
    const shown = page.getByRole('dialog').locator('img[src*="shot-1.jpg"]')
    await shown.waitFor()
    expect(await shown.getAttribute('src')).not.toContain('size=')
  })
})

test('a tag on a game has the colour of its category', async () => {
  const { category } = (await scene().admin.post('/api/tags/categories', { name: 'Mood', color: '#d9534f' })).body
  const itemKey = scene().keyOf('game', 'Pocket Orchard')
  await scene().admin.post('/api/tags/items', { name: 'Cosy', categoryId: category.id, itemKey })
  await onPage(scene(), {}, async (page) => {
    await page.goto(addressOf('Pocket Orchard'))
    const dot = page.getByRole('link', { name: 'Cosy' }).locator('span').first()
    expect(await dot.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(217, 83, 79)')
  })
})

test('screenshots go to the game that they were chosen for, also when another stands on the screen before the last has gone', async () => {
  const [chosen, other] = ['Tidewright', 'Pocket Orchard'] as const
  const picture = readFileSync(await makePicture(join(scene().server.dataDir, 'shot.png'), { width: 400, height: 225 }))
  const before = shotsOf(other)
  await onPage(scene(), { isIntercepted: true }, async (page) => {
    await page.goto(addressOf(other, '?tab=screenshots'))
    await tiles(page).first().waitFor()
    await page.getByRole('link', { name: 'Games' }).first().click()
    await card(page, chosen).click()
    await page.getByRole('tab', { name: 'Screenshots' }).click()
    await tiles(page).first().waitFor()
    const wanted = shotsOf(chosen).length + NEW_SHOTS.length
    const first = await holdRequests(page, 'POST', /game-screenshots/)
    await page.locator('input[type=file]').setInputFiles(NEW_SHOTS.map((name) => ({ name, mimeType: 'image/png', buffer: picture })))
    await first.asked
    const isHeldOpen = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
    expect(await isHeldOpen()).toBe(true)
    // As whoever holds the button down and chooses from the list.
    await page.evaluate(() => history.go(-3))
    await page.getByRole('heading', { level: 1, name: other }).waitFor()
    const answers = waitFor(
      async () => shotsOf(chosen).length + shotsOf(other).length === wanted + before.length || undefined,
      WAIT_LIMIT_MS,
      () => 'The screenshots never came',
    )
    first.letGo()
    await answers
    await waitFor(
      async () => !(await isHeldOpen()) || undefined,
      WAIT_LIMIT_MS,
      () => 'Somebody who leaves is asked still',
    )
    expect(shotsOf(other)).toEqual(before)
    expect(shotsOf(chosen)).toHaveLength(wanted)
  })
})

test('where a cover is missing, its place leads to the buttons for one', () =>
  onPage(scene(), { isIntercepted: true }, async (page) => {
    await page.route(/\/api\/items\b/, async (route) => {
      const answer = await route.fetch()
      const { item } = await answer.json()
      await route.fulfill({ response: answer, json: { item: { ...item, coverUrl: null, thumbnailUrl: null } } })
    })
    await page.goto(addressOf('Pocket Orchard'))
    await page.getByRole('button', { name: 'Upload cover' }).click()
    await page.getByRole('heading', { name: 'Change pictures' }).waitFor()
    expect(await page.getByRole('tab', { name: 'About' }).getAttribute('aria-selected')).toBe('true')
  }))

test('of two covers that are chosen one after the other the last stays, however long the first takes', async () => {
  const game = 'Pocket Orchard'
  const folder = join(scene().collection.libraries.games, game)
  const pictures: { name: string; mimeType: string; buffer: Buffer }[] = []
  for (const [name, width] of [
    ['first.png', 300],
    ['last.png', 200],
  ] as const) {
    const buffer = readFileSync(await makePicture(join(scene().server.dataDir, name), { width, height: width }))
    pictures.push({ name, mimeType: 'image/png', buffer })
  }
  await onPage(scene(), { isIntercepted: true }, async (page) => {
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('cover')) sent += 1
    })
    const held = await holdRequests(page, 'POST', /cover/)
    await page.goto(addressOf(game, '?tab=about'))
    const choose = (index: number) =>
      page
        .locator('input[type=file]')
        .first()
        .setInputFiles(pictures.slice(index, index + 1))
    await choose(0)
    await held.asked
    // Also by whoever has looked at something else meanwhile.
    await page.getByRole('tab', { name: 'Screenshots' }).click()
    await tiles(page).first().waitFor()
    await page.getByRole('tab', { name: 'About' }).click()
    await choose(1)
    await page.getByRole('progressbar', { name: /last\.png/ }).waitFor()
    expect(sent).toBe(1)
    held.letGo()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    expect(sent).toBe(2)
  })
  const cover = readdirSync(folder).find((name) => /^cover\./i.test(name)) ?? ''
  expect((await sharp(join(folder, cover)).metadata()).width).toBe(200)
})

describe('series', () => {
  test('takes a cover of its own, and shows its games', async () => {
    const picture = await makePicture(join(scene().server.dataDir, 'series.png'), { width: 200, height: 300 })
    await onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('games')}/gs/${encodeURIComponent('Emberfall Saga')}`)
      await card(page, 'Emberfall').waitFor()
      await page.locator('input[type=file]').first().setInputFiles(picture)
      await page.getByText('The cover has been changed.').first().waitFor()
    })
    expect(existsSync(join(scene().collection.libraries.games, 'Emberfall Saga', 'cover.jpg'))).toBe(true)
  })
})

test('nothing on a game keeps anybody out, on any tab and either width', async () => {
  const findings: string[] = []
  for (const screen of ['desktop', 'phone'] as const) {
    await onPage(scene(), { screen }, async (page) => {
      for (const tab of ['files', 'screenshots', 'about']) {
        await page.goto(addressOf('Pocket Orchard', `?tab=${tab}`))
        await page.getByRole('tabpanel').waitFor()
        findings.push(...(await axeFindings(page)))
      }
    })
  }
  expect(findings).toEqual([])
})
