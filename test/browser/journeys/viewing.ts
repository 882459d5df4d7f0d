import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { card, chunkOf, FRESH, holdRequests, onPage, SETTLED_MS } from '../on-page.ts'
import type { Scene } from '../scene.ts'

const PHOTO = '2024/IMG_20240603_001.jpg'

export const viewing = (scene: () => Scene): void => {
  const shown = (page: Page) => page.getByRole('dialog').getByRole('heading')

  test('arrows turn, Escape closes, and the focus is on the tile that was shown last, where it was', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('mixed')}`)
      await card(page, 'IMG_20240603_001.jpg').scrollIntoViewIfNeeded()
      const before = await page.evaluate(() => window.scrollY)
      await card(page, 'IMG_20240603_001.jpg').click()
      await shown(page).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('dialog').getByRole('heading', { name: 'IMG_20240603_002.jpg' }).waitFor()
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowRight')
      await page.getByRole('dialog').getByRole('heading', { name: 'IMG_20240603_002.jpg' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const key = scene().keyOf('mixed_file', '2024/IMG_20240603_002.jpg')
      await page.waitForFunction((wanted) => document.activeElement?.getAttribute('data-item-key') === wanted, key)
      expect(new URL(page.url()).search).toBe('')
      expect(await page.evaluate(() => window.scrollY)).toBe(before)
    }))

  test('whoever has gone far in the viewer finds the tile in sight, also where the page had been scrolled', () =>
    onPage(scene(), { context: { viewport: { width: 1280, height: 400 } } }, async (page) => {
      await page.goto(`/l/${scene().idOf('mixed')}`)
      await page.locator('a[data-item-key]').first().waitFor()
      await page.mouse.wheel(0, 100)
      await page.waitForFunction(() => window.scrollY === 100)
      await page.locator('a[data-item-key]').first().click()
      await shown(page).waitFor()
      await page.keyboard.press('End')
      const { entries } = (await scene().admin.get('/api/browse', { libraryId: scene().idOf('mixed'), limit: '100' })).body
      const key = entries.at(-1).itemKey
      await page.waitForFunction((wanted) => new URL(location.href).searchParams.get('item') === wanted, key)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.waitForFunction((wanted) => document.activeElement?.getAttribute('data-item-key') === wanted, key)
      // The router leads to the height at which the page was left, a moment later.
      await page.waitForTimeout(SETTLED_MS)
      const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top)
      expect(top).toBeWithin(0, 400)
    }))

  test('Back closes the viewer, and leaves no step behind that opens it again', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto('/')
      await page.waitForSelector('a[data-item-key]')
      await page.goto(`/l/${scene().idOf('mixed')}`)
      await card(page, 'IMG_20240603_001.jpg').click()
      await shown(page).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.goBack()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement?.hasAttribute('data-item-key'))
      await page.goBack()
      await page.getByRole('heading', { name: 'Home' }).waitFor()
    }))

  test('an address with an item opens it, and closing stays in the library', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('mixed')}?item=${encodeURIComponent(scene().keyOf('mixed_file', PHOTO))}`)
      await page.getByRole('dialog').getByRole('heading', { name: 'IMG_20240603_001.jpg' }).waitFor()
      await page.getByRole('button', { name: 'Close viewer' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'Family album' }).waitFor()
    }))

  const helpOf = (page: Page) => page.getByRole('dialog', { name: 'Keys' })
  const incomplete = (page: Page) => page.getByText('A part of this page is missing.')

  test('what is asked for while the server is away is refused in plain words, and comes once it is back', () =>
    onPage(scene(), { ...FRESH, expected: /ERR_INTERNET_DISCONNECTED|failed request|dynamically imported/ }, async (page) => {
      await page.goto(`/l/${scene().idOf('mixed')}?item=${encodeURIComponent(scene().keyOf('mixed_file', PHOTO))}`)
      await shown(page).waitFor()
      await page.context().setOffline(true)
      await page.keyboard.press('?')
      await page.waitForTimeout(SETTLED_MS)
      const refusal = page.getByText('The server cannot be reached.', { exact: true })
      await refusal.first().waitFor()
      await page.keyboard.press('?')
      await page.waitForTimeout(SETTLED_MS)
      expect(await refusal.count()).toBe(1)
      expect(await page.getByText('dynamically').count()).toBe(0)
      await page.context().setOffline(false)
      // Nobody has to close what is not so any more.
      await refusal.waitFor({ state: 'detached' })
      // Chromium 156 asks again for what it could not get, older ones do not and say so.
      await helpOf(page).or(incomplete(page)).waitFor()
    }))

  test('what a browser does not get is there after a new page, which is offered', () =>
    onPage(scene(), { expected: /ERR_FAILED|failed request|dynamically imported/, isIntercepted: true }, async (page) => {
      // Of `key-help.tsx`: names of chunks are cut.
      const chunk = /\/assets\/key--\w+\.js$/
      await page.route(chunk, (route) => route.abort())
      await page.goto(`/l/${scene().idOf('mixed')}?item=${encodeURIComponent(scene().keyOf('mixed_file', PHOTO))}`)
      await shown(page).waitFor()
      await page.keyboard.press('?')
      await incomplete(page).waitFor()
      await page.unroute(chunk)
      await page.getByRole('button', { name: 'Reload' }).click()
      await shown(page).waitFor()
      await page.keyboard.press('?')
      await helpOf(page).waitFor()
    }))

  const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true })
  const parts: { module: string; path: string; opener: (page: Page) => Locator }[] = [
    { module: 'views/shell/more-sheet.tsx', path: '/', opener: button('More') },
    { module: 'views/shell/user-menu.tsx', path: '/', opener: button('Account of admin') },
    { module: 'views/manage/library-dialog.tsx', path: '/manage/libraries', opener: button('Add library') },
    { module: 'views/manage/user-dialog.tsx', path: '/manage/users', opener: button('Add user') },
  ]
  test.each(parts)('that $module cannot be had is said, every time', ({ module, path, opener }) =>
    onPage(
      scene(),
      { expected: /status of 404|dynamically imported/, isIntercepted: true, context: { viewport: { width: 390, height: 844 } } },
      async (page) => {
        await page.route(await chunkOf(module), (route) => route.fulfill({ status: 404 }))
        await page.goto(path)
        await opener(page).click()
        await incomplete(page).waitFor()
        await button('Close')(page).click()
        await incomplete(page).waitFor({ state: 'detached' })
        await opener(page).click()
        await incomplete(page).waitFor()
      },
    ),
  )

  test('nothing at the bottom slides away from under a thumb as the libraries come', () =>
    onPage(scene(), { isIntercepted: true, screen: 'phone' }, async (page) => {
      const libraries = await holdRequests(page, 'GET', /\/api\/libraries$/)
      await page.goto('/')
      await libraries.asked
      const left = () => button('More')(page).evaluate((more) => more.getBoundingClientRect().left)
      const before = await left()
      libraries.letGo()
      await page.getByRole('navigation').getByRole('link', { name: 'Family album' }).waitFor()
      expect(await left()).toBe(before)
    }))

  test('what opens from the bottom bar does not open later, where somebody has gone meanwhile', () =>
    onPage(scene(), { isIntercepted: true, screen: 'phone' }, async (page) => {
      const sheet = await holdRequests(page, 'GET', await chunkOf('views/shell/more-sheet.tsx'))
      await page.goto('/')
      const more = button('More')(page)
      await more.click()
      await sheet.asked
      expect(await more.getAttribute('aria-expanded')).toBe('true')
      await page.getByRole('navigation').getByRole('link', { name: 'Family album' }).click()
      await page.waitForURL(/\/l\//)
      await page.locator('button[aria-expanded=false]', { hasText: 'More' }).waitFor()
      sheet.letGo()
    }))

  test('a menu that is only pointed at says nothing of what cannot be had', () =>
    onPage(scene(), { expected: /status of 404|dynamically imported/, isIntercepted: true }, async (page) => {
      const chunk = await chunkOf('views/shell/user-menu.tsx')
      await page.route(chunk, (route) => route.fulfill({ status: 404 }))
      let looks = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/api/health')) looks += 1
      })
      await page.goto('/')
      const refused = page.waitForResponse(chunk)
      await button('Account of admin')(page).hover()
      await refused
      await button('Account of admin')(page).click()
      await incomplete(page).waitFor()
      // Before it is said whose fault it is, the server is asked.
      expect(looks).toBe(1)
    }))

  test('a screen that cannot be had asks whoever has unsaved work once', () =>
    onPage(scene(), { expected: /status of 404|dynamically imported|preload/, isIntercepted: true }, async (page) => {
      await page.clock.install()
      await page.route(await chunkOf('views/settings/playback-settings.tsx'), (route) => route.fulfill({ status: 404 }))
      let looks = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/api/health')) looks += 1
      })
      await page.goto('/settings')
      await page.getByRole('heading', { name: 'Profile' }).waitFor()
      await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()))
      await page.clock.fastForward('00:06')
      const [question] = await Promise.all([page.waitForEvent('dialog'), page.getByRole('link', { name: 'Playback' }).click()])
      await question.dismiss()
      await page.clock.runFor(20_000)
      await page.waitForLoadState('networkidle')
      expect(looks).toBe(1)
    }))

  test('a section of the settings that cannot be had comes by itself', () =>
    onPage(scene(), { expected: /ERR_FAILED|failed request|dynamically imported/, isIntercepted: true }, async (page) => {
      await page.clock.install()
      await page.route(await chunkOf('views/settings/playback-settings.tsx'), (route) => route.abort(), { times: 1 })
      await page.goto('/settings')
      await page.getByRole('heading', { name: 'Profile' }).waitFor()
      await page.clock.fastForward('00:06')
      await page.getByRole('link', { name: 'Playback' }).click()
      await page.getByRole('heading', { name: 'Playback' }).waitFor()
    }))

  test('so does the frame around every screen', () =>
    onPage(scene(), { expected: /ERR_FAILED|failed request|dynamically imported|preload/, isIntercepted: true }, async (page) => {
      const frame = /\/assets\/fram-\w+\.js$/
      await page.clock.install()
      await page.route(frame, (route) => route.abort())
      const lost = page.waitForEvent('requestfailed', (request) => frame.test(request.url()))
      await page.goto('/')
      await lost
      await page.unroute(frame)
      await page.clock.runFor(6000)
      await page.getByRole('heading', { name: 'Home' }).waitFor()
    }))
}
