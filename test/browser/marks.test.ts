/** Whole seasons, series and selections are marked as seen, and the row to go on with is cleared. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'
import { holdRequests, onPage, TEST_LIMIT_MS, WAIT_LIMIT_MS } from './on-page.ts'
import { type ServedLibraries, serveLibraries } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)
const SCENE_LIMIT_MS = 180_000
/** These files are neither videos nor pictures. */
const NO_PICTURES = /api\/thumbnails/
const HOUR = 3600
/** More than one request marks. */
const SHORTS = 520

let scene: ServedLibraries

beforeAll(async () => {
  const folder = await temporaryFolder('marks')
  const episodes = ['Season 01/Harbour S01E01', 'Season 01/Harbour S01E02', 'Season 02/Harbour S02E01'].map((name) => `Harbour/${name}.mkv`)
  const volumes = ['Tides/Tides v01/1.jpg', 'Tides/Tides v02/1.jpg', 'Tides/Tides v03/1.jpg']
  const films = ['Alien (1979)/Alien.mkv', 'Brazil (1985)/Brazil.mkv', 'Cube (1997)/Cube.mkv']
  const tree = (name: string, files: string[]) => makeTree(join(folder.path, name), Object.fromEntries(files.map((file) => [file, 20])))
  scene = await serveLibraries(folder, [
    { type: 'tv', name: 'Series', path: tree('series', episodes) },
    { type: 'manga', name: 'Manga', path: tree('manga', volumes) },
    { type: 'movies', name: 'Films', path: tree('films', films) },
    {
      type: 'movies',
      name: 'Shorts',
      path: tree(
        'shorts',
        Array.from({ length: SHORTS }, (_, at) => `Short ${at}/Short ${at}.mkv`),
      ),
    },
  ])
}, SCENE_LIMIT_MS)
afterAll(() => scene?.[Symbol.asyncDispose]())

const episode = (name: string): string => `tv_episode:1:Harbour/Season ${name.slice(1, 3)}/Harbour ${name}.mkv`
let people = 0
/** Somebody who may change nothing but their own marks. */
const somebody = (): Promise<HttpClient> => scene.server.as(`watcher ${++people}`, { permissions: { tag: false } })
const completed = async (client: HttpClient, itemKey: string): Promise<boolean | null> =>
  (await client.get('/api/progress', { itemKey })).body.completed
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' })

test('a series is marked as watched and back, and a season by itself', async () => {
  const client = await somebody()
  await client.put('/api/progress', { itemKey: episode('S01E01'), positionSeconds: HOUR / 2, durationSeconds: HOUR })
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    await page.goto('/l/1/s/Harbour')
    await page.getByRole('button', { name: 'Mark as watched' }).click()
    await page.getByText('3 items marked as watched').waitFor()
    await undo(page).hover()
    await page.getByRole('button', { name: 'Watched', pressed: true }).waitFor()
    expect(await completed(client, episode('S02E01'))).toBe(true)
    await undo(page).click()
    await page.getByRole('button', { name: 'Mark as watched', pressed: false }).waitFor()
    const { body } = await client.get('/api/progress', { itemKey: episode('S01E01') })
    expect(body).toMatchObject({ positionSeconds: HOUR / 2, completed: false })

    await page.getByRole('link', { name: /^Season 01/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Season 01' }).waitFor()
    await page.getByRole('button', { name: 'Mark as watched', exact: true }).click()
    await page.getByRole('button', { name: 'Mark as unwatched', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^Watched:/, pressed: true }).count()).toBe(2)
    expect(await completed(client, episode('S02E01'))).toBeNull()
    await page.getByRole('button', { name: 'Mark as unwatched', exact: true }).click()
    await page.getByText('2 items marked as unwatched').waitFor()
    expect(await completed(client, episode('S01E02'))).toBe(false)
  })
})

test('volumes and films that are selected are marked together, by people who may not tag', async () => {
  const client = await somebody()
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    await page.goto('/l/2/b/Tides')
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Select Tides v01' }).click()
    await page.getByRole('checkbox', { name: 'Select Tides v02' }).click()
    await page.getByRole('button', { name: 'Mark as read', exact: true }).last().click()
    await page.getByText('2 items marked as read').waitFor()
    await page.getByText('2 of 3 read').waitFor()
    expect(await page.getByRole('button', { name: 'Tags', exact: true }).count()).toBe(0)

    await page.goto('/l/3')
    await page.locator('main a[data-item-key]').first().waitFor()
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('checkbox', { name: /Alien/ }).click()
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByRole('button', { name: 'Mark as watched', exact: true }).click()
    await page.getByText('3 items marked as watched').waitFor()
    await page.getByRole('button', { name: 'Mark as unwatched', exact: true }).click()
    await page.getByText('3 items marked as unwatched').waitFor()
  })
})

test('what is watched again is gone on with as what is watched for the first time', async () => {
  const client = await somebody()
  const itemKey = 'movie:3:Alien (1979)'
  const again = { positionSeconds: 0.25 * HOUR, durationSeconds: HOUR }
  for (const key of [itemKey, episode('S01E01')]) {
    await client.put('/api/progress', { itemKey: key, completed: true })
    await client.put('/api/progress', { itemKey: key, ...again })
    expect(await completed(client, key)).toBe(true)
  }
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    await page.goto('/')
    const row = page.getByRole('list', { name: 'Continue' })
    await row.getByTitle('25% done').nth(1).waitFor()
    expect(await row.getByTitle('Watched').count()).toBe(2)
    // As it is read out.
    await row.getByRole('link', { name: /Alien.*Watched 25% done/ }).waitFor()
    await page.goto('/l/3')
    await page.getByRole('radio', { name: 'List' }).check({ force: true })
    await page.getByRole('grid').getByText('25% done').waitFor()
    await page.getByRole('radio', { name: 'Grid' }).check({ force: true })
    await page.goto('/l/1/s/Harbour/season/1')
    await page
      .getByRole('main')
      .getByRole('link', { name: /25% done/ })
      .waitFor()
    await page.goto('/l/3/m/Alien%20(1979)')
    await page.getByRole('link', { name: 'Start over' }).waitFor()
    await page.getByRole('link', { name: 'Resume from 15:00' }).waitFor()
  })
})

test('what was marked is told, and can be taken back, before what is shown has been asked for again', async () => {
  const client = await somebody()
  await onPage(scene, { client, expected: NO_PICTURES, isIntercepted: true }, async (page) => {
    await page.goto('/l/3')
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByText('3 selected').waitFor()
    const { asked, letGo } = await holdRequests(page, 'GET', /\/api\/browse\?/)
    const mark = page.getByRole('button', { name: 'Mark as watched', exact: true })
    await mark.click()
    await asked
    await page.getByText('3 items marked as watched').waitFor()
    expect(await mark.getAttribute('aria-busy')).toBe('true')
    const restored = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().includes('/api/progress'))
    await undo(page).click()
    await restored
    letGo()
    await mark.and(page.locator(':not([aria-busy])')).waitFor()
    expect(await completed(client, 'movie:3:Cube (1997)')).toBeNull()
  })
})

test('what one has given up is taken out of the row to go on with, and stays out until it is opened', async () => {
  const client = await somebody()
  for (const name of ['Alien (1979)', 'Brazil (1985)', 'Cube (1997)'])
    await client.put('/api/progress', { itemKey: `movie:3:${name}`, positionSeconds: HOUR / 2, durationSeconds: HOUR })
  const row = async (): Promise<string[]> =>
    (await client.get('/api/progress/continue')).body.entries.map(({ title }: Json) => title).sort()
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    await page.goto('/')
    const takeOut = (title: string) => page.getByRole('button', { name: `Take ${title} out of this row` })
    const taken: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && request.url().includes('/api/progress') && taken.push(request.url()))
    await takeOut('Brazil (1985)').focus()
    await page.keyboard.down('Enter')
    await takeOut('Brazil (1985)').waitFor({ state: 'detached' })
    // Held down: it goes no further than the card it was pressed on.
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    // For as long as somebody points at it, it stays.
    await undo(page).hover()
    expect(taken).toHaveLength(1)
    expect(await row()).toEqual(['Alien (1979)', 'Cube (1997)'])
    // The keyboard goes on from a neighbour.
    expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/^Take (Alien|Cube) .* out/)
    await undo(page).click()
    await takeOut('Brazil (1985)').waitFor()
    await takeOut('Alien (1979)').click()
    await takeOut('Alien (1979)').waitFor({ state: 'detached' })
    await page.reload()
    await takeOut('Cube (1997)').waitFor()
    expect(await takeOut('Alien (1979)').count()).toBe(0)
  })
})

test('who takes the only one out of the row to go on with goes on from the top of the screen', async () => {
  const client = await somebody()
  await client.put('/api/progress', { itemKey: 'movie:3:Cube (1997)', positionSeconds: HOUR / 2, durationSeconds: HOUR })
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    await page.goto('/')
    const takeOut = page.getByRole('button', { name: 'Take Cube (1997) out of this row' })
    await takeOut.press('Enter')
    await takeOut.waitFor({ state: 'detached' })
    await page.locator('h1:focus').waitFor()
  })
})

test('who takes something out of the row and goes on before that is done is not called back', async () => {
  const client = await somebody()
  await client.put('/api/progress', { itemKey: 'movie:3:Cube (1997)', positionSeconds: HOUR / 2, durationSeconds: HOUR })
  await onPage(scene, { client, expected: NO_PICTURES, isIntercepted: true }, async (page) => {
    await page.goto('/')
    const out = await holdRequests(page, 'DELETE', /api\/progress\/continue/)
    await page.getByRole('button', { name: 'Take Cube (1997) out of this row' }).click()
    await out.asked
    const search = page.getByRole('textbox', { name: 'Search all libraries' })
    await search.fill('ali')
    out.letGo()
    await undo(page).waitFor()
    await page.keyboard.type('en')
    expect(await search.inputValue()).toBe('alien')
  })
})

test('of a selection that is marked in two requests, what the first one marked is told and taken back where the second fails', async () => {
  const client = await somebody()
  await onPage(scene, { client, expected: /api\/(thumbnails|progress)/, isIntercepted: true }, async (page) => {
    await page.goto('/l/4')
    await page.locator('main a[data-item-key]').first().waitFor()
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByText(`${SHORTS} selected`).waitFor()
    let asked = 0
    await page.route('**/api/progress/bulk', (route) => (++asked === 2 ? route.abort() : route.continue()))
    await page.getByRole('button', { name: 'Mark as watched', exact: true }).click()
    await page.getByText('500 items marked as watched').waitFor()
    expect(await completed(client, 'movie:4:Short 0')).toBe(true)
    await undo(page).click()
    await page.getByRole('button', { name: 'Mark as watched', exact: true }).waitFor()
    await waitFor(
      async () => ((await completed(client, 'movie:4:Short 0')) === null ? true : undefined),
      WAIT_LIMIT_MS,
      () => 'The marks were not taken back',
    )
  })
})
