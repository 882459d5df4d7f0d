import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTree } from '../../support/library-tree.ts'
import { makePicture } from '../../support/real-media.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/test-server.ts'
import { atRest, card, holdRequests, onPage, pressSearchKey, SETTLED_MS, WAIT_LIMIT_MS } from '../on-page.ts'
import type { Scene } from '../scene.ts'

/** The second click counts no sooner than this after the first. */
const GUARD_MS = 600
/** An answer that came is on the screen by then. */
const SHOWN_MS = 500

/** What people change about items: metadata, pictures, folders. */
export const changing = (scene: () => Scene): void => {
  test('metadata comes from the NFO file, and a broken file is told about and changes nothing', () =>
    onPage(scene(), { expected: /status of 422/ }, async (page) => {
      const film = 'Copper Rain (1978)'
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent(film)}`)
      const button = page.getByRole('button', { name: /Refresh metadata/ })
      await page.getByText('NFO found').waitFor()
      await button.click()
      await page.getByRole('heading', { level: 1, name: 'Copper Rain', exact: true }).waitFor()
      await page.getByText('NFO found').waitFor({ state: 'detached' })
      await writeFile(join(scene().collection.libraries.movies, film, `${film}.nfo`), '<movie><title>')
      await button.click()
      await page
        .getByRole('alert')
        .getByText(/The NFO file cannot be read/)
        .waitFor()
      await page.getByRole('heading', { level: 1, name: 'Copper Rain', exact: true }).waitFor()
    }))

  test('a film whose tags change keeps the picture behind its head', async () => {
    const { admin } = scene()
    const { category } = (await admin.post('/api/tags/categories', { name: 'Mood' })).body
    await admin.post('/api/tags/items', { name: 'Quiet', categoryId: category.id })
    await onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent('The Salt Meridian (1994)')}`)
      const backdrop = page.locator('main img[src*="kind=backdrop"]')
      const isShown = async () => (await backdrop.evaluate((image) => getComputedStyle(image).opacity)) === '0.6' || undefined
      await waitFor(isShown, WAIT_LIMIT_MS, () => 'The picture never came')
      const again = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/items')
      await page.getByRole('button', { name: /^(Add tags|Tags)$/ }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Quiet/ })
        .click()
      await page.keyboard.press('Escape')
      await again
      await page.getByRole('link', { name: 'Quiet' }).waitFor()
      await page.waitForTimeout(SHOWN_MS)
      expect(await isShown()).toBe(true)
    })
    await admin.delete(`/api/tags/categories/${category.id}`)
  })

  test('a button at work takes no further press, and keeps the focus until it is done', () =>
    onPage(scene(), { expected: /api\/nfo-refresh/, isIntercepted: true }, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent('Harbour of Glass (2011)')}`)
      const button = page.getByRole('button', { name: /Refresh metadata/ })
      let asked = 0
      let answer = (): void => undefined
      const mayAnswer = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route('**/api/nfo-refresh', async (route) => {
        asked += 1
        await mayAnswer
        await route.fulfill({ status: 422, json: { title: 'Refused', status: 422, code: 'nfo_invalid' } })
      })
      const hasFocus = () => button.evaluate((element) => element === document.activeElement)
      await button.press('Enter')
      await page.locator('button[aria-busy=true]').waitFor()
      expect(await hasFocus()).toBe(true)
      await page.keyboard.press('Enter')
      await page.keyboard.press(' ')
      answer()
      await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' })
      expect(await hasFocus()).toBe(true)
      expect(asked).toBe(1)
    }))

  test('a setting that is pressed faster than it is saved stays as it was pressed last', async () => {
    const kept = async (): Promise<boolean> => (await scene().admin.get('/api/user-settings')).body.scrollMuted
    const before = await kept()
    await onPage(scene(), { isIntercepted: true }, async (page) => {
      await page.goto('/settings/playback')
      const setting = page.getByRole('switch', { name: 'Start without sound' })
      const shows = (isOn: boolean) =>
        page
          .locator(isOn ? ':checked' : ':not(:checked)')
          .and(setting)
          .waitFor()
      await shows(before)
      const answers = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
      const asked = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
      let count = 0
      await page.route('**/api/user-settings', async (route) => {
        if (route.request().method() === 'PATCH') {
          const index = count
          count += 1
          asked[index]?.resolve()
          await answers[index]?.promise
        }
        await route.continue()
      })
      await setting.click()
      await asked[0]?.promise
      await setting.click()
      await setting.click()
      await setting.click()
      await shows(before)
      expect(count).toBe(1)
      answers[0]?.resolve()
      await asked[1]?.promise
      await shows(before)
      const known = page.waitForResponse(
        (response) => response.url().endsWith('/api/user-settings') && response.request().method() === 'GET',
      )
      answers[1]?.resolve()
      await known
      await shows(before)
      expect(count).toBe(2)
    })
    expect(await kept()).toBe(before)
  })

  test('screenshots are added by several files, refused one by one, and deleted in two clicks', async () => {
    const folder = join(scene().collection.libraries.games, 'Tidewright')
    const picture = await makePicture(join(scene().server.dataDir, 'upload.png'), { width: 400, height: 225 })
    await onPage(scene(), { expected: /status of 400/ }, async (page) => {
      await page.goto(`/l/${scene().idOf('games')}/g/Tidewright?tab=screenshots`)
      const tiles = page.locator('[data-tile]')
      await tiles.first().waitFor()
      const before = await tiles.count()
      await page.locator('input[type=file]').setInputFiles([
        { name: 'picture.png', mimeType: 'image/png', buffer: readFileSync(picture) },
        { name: 'no picture.png', mimeType: 'image/png', buffer: Buffer.from('nothing') },
      ])
      await page.waitForFunction((count) => document.querySelectorAll('[data-tile]').length === count + 1, before)
      await page.getByRole('listitem').filter({ hasText: 'no picture.png' }).getByRole('button', { name: 'Retry' }).waitFor()
      await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
      const remove = page.getByRole('button', { name: 'Delete screenshot 1' })
      await remove.dblclick()
      await page.getByRole('button', { name: 'Delete: click again' }).waitFor()
      expect(await tiles.count()).toBe(before + 1)
      await page.keyboard.press('Escape')
      await remove.click()
      await page.waitForTimeout(GUARD_MS)
      await page.getByRole('button', { name: 'Delete: click again' }).click()
      await page.waitForFunction((count) => document.querySelectorAll('[data-tile]').length === count, before)
    })
    expect(existsSync(join(folder, 'screenshots'))).toBe(true)
  })

  test('a cover that is uploaded is on the page at once', async () => {
    const picture = await makePicture(join(scene().server.dataDir, 'cover.png'), { width: 200, height: 300 })
    await onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('games')}/g/Tidewright?tab=about`)
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Upload cover', exact: true }).click(),
      ])
      await chooser.setFiles(picture)
      await page.getByText('The cover has been changed.').waitFor()
      await page.waitForSelector('img[src*="kind=cover"]')
    })
    expect(existsSync(join(scene().collection.libraries.games, 'Tidewright/cover.jpg'))).toBe(true)
  })

  test("a film's folder goes with the second click, which says what goes, and with no double-click", async () => {
    const film = 'A Small Theory of Birds (2008)'
    const folder = join(scene().collection.libraries.movies, film)
    await onPage(scene(), {}, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent(film)}`)
      // What comes late moves the button away from under the eyes, which disarms it.
      await page.getByText('The fewer, the faster').waitFor()
      // What the second click would do depends on whether there is a trash, which is not known yet.
      expect(await page.getByText('from the disk').count()).toBe(0)
      await page.getByRole('button', { name: 'Delete folder' }).dblclick()
      await page.getByText(`“${film}” holds 5 files`).waitFor()
      await page.getByText('It goes from the disk of the server for good.').waitFor()
      const armed = page.getByRole('button', { name: 'Delete 5 files: click again' })
      await armed.waitFor()
      expect(existsSync(folder)).toBe(true)
      await page.waitForTimeout(GUARD_MS)
      await armed.click()
      await page.waitForURL(`**/l/${scene().idOf('movies')}`)
      await page.getByText(`${film} has been deleted.`).waitFor()
    })
    expect(existsSync(folder)).toBe(false)
  })

  test('on a phone what the second press would delete is said without moving the button from under the finger', async () => {
    await using folder = await temporaryFolder('long-name')
    const film = `${'The Assassination of Jesse James '.repeat(4)}(2007)`
    makeTree(folder.path, { [film]: { 'film.mkv': 10 } })
    const { admin, server } = scene()
    const { id } = (await admin.post('/api/libraries', { name: 'Long names', type: 'movies', path: folder.path })).body.library
    await server.scanAndWait(id)
    // Films that are none have no pictures.
    await onPage(scene(), { screen: 'phone', expected: /api\/thumbnails/ }, async (page) => {
      await page.goto(`/l/${id}/m/${encodeURIComponent(film)}`)
      // What comes late moves the button away from under the eyes, which disarms it.
      await page.getByText('The fewer, the faster').waitFor()
      const button = page.getByRole('button', { name: /^Delete/ })
      await button.scrollIntoViewIfNeeded()
      const placed = await button.boundingBox()
      await button.tap()
      await page.getByRole('button', { name: 'Delete 1 file: click again' }).waitFor()
      expect(await button.boundingBox()).toMatchObject({ x: placed?.x, y: placed?.y })
    })
    await admin.delete(`/api/libraries/${id}`)
  })

  test('whoever goes back before it is known what would go stays where they are in the library', () =>
    onPage(scene(), { screen: 'phone' }, async (page) => {
      const top = () => page.evaluate(() => scrollY)
      await page.goto(`/l/${scene().idOf('movies')}`)
      await page.locator('a[data-item-key]').first().waitFor()
      await page.evaluate(() => scrollTo(0, 400))
      const before = await atRest(page, top)
      await page.locator('a[data-item-key]').nth(4).click()
      await page.getByText('The fewer, the faster').waitFor()
      const plan = await holdRequests(page, 'GET', /delete-plan/)
      await page.getByRole('button', { name: 'Delete folder' }).tap()
      await plan.asked
      await page.goBack()
      await waitFor(
        async () => (await top()) === before || undefined,
        WAIT_LIMIT_MS,
        () => 'The library is not as it was left',
      )
      const answered = page.waitForResponse(/delete-plan/)
      plan.letGo()
      await (await answered).finished()
      expect(await atRest(page, top)).toBe(before)
    }))

  test('whoever deletes a folder is back in the library as they left it, and there once', async () => {
    await using folder = await temporaryFolder('deletion')
    makeTree(folder.path, Object.fromEntries(['Arrival (2016)', 'Argo (2012)', 'Brazil (1985)'].map((name) => [name, { 'film.mkv': 10 }])))
    const { admin, server } = scene()
    const { id } = (await admin.post('/api/libraries', { name: 'Few films', type: 'movies', path: folder.path })).body.library
    await server.scanAndWait(id)
    // Films that are none have no pictures.
    await onPage(scene(), { expected: /api\/thumbnails/ }, async (page) => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Few films' }).first().waitFor()
      await page.goto(`/l/${id}?q=ar`)
      await card(page, 'Argo (2012)').click()
      // What comes late moves the button away from under the eyes, which disarms it.
      await page.getByText('The fewer, the faster').waitFor()
      await page.getByRole('button', { name: 'Delete folder' }).click()
      const armed = page.getByRole('button', { name: 'Delete 1 file: click again' })
      await armed.waitFor()
      await page.waitForTimeout(GUARD_MS)
      await armed.click()
      await page.getByText('Argo (2012) has been deleted.').waitFor()
      await page.waitForURL(`**/l/${id}?q=ar`)
      await card(page, 'Arrival (2016)').waitFor()
      await card(page, 'Argo (2012)').waitFor({ state: 'detached' })
      await page.goBack()
      await page.waitForURL((url) => url.pathname === '/')
    })
    expect(existsSync(join(folder.path, 'Argo (2012)'))).toBe(false)
    await admin.delete(`/api/libraries/${id}`)
  })

  test('a film that is gone is neither found nor opened any more, and one that came meanwhile is found', async () => {
    await using folder = await temporaryFolder('found')
    const tree = (name: string) => ({ [name]: { 'film.mkv': 10 } })
    makeTree(folder.path, { ...tree('Argo (2012)'), ...tree('Zardoz (1974)') })
    const { admin, server } = scene()
    const { id } = (await admin.post('/api/libraries', { name: 'Odd films', type: 'movies', path: folder.path })).body.library
    await server.scanAndWait(id)
    // Films that are none have no pictures, and what is gone is not found.
    await onPage(scene(), { expected: /api\/thumbnails|status of 404/ }, async (page) => {
      await page.clock.install()
      const openAndDelete = async (title: string) => {
        await card(page, title).click()
        // What comes late moves the button away from under the eyes, which disarms it.
        await page.getByText('The fewer, the faster').waitFor()
        await page.getByRole('button', { name: 'Delete folder' }).click()
        const armed = page.getByRole('button', { name: 'Delete 1 file: click again' })
        await armed.waitFor()
        await page.waitForTimeout(GUARD_MS)
        await armed.click()
        await page.getByText(`${title} has been deleted.`).waitFor()
        await page.waitForURL(`**/l/${id}`)
        await card(page, title).waitFor({ state: 'detached' })
      }
      await page.goto(`/l/${id}`)
      await openAndDelete('Argo (2012)')
      await page.goForward()
      // Not the page of the film until the answer comes.
      const heading = page.getByRole('heading', { level: 1, name: /^(Nothing here|Argo)/ })
      await heading.waitFor()
      expect(await heading.textContent()).toBe('Nothing here')

      await pressSearchKey(page)
      await page.keyboard.type('zardoz')
      await page.keyboard.press('Enter')
      await openAndDelete('Zardoz (1974)')
      await page.goBack()
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
      makeTree(folder.path, tree('Zardoz (1981)'))
      await server.scanAndWait(id)
      // The libraries are asked for now and then.
      await page.clock.fastForward('00:30')
      await card(page, 'Zardoz (1981)').waitFor()
    })
    await admin.delete(`/api/libraries/${id}`)
  })

  test('whoever has gone elsewhere while a folder goes, or is on the way there, is not pulled away', async () => {
    await using folder = await temporaryFolder('slow-deletion')
    const films = ['Arrival (2016)', 'Brazil (1985)']
    makeTree(folder.path, Object.fromEntries(films.map((name) => [name, { 'film.mkv': 10 }])))
    const { admin, server, idOf } = scene()
    const { id } = (await admin.post('/api/libraries', { name: 'Slow films', type: 'movies', path: folder.path })).body.library
    await server.scanAndWait(id)
    for (const [index, film] of films.entries()) {
      // Films that are none have no pictures.
      await onPage(scene(), { expected: /api\/thumbnails/, isIntercepted: true }, async (page) => {
        await page.goto(`/l/${id}/m/${encodeURIComponent(film)}`)
        // What comes late moves the button away from under the eyes, which disarms it.
        await page.getByText('The fewer, the faster').waitFor()
        await page.getByRole('button', { name: 'Delete folder' }).click()
        const armed = page.getByRole('button', { name: 'Delete 1 file: click again' })
        await armed.waitFor()
        await page.waitForTimeout(GUARD_MS)
        const deletion = await holdRequests(page, 'DELETE', /\/api\/items\?/)
        await armed.click()
        await deletion.asked
        const isOnTheWay = index === 1
        const there = isOnTheWay ? '/manage' : `/l/${idOf('tv')}`
        const parts = isOnTheWay ? await holdRequests(page, 'GET', /\.js$/) : undefined
        await page
          .getByRole('link', { name: isOnTheWay ? 'Manage' : 'Series', exact: true })
          .first()
          .click()
        await (parts?.asked ?? page.getByRole('heading', { level: 1, name: 'Series' }).waitFor())
        const done = page.waitForResponse((response) => response.request().method() === 'DELETE')
        deletion.letGo()
        await (await done).finished()
        parts?.letGo()
        await page.getByText(`${film} has been deleted.`).waitFor()
        await page.waitForURL((url) => url.pathname.startsWith(there))
        // What would pull away gets its turn.
        await page.waitForTimeout(SETTLED_MS)
        expect(new URL(page.url()).pathname).toStartWith(there)
      })
      expect(existsSync(join(folder.path, film))).toBe(false)
    }
    await admin.delete(`/api/libraries/${id}`)
  })

  test('who may not, is shown no button for it', async () => {
    const permissions = { upload: false, editMetadata: false, download: false, delete: false }
    const guest = await scene().server.as('guest', { permissions })
    await onPage(scene(), { client: guest }, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent('Harbour of Glass (2011)')}`)
      await page.getByRole('link', { name: 'Play', exact: true }).first().waitFor()
      await page.getByText('Harbour of Glass (2011) - 720p.mkv').waitFor()
      expect(await page.getByRole('button', { name: /Delete|Refresh metadata/ }).count()).toBe(0)
      expect(await page.getByRole('link', { name: /Download/ }).count()).toBe(0)
      await page.goto(`/l/${scene().idOf('games')}/g/Tidewright?tab=screenshots`)
      await page.locator('[data-tile]').first().waitFor()
      expect(await page.getByRole('button', { name: /Add screenshots|Delete/ }).count()).toBe(0)
      await page.goto('/manage/libraries')
      await page.getByRole('heading', { name: 'You may not see this' }).waitFor()
    })
  })

  test('who may not any more has no button for it from the first press that is refused', async () => {
    const { admin } = scene()
    const client = await scene().server.as('demoted', { permissions: { editMetadata: true } })
    const { id } = (await client.get('/api/auth/me')).body.user
    await onPage(scene(), { client, expected: /status of 403/ }, async (page) => {
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent('Harbour of Glass (2011)')}`)
      const button = page.getByRole('button', { name: /Refresh metadata/ })
      await button.waitFor()
      await admin.patch(`/api/users/${id}`, { permissions: { editMetadata: false } })
      await button.click()
      await button.waitFor({ state: 'detached' })
    })
  })
}
