/** What stands in a list stays the same element when something comes or goes before it: with the focus, and under the finger. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import type { HttpClient } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { makePicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'
import { focusedName, holdEnter, waitForFocusIn } from './focus.ts'
import {
  atRest,
  chunkOf,
  FRESH,
  holdRequests,
  onPage,
  pressTwice,
  SETTLED_MS,
  TEST_LIMIT_MS,
  WAIT_LIMIT_MS,
  waitForKeys,
} from './on-page.ts'
import { type ServedLibraries, serveLibraries } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)
const SCENE_LIMIT_MS = 180_000
const LETTERS = 150
/** The second click counts no sooner than this after the first. */
const GUARD_MS = 600
/** Longer than an entry is looked for on a screen that has all that it asks for. */
const RETURN_LIMIT_MS = 3500
const CARD = 'main a[data-item-key]'
/** A phone on its side, and as it is held. */
const LOW = { width: 844, height: 390 }
const UPRIGHT = { width: 390, height: 844 }
const FILMS = ['Arrival (2016)', 'Brazil (1985)', 'Cube (1997)']

let folder: TemporaryFolder
let scene: ServedLibraries
let admin: HttpClient

beforeAll(async () => {
  folder = await temporaryFolder('lists')
  const films = makeTree(join(folder.path, 'films'), Object.fromEntries(FILMS.map((name) => [name, { 'film.mkv': 10 }])))
  const papers = makeTree(join(folder.path, 'papers'), { 'file.txt': 10 })
  for (const [seed, name] of ['one', 'two'].entries()) await makePicture(join(papers, `${name}.png`), { seed })
  const letter = (index: number) => `letter ${String(index).padStart(3, '0')}.txt`
  const letters = makeTree(
    join(folder.path, 'letters'),
    Object.fromEntries(Array.from({ length: LETTERS }, (_, index) => [letter(index), 10])),
  )
  scene = await serveLibraries(folder, [
    { type: 'movies', name: 'Films', path: films },
    { type: 'mixed', name: 'Papers', path: papers },
    { type: 'mixed', name: 'Letters', path: letters },
  ])
  admin = scene.admin
}, SCENE_LIMIT_MS)
afterAll(() => scene?.[Symbol.asyncDispose]())

/** Answers how to see whether the same element is still there, and has the focus that it is given now. */
const holdOn = async (row: Locator, button: Locator): Promise<() => Promise<unknown>> => {
  await button.focus()
  const element = await row.elementHandle()
  return async () => element?.evaluate((known) => ({ isThere: known.isConnected, hasFocus: known.contains(document.activeElement) }))
}
const HELD = { isThere: true, hasFocus: true }

test('a job that comes before others leaves them where they are', async () => {
  await admin.post('/api/ai-tagging/queue', { paused: true })
  await admin.post('/api/ai-tagging/extract', { itemKey: 'mixed_file:2:one.png' })
  await onPage(scene, {}, async (page) => {
    await page.goto('/manage/jobs')
    const row = page.getByRole('listitem').filter({ hasText: 'one.png' })
    const look = await holdOn(row, row.getByRole('button', { name: 'Cancel: one.png' }))
    await admin.post('/api/ai-tagging/extract', { itemKey: 'mixed_file:2:two.png' })
    await page.getByRole('listitem').filter({ hasText: 'two.png' }).waitFor()
    expect(await look()).toEqual(HELD)
  })
  await admin.post('/api/ai-tagging/jobs/clear', { status: 'queued' })
})

test('who cancels a job by the keyboard goes on from its row', async () => {
  await admin.post('/api/ai-tagging/queue', { paused: true })
  for (const name of ['one', 'two']) await admin.post('/api/ai-tagging/extract', { itemKey: `mixed_file:2:${name}.png` })
  await onPage(scene, {}, async (page) => {
    const cancelled: string[] = []
    page.on('request', (request) => request.method() === 'DELETE' && cancelled.push(request.url()))
    await page.goto('/manage/jobs?status=queued')
    // Held down: it goes no further than the row it was pressed on.
    await holdEnter(page, page.getByRole('button', { name: 'Cancel: two.png' }), 'Cancel: one.png')
    await page.goto('/manage/jobs')
    await page.getByRole('button', { name: 'Cancel: one.png' }).waitFor()
    expect(cancelled).toHaveLength(1)
    await page.getByRole('button', { name: 'Cancel: one.png' }).press('Enter')
    await page.locator('[aria-label="Retry: one.png"]:focus').waitFor()
  })
})

test('a job is retried once, however often that is pressed before the list is there again', async () => {
  await admin.post('/api/ai-tagging/queue', { paused: true })
  await admin.post('/api/ai-tagging/extract', { itemKey: 'mixed_file:2:one.png' })
  await admin.post('/api/ai-tagging/jobs/clear', { status: 'queued' })
  await onPage(scene, { isIntercepted: true }, async (page) => {
    const retried: string[] = []
    page.on('request', (request) => request.url().endsWith('/retry') && retried.push(request.url()))
    await page.goto('/manage/jobs')
    const retry = page.getByRole('button', { name: 'Retry: one.png' }).first()
    await retry.waitFor()
    const { asked, letGo } = await holdRequests(page, 'GET', /\/api\/ai-tagging\/jobs\?/)
    const answer = page.waitForResponse(/\/retry$/)
    await pressTwice(retry)
    await answer
    await asked
    await pressTwice(retry)
    letGo()
    await page.getByRole('button', { name: 'Cancel: one.png' }).waitFor()
    expect(retried).toHaveLength(1)
  })
  await admin.post('/api/ai-tagging/jobs/clear', { status: 'queued' })
})

test('who chooses by the keyboard which jobs are listed can go on choosing', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/manage/jobs')
    const choice = page.getByLabel('State')
    await choice.focus()
    for (const status of ['queued', 'running', 'done']) {
      await page.keyboard.press('ArrowDown')
      await page.waitForURL(`**/manage/jobs?status=${status}`)
      await page.waitForLoadState('networkidle')
    }
    expect(await choice.inputValue()).toBe('done')
  }))

test('who cancels all jobs by the keyboard stays where that was asked for', async () => {
  await admin.post('/api/ai-tagging/queue', { paused: true })
  await admin.post('/api/ai-tagging/extract', { itemKey: 'mixed_file:2:one.png' })
  await onPage(scene, {}, async (page) => {
    await page.goto('/manage/jobs')
    await page.getByRole('button', { name: 'Cancel all' }).press('Enter')
    await page.getByText('was cancelled.').waitFor()
    await page.getByRole('button', { name: 'Cancel: one.png' }).waitFor({ state: 'detached' })
    expect(await focusedName(page)).toBe('Cancel all')
  })
})

test('whoever gives up or saves by the keyboard what they have typed into a text goes on from there', async () => {
  await admin.patch('/api/ai-tagging/fields', { itemKey: 'movie:1:Cube (1997)', extractedText: 'Way out' })
  // A film that is none has no picture.
  await onPage(scene, { expected: /api\/thumbnails/ }, async (page) => {
    await page.goto(`/l/1/m/${encodeURIComponent('Cube (1997)')}`)
    const text = page.getByRole('textbox', { name: 'Extracted text' })
    for (const name of ['Cancel', 'Save']) {
      await text.fill('Way in')
      const button = page.getByRole('button', { name })
      await button.press('Enter')
      await button.waitFor({ state: 'detached' })
      await waitForFocusIn(page.locator('form').filter({ has: text }))
    }
  })
})

test('what is armed in the trash stays armed when something before it goes back', async () => {
  await admin.patch('/api/libraries/1', { trashDays: 3 })
  for (const name of FILMS) await admin.delete('/api/items', { itemKey: `movie:1:${name}` })
  await onPage(scene, {}, async (page) => {
    await page.clock.install()
    await page.goto('/trash')
    const armed = page.getByRole('button', { name: `Delete ${FILMS[0]} for good` })
    const row = page.getByRole('listitem').filter({ hasText: FILMS[0] ?? '' })
    await armed.waitFor()
    // It is armed for five seconds, which may be over too soon on a busy machine.
    await page.clock.pauseAt(Date.now() + 60_000)
    await armed.press('Enter')
    await page.getByText('Delete for good: click again').first().waitFor()
    const look = await holdOn(row, page.getByRole('button', { name: 'Delete for good: click again' }))
    // As somebody else would, in another window: this one looks again when it is looked at.
    await page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLElement>('[aria-label^="Restore Cube"]')) button.click()
    })
    const isGone = async () => {
      await page.clock.runFor(10)
      return (await page.getByRole('listitem').filter({ hasText: 'Cube' }).count()) === 0 || undefined
    }
    await waitFor(isGone, WAIT_LIMIT_MS, () => 'It did not go back')
    expect(await look()).toEqual(HELD)
    await page.getByRole('button', { name: 'Delete for good: click again' }).waitFor()
  })
})

test('what stands in the way of two in the trash is said once', async () => {
  const names = FILMS.slice(0, 2)
  for (const name of FILMS) await admin.delete('/api/items', { itemKey: `movie:1:${name}` })
  makeTree(join(folder.path, 'films'), Object.fromEntries(names.map((name) => [name, {}])))
  await onPage(scene, { expected: /status of 409/ }, async (page) => {
    await page.goto('/trash')
    for (const name of names) {
      const refused = page.waitForResponse((response) => response.status() === 409)
      const button = page.getByRole('button', { name: `Restore ${name}` })
      await button.click()
      await refused
      await page.locator(`[aria-label="Restore ${name}"]:not([aria-disabled]):not([disabled])`).waitFor()
    }
    await page.waitForTimeout(SETTLED_MS)
    expect(await page.getByText('Something else lies in its place now.').count()).toBe(1)
  })
})

test('a category that comes before others leaves them where they are', async () => {
  await admin.post('/api/tags/categories', { name: 'Colour' })
  await onPage(scene, {}, async (page) => {
    await page.goto('/manage/tags')
    const row = page.getByRole('listitem').filter({ hasText: 'Colour' })
    await row.waitFor()
    const known = await row.elementHandle()
    await page.getByRole('button', { name: 'New category' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Age')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Age' }).waitFor()
    expect(await known?.evaluate((element) => element.isConnected)).toBe(true)
  })
})

test('a scan redraws neither the navigation nor the button that began it', async () => {
  makeTree(join(folder.path, 'papers'), Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`more ${index}.txt`, 10])))
  await onPage(scene, {}, async (page) => {
    await page.goto('/manage/libraries')
    const link = await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Papers' }).elementHandle()
    const button = page.getByRole('button', { name: 'Scan Papers' })
    const look = await holdOn(page.getByRole('row').filter({ hasText: 'Papers' }), button)
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: '303', exact: true }).waitFor()
    await button.waitFor()
    expect(await link?.evaluate((element) => element.isConnected)).toBe(true)
    expect(await look()).toEqual(HELD)
  })
})

test('what is selected stays so in another order, and what tells of it lies above, and gives the focus back', async () => {
  const { category } = (await admin.post('/api/tags/categories', { name: 'Plans' })).body
  await admin.post('/api/tags/items', { name: 'Later', categoryId: category.id })
  // Wide enough for the order to be chosen, and narrow enough for both to want the same corner.
  await onPage(scene, { context: { viewport: { width: 900, height: 800 } } }, async (page) => {
    await page.goto('/l/2')
    await waitForKeys(page)
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    const bar = page.locator('[data-selection-bar]')
    const tags = bar.getByRole('button', { name: 'Tags', exact: true })
    await bar.waitFor()
    await page.keyboard.press('Control+a')
    await bar.getByText('303 selected', { exact: true }).waitFor()
    const first = await page.locator('main a[data-item-key]').first().getAttribute('data-item-key')
    await page.getByRole('button', { name: /^(?:A|De)scending/ }).click()
    await page.waitForFunction((key) => document.querySelector('main a[data-item-key]')?.getAttribute('data-item-key') !== key, first)
    await tags.click()
    await page.getByText('303 selected', { exact: true }).waitFor()
    await page.getByPlaceholder('Search or create a tag').fill('Later')
    await page.keyboard.press('Enter')
    await page.getByText('added to 303 items').waitFor()
    await page.keyboard.press('Escape')
    await page.getByPlaceholder('Search or create a tag').waitFor({ state: 'detached' })
    const isFree = (button: HTMLElement | SVGElement): boolean => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }
    expect(await tags.evaluate(isFree)).toBe(true)
    await tags.focus()
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    expect(await focusedName(page)).toBe('Tags')
  })
})

test('a card does not show what stood in its place before, however long its own picture takes', () =>
  onPage(scene, { ...FRESH, isIntercepted: true }, async (page) => {
    await page.goto('/l/2?q=one')
    const isDrawn = () => [...document.images].some(({ complete, naturalWidth }) => complete && naturalWidth > 0)
    await page.waitForFunction(isDrawn)
    const colours = async () => {
      const { channels } = await sharp(await page.locator(`${CARD} > div`).first().screenshot()).stats()
      return channels.map(({ mean }) => Math.round(mean))
    }
    const before = await atRest(page, colours)
    const pictures = await holdRequests(page, 'GET', /api\/thumbnails/)
    await page.getByRole('textbox', { name: 'Search by title' }).fill('two')
    await page.getByRole('link', { name: 'two.png' }).waitFor()
    await pictures.asked
    const after = await atRest(page, colours)
    expect(Math.max(...after.map((mean, channel) => Math.abs(mean - (before[channel] ?? 0))))).toBeGreaterThan(10)
    pictures.letGo()
    await page.waitForFunction(isDrawn)
  }))

test('a card asks no more for the picture of what stood in its place before', () =>
  onPage(scene, { ...FRESH, isIntercepted: true }, async (page) => {
    const pictures = await holdRequests(page, 'GET', /api\/thumbnails/)
    const dropped = page.waitForEvent('requestfailed', (request) => request.url().includes('one.png'))
    await page.goto('/l/2?q=one')
    await pictures.asked
    await page.getByRole('textbox', { name: 'Search by title' }).fill('two')
    await page.getByRole('link', { name: 'two.png' }).waitFor()
    await dropped
  }))

test('a card in the middle of a grid keeps the focus while the grid is scrolled from end to end', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/3')
    const focus = () => page.evaluate(() => document.activeElement?.getAttribute('data-item-key'))
    await page.getByRole('link', { name: 'letter 000' }).press('ArrowRight')
    for (let press = 0; press < 5; press++) await page.keyboard.press('PageDown')
    const held = await focus()
    for (const name of ['letter 000', `letter ${LETTERS - 1}`, 'letter 000']) {
      await page.evaluate((isEnd) => scrollTo(0, isEnd ? document.body.scrollHeight : 0), name !== 'letter 000')
      await page.getByRole('link', { name }).waitFor()
      expect(await focus()).toBe(held)
    }
  }))

for (const screen of ['desktop', 'phone'] as const)
  test(`keys lead through a row of the start page with each whole card in sight, and its ring (${screen})`, () =>
    onPage(scene, { screen }, async (page) => {
      await page.goto('/')
      const row = page.getByRole('list').filter({ has: page.getByRole('link', { name: `letter ${LETTERS - 1}` }) })
      await row.getByRole('link').nth(19).waitFor({ state: 'attached' })
      const place = () =>
        row.evaluate((list) => {
          const [all, card] = [list.getBoundingClientRect(), document.activeElement?.getBoundingClientRect() ?? new DOMRect()]
          return {
            left: card.left - all.left,
            right: Math.min(all.right, innerWidth) - card.right,
            isIn: list.contains(document.activeElement),
          }
        })
      /** Once it has come to rest. */
      const settled = async () => {
        let last = await place()
        await waitFor(
          async () => {
            await page.waitForTimeout(80)
            const now = await place()
            const isStill = Bun.deepEquals(now, last)
            last = now
            return isStill || undefined
          },
          WAIT_LIMIT_MS,
          () => 'The row does not come to rest',
        )
        return last
      }
      await row.getByRole('link').first().focus()
      const cut: string[] = []
      for (const [key, presses] of [
        ['Tab', 18],
        ['Shift+Tab', 18],
      ] as const)
        for (let press = 0; press < presses; press++) {
          await page.keyboard.press(key)
          const { left, right, isIn } = await settled()
          if (!isIn || left < 4 || right < 4) cut.push(`${key} ${press}: ${isIn} ${left} ${right}`)
        }
      expect(cut).toEqual([])
    }))

test('a shuffled library stays as it is through reload, an item and Back, and is shuffled again on request', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/3')
    const shown = async (other: readonly string[] = []): Promise<string[]> => {
      const seen = () =>
        page.locator('a[data-item-key]').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-item-key') ?? ''))
      return waitFor(
        async () => {
          const keys = await seen()
          return keys.length > 8 && keys.slice(0, 8).join() !== other.slice(0, 8).join() ? keys.slice(0, 8) : undefined
        },
        WAIT_LIMIT_MS,
        () => 'The grid shows nothing else',
      )
    }
    const inOrder = await shown()
    await page.getByLabel('Sort by').selectOption({ label: 'Random' })
    const shuffled = await shown(inOrder)
    await page.reload()
    expect(await shown()).toEqual(shuffled)
    await page.locator('a[data-item-key]').nth(2).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL((url) => url.searchParams.get('item') === shuffled[3])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await shown()).toEqual(shuffled)
    await page.getByRole('button', { name: 'Shuffle again' }).click()
    const again = await shown(shuffled)
    await page.goBack()
    expect(await shown(again)).toEqual(shuffled)
    await page.getByLabel('Sort by').selectOption({ label: 'Title' })
    expect(await shown(shuffled)).toEqual(inOrder)
    expect(new URL(page.url()).search).toBe('')
  }))

test('a grid that has become shorter than where the keyboard was is still reached by it', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/l/3')
    await page.getByRole('link', { name: 'letter 000' }).press('End')
    await page.locator(`a[data-item-key$="letter ${LETTERS - 1}.txt"]:focus`).waitFor()
    await page.getByPlaceholder('Search by title').fill('letter 00')
    await page.getByRole('link', { name: `letter ${LETTERS - 1}` }).waitFor({ state: 'detached' })
    expect(await page.locator('[role=grid] a[tabindex="0"]').count()).toBe(1)
  }))

test('what is seen of a grid stays in sight when the window is turned, there and back, and when the cards grow', () =>
  onPage(scene, { screen: 'phone' }, async (page) => {
    await page.goto('/l/3')
    await page.locator(CARD).first().waitFor()
    await page.evaluate(() => window.scrollTo(0, 4000))
    await page.waitForTimeout(SETTLED_MS)
    const seen = () =>
      page
        .locator(CARD)
        .evaluateAll((cards) =>
          cards
            .filter((card) => card.getBoundingClientRect().top >= 0 && card.getBoundingClientRect().bottom <= innerHeight)
            .map((card) => card.getAttribute('data-item-key')),
        )
    const [first = null] = await seen()
    expect(first).not.toBeNull()
    for (const size of [LOW, UPRIGHT, LOW, UPRIGHT]) {
      await page.setViewportSize(size)
      await page.waitForTimeout(SETTLED_MS)
      expect(await seen()).toContain(first)
    }
    await page.keyboard.press('+')
    await page.waitForTimeout(SETTLED_MS)
    expect(await seen()).toContain(first)
  }))

test('a card that a scan puts others before keeps the focus', () =>
  onPage(scene, {}, async (page) => {
    await page.clock.install()
    await page.goto('/l/3')
    await page.getByRole('link', { name: 'letter 000' }).press('ArrowRight')
    const focus = () => page.evaluate(() => document.activeElement?.getAttribute('data-item-key'))
    expect(await focus()).toBe('mixed_file:3:letter 001.txt')
    makeTree(join(folder.path, 'letters'), { 'article 1.txt': 10, 'article 2.txt': 10, 'article 3.txt': 10 })
    await scene.server.scanAndWait(3)
    // The libraries are asked for now and then.
    await page.clock.fastForward('00:30')
    await page.getByRole('link', { name: 'article 3' }).waitFor()
    expect(await focus()).toBe('mixed_file:3:letter 001.txt')
    await page.keyboard.press('ArrowLeft')
    expect(await focus()).toBe('mixed_file:3:letter 000.txt')
  }))

/** On the page of something whose folder has one file. */
const deleteByKeyboard = async (page: Page, title: string) => {
  // What comes late moves the button away from under the eyes, which disarms it.
  await page.getByText('The fewer, the faster').waitFor()
  await page.getByRole('button', { name: 'Delete folder' }).press('Enter')
  await page.getByRole('button', { name: 'Delete 1 file: click again' }).waitFor()
  await page.waitForTimeout(GUARD_MS)
  await page.keyboard.press('Enter')
  await page.getByText(`${title} has been deleted.`).waitFor()
}

/** Of the only thing of that name on the screen. */
const openAndDelete = async (page: Page, title: string) => {
  await page.getByRole('link', { name: title }).press('Enter')
  await deleteByKeyboard(page, title)
}

test('who deletes the last film of a list by the keyboard goes on from the one before, and after the only one from the heading', async () => {
  const films = makeTree(
    join(folder.path, 'few'),
    Object.fromEntries(['Argo (2012)', 'Drive (2011)', 'Elephant (2003)'].map((name) => [name, { 'film.mkv': 10 }])),
  )
  const { id } = (await admin.post('/api/libraries', { name: 'Few', type: 'movies', path: films })).body.library
  await scene.server.scanAndWait(id)
  // Films that are none have no pictures.
  await onPage(scene, { expected: /api\/thumbnails/ }, async (page) => {
    await page.goto(`/l/${id}`)
    await waitForKeys(page)
    await openAndDelete(page, 'Elephant (2003)')
    await page.locator('a[title="Drive (2011)"]:focus').waitFor()
    await page.locator('a[title="Elephant (2003)"]').waitFor({ state: 'detached' })
    await page.locator('a[title="Drive (2011)"]:focus').waitFor()
    await page.goto(`/l/${id}?q=argo`)
    await waitForKeys(page)
    await openAndDelete(page, 'Argo (2012)')
    await page.getByText('Nothing matches').waitFor()
    await page.locator('h1:focus').waitFor()
  })
  await admin.delete(`/api/libraries/${id}`)
})

test('who deletes before the screen has all its parts goes on from the next one, however late the list is read anew', async () => {
  const films = makeTree(
    join(folder.path, 'late'),
    Object.fromEntries(['Fargo (1996)', 'Gravity (2013)', 'Heat (1995)'].map((name) => [name, { 'film.mkv': 10 }])),
  )
  const { id } = (await admin.post('/api/libraries', { name: 'Late', type: 'movies', path: films })).body.library
  await scene.server.scanAndWait(id)
  const keys = await chunkOf('views/shell/shell-later.tsx')
  await onPage(scene, { expected: /api\/thumbnails/, isIntercepted: true }, async (page) => {
    const opened = Promise.withResolvers<void>()
    await page.route(keys, async (route) => {
      await opened.promise
      await route.fallback()
    })
    await page.goto(`/l/${id}`)
    const link = page.getByRole('link', { name: 'Fargo (1996)' })
    await link.press('Enter')
    await page.getByRole('heading', { name: 'Fargo' }).waitFor()
    opened.resolve()
    await waitForKeys(page)
    const list = await holdRequests(page, 'GET', /api\/browse/)
    await deleteByKeyboard(page, 'Fargo (1996)')
    await list.asked
    await page.waitForTimeout(RETURN_LIMIT_MS)
    list.letGo()
    await link.waitFor({ state: 'detached' })
    await page.locator('a[title="Gravity (2013)"]:focus').waitFor()
  })
  await admin.delete(`/api/libraries/${id}`)
})

test('who deletes a series asks no more for what lay in it', async () => {
  const series = makeTree(join(folder.path, 'series'), { 'Northline/Season 01/Northline S01E01.mkv': 10 })
  const { id } = (await admin.post('/api/libraries', { name: 'One series', type: 'tv', path: series })).body.library
  await scene.server.scanAndWait(id)
  // A video that is none has no picture.
  await onPage(scene, { expected: /api\/thumbnails/ }, async (page) => {
    await page.goto(`/l/${id}`)
    await openAndDelete(page, 'Northline')
    await page.getByText('Nothing found in this library').waitFor()
  })
  await admin.delete(`/api/libraries/${id}`)
})

test('a scan that waits for a decision says so, and leads to where it is made, which is not where nobody can say what would go', async () => {
  await rm(join(folder.path, 'letters'), { recursive: true })
  makeTree(join(folder.path, 'letters'), { 'article 1.txt': 10 })
  await onPage(scene, { expected: /status of 503/, isIntercepted: true }, async (page) => {
    await page.goto('/l/3')
    await page.getByRole('button', { name: 'Scan Letters' }).click()
    await page.getByText('Letters: A large part of this library has disappeared').waitFor()
    const answer = { status: 503, contentType: 'application/problem+json', body: '{"status":503,"code":"unavailable","detail":"Not now."}' }
    await page.route(/\/losses/, (route) => route.fulfill(answer))
    await page.getByRole('status').or(page.getByRole('alert')).getByRole('button', { name: 'Manage' }).click()
    await page.waitForURL('**/manage/libraries/3')
    await page.getByRole('alert').getByText('Not now.').waitFor()
    expect(await page.getByRole('button', { name: 'Apply the losses' }).isDisabled()).toBe(true)
    await page.unroute(/\/losses/)
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('list', { name: 'Items that would go missing' }).getByText('letter 000.txt').waitFor()
    await page.goto('/manage/libraries')
    await page
      .getByRole('row')
      .filter({ hasText: 'Waiting for you' })
      .getByRole('link', { name: 'A large part of this library has disappeared' })
      .click()
    await page.getByRole('button', { name: 'Apply the losses' }).waitFor()
  })
})

test('whoever sees no library is told that nothing is found', async () => {
  const client = await scene.server.as('stranger', { libraryIds: [] })
  await onPage(scene, { client }, async (page) => {
    await page.goto('/search?q=Brazil')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  })
})
