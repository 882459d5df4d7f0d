import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { LIBRARY_TYPES } from '../../../src/domain/item-type.ts'
import { waitFor } from '../../support/test-server.ts'
import { card, createOutage, holdRequests, onPage, pressSearchKey, SETTLED_MS, WAIT_LIMIT_MS, waitForKeys } from '../on-page.ts'
import { LIBRARY_NAMES, type Scene, waitForPictures } from '../scene.ts'

/** Long enough for a skeleton. */
const LATE_MS = 800
/** A question is asked three times before it has failed, and that is on the screen by then. */
const ATTEMPTS = 3
const SHOWN_MS = 500

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

export const browsing = (scene: () => Scene): void => {
  test('the start page has a row of each library', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto('/')
      for (const name of Object.values(LIBRARY_NAMES)) {
        const row = page.locator('section', { has: page.getByRole('heading', { name }) })
        // Those further down come with the scrolling.
        await row.scrollIntoViewIfNeeded()
        await row.locator('a[data-item-key]').first().waitFor()
      }
    }))

  test('Back leads to the card of a row that one left, and a new visit to its beginning', () =>
    onPage(scene(), {}, async (page) => {
      const row = page.locator('section', { has: page.getByRole('heading', { name: LIBRARY_NAMES.movies }) }).getByRole('list')
      const scrolled = () => row.evaluate((list) => list.scrollLeft)
      await page.goto('/')
      await row.scrollIntoViewIfNeeded()
      const last = row.locator('a[data-item-key]').last()
      await last.scrollIntoViewIfNeeded()
      await page.waitForFunction((list) => (list?.scrollLeft ?? 0) > 0, await row.elementHandle())
      const before = await scrolled()
      await last.click()
      await page.waitForURL('**/m/**')
      await page.goBack()
      await last.waitFor()
      await page.waitForFunction(([list, left]) => list instanceof Element && list.scrollLeft === left, [await row.elementHandle(), before])
      await last.click()
      await page.waitForURL('**/m/**')
      await page.getByRole('link', { name: 'Home' }).first().click()
      await last.waitFor()
      expect(await scrolled()).toBe(0)
    }))

  test.each([...LIBRARY_TYPES])('a library of %s shows what browsing answers', async (type) => {
    const { body } = await scene().admin.get('/api/browse', { libraryId: scene().idOf(type) })
    await onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf(type)}`)
      await heading(page, LIBRARY_NAMES[type]).waitFor()
      for (const { title } of body.entries.slice(0, 4)) await card(page, title).waitFor()
      await page.getByText(`${body.total} items`).waitFor()
    })
  })

  test('a library is shown the next time as it was chosen to be, Back undoes it, and an address has its own say', () =>
    onPage(scene(), {}, async (page) => {
      const films = `/l/${scene().idOf('movies')}`
      const shown = (view: 'Grid' | 'List') => page.getByRole('radio', { name: view, checked: true }).waitFor({ state: 'attached' })
      await page.goto(films)
      await shown('Grid')
      await page.getByRole('radio', { name: 'List' }).check({ force: true })
      await page.goBack()
      await shown('Grid')
      await page.getByRole('link', { name: 'Home' }).first().click()
      await page.getByRole('link', { name: LIBRARY_NAMES.movies }).first().click()
      await shown('List')
      await page.goto(`${films}?view=grid`)
      await shown('Grid')
      await page.goto(`/l/${scene().idOf('tv')}`)
      await shown('Grid')
      await page.goto(films)
      await shown('List')
    }))

  test('a first screen is asked for once, in the order and narrowed down as its address says, and for nobody who is not signed in', async () => {
    const asked = (page: Page) => {
      const paths: string[] = []
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (/^\/api\/(browse|libraries|user-settings)$/.test(pathname)) paths.push(`${pathname}${search}`)
      })
      return paths
    }
    const library = `/l/${scene().idOf('movies')}?sort=year&dir=asc&q=the`
    await onPage(scene(), { client: null }, async (page) => {
      const paths = asked(page)
      await page.goto(library)
      await page.waitForURL('**/login?next=**')
      expect(paths).toEqual([])
    })
    await onPage(scene(), {}, async (page) => {
      const paths = asked(page)
      await page.goto(library)
      await page.getByRole('grid').locator('a').first().waitFor()
      const query = `libraryId=${scene().idOf('movies')}&q=the&sort=year&order=asc&limit=200`
      expect(paths.toSorted()).toEqual([`/api/browse?${query}`, '/api/libraries', '/api/user-settings'])
    })
  })

  test('games: series, game, its files and its tabs', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('games')}`)
      await card(page, 'Emberfall Saga').click()
      await heading(page, 'Emberfall Saga').waitFor()
      await card(page, 'Emberfall').click()
      await heading(page, 'Emberfall').waitFor()
      await page.getByRole('tab', { name: /Screenshots/ }).click()
      await page.waitForURL('**?tab=screenshots')
      await page.getByRole('button', { name: 'Screenshot 1', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('tab', { name: /Files/ }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('link', { name: /^Download Emberfall/ })
          .first()
          .click(),
      ])
      expect(download.suggestedFilename()).toStartWith('Emberfall')
      await page.getByRole('link', { name: 'Emberfall Saga' }).first().click()
      await heading(page, 'Emberfall Saga').waitFor()
    }))

  test('series: series, season, episode, and back by the address bar', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('tv')}`)
      await card(page, 'Northline (2018)').click()
      await heading(page, 'Northline (2018)').waitFor()
      await card(page, 'Season 02').click()
      await heading(page, 'Season 02').waitFor()
      await page.getByRole('link', { name: 'Season 01' }).click()
      await heading(page, 'Season 01').waitFor()
      await page.getByRole('link', { name: /^1\. .*The First Mile/ }).click()
      await page.waitForSelector('video')
      await page.getByRole('link', { name: 'Back' }).click()
      await heading(page, 'Season 01').waitFor()
      await page.goBack()
      await heading(page, 'Season 02').waitFor()
    }))

  test('manga and films have pages of their own', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('manga')}`)
      await card(page, 'Paper Lanterns').click()
      await heading(page, 'Paper Lanterns').waitFor()
      await card(page, 'Paper Lanterns v01').waitFor()
      await page.goto(`/l/${scene().idOf('movies')}`)
      await card(page, 'Harbour of Glass (2011)').click()
      await heading(page, 'Harbour of Glass (2011)').waitFor()
      await page.getByText('Harbour of Glass (2011) - 720p.mkv').waitFor()
      expect(await page.title()).toBe('Harbour of Glass (2011) - Films - Vitrine')
    }))

  test('what no library has is said, by a card for a whole screen', () =>
    onPage(scene(), { expected: /status of 404/ }, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}/m/No%20such%20film`)
      await heading(page, 'Nothing here').waitFor()
      await page.goto('/l/9999')
      await heading(page, 'There is no such library').waitFor()
    }))

  test('a search with reserved characters stays what it is, through reload and Back', () =>
    onPage(scene(), {}, async (page) => {
      const wanted = '50% # & + ? ü'
      await page.goto(`/l/${scene().idOf('movies')}`)
      await page.waitForSelector('a[data-item-key]')
      const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('q') === wanted)
      await pressSearchKey(page)
      await page.keyboard.type(wanted)
      await asked
      await page.getByText('Nothing matches').waitFor()
      expect(new URL(page.url()).searchParams.get('q')).toBe(wanted)
      await page.reload()
      await page.getByText(`No title here contains “${wanted}”.`).waitFor()
      expect(await page.getByPlaceholder('Search by title').inputValue()).toBe(wanted)
      await page.goBack()
      await page.waitForSelector('a[data-item-key]')
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[placeholder="Search by title"]')?.value === '')
    }))

  test('sorting and card size are in the address', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}`)
      const first = page.locator('[aria-rowindex="1"] [aria-colindex="1"] a')
      await first.waitFor()
      const title = await first.getAttribute('title')
      await page.getByRole('button', { name: 'Ascending' }).click()
      await page.waitForFunction((known) => document.querySelector('[aria-rowindex="1"] a')?.getAttribute('title') !== known, title)
      const turned = await first.getAttribute('title')
      await page.reload()
      await first.waitFor()
      expect(await first.getAttribute('title')).toBe(turned)
      await page
        .getByRole('radio', { name: 'Large' })
        .or(page.getByRole('button', { name: 'Large' }))
        .first()
        .click({ force: true })
      await page.waitForURL('**size=large**')
      await waitForKeys(page)
      await page.keyboard.press('+')
      await page.keyboard.press('-')
      await page.waitForURL((url) => !url.searchParams.has('size'))
      await page.keyboard.press('-')
      await page.waitForURL('**size=small**')
    }))

  test('a page that is loaded anew stands where it stood, and another one begins at its top', () =>
    // Without the finger: Chromium ends what it emulates of that as it leaves a page, whose buttons grow smaller then.
    onPage(scene(), { screen: 'phone', context: { hasTouch: false } }, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}`)
      await page.waitForSelector('a[data-item-key]')
      // It is there at once, and heard of with the next frame: a page that is left before knows nothing of it.
      const heard = page.evaluate(() => new Promise<void>((resolve) => window.addEventListener('scroll', () => resolve(), { once: true })))
      await page.evaluate(() => window.scrollTo(0, 500))
      await heard
      await page.reload()
      await page.waitForFunction(() => Math.abs(window.scrollY - 500) <= 1)
      await page.goto(`/l/${scene().idOf('mixed')}`)
      await page.waitForSelector('a[data-item-key]')
      await page.waitForTimeout(SETTLED_MS)
      expect(await page.evaluate(() => window.scrollY)).toBe(0)
      await page.goBack()
      await page.waitForSelector('a[data-item-key]')
    }))

  test('Back finds the grid where it was left', () =>
    onPage(scene(), { screen: 'phone' }, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}`)
      await page.waitForSelector('a[data-item-key]')
      await page.evaluate(() => window.scrollTo(0, 500))
      await page.waitForFunction(() => window.scrollY === 500)
      await page.locator('[aria-rowindex="3"] a').first().click()
      await page.getByText('Files', { exact: true }).waitFor()
      await page.waitForFunction(() => window.scrollY === 0)
      await page.goBack()
      await page.waitForFunction(() => Math.abs(window.scrollY - 500) <= 1)
    }))

  test('what stands below the games of a series is not pushed away when they come late', () =>
    onPage(scene(), { screen: 'phone' }, async (page) => {
      await page.route('**/api/browse?*', async (route) => {
        await page.waitForTimeout(LATE_MS)
        await route.continue()
      })
      await page.addInitScript(() => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries().map((entry) => ('value' in entry ? Number(entry.value) : 0))
          document.documentElement.dataset.shifted = String(
            shifts.reduce((sum, shift) => sum + shift, Number(document.documentElement.dataset.shifted ?? 0)),
          )
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(`/l/${scene().idOf('games')}/gs/${encodeURIComponent('Emberfall Saga')}`)
      await page.waitForSelector('a[data-item-key]')
      await page.getByRole('heading', { name: 'AI', exact: true }).waitFor()
      // What web.dev calls good.
      expect(await page.evaluate(() => Number(document.documentElement.dataset.shifted ?? 0))).toBeLessThan(0.1)
    }))

  for (const path of ['/', '/l/1'] as const) {
    test(`a server that takes its time is waited for before something, and not before an empty page (${path})`, () =>
      onPage(scene(), { isIntercepted: true }, async (page) => {
        const libraries = await holdRequests(page, 'GET', /\/api\/libraries$/)
        await page.goto(path)
        await page.locator('main .skeleton').first().waitFor()
        libraries.letGo()
        await page.locator('a[data-item-key]').first().waitFor()
        await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
      }))
  }

  test('the tags of a season push nothing away when they come', () =>
    onPage(scene(), { screen: 'phone', isIntercepted: true }, async (page) => {
      const item = await holdRequests(page, 'GET', /\/api\/items\?itemKey=tv_season/)
      await page.goto(`/l/${scene().idOf('tv')}/s/${encodeURIComponent('Northline (2018)')}/season/1`)
      const episode = page.locator('main ol a').first()
      await episode.waitFor()
      await item.asked
      const before = await episode.boundingBox()
      item.letGo()
      await page.getByRole('button', { name: 'Add tags', exact: true }).waitFor()
      expect((await episode.boundingBox())?.y).toBe(before?.y)
    }))

  test('what is on the screen stays there while nobody answers when it is asked for again', () =>
    onPage(scene(), { expected: /ERR_INTERNET_DISCONNECTED|failed request/ }, async (page) => {
      const outage = await createOutage(page)
      await page.clock.install()
      const failures = new Map<string, number>()
      page.on('requestfailed', (request) => {
        if (new URL(request.url()).pathname === '/api/browse') failures.set(request.url(), (failures.get(request.url()) ?? 0) + 1)
      })
      const returnLater = async () => {
        failures.clear()
        outage.begin()
        await page.clock.fastForward('02:00')
        await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
        const haveFailed = () => (failures.size > 0 && [...failures.values()].every((count) => count === ATTEMPTS)) || undefined
        await waitFor(haveFailed, WAIT_LIMIT_MS, () => `Nothing was asked for three times: ${[...failures]}`)
        await page.waitForTimeout(SHOWN_MS)
        outage.end()
      }
      await page.goto(`/l/${scene().idOf('tv')}/s/${encodeURIComponent('Northline (2018)')}/season/1`)
      const episodes = page.locator('main ol a')
      await episodes.first().waitFor()
      const count = await episodes.count()
      await returnLater()
      expect(await episodes.count()).toBe(count)
      await heading(page, 'Season 01').waitFor()
      await page.goto('/')
      await card(page, 'kitchen plan.png').waitFor()
      await returnLater()
      expect(await card(page, 'kitchen plan.png').count()).toBe(1)
    }))

  test('pictures that could not be had while the server was away come once it is back', async () => {
    await waitForPictures(scene())
    await onPage(scene(), { expected: /ERR_INTERNET_DISCONNECTED|failed request/ }, async (page) => {
      const outage = await createOutage(page)
      const pictures = /\/api\/thumbnails\?/
      await page.route(pictures, (route) => route.abort('internetdisconnected'))
      const look = (event: string) => page.evaluate((name) => window.dispatchEvent(new Event(name)), event)
      const lost = page.getByText('The server cannot be reached. Trying again…')
      const picture = card(page, 'IMG_20240603_001.jpg').locator('img')
      await page.goto(`/l/${scene().idOf('mixed')}`)
      await card(page, 'IMG_20240603_001.jpg').waitFor()
      await picture.waitFor({ state: 'detached' })
      outage.begin()
      await look('offline')
      await lost.waitFor()
      await page.unroute(pictures)
      outage.end()
      await look('online')
      await lost.waitFor({ state: 'detached' })
      await picture.waitFor()
    })
  })

  test('a title that is too long loses its end in any writing, and a short one stands below its picture', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}`)
      const title = page.locator('a[data-item-key] .truncate').first()
      await title.waitFor()
      /** Where the first letter is to be seen, and how far from the left anything is. */
      const lookAt = (text: string) =>
        title.evaluate((element, written) => {
          element.textContent = written
          const box = element.getBoundingClientRect()
          const range = document.createRange()
          range.selectNodeContents(element)
          const { left } = range.getBoundingClientRect()
          range.setEnd(element.firstChild ?? element, 1)
          const first = range.getBoundingClientRect()
          return {
            isBeginningSeen: first.left >= box.left - 1 && first.right <= box.right + 1,
            indent: Math.max(0, Math.round(left - box.left)),
          }
        }, text)
      for (const word of ['Harbour ', 'הנמל ', 'الميناء ']) {
        expect(await lookAt(word)).toEqual({ isBeginningSeen: true, indent: 0 })
        expect((await lookAt(word.repeat(30))).isBeginningSeen).toBe(true)
      }
    }))

  test('the grid is walked through by its keys', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}`)
      await page.locator('[aria-rowindex="1"] a').first().focus()
      await page.keyboard.press('ArrowRight')
      await page.waitForFunction(() => document.activeElement?.closest('[aria-colindex]')?.getAttribute('aria-colindex') === '2')
      await page.keyboard.press('ArrowDown')
      await page.waitForFunction(() => document.activeElement?.closest('[aria-rowindex]')?.getAttribute('aria-rowindex') === '2')
      const title = await page.evaluate(() => document.activeElement?.getAttribute('title'))
      await page.keyboard.press('Enter')
      await heading(page, String(title)).waitFor()
    }))

  test('a percent sign in an address that somebody typed stands for itself', () =>
    onPage(scene(), { expected: /status of 404/ }, async (page) => {
      await page.goto('/l/50%25/100%/a%20b?q=%')
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/l/50%25/100%25/a%20b')
    }))
}
