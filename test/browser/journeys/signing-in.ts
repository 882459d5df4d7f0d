import { expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { sessionCookies } from '../../support/browser.ts'
import type { HttpClient, Json } from '../../support/http-client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ADMIN, startServer, USER_PASSWORD } from '../../support/test-server.ts'
import { clickTwiceAcross, waitForFocus, waitForFocusIn } from '../focus.ts'
import { holdRequests, onPage, SETTLED_MS } from '../on-page.ts'
import type { Scene } from '../scene.ts'

/** The second half of a double-click confirms nothing. */
const GUARD_MS = 600

export const signingIn = (scene: () => Scene): void => {
  test('the first visit makes the administrator and the first library in three steps', async () => {
    await using server = await startServer({ admin: null })
    const { page, problems, close } = await scene().openAt(server.url)
    await page.goto('/')
    await page.waitForURL('**/setup**')
    await page.getByLabel('Name').fill('anna')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    expect(page.url()).not.toContain('step=2')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.getByRole('button', { name: 'Create account' }).click()
    // Who hears the screen, or goes by keys, goes on in the next step and not at the top of the page.
    await waitForFocus(page, 'Add your first library')
    const folder = page.getByLabel('Folder', { exact: true })
    await using disk = await temporaryFolder('set-up')
    const films = join(disk.path, 'films')
    await folder.fill(films)
    const missing = page.getByText(`There is no folder ${films}.`)
    await missing.waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(page.url()).not.toContain('step=3')
    await waitForFocusIn(folder)
    // Whoever makes it now need not type it once more.
    await mkdir(films)
    await folder.press('Enter')
    await missing.waitFor({ state: 'detached' })
    await folder.fill(scene().collection.libraries.movies)
    await page.getByRole('button', { name: 'Continue' }).click()
    await waitForFocus(page, 'Review and scan')
    await page.getByRole('button', { name: 'Back' }).click()
    await waitForFocus(page, 'Add your first library')
    expect(await page.getByLabel('Folder', { exact: true }).inputValue()).toBe(scene().collection.libraries.movies)
    await page.getByRole('radio', { name: 'Pictures and videos' }).check({ force: true })
    await page.getByLabel('Name').fill('Films & more')
    // A phone lets go of a page that somebody leaves to look up the folder.
    await page.reload()
    await page.getByRole('heading', { name: 'Add your first library' }).waitFor()
    expect(await page.getByRole('radio', { name: 'Pictures and videos' }).isChecked()).toBe(true)
    expect(await page.getByLabel('Name').inputValue()).toBe('Films & more')
    expect(await page.getByLabel('Folder', { exact: true }).inputValue()).toBe(scene().collection.libraries.movies)
    await page.getByRole('radio', { name: 'Movies' }).check({ force: true })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Create and scan' }).click()
    await waitForFocus(page, 'Open the library')
    await page.getByRole('link', { name: /^\d+ titles have NFO files that have not been read$/ }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Add your first library' }).waitFor()
    await page.goForward()
    await waitForFocus(page, 'Open the library')
    await page.keyboard.press('Enter')
    await page.waitForSelector('a[data-item-key]')
    await close()
    // The password that was too short.
    expect(problems.filter((problem) => !problem.includes('status of 400'))).toEqual([])
  })

  test('a tab that waits at the sign-in, also after a wrong password, goes on where it was meant to when it is looked at after somebody signed in beside it', () =>
    onPage(scene(), { client: null, expected: /status of 401/ }, async (page) => {
      await page.goto('/manage/system')
      await page.getByLabel('Name').fill(ADMIN.username)
      await page.getByLabel('Password', { exact: true }).fill('a wrong one')
      await page.keyboard.press('Enter')
      await page.locator('[aria-invalid]').waitFor()
      const beside = await page.context().newPage()
      await beside.goto('/login')
      await beside.getByLabel('Name').fill(ADMIN.username)
      await beside.getByLabel('Password', { exact: true }).fill(ADMIN.password)
      await beside.keyboard.press('Enter')
      await beside.waitForURL((url) => url.pathname === '/')
      await beside.close()
      // Without a window no tab is ever hidden.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
      await page.getByRole('heading', { level: 1, name: 'System' }).waitFor()
    }))

  test('what a tab does in the name of one person is not done in that of who signs in beside it, and the tab goes on as theirs', () =>
    onPage(scene(), { expected: /status of 401/ }, async (page) => {
      const itemKey = scene().keyOf('movie', 'Copper Rain (1978)')
      const bob = await scene().server.as('bob')
      const hasSeen = async (client: HttpClient) => (await client.get('/api/progress', { itemKey })).body.completed
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent('Copper Rain (1978)')}`)
      await page.getByRole('button', { name: 'Mark as watched' }).waitFor()
      await page.context().addCookies(sessionCookies(scene().server.url, bob))
      await page.evaluate(() => Object.assign(window, { isAnnas: true }))
      await page.getByRole('button', { name: 'Mark as watched' }).click()
      await page.waitForFunction(() => !('isAnnas' in window))
      await page.getByRole('button', { name: 'Mark as watched' }).waitFor()
      expect(await hasSeen(bob)).not.toBe(true)
      await page.getByRole('button', { name: 'Mark as watched' }).click()
      await page.getByRole('button', { name: 'Watched', pressed: true }).waitFor()
      expect(await hasSeen(bob)).toBe(true)
      expect(await hasSeen(scene().admin)).not.toBe(true)
      await bob.put('/api/progress', { itemKey, completed: false })
    }))

  test('who loads the page anew once the administrator is made goes on with the first library, and Back from that begins nothing again', async () => {
    await using server = await startServer({ admin: null })
    const { page, problems, close } = await scene().openAt(server.url)
    const second = await scene().openAt(server.url)
    await second.page.goto('/setup')
    await second.page.getByLabel('Name').fill('bob')
    await page.goto('/')
    await page.waitForURL('**/setup**')
    await page.getByLabel('Name').fill('anna')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Add your first library' }).waitFor()
    // There is nothing to set up any more for whoever comes second.
    await second.page.getByLabel('Password', { exact: true }).fill('a long password')
    await second.page.getByRole('button', { name: 'Create account' }).click()
    await second.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await second.close()
    await page.reload()
    await page.getByRole('heading', { name: 'Add your first library' }).waitFor()
    await using empty = await temporaryFolder('nothing')
    await page.getByLabel('Folder', { exact: true }).fill(empty.path)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Create and scan' }).click()
    // That nothing has changed would sound as if all were there.
    await page.getByText('Nothing found', { exact: true }).waitFor()
    await page.getByText('Expected: one folder per film holding its video files.').waitFor()
    await page.getByRole('button', { name: 'Open the library' }).click()
    await page.getByRole('heading', { name: 'Nothing found in this library' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await close()
    expect(problems).toEqual([])
  })

  test('a first library whose scan did not begin is scanned by the next press', async () => {
    await using server = await startServer({ admin: null })
    const { page, problems, close } = await scene().openAt(server.url)
    let isFirst = true
    await page.route(/api\/scans$/, (route) => {
      if (!isFirst) return route.fallback()
      isFirst = false
      return route.abort('connectionreset')
    })
    await page.goto('/')
    await page.waitForURL('**/setup**')
    await page.getByLabel('Name').fill('anna')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByLabel('Folder', { exact: true }).fill(scene().collection.libraries.movies)
    await page.getByRole('button', { name: 'Continue' }).click()
    const create = page.getByRole('button', { name: 'Create and scan' })
    await create.click()
    await page.getByText('The server cannot be reached.').waitFor()
    await create.click()
    await page.getByRole('button', { name: 'Open the library' }).click()
    await page.waitForSelector('a[data-item-key]')
    await close()
    expect(problems.filter((problem) => !problem.includes('ERR_CONNECTION_RESET'))).toEqual([])
  })

  test('a wrong password says so, and the right one leads where one wanted to go', () =>
    onPage(scene(), { client: null, expected: /status of 401/ }, async (page) => {
      const wanted = `/l/${scene().idOf('movies')}?q=salt`
      await page.goto(wanted)
      // Whoever was led here types at once.
      await page.locator('input[name=username]:focus').waitFor()
      await page.keyboard.type(ADMIN.username)
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('The name or the password is wrong.').waitFor()
      await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`**${wanted}`)
      await page.waitForSelector('a[data-item-key]')
    }))

  test('what has nothing to do with the password is not said of it', () =>
    onPage(scene(), { client: null, expected: /status of 429/ }, async (page) => {
      const json = { code: 'rate_limited', detail: 'Too many attempts, wait a moment' }
      await page.route('**/api/auth/login', (route) => route.fulfill({ status: 429, json }))
      await page.goto('/login')
      const password = page.getByLabel('Password', { exact: true })
      await page.getByLabel('Name').fill(ADMIN.username)
      await password.fill(ADMIN.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').getByText('Too many attempts').waitFor()
      expect(await password.getAttribute('aria-invalid')).not.toBe('true')
    }))

  test('who is signed out already is led to the door without a complaint', async () => {
    const client = await scene().server.login(ADMIN.username, ADMIN.password)
    await onPage(scene(), { client, expected: /status of 401/ }, async (page) => {
      await page.goto('/settings/profile')
      await page.waitForLoadState('networkidle')
      await page.route('**/api/auth/logout', async (route) => {
        await client.post('/api/auth/logout')
        await route.fallback()
      })
      await page.getByRole('button', { name: /^Account of / }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      // A complaint would be there by then.
      await page.waitForTimeout(SETTLED_MS)
      expect(await page.getByText('Sign in first').count()).toBe(0)
    })
  })

  test('signing in leads to no other site', () =>
    onPage(scene(), { client: null }, async (page) => {
      await page.goto('/login?next=//example.com/')
      await page.getByLabel('Name').fill(ADMIN.username)
      await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    }))

  test('a session that ends meanwhile leads to the door and back again', async () => {
    const client = await scene().server.login(ADMIN.username, ADMIN.password)
    await onPage(scene(), { client, expected: /status of 401/ }, async (page) => {
      // What is still asked for here would be refused first, and lead back here.
      const last = page.waitForResponse(/ai-tagging\/queue/)
      await page.goto('/settings/profile')
      await last
      await page.getByRole('link', { name: 'Manga' }).first().waitFor()
      await page.waitForLoadState('networkidle')
      await client.post('/api/auth/logout')
      await page.getByRole('link', { name: 'Manga' }).first().click()
      await page.waitForURL('**/login?next=**')
      await page.locator('input[name=username]:focus').waitFor()
      await page.keyboard.type(ADMIN.username)
      await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`**/l/${scene().idOf('manga')}`)
      await page.waitForSelector('a[data-item-key]')
    })
  })

  test('whoever signs in in another tab sees nothing here of who was signed in before', () =>
    onPage(scene(), { client: null, isIntercepted: true }, async (page) => {
      const [first, second] = ['first in the tab', 'second in the tab']
      for (const name of [second, first]) await scene().server.as(name)
      const signIn = (at: Page, username: string) => at.request.post('/api/auth/login', { data: { username, password: USER_PASSWORD } })
      await signIn(page, first)
      const progress = { itemKey: scene().keyOf('movie', 'The Salt Meridian (1994)'), positionSeconds: 60, durationSeconds: 5000 }
      await page.request.put('/api/progress', { data: progress })
      await page.goto('/')
      const row = page.locator('section', { has: page.getByRole('heading', { name: 'Continue' }) })
      await row.waitFor()
      await page.getByRole('link', { name: 'Films' }).first().click()
      await page.getByRole('heading', { name: 'Films', level: 1 }).waitFor()
      await signIn(page, second)
      const answer = await holdRequests(page, 'GET', /progress\/continue/)
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await page.getByRole('button', { name: second }).waitFor()
      await page.getByRole('link', { name: 'Home' }).first().click()
      await answer.asked
      expect(await row.getByRole('link').count()).toBe(0)
      answer.letGo()
    }))

  test('a token that was just made stays with who made it where somebody else signs in in another tab', () =>
    // What is asked for again together with who is there still names the one before.
    onPage(scene(), { client: null, expected: /status of 401/ }, async (page) => {
      const [maker, other] = ['maker in the tab', 'other in the tab']
      for (const name of [maker, other]) await scene().server.as(name)
      const signIn = (username: string) => page.request.post('/api/auth/login', { data: { username, password: USER_PASSWORD } })
      await signIn(maker)
      await page.goto('/settings/devices')
      await page.getByLabel('Token name').fill('kitchen')
      await page.keyboard.press('Enter')
      await page.getByText('Copy this token now').waitFor()
      await signIn(other)
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await page.getByRole('button', { name: other }).waitFor()
      await page.getByText('Copy this token now').waitFor({ state: 'detached' })
    }))

  test('whoever signs in in another tab, after a session that ended here, sees nothing of it', () =>
    onPage(scene(), { client: null, isIntercepted: true, expected: /status of 401/ }, async (page) => {
      const [before, after] = ['before in the tab', 'after in the tab']
      for (const name of [before, after]) await scene().server.as(name)
      const signIn = (username: string) => page.request.post('/api/auth/login', { data: { username, password: USER_PASSWORD } })
      await page.clock.install()
      await signIn(before)
      await page.goto(`/l/${scene().idOf('movies')}`)
      await page.waitForSelector('a[data-item-key]')
      await page.waitForLoadState('networkidle')
      await page.request.post('/api/auth/logout')
      await page.getByRole('link', { name: 'Home' }).first().click()
      await page.waitForURL('**/login?next=**')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await signIn(after)
      const libraries = await holdRequests(page, 'GET', /api\/libraries$/)
      await page.clock.fastForward('01:00')
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await page.getByRole('button', { name: after }).waitFor()
      await libraries.asked
      expect(await page.getByRole('link', { name: 'Films' }).count()).toBe(0)
      libraries.letGo()
      await page.getByRole('link', { name: 'Films' }).first().waitFor()
    }))

  test('whoever is signed in on several devices signs out of all the others at once, and not by one press', async () => {
    const { server } = scene()
    const client = await server.as('otto')
    for (let more = 0; more < 3; more += 1) await server.login('otto', USER_PASSWORD)
    const sessionCount = async () => (await client.get('/api/auth/sessions')).body.sessions.length
    await onPage(scene(), { client }, async (page) => {
      await page.goto('/settings/devices')
      await page.getByRole('button', { name: 'Sign out everywhere else' }).press('Enter')
      await page.getByRole('button', { name: 'Sign out 3 devices: click again' }).waitFor()
      expect(await sessionCount()).toBe(4)
      await page.waitForTimeout(GUARD_MS)
      await page.keyboard.press('Enter')
      await waitForFocus(page, 'Sessions')
      expect(await page.getByRole('button', { name: /^Sign out/ }).count()).toBe(0)
      expect(await sessionCount()).toBe(1)
    })
  })

  test('the devices push nothing away when they come', async () => {
    const { server } = scene()
    const client = await server.as('nora')
    for (let more = 0; more < 4; more += 1) await server.login('nora', USER_PASSWORD)
    await client.post('/api/auth/tokens', { name: 'kitchen' })
    await onPage(scene(), { client, screen: 'phone', isIntercepted: true }, async (page) => {
      const held = [await holdRequests(page, 'GET', /auth\/tokens$/), await holdRequests(page, 'GET', /auth\/sessions$/)]
      await page.addInitScript(() => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries().map((entry) => ('value' in entry ? Number(entry.value) : 0))
          document.documentElement.dataset.shifted = String(
            shifts.reduce((sum, shift) => sum + shift, Number(document.documentElement.dataset.shifted ?? 0)),
          )
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto('/settings/devices')
      for (const { asked, letGo } of held) {
        await asked
        // What nobody has seen yet cannot be pushed away.
        await page.waitForTimeout(GUARD_MS)
        letGo()
      }
      await page.getByText('kitchen').waitFor()
      await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor()
      expect(await page.evaluate(() => Number(document.documentElement.dataset.shifted ?? 0))).toBeLessThan(0.02)
    })
  })

  test('whoever ends sessions and deletes tokens with the keyboard stays in the list', async () => {
    const { server } = scene()
    const client = await server.as('dora')
    for (let more = 0; more < 4; more += 1) await server.login('dora', USER_PASSWORD)
    for (const name of ['kitchen', 'attic']) await client.post('/api/auth/tokens', { name })
    await onPage(scene(), { client }, async (page) => {
      await page.goto('/settings/devices')
      const ends = page.getByRole('listitem').getByRole('button', { name: /^Sign out / })
      await ends.first().waitFor()
      const name = (await ends.first().getAttribute('aria-label')) ?? ''
      expect(await ends.count()).toBe(4)
      const untilLeft = (count: number) =>
        page.waitForFunction(
          (left) => document.querySelectorAll('button[aria-label^="Sign out "]:not([aria-disabled])').length === left,
          count,
        )
      // One press, one row: neither a key that is held down nor a double click takes the one that moves up.
      await ends.first().focus()
      await page.keyboard.down('Enter')
      await untilLeft(3)
      await waitForFocus(page, name)
      await page.keyboard.down('Enter')
      await page.keyboard.up('Enter')
      expect(await ends.and(page.locator(':not([aria-disabled])')).count()).toBe(3)
      await clickTwiceAcross(page, ends.first(), () => untilLeft(2))
      expect(await ends.and(page.locator(':not([aria-disabled])')).count()).toBe(2)
      await ends.first().press('Enter')
      await untilLeft(1)
      await waitForFocus(page, name)
      await ends.press('Enter')
      await waitForFocus(page, 'Sessions')

      const deleteToken = async (token: string) => {
        await page.getByRole('button', { name: `Delete token ${token}` }).press('Enter')
        await page.getByRole('button', { name: 'Delete: click again' }).waitFor()
        expect((await client.get('/api/auth/tokens')).body.tokens.map((kept: Json) => kept.name)).toContain(token)
        await page.waitForTimeout(GUARD_MS)
        await page.keyboard.press('Enter')
      }
      await deleteToken('attic')
      await waitForFocus(page, 'Delete token kitchen')
      await deleteToken('kitchen')
      await waitForFocus(page, 'Access tokens')
      expect((await client.get('/api/auth/tokens')).body.tokens).toEqual([])

      await page.getByLabel('Token name').fill('cellar')
      await page.keyboard.press('Enter')
      await page.getByText('Copy this token now').waitFor()
      await deleteToken('cellar')
      await waitForFocus(page, 'Access tokens')
      // What is no key any more is nothing to copy.
      expect(await page.getByText('Copy this token now').count()).toBe(0)
    })
  })
}
