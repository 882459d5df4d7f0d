import { expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryType } from '../../../src/domain/item-type.ts'
import type { Json } from '../../support/http-client.ts'
import { makeTree } from '../../support/library-tree.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/test-server.ts'
import { focusedName, waitForFocus, waitForFocusIn } from '../focus.ts'
import { holdRequests, onPage, SETTLED_MS, WAIT_LIMIT_MS } from '../on-page.ts'
import type { Scene } from '../scene.ts'

const FILES = 130
/** The second half of a double-click confirms nothing. */
const GUARD_MS = 600
const PASSWORD = 'password of cleo'

export const managing = (scene: () => Scene): void => {
  test('a schedule is chosen from a few, or written', async () => {
    const { admin, idOf } = scene()
    const address = `/api/libraries/${idOf('games')}`
    await onPage(scene(), {}, async (page) => {
      await page.goto(`/manage/libraries/${idOf('games')}`)
      await page.getByRole('button', { name: 'Edit' }).click()
      const dialog = page.getByRole('dialog')
      const choice = dialog.getByLabel('Scan schedule')
      const written = dialog.getByLabel('As cron fields')
      const chosen = () => choice.locator('option:checked').textContent()
      expect(await chosen()).toBe('Only by hand')
      await choice.selectOption('Every Sunday at 3:00')
      expect(await written.inputValue()).toBe('0 3 * * 0')
      await written.fill('0 4 * * *')
      expect(await chosen()).toBe('As written')
      await choice.selectOption('Every night at 3:00')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('Every night at 3:00').waitFor()
      await page.getByRole('link', { name: 'Libraries' }).last().click()
      await page.getByRole('row', { name: /Games/ }).getByText('Every night at 3:00').waitFor()
      await admin.patch(address, { scanSchedule: '0 4 * * *' })
      await page.reload()
      await page.getByRole('row', { name: /Games/ }).getByText('0 4 * * *').waitFor()
      await admin.patch(address, { scanSchedule: '0 3 * * *' })
    })
    expect((await admin.get(address)).body.library.scanSchedule).toBe('0 3 * * *')
    await admin.patch(address, { scanSchedule: null })
  })

  test('a field that is left empty is no number of days in the trash', async () => {
    const { admin, idOf } = scene()
    const address = `/api/libraries/${idOf('movies')}`
    const days = async () => (await admin.get(address)).body.library.trashDays
    await admin.patch(address, { trashDays: 30 })
    await onPage(scene(), {}, async (page) => {
      await page.goto(`/manage/libraries/${idOf('movies')}`)
      await page.getByRole('button', { name: 'Edit' }).click()
      const dialog = page.getByRole('dialog')
      const field = dialog.getByLabel('Days in the trash')
      await field.fill('')
      await field.press('Enter')
      await page.waitForTimeout(SETTLED_MS)
      expect(await days()).toBe(30)
      await field.fill('0')
      await field.press('Enter')
      await dialog.waitFor({ state: 'detached' })
    })
    expect(await days()).toBe(0)
  })

  test('a scan is announced by its phases and its end, and not by every item', () =>
    onPage(scene(), {}, async (page) => {
      let found = 20
      let scan: Json = { status: 'running', phase: 'walking' }
      await page.route('**/api/libraries', async (route) => {
        const response = await route.fetch()
        const { libraries } = await response.json()
        Object.assign(libraries[0].lastScan, { found, ...scan })
        await route.fulfill({ response, json: { libraries } })
      })
      await page.goto('/manage/libraries')
      await page.getByText('20 found').waitFor()
      await page.evaluate(() => {
        const said: string[] = []
        new MutationObserver((changes) => {
          for (const { target } of changes) {
            const text = (target instanceof Element ? target : target.parentElement)?.closest('tr [aria-live]')?.textContent
            if (text) said.push(text)
          }
        }).observe(document.body, { subtree: true, childList: true, characterData: true })
        Object.assign(window, { said })
      })
      const said = () => page.evaluate<string[]>('[...new Set(said)]')
      found = 30
      await page.getByText('30 found').waitFor()
      expect(await said()).toEqual([])
      scan = { status: 'running', phase: 'matching' }
      await page.getByText('Recognising what has moved').waitFor()
      expect(await said()).toEqual([expect.stringContaining('Recognising what has moved')])
      scan = { status: 'done', phase: null, warningCount: 2 }
      await page.getByText('Recognising what has moved').waitFor({ state: 'detached' })
      expect((await said()).at(-1)).toContain('Done')
      // What was left out is told where it can be read.
      await page.getByRole('link', { name: '2 warnings' }).click()
      await page.waitForURL(/\/manage\/libraries\/\d+$/)
    }))

  test('films and series are added like everything else', async () => {
    await using folder = await temporaryFolder('managing')
    makeTree(folder.path, {
      'films/Red Harbor (2001)/Red Harbor (2001).mkv': 100,
      'series/Quiet Hours/Season 1/Quiet Hours S01E01.mkv': 100,
    })
    const admin = await scene().server.as('admin')
    await onPage(scene(), {}, async (page) => {
      await page.goto('/manage/libraries')
      for (const [type, name, path] of [
        ['Movies', 'More films', 'films'],
        ['TV', 'More series', 'series'],
      ] as const) {
        await page.getByRole('button', { name: 'Add library' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel(type).check({ force: true })
        await dialog.getByLabel('Name').fill(name)
        await dialog.getByLabel('Folder', { exact: true }).fill(join(folder.path, path))
        await dialog.getByRole('button', { name: 'Add library' }).click()
        await page
          .getByRole('row', { name })
          .getByText(/^\d+ added/)
          .waitFor()
      }
    })
    const { libraries } = (await admin.get('/api/libraries')).body
    const added = libraries.filter(({ name }: Json) => name.startsWith('More '))
    expect(added.map(({ type }: Json) => type).toSorted()).toEqual(['movies', 'tv'])
    for (const { id } of added) expect((await admin.delete(`/api/libraries/${id}`)).status).toBe(204)
  })

  test('what the form of a library is sent by stays in sight, though the form is longer than the window is high', () =>
    onPage(scene(), {}, async (page) => {
      await page.goto('/manage/libraries')
      await page.getByRole('button', { name: 'Add library' }).click()
      const submit = page.getByRole('dialog').getByRole('button', { name: 'Add library' })
      for (const screen of [
        { width: 390, height: 844 },
        { width: 1280, height: 800 },
      ]) {
        await page.setViewportSize(screen)
        const box = await submit.boundingBox()
        expect(box && box.y + box.height).toBeLessThanOrEqual(screen.height)
      }
    }))

  test('a folder is picked by the keyboard, from the nearest to what has been typed', async () => {
    await using folder = await temporaryFolder('managing')
    makeTree(folder.path, { 'attic/box/letter.txt': 10, 'cellar/letter.txt': 10 })
    // The folders that are not there.
    await onPage(scene(), { expected: /status of 400/ }, async (page) => {
      await page.goto('/manage/libraries?add=1')
      const path = page.getByLabel('Folder', { exact: true })
      await path.fill(join(folder.path, 'attic', 'not', 'there'))
      await page.getByRole('button', { name: 'Browse' }).press('Enter')
      const picker = page.getByRole('dialog', { name: 'Choose a folder' })
      await picker.getByTitle(join(folder.path, 'attic'), { exact: true }).waitFor()
      await waitForFocusIn(picker)
      for (const [name, entered] of [
        ['Up one folder', ''],
        ['attic', 'attic'],
        ['box', 'attic/box'],
      ] as const) {
        await picker.getByRole('button', { name, exact: true }).press('Enter')
        await picker.getByTitle(join(folder.path, entered), { exact: true }).waitFor()
        await waitForFocusIn(picker)
        await page.keyboard.press('Tab')
        await waitForFocusIn(picker)
      }
      await picker.getByRole('button', { name: 'Choose this folder' }).press('Enter')
      await waitForFocus(page, 'Browse')
      expect(await path.inputValue()).toBe(join(folder.path, 'attic/box'))
    })
  })

  test('what changes in a dialog takes no focus from the one above it, where what was pressed has just gone', async () => {
    await using folder = await temporaryFolder('managing')
    makeTree(folder.path, { 'attic/letter.txt': 10 })
    await onPage(scene(), {}, async (page) => {
      await page.goto('/manage/libraries?add=1')
      await page.getByLabel('Folder', { exact: true }).fill(folder.path)
      const below = await page.getByRole('dialog').elementHandle()
      await page.getByRole('button', { name: 'Browse' }).press('Enter')
      const picker = page.getByRole('dialog', { name: 'Choose a folder' })
      const enter = picker.getByRole('button', { name: 'attic', exact: true })
      // Once before: what has been looked at is there in the moment it is asked for again.
      await enter.press('Enter')
      await picker.getByTitle(join(folder.path, 'attic'), { exact: true }).waitFor()
      await picker.getByRole('button', { name: 'Up one folder' }).press('Enter')
      await enter.focus()
      await enter.evaluate((button: HTMLButtonElement, dialog) => {
        dialog?.append('Such a text comes when a folder that was typed has been looked for.')
        button.click()
      }, below)
      await picker.getByTitle(join(folder.path, 'attic'), { exact: true }).waitFor()
      await waitForFocusIn(picker)
    })
  })

  test('a library is added, scanned before one’s eyes, held at a great loss, and deleted by its name, with its files kept', async () => {
    await using folder = await temporaryFolder('managing')
    makeTree(
      folder.path,
      Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`part ${index % 10}/file ${index}.txt`, 100 + index])),
    )
    // The folder that is not there.
    await onPage(scene(), { expected: /status of 400/ }, async (page) => {
      await page.goto('/manage/libraries')
      await page.getByRole('button', { name: 'Add library' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Pictures and videos').check({ force: true })
      await dialog.getByLabel('Name').fill('Attic')
      await dialog.getByLabel('Folder', { exact: true }).fill(join(folder.path, 'not there'))
      await dialog.getByRole('button', { name: 'Add library' }).click()
      await dialog
        .getByText(/There is no folder .*not there\./)
        .first()
        .waitFor()
      await dialog.getByLabel('Folder', { exact: true }).fill(folder.path)
      await dialog.getByRole('button', { name: 'Add library' }).click()
      const row = page.getByRole('row', { name: /Attic/ })
      await row.getByText(`${FILES} added`).waitFor()
      await page.getByRole('navigation').getByRole('link', { name: 'Attic' }).first().waitFor()

      for (let index = 0; index < 60; index += 1) rmSync(join(folder.path, `part ${index % 10}/file ${index}.txt`))
      await row.getByRole('button', { name: 'Scan Attic' }).click()
      await row.getByText('Waiting for you').waitFor()
      await row.getByRole('link', { name: 'Manage: Attic' }).click()
      await page.getByRole('heading', { name: 'A large part of this library has disappeared' }).waitFor()
      await page.getByRole('list', { name: 'Items that would go missing' }).getByText('file 0.txt').waitFor()
      await page.getByRole('button', { name: 'Discard the losses' }).click()
      await page.getByText('The losses have been discarded').waitFor()
      await page.getByRole('heading', { name: 'A large part of this library has disappeared' }).waitFor({ state: 'detached' })
      await page.getByText('Cancelled').waitFor()
      expect(await page.getByText('No longer on disk').count()).toBe(0)

      await page.getByRole('button', { name: 'Scan', exact: true }).click()
      await page.getByRole('heading', { name: 'A large part of this library has disappeared' }).waitFor()
      await page.getByRole('button', { name: 'Apply the losses' }).click()
      await page.getByText('The losses have been applied.').waitFor()
      await page.getByText('60 missing').waitFor()
      await page.getByRole('heading', { name: 'A large part of this library has disappeared' }).waitFor({ state: 'detached' })

      await page.getByText('No longer on disk: 60 items with 0 assigned tags.').waitFor()
      await page.getByRole('button', { name: 'Forget what is missing' }).click()
      await page.waitForTimeout(GUARD_MS)
      await page.getByRole('button', { name: /Forget 60 items for good/ }).click()
      await page.getByText('60 items forgotten.').waitFor()
      await page.getByText('No longer on disk').waitFor({ state: 'detached' })

      const { admin } = scene()
      const libraryId = Number(page.url().split('/').at(-1))
      const { category } = (await admin.post('/api/tags/categories', { name: 'Attic things' })).body
      const { tag } = (await admin.post('/api/tags/items', { name: 'Old', categoryId: category.id })).body
      const itemKey = `mixed_file:${libraryId}:part 9/file 129.txt`
      expect((await admin.put('/api/tags/assignments', { itemKey, tagId: tag.id })).status).toBe(204)
      await page.getByRole('button', { name: 'Delete library' }).click()
      const confirm = page.getByRole('dialog')
      await confirm.getByText('It holds 70 items with 1 assigned tag.').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        confirm.getByRole('link', { name: 'Save its tags first' }).click(),
      ])
      const saved = await Bun.file(await download.path()).json()
      expect(saved.assignments).toEqual([{ itemKey, tags: ['Attic things/Old'] }])
      expect((await admin.delete(`/api/tags/categories/${category.id}`)).status).toBe(204)
      const submit = confirm.getByRole('button', { name: 'Delete library' })
      expect(await submit.isDisabled()).toBe(true)
      await confirm.getByRole('textbox').fill('attic')
      expect(await submit.isDisabled()).toBe(true)
      await confirm.getByRole('textbox').fill('Attic')
      await submit.click()
      await page.waitForURL('**/manage/libraries')
      await page.getByText('Attic has been deleted. Its files were kept.').waitFor()
      await page.getByRole('row', { name: /Attic/ }).waitFor({ state: 'detached' })
    })
    expect(existsSync(join(folder.path, 'part 9/file 129.txt'))).toBe(true)
  })

  test('where nobody can say what a library holds, that is said before it is deleted', () =>
    onPage(scene(), { expected: /status of 500/ }, async (page) => {
      const json = { code: 'internal_error', detail: 'Something went wrong on the server' }
      await page.route(/\/api\/libraries\/\d+\/contents$/, (route) => route.fulfill({ status: 500, json }))
      await page.goto(`/manage/libraries/${scene().idOf('mixed')}`)
      await page.getByRole('button', { name: 'Delete library' }).click()
      await page.getByRole('dialog').getByText('Something went wrong on the server').waitFor()
    }))

  test('a library whose scan does not begin is there all the same, and can be scanned', async () => {
    await using folder = await temporaryFolder('managing')
    makeTree(folder.path, { 'a.txt': 1 })
    await onPage(scene(), { expected: /ERR_CONNECTION_RESET|failed request/ }, async (page) => {
      await page.goto('/manage/libraries')
      await page.route(/api\/scans$/, (route) => route.abort('connectionreset'), { times: 1 })
      await page.getByRole('button', { name: 'Add library' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Pictures and videos').check({ force: true })
      await dialog.getByLabel('Name').fill('Cellar')
      await dialog.getByLabel('Folder', { exact: true }).fill(folder.path)
      await dialog.getByRole('button', { name: 'Add library' }).click()
      await page.getByText('The server cannot be reached.').first().waitFor()
      await dialog.waitFor({ state: 'detached' })
      const row = page.getByRole('row', { name: /Cellar/ })
      await row.getByRole('button', { name: 'Scan Cellar' }).click()
      await row.getByText('1 added').waitFor()
    })
    const { libraries } = (await scene().admin.get('/api/libraries')).body
    const { id } = libraries.find(({ name }: Json) => name === 'Cellar')
    expect((await scene().admin.delete(`/api/libraries/${id}`)).status).toBe(204)
  })

  test('a library’s NFO files are read anew, and what was deleted from it comes back from the trash, or goes for good', async () => {
    await using folder = await temporaryFolder('trash')
    const films = ['Arrival (2016)', 'Brazil (1985)', 'Cube (1997)']
    makeTree(folder.path, {
      ...Object.fromEntries(films.map((name) => [name, { 'film.mkv': 10, 'movie.nfo': `<movie><title>The ${name}</title></movie>` }])),
      'Damaged (2000)': { 'film.mkv': 10, 'movie.nfo': '<movie><title>' },
      'Empty (2001)': { 'film.mkv': 10 },
    })
    const { admin, server } = scene()
    const { id } = (await admin.post('/api/libraries', { name: 'Attic films', type: 'movies', path: folder.path })).body.library
    await server.scanAndWait(id)
    // Films that are none have no pictures.
    await onPage(scene(), { expected: /api\/(thumbnails|trash)/ }, async (page) => {
      await page.goto('/manage/libraries')
      const row = page.getByRole('row', { name: /Attic films/ })
      await row.getByRole('link', { name: '4 titles have NFO files that have not been read' }).click()
      await page.getByText('is gone at once').waitFor()
      await page.getByText('4 titles have NFO files that have not been read.').waitFor()
      await page.getByRole('button', { name: 'Refresh all' }).click()
      await page.getByText('3 refreshed, 1 without an NFO file, 1 failed').waitFor()
      await page.getByRole('listitem').getByText('Damaged (2000)').waitFor()
      await page.getByText('1 title has an NFO file that has not been read.').waitFor()

      await admin.patch(`/api/libraries/${id}`, { trashDays: 3 })
      await page.goto(`/l/${id}/m/${encodeURIComponent('Arrival (2016)')}`)
      await page.getByRole('heading', { level: 1, name: 'The Arrival (2016)' }).waitFor()
      // What comes late moves the button away from under the eyes, which disarms it.
      await page.getByText('The fewer, the faster').waitFor()
      await page.getByRole('button', { name: 'Delete folder' }).press('Enter')
      await page.getByText('It can be restored from the trash for 3 days.').waitFor()
      await page.getByRole('button', { name: 'Delete 2 files: click again' }).waitFor()
      await page.waitForTimeout(GUARD_MS)
      // Asking what would go has not taken the focus away.
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/l/${id}`)
      await page.getByRole('button', { name: 'Open trash' }).click()
      await page.getByRole('list', { name: 'Trash' }).getByText('The Arrival (2016)').waitFor()
      expect(existsSync(join(folder.path, 'Arrival (2016)'))).toBe(false)
      // What stood in its way is said no more once it is back.
      makeTree(folder.path, { 'Arrival (2016)': {} })
      await page.getByRole('button', { name: 'Restore The Arrival (2016)' }).click()
      await page.getByText('Something else lies in its place now.').waitFor()
      rmSync(join(folder.path, 'Arrival (2016)'), { recursive: true })
      await page.getByRole('button', { name: 'Restore The Arrival (2016)' }).click()
      await page.getByText('The Arrival (2016) is back in its place.').waitFor()
      await page.getByText('Something else lies in its place now.').waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
      expect(existsSync(join(folder.path, 'Arrival (2016)/film.mkv'))).toBe(true)

      for (const name of films.slice(1)) await admin.delete('/api/items', { itemKey: `movie:${id}:${name}` })
      await page.goto(`/manage/libraries/${id}`)
      await page.getByRole('button', { name: 'Delete The Cube (1997) for good' }).click()
      await page.waitForTimeout(GUARD_MS)
      await page.getByRole('button', { name: 'Delete for good: click again' }).click()
      await page.getByText('The Cube (1997)').first().waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Restore The Brazil (1985)' }).click()
      await page.getByText('Nothing of this library is in the trash.').waitFor()
    })
    expect((await admin.get('/api/trash')).body.entries).toEqual([])
    expect(existsSync(join(folder.path, 'Brazil (1985)/film.mkv'))).toBe(true)
    // Who may not delete has no trash.
    const guest = await server.as('no remover')
    await onPage(scene(), { client: guest }, async (page) => {
      await page.goto('/trash')
      await page.getByRole('heading', { name: 'You may not see this' }).waitFor()
      await page.getByRole('button', { name: 'Account of no remover' }).click()
      await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Trash' }).count()).toBe(0)
    })
    await admin.delete(`/api/libraries/${id}`)
  })

  test('who empties the trash with the keyboard stays in the list, and is told when it is empty', async () => {
    await using folder = await temporaryFolder('trash-focus')
    const films = ['Arrival (2016)', 'Brazil (1985)', 'Cube (1997)', 'Dune (1984)']
    makeTree(folder.path, Object.fromEntries([...films, 'Elephant (2003)'].map((name) => [name, { 'film.mkv': 10 }])))
    const { admin, server } = scene()
    const { id } = (await admin.post('/api/libraries', { name: 'Cellar films', type: 'movies', path: folder.path })).body.library
    await server.scanAndWait(id)
    rmSync(join(folder.path, 'Elephant (2003)'), { recursive: true })
    await server.scanAndWait(id)
    await admin.patch(`/api/libraries/${id}`, { trashDays: 3 })
    const throwAway = async (names: string[]) => {
      // The latest stands first.
      for (const name of names.toReversed()) await admin.delete('/api/items', { itemKey: `movie:${id}:${name}` })
    }
    await throwAway(films)
    await admin.put('/api/ai-settings', { endpoint: 'http://127.0.0.1:9/v1' })
    // What is gone has no picture, if none was made before.
    await onPage(scene(), { expected: /status of 404.*thumbnails/ }, async (page) => {
      const deleteForGood = async (title: string) => {
        const button = page.getByRole('button', { name: `Delete ${title} for good` })
        await button.focus()
        await button.press('Enter')
        await page.getByRole('button', { name: 'Delete for good: click again' }).waitFor()
        await page.waitForTimeout(GUARD_MS)
        await page.keyboard.press('Enter')
        await page.getByText(title, { exact: true }).waitFor({ state: 'detached' })
      }
      // What is missing is still found by its address, with nothing to play.
      await page.goto(`/l/${id}/m/${encodeURIComponent('Elephant (2003)')}`)
      await page
        .getByRole('note')
        .getByText(/^Its files have been missing since/)
        .waitFor()
      await page.getByRole('list').getByText('film.mkv').waitFor()
      for (const name of [/^Play/, /^Download/]) expect(await page.getByRole('link', { name }).count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Delete folder' }).count()).toBe(0)
      // A model can still go by its words, and there is nothing to read.
      await page.getByRole('button', { name: 'Describe' }).waitFor()
      await page.getByText('no text can be read from them').waitFor()
      expect(await page.getByRole('button', { name: 'Extract text' }).count()).toBe(0)
      await admin.put('/api/ai-settings', {})
      await page.goto('/trash')
      // Held down: it goes no further than the row it was pressed on.
      const restores = page.getByRole('button', { name: /^Restore / })
      await page.getByRole('button', { name: 'Restore Brazil (1985)' }).focus()
      await page.keyboard.down('Enter')
      await waitForFocus(page, 'Restore Cube (1997)')
      await page.keyboard.down('Enter')
      await page.keyboard.up('Enter')
      expect(await restores.and(page.locator(':not([aria-disabled])')).count()).toBe(3)
      await deleteForGood('Cube (1997)')
      await waitForFocus(page, 'Delete Dune (1984) for good')
      // The last of the list leaves the one before it.
      await deleteForGood('Dune (1984)')
      await waitForFocus(page, 'Delete Arrival (2016) for good')
      await page.getByRole('button', { name: 'Restore Arrival (2016)' }).press('Enter')
      await waitForFocus(page, 'The trash is empty')

      // Whoever has gone on meanwhile is left where they are.
      await throwAway(films.slice(0, 2))
      await page.goto('/trash')
      await page.getByRole('button', { name: 'Restore Arrival (2016)' }).press('Enter')
      await page.getByRole('link', { name: 'Home' }).first().focus()
      await page.getByText('Arrival (2016)', { exact: true }).waitFor({ state: 'detached' })
      await page.locator('button:not([aria-disabled])', { hasText: 'Restore' }).waitFor()
      expect(await focusedName(page)).toBe('Home')

      await page.goto(`/manage/libraries/${id}`)
      await page.getByRole('button', { name: 'Restore Brazil (1985)' }).press('Enter')
      await waitForFocus(page, 'Trash')
    })
    await admin.delete(`/api/libraries/${id}`)
  })

  test('whoever has gone elsewhere while a user or a library comes or goes is not pulled away', async () => {
    await using folder = await temporaryFolder('slow-managing')
    const { admin, server } = scene()
    const { id } = (await admin.post('/api/libraries', { name: 'Loft', type: 'mixed', path: folder.path })).body.library
    await server.as('dora')
    await server.as('edgar')
    const { users } = (await admin.get('/api/users')).body
    const idOf = (name: string): number => users.find(({ username }: Json) => username === name).id
    await onPage(scene(), { isIntercepted: true }, async (page) => {
      const dialog = page.getByRole('dialog')
      /** Presses, closes the dialog on what is still at work, and goes there. */
      const pressAndGo = async (button: string, method: string, address: RegExp, goThere: () => Promise<unknown>) => {
        const { asked, letGo } = await holdRequests(page, method, address)
        await dialog.getByRole('button', { name: button }).click()
        await asked
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await goThere()
        letGo()
      }
      const series = `/l/${scene().idOf('tv')}`
      const goToSeries = async () => {
        await page.getByRole('link', { name: 'Series', exact: true }).first().click()
        await page.waitForURL((url) => url.pathname === series)
      }
      const isAtSeries = async (toast: string) => {
        await page.getByText(toast).waitFor()
        // What would pull away gets its turn.
        await page.waitForTimeout(SETTLED_MS)
        expect(new URL(page.url()).pathname).toBe(series)
      }

      await page.goto(`/manage/libraries/${id}`)
      await page.getByRole('button', { name: 'Delete library' }).click()
      await dialog.getByRole('textbox').fill('Loft')
      await pressAndGo('Delete library', 'DELETE', /\/api\/libraries\/\d+$/, goToSeries)
      await isAtSeries('Loft has been deleted.')
      await page.getByRole('navigation').getByRole('link', { name: 'Loft' }).first().waitFor({ state: 'detached' })

      await page.goto('/manage/users')
      await page.getByRole('button', { name: 'Add user' }).click()
      await dialog.getByLabel('Name').fill('flora')
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await pressAndGo('Add user', 'POST', /\/api\/users$/, goToSeries)
      await isAtSeries('flora may now sign in.')

      // From one user to another it is the same page.
      await page.goto(`/manage/users/${idOf('dora')}`)
      await page.getByRole('button', { name: 'Delete user' }).click()
      await dialog.getByRole('textbox').fill('dora')
      const refreshed = page.waitForResponse(async (response) => {
        if (response.request().method() !== 'GET' || !response.url().endsWith('/api/users')) return false
        return !(await response.text()).includes('dora')
      })
      await pressAndGo('Delete user', 'DELETE', /\/api\/users\/\d+$/, async () => {
        await page.getByRole('link', { name: 'Users', exact: true }).first().click()
        await page.getByRole('link', { name: /edgar/ }).click()
        await page.getByRole('heading', { level: 1, name: 'edgar' }).waitFor()
      })
      await refreshed
      await page.getByRole('button', { name: 'Delete user' }).click()
      await dialog.getByRole('textbox').fill('edgar')
      await dialog.getByRole('button', { name: 'Delete user' }).click()
      await page.waitForURL('**/manage/users')
      await page.getByRole('link', { name: /edgar/ }).waitFor({ state: 'detached' })
    })
  })

  test('whoever is added sees from the first moment no more than was chosen, which an administrator cannot be told', async () => {
    await onPage(scene(), {}, async (page) => {
      await page.goto('/manage/users')
      await page.getByRole('button', { name: 'Add user' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('hedda')
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
      const all = dialog.getByRole('switch', { name: /^All libraries/ })
      await all.click()
      for (const name of ['Games', 'Films', 'Series', 'Family album']) await dialog.getByRole('checkbox', { name, exact: true }).click()
      await dialog.getByLabel('Role').selectOption('admin')
      await all.waitFor({ state: 'detached' })
      await dialog.getByLabel('Role').selectOption('user')
      const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/users'))
      await dialog.getByRole('button', { name: 'Add user' }).click()
      expect((await asked).postDataJSON().libraryIds).toEqual([scene().idOf('manga')])
      await page.getByRole('heading', { level: 1, name: 'hedda' }).waitFor()
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(1)
    })
  })

  test('a user who was granted one library finds no trace of the others', async () => {
    await onPage(scene(), {}, async (page) => {
      await page.goto('/manage/users')
      await page.getByRole('button', { name: 'Add user' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('cleo')
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Add user' }).click()
      await page.getByRole('heading', { level: 1, name: 'cleo' }).waitFor()
      await page.getByRole('switch', { name: /^All libraries/ }).click()
      // Faster than the server answers: none of them is lost.
      for (const name of ['Games', 'Films', 'Series', 'Family album']) await page.getByRole('checkbox', { name, exact: true }).click()
      expect(await page.getByRole('checkbox', { name: 'Manga', exact: true }).isChecked()).toBe(true)
      await waitFor(
        async () => {
          const { users } = (await scene().admin.get('/api/users')).body
          return users.find(({ username }: Json) => username === 'cleo').libraryIds?.length === 1 || undefined
        },
        WAIT_LIMIT_MS,
        () => 'More than one library is granted',
      )
    })
    const cleo = await scene().server.login('cleo', PASSWORD)
    await onPage(scene(), { client: cleo, expected: /status of 404/ }, async (page) => {
      await page.goto('/')
      await page.waitForSelector('a[data-item-key]')
      const names = await page.getByRole('navigation').first().getByRole('link').allTextContents()
      // A new user may manage tags, which are everybody's.
      expect(names.map((name) => name.trim())).toEqual(['Home', 'Manga', 'Manage'])
      await page.goto(`/l/${scene().idOf('movies')}`)
      await page.getByRole('heading', { level: 1, name: 'There is no such library' }).waitFor()
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent('Harbour of Glass (2011)')}`)
      await page.getByRole('heading', { level: 1, name: 'Nothing here' }).waitFor()
    })
  })

  test('a library that was deleted is no longer granted to anybody, and others still are', async () => {
    await using folder = await temporaryFolder('granted')
    const { admin, idOf, server } = scene()
    await server.as('hanna')
    const { id } = (await admin.post('/api/libraries', { name: 'Shed', type: 'mixed', path: folder.path })).body.library
    const kept = async () => (await admin.get('/api/users')).body.users.find(({ username }: Json) => username === 'hanna')
    const user = await kept()
    await admin.patch(`/api/users/${user.id}`, { libraryIds: [idOf('tv'), id] })
    await onPage(scene(), {}, async (page) => {
      const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
      const section = (name: string) =>
        page.getByRole('navigation', { name: 'Sections of Manage' }).getByRole('link', { name, exact: true }).click()
      await page.goto(`/manage/users/${user.id}`)
      await box('Shed').waitFor()
      await section('Libraries')
      await page.getByRole('link', { name: 'Manage: Shed' }).click()
      await page.getByRole('button', { name: 'Delete library' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill('Shed')
      await dialog.getByRole('button', { name: 'Delete library' }).click()
      await page.getByText('Shed has been deleted.').waitFor()
      await section('Users')
      await page.getByRole('link', { name: /hanna/ }).click()
      await box('Manga').click()
      await page.getByText('Saved').first().waitFor()
    })
    expect((await kept()).libraryIds.toSorted()).toEqual([idOf('tv'), idOf('manga')].toSorted())
    await admin.delete(`/api/users/${user.id}`)
  })

  test('the page of a film goes with the right to see it, and comes back with it', async () => {
    const gwen = await scene().server.as('gwen')
    const { id } = (await gwen.get('/api/auth/status')).body.user
    const grant = (type: LibraryType) => scene().admin.patch(`/api/users/${id}`, { libraryIds: [scene().idOf(type)] })
    const film = 'Harbour of Glass (2011)'
    await onPage(scene(), { client: gwen, expected: /status of 404/ }, async (page) => {
      const heading = (name: string) => page.getByRole('heading', { level: 1, name })
      await page.clock.install()
      await page.goto(`/l/${scene().idOf('movies')}/m/${encodeURIComponent(film)}`)
      await heading('Harbour of Glass').waitFor()
      await grant('manga')
      await page.clock.fastForward('01:00')
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await heading('Nothing here').waitFor()
      expect(await page.getByRole('link', { name: 'Play' }).count()).toBe(0)
      await grant('movies')
      // It may have asked once more by itself, and be there already.
      await page
        .getByRole('button', { name: 'Retry' })
        .click({ timeout: 5000 })
        .catch(() => undefined)
      await heading('Harbour of Glass').waitFor()
      expect(await heading('Nothing here').count()).toBe(0)
    })
  })

  test('what is refused of a user shows again as it was, and what was pressed meanwhile holds', async () => {
    const { admin } = scene()
    const { user } = (await admin.post('/api/users', { username: 'dora', password: 'password of dora', role: 'user' })).body
    const kept = async () => (await admin.get('/api/users')).body.users.find(({ id }: Json) => id === user.id)
    await onPage(scene(), { expected: /status of (409|422|500)/, isIntercepted: true }, async (page) => {
      const me = (await admin.get('/api/auth/me')).body.user
      await page.goto(`/manage/users/${me.id}`)
      const role = page.getByRole('combobox', { name: 'Role' })
      await role.selectOption('user')
      await page.getByText('The last administrator cannot be removed').waitFor()
      expect(await role.inputValue()).toBe('admin')

      await page.goto(`/manage/users/${user.id}`)
      const mayTag = page.getByRole('switch', { name: 'Tag items' })
      const mayUpload = page.getByRole('switch', { name: 'Upload covers' })
      const answers = Array.from({ length: 3 }, () => Promise.withResolvers<'refuse' | 'grant'>())
      const asked: string[] = []
      await page.route(`**/api/users/${user.id}`, async (route) => {
        const answer = answers[asked.push(route.request().postData() ?? '') - 1]
        if ((await answer?.promise) !== 'refuse') return route.continue()
        return route.fulfill({ status: 500, json: { title: 'Refused', status: 500, code: 'internal' } })
      })
      await mayTag.uncheck()
      for (const isOn of [false, true, false]) await mayUpload.setChecked(isOn)
      answers[0]?.resolve('refuse')
      await page.locator('[role=switch]:checked').and(mayTag).waitFor()
      expect(await mayUpload.isChecked()).toBe(false)
      answers[1]?.resolve('grant')
      await page.getByText('Saved').first().waitFor()
      expect(await mayUpload.isChecked()).toBe(false)
      // One at a time, and of those that waited only what was pressed last.
      expect(asked).toEqual([JSON.stringify({ permissions: { tag: false } }), JSON.stringify({ permissions: { upload: false } })])
      expect((await kept()).permissions).toMatchObject({ tag: true, upload: false })
    })
    await admin.delete(`/api/users/${user.id}`)
  })

  test('permissions are given one after the other with the keyboard', async () => {
    const { admin } = scene()
    const { user } = (await admin.post('/api/users', { username: 'emil', password: 'password of emil', role: 'user' })).body
    await onPage(scene(), { expected: /status of 500/, isIntercepted: true }, async (page) => {
      await page.goto('/manage/users')
      const box = page.getByRole('checkbox', { name: 'Tag items: emil' })
      const known = () => page.waitForResponse((response) => response.url().endsWith('/api/users') && response.request().method() === 'GET')
      await box.focus()
      for (const isOn of [false, true, false]) {
        const answer = known()
        await page.keyboard.press('Space')
        expect(await (await answer).text()).toContain('emil')
        await waitForFocus(page, 'Tag items: emil')
        expect(await box.isChecked()).toBe(isOn)
      }
      await page.route(`**/api/users/${user.id}`, (route) =>
        route.fulfill({ status: 500, json: { title: 'Refused', status: 500, code: 'internal' } }),
      )
      await page.keyboard.press('Space')
      await page.getByText('Refused').waitFor()
      expect(await box.isChecked()).toBe(false)
      await waitForFocus(page, 'Tag items: emil')
    })
    await admin.delete(`/api/users/${user.id}`)
  })
}
