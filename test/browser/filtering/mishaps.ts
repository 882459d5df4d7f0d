import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { ALL_FILMS, type FilterScene, pagesOf, parameter, waitForEntries } from '../filter-scene.ts'
import { holdRequests, SETTLED_MS, waitForKeys } from '../on-page.ts'

/** As a link on the page does it. */
const goToQuery = (page: Page, change: string) =>
  page.evaluate((wanted) => {
    const link = document.createElement('a')
    const address = new URL(location.href)
    for (const [name, value] of new URLSearchParams(wanted)) address.searchParams.set(name, value)
    link.href = `${address.pathname}${address.search}`
    document.querySelector('main')?.append(link)
    link.click()
    link.remove()
  }, change)

/** When something goes wrong meanwhile. */
export const mishaps = (scene: () => FilterScene): void => {
  const { films, season, visit } = pagesOf(scene)

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

  test('a slow answer is waited for beside what is there, in a library, a season, the search and the jobs', async () => {
    const screens = [
      { address: films(), change: 'q=alder', asked: '**/api/browse?**' },
      { address: season(), change: 'q=e02', asked: '**/api/browse?**' },
      { address: '/search?q=harbour', change: 'q=quiet', asked: '**/api/search?**' },
      { address: '/manage/jobs', change: 'status=failed', asked: '**/api/ai-tagging/jobs?**' },
    ]
    for (const { address, change, asked } of screens) {
      await visit({}, async (page) => {
        const bar = page.getByRole('progressbar', { name: 'Loading' })
        await page.goto(address)
        await page.waitForLoadState('networkidle')
        const waiting = await holdRequests(page, 'GET', asked)
        await goToQuery(page, change)
        await bar.waitFor()
        expect((await bar.boundingBox())?.height).toBe(2)
        waiting.letGo()
        await bar.waitFor({ state: 'detached' })
      })
    }
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

  test('so is one that the proxy before it cannot reach', () =>
    visit({ expected: /502/, isIntercepted: true }, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await page.route('**/api/**', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }))
      await page.evaluate(() => window.dispatchEvent(new Event('offline')))
      await page.getByText('The server cannot be reached.').waitFor()
      await waitForEntries(page, ALL_FILMS)
      await page.unroute('**/api/**')
      await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
    }))

  test('what is said while the server is gone can be read, and takes no screen away when it is back', () =>
    visit({ expected: /ERR_INTERNET_DISCONNECTED|failed request|Failed to fetch/ }, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
      // The keys come with what nobody waits for.
      await waitForKeys(page)
      await page.evaluate(() => Object.assign(window, { isSamePage: true }))
      await page.context().setOffline(true)
      await page.getByRole('button', { name: /^Mark as watched/ }).click()
      const close = page.getByRole('button', { name: 'Close' })
      await close.waitFor()
      await page.context().setOffline(false)
      await close.click()
      await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
      await page.waitForTimeout(SETTLED_MS)
      expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    }))

  test('a screen that is opened while the server is gone comes when it is back', () =>
    visit({ expected: /ERR_INTERNET_DISCONNECTED|failed request|Failed to fetch/ }, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await page.context().setOffline(true)
      await page.getByRole('link', { name: 'Birch (2002)' }).click()
      await page.waitForURL('**/m/**')
      await page.getByRole('heading', { name: 'The server does not answer', level: 1 }).waitFor()
      await page.context().setOffline(false)
      await page.getByRole('heading', { name: 'Birch (2002)', level: 1 }).waitFor()
    }))

  test('a screen that the server has in another version by now comes with a new page', () =>
    visit({ expected: /404/, isIntercepted: true }, async (page) => {
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      let isNew = false
      page.on('request', (request) => {
        if (request.isNavigationRequest()) isNew = true
      })
      await page.route('**/assets/movie-*.js', (route) => (isNew ? route.fallback() : route.fulfill({ status: 404 })))
      await page.getByRole('link', { name: 'Birch (2002)' }).click()
      await page.getByRole('heading', { name: 'Birch (2002)', level: 1 }).waitFor()
    }))
}
