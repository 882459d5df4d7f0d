/** Filters, tags and search by clicking: the numbered behaviours of the user's specification, and what must survive them. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { waitFor } from '../support/test-server.ts'
import { axeFindings } from './axe.ts'
import { type FilterScene, MANY_ITEMS, MARKUP_NAME, ODD_TAG, openFilterScene, panel, toggle, waitForEntries } from './filter-scene.ts'
import { holdRequests, onPage, pressSearchKey, TEST_LIMIT_MS, WAIT_LIMIT_MS, waitForKeys } from './on-page.ts'

setDefaultTimeout(TEST_LIMIT_MS)
const SCENE_LIMIT_MS = 180_000
const MANY_TAGS = 10_000

let opened: FilterScene | undefined
const scene = (): FilterScene => {
  if (!opened) throw new Error('The scene is not open')
  return opened
}

beforeAll(async () => {
  opened = await openFilterScene()
}, SCENE_LIMIT_MS)
afterAll(() => opened?.[Symbol.asyncDispose](), SCENE_LIMIT_MS)

/** The videos are none: nobody can make a picture of them. */
const NO_PICTURES = /api\/thumbnails/
const visit = (look: Parameters<typeof onPage>[1], work: Parameters<typeof onPage>[2]) =>
  onPage(scene(), { ...look, expected: look.expected ? new RegExp(`${NO_PICTURES.source}|${look.expected.source}`) : NO_PICTURES }, work)

const ALL_FILMS = ['Alder (2001)', 'Birch (2002)', 'Cedar (2003)', '100% # & + ? (2004)']
const films = () => `/l/${scene().idOf('Films')}`
const season = () => `/l/${scene().idOf('Series')}/s/Harbour/season/1`
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const openFilters = async (page: Page) => {
  await page.getByRole('button', { name: 'Filters' }).click()
  await panel(page).waitFor()
}

describe('the behaviours of the library views', () => {
  test('3: a game series passes when a single child game has the whole filter, and not when two of them share it', () =>
    visit({}, async (page) => {
      await page.goto(`/l/${scene().idOf('Games')}`)
      await waitForEntries(page, ['Saga', 'Twins', 'Puzzle'])
      await openFilters(page)
      await toggle(page, 'Drama').click()
      await waitForEntries(page, ['Saga', 'Twins'])
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Saga'])
      await page.getByPlaceholder('Search by title').fill('Saga Two')
      await page.getByText('Nothing matches').waitFor()
      await page.getByPlaceholder('Search by title').fill('Saga One')
      await waitForEntries(page, ['Saga'])
    }))

  test('3: inside a game series the filter leaves its games', () =>
    visit({}, async (page) => {
      await page.goto(`/l/${scene().idOf('Games')}/gs/Twins`)
      await waitForEntries(page, ['First Twin', 'Second Twin'])
      await openFilters(page)
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Second Twin'])
    }))

  test('4: in a season the filter leaves episodes of that season', () =>
    visit({}, async (page) => {
      await page.goto(season())
      await waitForEntries(page, ['Harbour S01E01.mkv', 'Harbour S01E02.mkv', 'Harbour S01E03.mkv'])
      await openFilters(page)
      await toggle(page, 'Comedy').click()
      await waitForEntries(page, ['Harbour S01E01.mkv', 'Harbour S01E02.mkv'])
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Harbour S01E02.mkv'])
      await page.getByRole('button', { name: 'Remove filter Comedy' }).click()
      await page.getByPlaceholder('Search this season').fill('e02')
      await waitForEntries(page, ['Harbour S01E02.mkv'])
      await page.getByPlaceholder('Search this season').fill('e01')
      await page.getByText('Nothing matches').waitFor()
    }))

  test('5: a series appears when an episode of any of its seasons carries the tag', () =>
    visit({}, async (page) => {
      await page.goto(`/l/${scene().idOf('Series')}`)
      await waitForEntries(page, ['Harbour', 'Lonely'])
      await openFilters(page)
      await toggle(page, 'Drama').click()
      await waitForEntries(page, ['Harbour'])
      await toggle(page, 'Quiet').click()
      await page.getByText('Nothing matches').waitFor()
    }))

  test('6: an item must carry all selected tags, and may carry none that is excluded', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await openFilters(page)
      await panel(page).getByText('Items must have all selected tags.').waitFor()
      await toggle(page, 'Drama').click()
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Alder (2001)'])
      const row = panel(page).getByRole('listitem').filter({ hasText: 'Quiet' })
      await row.getByRole('button', { name: 'Exclude' }).click()
      await waitForEntries(page, ['Birch (2002)'])
      await row.getByRole('button', { name: 'Exclude' }).click()
      await toggle(page, 'Drama').click()
      await waitForEntries(page, ALL_FILMS)
      expect(new URL(page.url()).search).toBe('?panel=filters')
    }))

  test('7: the panel lists the tags and categories that the library uses, with what each would leave', () =>
    visit({}, async (page) => {
      await page.goto(`${films()}?panel=filters`)
      await toggle(page, 'Drama').waitFor()
      const headings = await panel(page).getByRole('heading', { level: 3 }).allInnerTexts()
      expect(headings.map((text) => text.split('\n')[0])).toEqual(['Genre', 'Mood'])
      const names = await panel(page).getByRole('listitem').locator('button:first-child').allInnerTexts()
      expect(names.map((text) => text.replace(/\s+/g, ' ')).toSorted()).toEqual([`${ODD_TAG} 1`, 'Drama 2', 'Quiet 2'])
      await panel(page)
        .getByRole('button', { name: /^Genre/ })
        .click()
      await toggle(page, 'Drama').waitFor({ state: 'detached' })
      await panel(page)
        .getByRole('button', { name: /^Genre/ })
        .click()
      await toggle(page, 'Drama').click()
      await panel(page)
        .getByRole('button', { name: /^Genre/ })
        .click()
      expect(await toggle(page, 'Drama').isVisible()).toBe(true)
      await panel(page)
        .getByRole('button', { name: /^Genre/ })
        .click()
    }))

  test('8: the selector of an episode stays open on choosing, also where the row no longer fits the filter; Escape closes it alone', () =>
    visit({}, async (page) => {
      await page.goto(`${season()}?tags=${scene().tag('Quiet')}&panel=filters`)
      await waitForEntries(page, ['Harbour S01E02.mkv'])
      await page.getByRole('button', { name: /^Tags of Harbour S01E02/ }).click()
      const selector = page.getByRole('dialog')
      await selector.getByRole('button', { name: /^Drama/ }).click()
      await selector.getByRole('button', { name: /^Quiet/ }).click()
      await page.getByText('“Quiet” removed').waitFor()
      await selector.getByRole('button', { name: /^Drama/, pressed: true }).waitFor()
      await selector.getByRole('button', { name: /^Quiet/, pressed: false }).waitFor()
      await page.keyboard.press('Escape')
      await selector.waitFor({ state: 'detached' })
      expect(await panel(page).isVisible()).toBe(true)
      await page.getByText('Nothing matches').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await waitForEntries(page, ['Harbour S01E02.mkv'])
      const key = scene().keyOf('Series', 'tv_episode:Harbour/Season 01/Harbour S01E02.mkv')
      const { body } = await scene().admin.get('/api/tags/assignments', { itemKey: key })
      expect(body.tags.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Comedy', 'Drama', 'Quiet'])
      await scene().admin.delete('/api/tags/assignments', { itemKey: key, tagId: scene().tag('Drama') })
    }))
})

describe('filters in the address', () => {
  test('survive a reload, and Back undoes them one by one', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await openFilters(page)
      await toggle(page, 'Quiet').click()
      await waitForEntries(page, ['Alder (2001)', 'Cedar (2003)'])
      await toggle(page, ODD_TAG).click()
      await waitForEntries(page, ['Cedar (2003)'])
      expect(parameter(page, 'tags')).toBe(`${scene().tag('Quiet')},${scene().tag(ODD_TAG)}`)
      await page.reload()
      await waitForEntries(page, ['Cedar (2003)'])
      await page.getByRole('button', { name: `Remove filter ${ODD_TAG}` }).waitFor()
      await page.goBack()
      await waitForEntries(page, ['Alder (2001)', 'Cedar (2003)'])
      await page.goBack()
      await waitForEntries(page, ALL_FILMS)
      expect(await panel(page).isVisible()).toBe(true)
      await page.goBack()
      await panel(page).waitFor({ state: 'detached' })
      await page.goForward()
      await panel(page).waitFor()
    }))

  test('are taken off by their chips, and all at once in one step', () =>
    visit({}, async (page) => {
      await page.goto(`${films()}?q=e&tags=${scene().tag('Drama')}&not=${scene().tag('Quiet')}&sort=year`)
      await page.getByText('Nothing matches').waitFor()
      await page.getByRole('button', { name: 'Remove filter “e”' }).click()
      await waitForEntries(page, ['Birch (2002)'])
      await page.getByRole('button', { name: 'Remove filter not Quiet' }).click()
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      await page.getByRole('button', { name: 'Clear all' }).first().click()
      await waitForEntries(page, ALL_FILMS)
      expect(new URL(page.url()).search).toBe('?sort=year')
      await page.goBack()
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
    }))

  test('that name no tag are dropped, and said to be', () =>
    visit({}, async (page) => {
      await page.goto(`${films()}?tags=${scene().tag('Drama')},987654,x&not=0`)
      await page.getByText('3 unknown tags were taken out of the filter.').waitFor()
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      expect(new URL(page.url()).search).toBe(`?tags=${scene().tag('Drama')}`)
    }))

  test('of one library do not follow into another', () =>
    visit({}, async (page) => {
      await page.goto(`${films()}?tags=${scene().tag('Drama')}`)
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      await page.getByRole('link', { name: 'Games' }).first().click()
      await waitForEntries(page, ['Saga', 'Twins', 'Puzzle'])
    }))

  test('on a phone stand in a sheet, and Back closes it', () =>
    visit({ screen: 'phone' }, async (page) => {
      await page.goto(films())
      await page.getByRole('button', { name: 'Filters' }).click()
      const sheet = page.getByRole('dialog', { name: 'Filters' })
      await sheet.getByRole('button', { name: /^Drama/ }).click()
      await sheet.getByRole('button', { name: 'Close' }).click()
      await sheet.waitFor({ state: 'detached' })
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      await page.getByRole('button', { name: 'Filters' }).click()
      await sheet.waitFor()
      await page.goBack()
      await sheet.waitFor({ state: 'detached' })
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
    }))
})

describe('tagging', () => {
  test('a tag and a category are made while tagging, and the field keeps the focus', () =>
    visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      const field = selector.getByPlaceholder('Search or create a tag')
      await field.fill('  dRAMA ')
      await selector.getByRole('button', { name: /^Drama/ }).waitFor()
      expect(await selector.getByRole('button', { name: 'Create “dRAMA” in Genre' }).count()).toBe(0)
      await selector.getByRole('button', { name: 'Create “dRAMA” in Mood' }).waitFor()
      await field.fill('Slow')
      await selector.getByRole('button', { name: 'New category' }).click()
      await selector.getByLabel('Name of the category').fill('Pace')
      await selector.getByRole('button', { name: 'Create', exact: true }).click()
      await selector.getByRole('button', { name: 'Create “Slow” in Pace' }).click()
      await selector.getByRole('button', { name: 'Slow', pressed: true }).waitFor()
      expect(await field.inputValue()).toBe('')
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Slow' }).click()
      await waitForEntries(page, ['Birch (2002)'])
    }))

  test('Enter takes the tag that is called so, and not one that only begins so and is used more', async () => {
    const { admin } = scene()
    const { categories } = (await admin.get('/api/tags/categories')).body
    const categoryId = categories.find(({ name }: { name: string }) => name === 'Mood').id
    const { tag } = (await admin.post('/api/tags/items', { name: 'Dram', categoryId })).body
    await visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Cedar (2003)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      await selector.getByPlaceholder('Search or create a tag').fill('dram')
      await selector.getByRole('button', { name: /^Dram( |$)/ }).waitFor()
      await selector.getByRole('button', { name: /^Drama/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Dram', exact: true }).waitFor()
      expect(await page.getByRole('link', { name: 'Drama', exact: true }).count()).toBe(0)
    })
    await admin.delete(`/api/tags/items/${tag.id}`)
  })

  test('no tag is offered before it is known which are on', () =>
    visit({}, async (page) => {
      const { asked, letGo } = await holdRequests(page, 'GET', /\/api\/tags\/assignments\?/)
      const listed = page.waitForResponse((response) => response.url().includes('/api/tags/items?'))
      await page.goto(`${films()}/m/${encodeURIComponent('Alder (2001)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      await asked
      await (await listed).finished()
      const selector = page.getByRole('dialog')
      await page.waitForTimeout(500)
      expect(await selector.locator('[aria-pressed]').count()).toBe(0)
      letGo()
      await selector.getByRole('button', { name: /^Drama/, pressed: true }).waitFor()
      await selector.getByRole('button', { name: /^Comedy/, pressed: false }).waitFor()
    }))

  test('who may not make a tag is told that none is called so, also where others are assigned', async () => {
    const client = await scene().server.as('tagger', { permissions: { manageTags: false } })
    await visit({ client }, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Alder (2001)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      await selector.getByRole('button', { name: /^Drama/ }).waitFor()
      await selector.getByPlaceholder('Search a tag').fill('zzz')
      await selector.getByText('No tag is called “zzz”.').waitFor()
    })
  })

  test('what the server refuses is taken back, and said', () =>
    visit({ expected: /status of 503/ }, async (page) => {
      await page.route('**/api/tags/assignments', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"code":"unavailable","detail":"Not now"}' })
          : route.continue(),
      )
      await page.goto(`${films()}/m/${encodeURIComponent('Cedar (2003)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const comedy = page.getByRole('dialog').getByRole('button', { name: /^Comedy/ })
      await comedy.click()
      await page.getByText('Not now').waitFor()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Comedy/, pressed: false })
        .waitFor()
    }))

  test('several items are tagged at once, and untagged by Undo', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      for (const title of ['Birch (2002)', 'Cedar (2003)']) await page.getByRole('checkbox', { name: `Select ${title}` }).click()
      await page.getByText('2 selected').waitFor()
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      const quiet = selector.getByRole('button', { name: /^Quiet/ })
      await quiet.waitFor()
      expect(await quiet.getAttribute('aria-pressed')).toBe('mixed')
      await quiet.click()
      await page.getByText('“Quiet” added to 1 item').waitFor()
      const carriers = async (): Promise<string[]> => {
        const { body } = await scene().admin.get('/api/browse', { libraryId: scene().idOf('Films'), tags: scene().tag('Quiet') })
        return body.entries.map(({ title }: { title: string }) => title)
      }
      expect(await carriers()).toEqual(['Alder (2001)', 'Birch (2002)', 'Cedar (2003)'])
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.waitForFunction(() => document.querySelector('[role=dialog] [aria-pressed=mixed]') !== null)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Done' }).click()
      await waitForEntries(page, ALL_FILMS)
      // The screen is ahead of the server.
      const isUndone = async () => Bun.deepEquals(await carriers(), ['Alder (2001)', 'Cedar (2003)']) || undefined
      await waitFor(isUndone, WAIT_LIMIT_MS, () => 'Quiet is still on what did not have it')
    }))

  test('what a filter took away as it was tagged comes back by Undo', () =>
    visit({}, async (page) => {
      const quietless = ['Birch (2002)', '100% # & + ? (2004)']
      await page.goto(`${films()}?not=${scene().tag('Quiet')}`)
      await waitForEntries(page, quietless)
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      for (const title of quietless) await page.getByRole('checkbox', { name: `Select ${title}` }).click()
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Quiet/ })
        .click()
      await page.getByText('“Quiet” added to 2 items').waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Nothing matches').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await waitForEntries(page, quietless)
    }))

  for (const screen of ['desktop', 'phone'] as const) {
    test(`the selector opens where there is room for it, also from the bottom of a ${screen}`, () =>
      visit({ screen }, async (page) => {
        await page.goto(films())
        await page.getByRole('button', { name: 'Select', exact: true }).click()
        await page.getByRole('checkbox', { name: 'Select Birch (2002)' }).click()
        await page.getByRole('button', { name: 'Tags', exact: true }).click()
        const selector = page.getByRole('dialog')
        await selector.getByRole('button', { name: /^Only manga/ }).click()
        const box = await selector.boundingBox()
        expect(box?.height).toBeGreaterThan(300)
        expect(box?.y).toBeGreaterThanOrEqual(0)
        await selector.getByRole('button', { name: /^Only manga/ }).click()
      }))
  }

  test('who may not tag is not offered to', async () => {
    const reader = await scene().server.as('reader', { permissions: { tag: false } })
    await visit({ client: reader }, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Alder (2001)')}`)
      await page.getByRole('link', { name: 'Drama' }).waitFor()
      expect(await page.getByRole('button', { name: 'Tags', exact: true }).count()).toBe(0)
    })
  })
})

describe('search', () => {
  test('finds titles and tags in every library, marks what matched, and shows markup as the text that it is', () =>
    visit({}, async (page) => {
      await page.goto('/')
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      await pressSearchKey(page)
      await page.keyboard.type('harbour')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
      await page
        .locator('mark', { hasText: /^Harbour$/ })
        .first()
        .waitFor()
      expect(await page.title()).toBe('Search for “harbour” - Vitrine')
      const field = page.getByPlaceholder('Search all libraries')
      await field.fill('quiet')
      for (const library of ['Films', 'Games', 'Series']) await page.getByRole('list', { name: `Results in ${library}` }).waitFor()
      await page.locator('mark', { hasText: 'Quiet' }).first().waitFor()
      await field.fill('lantern')
      await page.getByText(MARKUP_NAME).waitFor()
      expect(await page.locator('mark').allInnerTexts()).toEqual(['lantern'])
      expect(await page.locator('img[src=x]').count()).toBe(0)
    }))

  test('keeps reserved characters through reload and Back', () =>
    visit({}, async (page) => {
      const wanted = '100% # & + ?'
      await page.goto('/search')
      await page.getByPlaceholder('Search all libraries').fill(wanted)
      await page.locator('main a[data-item-key]').first().waitFor()
      expect(parameter(page, 'q')).toBe(wanted)
      await page.reload()
      await page.locator('main a[data-item-key]').first().waitFor()
      expect(await page.getByPlaceholder('Search all libraries').inputValue()).toBe(wanted)
      await page.locator('main a[data-item-key]').first().click()
      await page.getByRole('heading', { level: 1, name: '100% # & + ? (2004)' }).waitFor()
      await page.goBack()
      expect(await page.getByPlaceholder('Search all libraries').inputValue()).toBe(wanted)
      await page.getByPlaceholder('Search all libraries').fill('zzzz')
      await page.getByText('Nothing found').waitFor()
    }))
})

describe('the results of a search', () => {
  /** Longer than the half second after a key during which browsers excuse what moves. */
  const STEP_MS = 700

  for (const screen of ['desktop', 'phone'] as const) {
    test(`stay where they are while others come, at first and when more is typed (${screen})`, () =>
      visit({ screen }, async (page) => {
        await page.addInitScript(() => {
          const state = { score: 0 }
          Object.assign(window, { shifts: state })
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) {
              if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput) state.score += Number(entry.value)
            }
          }).observe({ type: 'layout-shift', buffered: true })
        })
        const score = () => page.evaluate(() => (window as Window & { shifts?: { score: number } }).shifts?.score ?? Number.NaN)
        const order: number[] = (await scene().admin.get('/api/libraries')).body.libraries.map(({ id }: { id: number }) => id)
        /** One for each library: it answers no sooner than that. */
        const holdAnswers = () => order.map(() => Promise.withResolvers<void>())
        let held = holdAnswers()
        await page.route('**/api/search?**', async (route) => {
          const place = order.indexOf(Number(new URL(route.request().url()).searchParams.get('libraryId')))
          await held[place]?.promise
          await route.continue().catch(() => undefined)
        })
        /** The lowest is the first to answer. */
        const letAllButTheUppermostAnswer = async () => {
          for (const { resolve } of held.slice(1).toReversed()) {
            resolve()
            await page.waitForTimeout(STEP_MS)
          }
        }
        const letTheUppermostAnswer = async () => {
          held[0]?.resolve()
          await page.waitForTimeout(STEP_MS)
        }
        const lists = page.getByRole('list', { name: /^Results in/ })
        const marks = page.locator('mark')

        await page.goto('/search?q=e')
        await letAllButTheUppermostAnswer()
        await lists.first().waitFor()
        await letTheUppermostAnswer()
        await lists.nth(2).waitFor()
        expect(await score()).toBeLessThan(0.05)

        held = holdAnswers()
        await page.getByPlaceholder('Search all libraries').focus()
        await page.keyboard.type('r')
        // Nothing is empty meanwhile: what was found before stays until there is something else.
        await page.waitForTimeout(STEP_MS)
        expect(await lists.count()).toBeGreaterThan(2)
        await letAllButTheUppermostAnswer()
        await marks.filter({ hasText: /^er/i }).first().waitFor()
        expect(await lists.count()).toBeGreaterThan(0)
        await letTheUppermostAnswer()
        await marks.first().filter({ hasText: /^er/i }).waitFor()
        expect(await score()).toBeLessThan(0.05)
      }))
  }
})

describe('the keyboard alone', () => {
  test('leads into the grid, through it, to an item and back to where it was', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await page.getByRole('radio', { name: 'Medium' }).focus()
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip the items')
      await page.keyboard.press('Tab')
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('title'))
      const first = await focused()
      expect(ALL_FILMS).toContain(String(first))
      await page.keyboard.press('End')
      const last = await focused()
      expect(last).not.toBe(first)
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      const second = await focused()
      expect(new Set([first, second, last]).size).toBe(3)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: String(second) }).waitFor()
      await page.goBack()
      await waitForEntries(page, ALL_FILMS)
    }))

  test('opens filters, search, help and other screens; where somebody types, it types', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await waitForKeys(page)
      await page.keyboard.press('f')
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Filters')
      await page.keyboard.press('Tab')
      expect(await panel(page).evaluate((element) => element.contains(document.activeElement))).toBe(true)
      await page.keyboard.press('f')
      await panel(page).waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-expanded') === 'false')
      await page.keyboard.press('/')
      await page.keyboard.type('gh?f/')
      expect(await page.getByPlaceholder('Search by title').inputValue()).toBe('gh?f/')
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to Manage').waitFor()
      await page.keyboard.press('f')
      expect(await panel(page).count()).toBe(0)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('g')
      await page.keyboard.press('m')
      await page.waitForURL('**/manage**')
      await page.keyboard.press('g')
      await page.keyboard.press('h')
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    }))
})

describe('nobody is kept out, in both themes', () => {
  const check = async (page: Page, found: Record<string, string[]>, name: string) => {
    const problems = await axeFindings(page)
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (tooWide > 0) problems.push(`${tooWide} pixels too wide`)
    if (problems.length > 0) found[name] = problems
  }

  for (const screen of ['desktop', 'phone'] as const) {
    test(
      `of panel, selector, list, selection, search and help on a ${screen}`,
      () =>
        visit({ screen }, async (page) => {
          const found: Record<string, string[]> = {}
          await page.goto(`${films()}?panel=filters&tags=${scene().tag('Drama')}&not=${scene().tag(ODD_TAG)}&q=e`)
          await page.getByRole('button', { name: /^Quiet \d/ }).waitFor()
          await check(page, found, 'panel')
          await page.goto(`${films()}?view=list&tags=${scene().tag('Drama')}`)
          await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
          await check(page, found, 'list')
          await page.getByRole('button', { name: 'Select', exact: true }).click()
          await page.getByRole('checkbox', { name: 'Select Birch (2002)' }).click()
          await check(page, found, 'selection')
          await page.goto(`${films()}/m/${encodeURIComponent('Alder (2001)')}`)
          await page.getByRole('button', { name: 'Tags', exact: true }).click()
          await page
            .getByRole('dialog')
            .getByRole('button', { name: /^Comedy/ })
            .waitFor()
          await check(page, found, 'selector')
          await page.getByRole('dialog').getByRole('button', { name: 'New category' }).click()
          await check(page, found, 'new category')
          await page.keyboard.press('Escape')
          await page.goto('/search?q=e')
          await page.locator('mark').first().waitFor()
          await check(page, found, 'search')
          await waitForKeys(page)
          await page.keyboard.press('?')
          await page.getByRole('dialog', { name: 'Keys' }).waitFor()
          await check(page, found, 'help')
          for (const width of [320, 840]) {
            await page.setViewportSize({ width, height: 700 })
            await page.goto(`${films()}?panel=filters&tags=${scene().tag('Drama')}`)
            await page.getByRole('button', { name: /^Quiet \d/ }).waitFor()
            await check(page, found, `panel at ${width}`)
          }
          expect(found).toEqual({})
        }),
      90_000,
    )
  }
})

test('where the system chooses the colours, the count of a chosen filter has the colour of its name', () =>
  visit({ context: { forcedColors: 'active' } }, async (page) => {
    await page.goto(`${films()}?panel=filters`)
    await toggle(page, 'Drama').click()
    await page.waitForFunction(() => document.querySelector('aside [aria-pressed=true]'))
    const colours = await toggle(page, 'Drama').evaluate((button) =>
      [button, ...button.querySelectorAll('span:not([aria-hidden])')].map((element) => getComputedStyle(element).color),
    )
    expect(colours.length).toBe(3)
    expect(new Set(colours).size).toBe(1)
  }))

describe('when something goes wrong meanwhile', () => {
  test('a session that ends leads to the sign-in, and from there back to the same filter', async () => {
    const visitor = await scene().server.as('visitor')
    await visit({ client: visitor, expected: /status of 401/ }, async (page) => {
      await page.goto(`${films()}?tags=${scene().tag('Drama')}`)
      await waitForEntries(page, ['Alder (2001)', 'Birch (2002)'])
      // What is still asked for here would be refused first, and lead back here.
      const filter = page.getByRole('button', { name: 'Remove filter Drama' })
      await filter.waitFor()
      await page.waitForLoadState('networkidle')
      await visitor.post('/api/auth/logout')
      await filter.click()
      await page.getByLabel('Password', { exact: true }).waitFor()
      expect(parameter(page, 'next')).toBe(`/l/${scene().idOf('Films')}`)
      await page.getByLabel('Name', { exact: true }).fill('visitor')
      await page.getByLabel('Password', { exact: true }).fill('password of a user')
      await page.keyboard.press('Enter')
      await waitForEntries(page, ALL_FILMS)
    })
  })

  test('a server that is gone is said to be, what is there stays, and it goes on by itself', () =>
    visit({ expected: /ERR_INTERNET_DISCONNECTED|failed request/ }, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await page.context().setOffline(true)
      await page.getByText('The server cannot be reached.').waitFor()
      await waitForEntries(page, ALL_FILMS)
      await page.context().setOffline(false)
      await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
    }))
})

describe('many', () => {
  test(
    `items: of ${MANY_ITEMS} a few dozen rows are drawn, and Back restores the position to the pixel`,
    () =>
      visit({}, async (page) => {
        await page.goto(`/l/${scene().idOf('Papers')}?view=list&q=paper&sort=added`)
        await page.getByText('More than 1,000 results').waitFor()
        const rows = () => page.locator('[role=row]').count()
        let most = 0
        for (let step = 0; step < 12; step++) {
          await page.evaluate(() => window.scrollBy(0, 2500))
          await page.waitForTimeout(60)
          most = Math.max(most, await rows())
        }
        expect(most).toBeGreaterThan(10)
        expect(most).toBeLessThanOrEqual(60)
        await page.goto(films())
        await waitForEntries(page, ALL_FILMS)
        await page.getByRole('link', { name: 'Papers' }).first().click()
        await page.getByText('20,000 items').waitFor()
        await page.getByRole('radio', { name: 'List' }).check({ force: true })
        await page.waitForFunction(() => document.querySelector('[role=row] a') !== null)
        for (let step = 0; step < 4; step++) {
          await page.evaluate(() => window.scrollBy(0, 2000))
          await page.waitForTimeout(60)
        }
        const before = await page.evaluate(() => window.scrollY)
        expect(before).toBeGreaterThan(5000)
        const middle = await page.evaluate(() => document.elementFromPoint(600, 400)?.closest('a')?.title)
        await page.getByRole('link', { name: 'Films' }).first().click()
        await waitForEntries(page, ALL_FILMS)
        await page.goBack()
        await page.waitForFunction((wanted) => Math.abs(window.scrollY - wanted) <= 1, before)
        await page.waitForFunction((wanted) => document.elementFromPoint(600, 400)?.closest('a')?.title === wanted, middle)
      }),
    60_000,
  )

  test(`tags: of ${MANY_TAGS} the selector draws the 25 that are used most, by three requests`, async () => {
    const names = Array.from({ length: MANY_TAGS }, (_, index) => ({ name: `Tag ${String(index).padStart(5, '0')}` }))
    expect((await scene().admin.post('/api/tags/import', { categories: [{ name: 'Many', tags: names }] })).status).toBe(200)
    await visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Cedar (2003)')}`)
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/api/')) asked.push(new URL(request.url()).pathname)
      })
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      await selector.getByRole('button', { name: /^Comedy/ }).waitFor()
      expect(await selector.locator('[data-tag-toggle][aria-pressed]').count()).toBeLessThanOrEqual(27)
      expect(await selector.locator('*').count()).toBeLessThanOrEqual(300)
      expect(asked.filter((path) => path.startsWith('/api/tags/')).toSorted()).toEqual([
        '/api/tags/assignments',
        '/api/tags/categories',
        '/api/tags/items',
      ])
      await selector.getByPlaceholder('Search or create a tag').fill('tag 09999')
      await selector.getByRole('button', { name: /^Tag 09999/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('“Tag 09999” added').waitFor()
      await selector.getByRole('combobox', { name: 'Category' }).selectOption('Many')
      await page.waitForFunction(() => document.querySelectorAll('[role=dialog] [data-tag-toggle][aria-pressed]').length === 25)
    })
  }, 60_000)
})
