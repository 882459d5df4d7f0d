/** From a series to what is watched next, and to each of its seasons. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { makeTag } from '../support/ai-scene.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { holdRequests, onPage, TEST_LIMIT_MS } from './on-page.ts'
import { type ServedLibraries, serveLibraries } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)
const SCENE_LIMIT_MS = 180_000
/** These files are no videos. */
const NO_PICTURES = /api\/thumbnails/
const HARBOUR = ['Season 01/Harbour S01E01', 'Season 01/Harbour S01E02', 'Season 02/Harbour S02E01'].map((name) => `Harbour/${name}.mkv`)
/** As many as the start page goes on with. */
const BEGUN = Array.from({ length: 20 }, (_, index) => `Begun/Season 1/Begun S01E${index + 1}.mkv`)

let scene: ServedLibraries

beforeAll(async () => {
  const folder = await temporaryFolder('seasons')
  const files = [
    ...HARBOUR,
    ...BEGUN,
    'Harbour/Specials/Harbour S00E01.mkv',
    'Harbour/Extras/Making of.mkv',
    'Middle/Season 1/Middle S01E01.mkv',
    'Middle/Season 3/Middle S03E01.mkv',
    'Middle/Season 3/Middle S03E02.mkv',
    'Late Talk/Late Talk 2015-05-06.mkv',
    'Twice/Season 1/Twice S01E01.mkv',
    'Twice/Twice.S01.720p/Twice S01E02.mkv',
  ]
  const path = makeTree(join(folder.path, 'series'), Object.fromEntries(files.map((name) => [name, 20])))
  scene = await serveLibraries(folder, [{ type: 'tv', name: 'Series', path }])
}, SCENE_LIMIT_MS)
afterAll(() => scene?.[Symbol.asyncDispose]())

const seriesPath = (name: string) => `/l/1/s/${encodeURIComponent(name)}`

test('a season that has been seen leads on to the next one, and the last one back to the first', () =>
  onPage(scene, { expected: NO_PICTURES }, async (page) => {
    for (const [index, next] of ['S1 E1', 'S1 E2', 'S2 E1', 'S1 E1'].entries()) {
      const seen = HARBOUR[index - 1]
      if (seen) expect((await scene.admin.put('/api/progress', { itemKey: `tv_episode:1:${seen}`, completed: true })).status).toBe(200)
      await page.goto(seriesPath('Harbour'))
      await page.getByRole('link', { name: `Play ${next}`, exact: true }).waitFor()
    }
  }))

test('who begins in the middle of a series goes on there, as on the start page', () =>
  onPage(scene, { expected: NO_PICTURES }, async (page) => {
    const save = async (name: string, progress: object) =>
      expect((await scene.admin.put('/api/progress', { itemKey: `tv_episode:1:Middle/${name}.mkv`, ...progress })).status).toBe(200)
    const expectNext = async (next: string) => {
      await page.goto(seriesPath('Middle'))
      await page.getByRole('link', { name: `Play ${next}`, exact: true }).waitFor()
    }
    await save('Season 3/Middle S03E01', { completed: true })
    await expectNext('S3 E2')
    await save('Season 3/Middle S03E02', { completed: true })
    await expectNext('S1 E1')
    await save('Season 3/Middle S03E01', { positionSeconds: 100, durationSeconds: 1000 })
    await expectNext('S3 E1')
    await page.goto('/')
    await page
      .getByRole('link', { name: /Middle S03E01/ })
      .first()
      .waitFor()
  }))

test('a series goes on where one was, however much was begun since', async () => {
  const client = await scene.server.as('somebody who begins much')
  for (const path of ['Middle/Season 3/Middle S03E01.mkv', ...BEGUN])
    await client.put('/api/progress', { itemKey: `tv_episode:1:${path}`, positionSeconds: 100, durationSeconds: 1000 })
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    for (const path of ['Middle', 'Middle/season/3']) {
      await page.goto(`/l/1/s/${path}`)
      await page.getByRole('link', { name: /^Play S/ }).waitFor()
      expect([path, await page.getByRole('link', { name: /^Play S/ }).textContent()]).toEqual([path, 'Play S3 E1'])
    }
  })
})

test('what one has given up on the start page is not offered on the page of its series either', async () => {
  const client = await scene.server.as('somebody who gives up')
  const itemKey = 'tv_episode:1:Middle/Season 3/Middle S03E01.mkv'
  await client.put('/api/progress', { itemKey, positionSeconds: 100, durationSeconds: 1000 })
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    const offered = (next: string) => page.getByRole('link', { name: `Play ${next}`, exact: true })
    await page.goto(seriesPath('Middle'))
    await offered('S3 E1').waitFor()
    const takeOut = page.getByRole('button', { name: 'Take Middle out of this row' })
    await page.getByRole('link', { name: 'Home' }).first().click()
    await takeOut.click()
    await takeOut.waitFor({ state: 'detached' })
    // For as long as somebody points at it, it stays.
    await page.getByRole('button', { name: 'Undo' }).hover()
    await page.goBack()
    await offered('S1 E1').waitFor()
    await page.goForward()
    await page.getByRole('button', { name: 'Undo' }).click()
    await takeOut.waitFor()
    await page.goBack()
    await offered('S3 E1').waitFor()
  })
})

test('the page of a season plays what is next in it, also while only some of its episodes are listed', async () => {
  const client = await scene.server.as('somebody who goes by seasons')
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    const expectNext = async (path: string, next: string) => {
      await page.goto(`${seriesPath('Harbour')}/season/${path}`)
      await page.getByRole('link', { name: `Play ${next}`, exact: true }).waitFor()
    }
    await expectNext('1', 'S1 E1')
    await client.put('/api/progress', { itemKey: `tv_episode:1:${HARBOUR[0]}`, completed: true })
    await expectNext('1', 'S1 E2')
    await expectNext('1?q=E01', 'S1 E2')
    await expectNext('2', 'S2 E1')
    await expectNext('0', 'S0 E1')
    await client.put('/api/progress', { itemKey: `tv_episode:1:${HARBOUR[1]}`, completed: true })
    await expectNext('1', 'S1 E1')
  })
})

test('the first tag of all is made with its category, by Enter', () =>
  onPage(scene, { expected: NO_PICTURES }, async (page) => {
    await page.goto(seriesPath('Middle'))
    await page.getByRole('button', { name: 'Add tags' }).click()
    const selector = page.getByRole('dialog')
    const field = selector.getByPlaceholder('Search or create a tag')
    await field.fill('Beach')
    await selector.getByRole('button', { name: 'Create “Beach” in a new category' }).waitFor()
    await field.press('Enter')
    await selector.getByLabel('Name of the category').fill('Place')
    await page.keyboard.press('Enter')
    await page.getByText('“Place/Beach” added').waitFor()
    await selector.getByRole('button', { name: 'Beach', pressed: true }).waitFor()
    expect([await field.inputValue(), await field.evaluate((element) => element === document.activeElement)]).toEqual(['', true])
    const [category] = (await scene.admin.get('/api/tags/categories')).body.categories
    await scene.admin.delete(`/api/tags/categories/${category.id}`)
  }))

test('what comes with a series is listed below its seasons, and played', () =>
  onPage(scene, { expected: /api\/(?:thumbnails|files)/ }, async (page) => {
    await page.goto(seriesPath('Harbour'))
    const extras = page.locator('details').filter({ has: page.getByRole('heading', { name: 'Extras' }) })
    await extras.getByText('Extra · 20 B').waitFor()
    await extras.getByRole('link', { name: 'Download Extras/Making of.mkv' }).waitFor()
    await extras.getByRole('link', { name: 'Play Extras/Making of.mkv' }).click()
    await page.locator('header').getByText('Making of', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await extras.waitFor()
    await page.goto(seriesPath('Middle'))
    await page.getByRole('heading', { name: 'Seasons' }).waitFor()
    expect(await extras.count()).toBe(0)
  }))

test('what stands below the seasons of a series comes when they are there, and is not pushed away by them', () =>
  onPage(scene, { expected: NO_PICTURES, isIntercepted: true }, async (page) => {
    const { asked, letGo } = await holdRequests(page, 'GET', /\/api\/browse\?.*parentKey=tv_series/)
    await page.goto(seriesPath('Harbour'))
    await asked
    await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()
    const below = page.getByRole('button', { name: 'Scan this folder' })
    expect(await below.count()).toBe(0)
    letGo()
    await below.waitFor()
    expect(await page.getByRole('link', { name: /^Season 01/ }).count()).toBe(1)
  }))

test('who may download has the file of each episode at hand, and nobody else is offered it', async () => {
  const download = { name: 'Download Harbour S02E01', exact: true }
  await onPage(scene, { expected: NO_PICTURES }, async (page) => {
    await page.goto(`${seriesPath('Harbour')}/season/2`)
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', download).click()])
    expect(file.suggestedFilename()).toBe('Harbour S02E01.mkv')
  })
  const client = await scene.server.as('somebody who only watches', { permissions: { download: false } })
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    await page.goto(`${seriesPath('Harbour')}/season/2`)
    await page.getByRole('button', { name: 'Watched: Harbour S02E01' }).waitFor()
    expect(await page.getByRole('link', download).count()).toBe(0)
  })
})

test('the tags of an episode are seen by whoever may not tag', async () => {
  const itemKey = `tv_episode:1:${HARBOUR[0]}`
  const tagId = await makeTag(scene.admin, 'Foggy', 'Weather')
  expect((await scene.admin.put('/api/tags/assignments', { itemKey, tagId })).status).toBeLessThan(300)
  const client = await scene.server.as('somebody who may not tag', { permissions: { tag: false } })
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    await page.goto(`${seriesPath('Harbour')}/season/1`)
    const button = page.getByRole('button', { name: /^Tags of/ })
    await button.waitFor()
    expect(await button.count()).toBe(1)
    await button.click()
    await page.getByRole('dialog', { name: 'Tags of Harbour S01E01' }).getByRole('link', { name: 'Foggy' }).waitFor()
  })
  await scene.admin.delete('/api/tags/assignments', { itemKey, tagId })
})

test('the text of an episode is read, and edited, by whoever may not use AI too, and what has none offers them nothing', async () => {
  const fields = { itemKey: `tv_episode:1:${HARBOUR[0]}`, extractedText: 'Welcome to the harbour' }
  expect((await scene.admin.patch('/api/ai-tagging/fields', fields)).status).toBe(200)
  const client = await scene.server.as('somebody who only reads', { permissions: { useAi: false } })
  await onPage(scene, { client, expected: NO_PICTURES }, async (page) => {
    await page.goto(`${seriesPath('Harbour')}/season/1`)
    await page.getByRole('button', { name: 'Watched: Harbour S01E02' }).waitFor()
    const panel = page.getByRole('button', { name: /^AI: / })
    expect(await panel.count()).toBe(1)
    await panel.click()
    const dialog = page.getByRole('dialog', { name: 'AI: Harbour S01E01' })
    const text = dialog.getByLabel('Extracted text')
    await text.waitFor()
    expect(await text.inputValue()).toBe(fields.extractedText)
    expect(await dialog.getByRole('button', { name: 'Describe' }).count()).toBe(0)
    await text.fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    expect(await dialog.isVisible()).toBe(true)
  })
  expect((await scene.admin.get('/api/ai-tagging/fields', { itemKey: fields.itemKey })).body.extractedText).toBe('')
})

test('a plot that is cut off is read whole in its row, on a phone too', async () => {
  const plot = `${'The fog came in, and nobody could say who carried the lamp. '.repeat(9)}It was Wick.`
  for (const screen of ['desktop', 'phone'] as const) {
    await onPage(scene, { screen, expected: NO_PICTURES, isIntercepted: true }, async (page) => {
      await page.route(/\/api\/browse\?.*parentKey=tv_season/, async (route) => {
        const answer = await (await route.fetch()).json()
        const [first, ...others] = answer.entries
        await route.fulfill({ json: { ...answer, entries: [{ ...first, plot }, ...others] } })
      })
      await page.goto(`${seriesPath('Harbour')}/season/1`)
      const whole = page.getByRole('button', { name: /^All of the plot/ })
      await whole.and(page.locator('[aria-expanded=false]')).waitFor()
      expect(await whole.count()).toBe(1)
      await whole.click()
      await whole.and(page.locator('[aria-expanded=true]')).waitFor()
      const text = page.getByText('It was Wick.').filter({ visible: true })
      expect(await text.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
      await whole.click()
      await whole.and(page.locator('[aria-expanded=false]')).waitFor()
    })
  }
})

test('the filters leave the title of an episode its room: what is done with it goes below', () =>
  onPage(scene, { expected: NO_PICTURES }, async (page) => {
    await page.goto(`${seriesPath('Harbour')}/season/1`)
    const row = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: /^Refresh metadata of/ }) })
      .first()
    const [link, action] = [row.getByRole('link').first(), row.getByRole('button', { name: /^Refresh metadata of/ })]
    const isBelow = async () => {
      const [above, below] = [await link.boundingBox(), await action.boundingBox()]
      return above !== null && below !== null && below.y >= above.y + above.height - 4
    }
    await row.waitFor()
    expect(await isBelow()).toBe(false)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByPlaceholder('Filter by title').waitFor()
    expect(await isBelow()).toBe(true)
  }))

test('an episode without a number is not called the first', () =>
  onPage(scene, { expected: NO_PICTURES }, async (page) => {
    await page.goto(seriesPath('Late Talk'))
    const link = page.getByRole('link', { name: /^Play/ })
    await link.waitFor()
    expect(await link.textContent()).toBe('Play')
  }))

test('of two folders that are the same season each is reached, and stays where the page is loaded again', () =>
  onPage(scene, { expected: NO_PICTURES }, async (page) => {
    const episodes = page.getByRole('list', { name: 'Episodes' })
    await page.goto(seriesPath('Twice'))
    await page.getByRole('link', { name: /^Twice\.S01\.720p/ }).click()
    await episodes.getByText('Twice S01E02').waitFor()
    await page.reload()
    await episodes.getByText('Twice S01E02').waitFor()
    const seasons = page.getByRole('navigation', { name: 'Seasons' })
    expect(await seasons.locator('[aria-current=page]').textContent()).toBe('Twice.S01.720p')
    await seasons.getByRole('link', { name: 'Season 1', exact: true }).click()
    await episodes.getByText('Twice S01E01').waitFor()
    await seasons.getByRole('link', { name: 'Twice.S01.720p' }).click()
    await episodes.getByText('Twice S01E02').waitFor()
  }))

test('no link of the way back is without words while the libraries are not known', () =>
  onPage(scene, { expected: NO_PICTURES, isIntercepted: true }, async (page) => {
    await page.goto(seriesPath('Harbour'))
    await page.getByRole('link', { name: /^Season 02/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Season 02' }).waitFor()
    const { asked, letGo } = await holdRequests(page, 'GET', /\/api\/libraries$/)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Season 02' }).waitFor()
    await asked
    const links = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link')
    await links.first().waitFor()
    expect(await links.allTextContents()).toEqual(['Harbour'])
    letGo()
    await links.getByText('Series').waitFor()
    expect(await links.allTextContents()).toEqual(['Series', 'Harbour'])
  }))

test('a tag that is on its way to one season is not shown on the next', async () => {
  const { category } = (await scene.admin.post('/api/tags/categories', { name: 'Mood' })).body
  await scene.admin.post('/api/tags/items', { name: 'Stormy', categoryId: category.id })
  await onPage(scene, { expected: NO_PICTURES, isIntercepted: true }, async (page) => {
    const go = async (name: string) => {
      await page.getByRole('navigation', { name: 'Seasons' }).getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.getByRole('button', { name: 'Add tags' }).waitFor()
    }
    await page.goto(seriesPath('Harbour'))
    await page.getByRole('link', { name: /^Season 02/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Season 02' }).waitFor()
    await page.getByRole('button', { name: 'Add tags' }).waitFor()
    await go('Season 01')
    const selector = page.getByRole('dialog')
    const tag = selector.getByRole('button', { name: /^Stormy/ })
    await page.getByRole('button', { name: 'Add tags' }).click()
    const { asked, letGo } = await holdRequests(page, 'PUT', /\/api\/tags\/assignments/)
    await tag.click()
    await asked
    await page.keyboard.press('Escape')
    await selector.waitFor({ state: 'detached' })
    await go('Season 02')
    await page.getByRole('button', { name: 'Add tags' }).click()
    await tag.waitFor()
    expect(await tag.getAttribute('aria-pressed')).toBe('false')
    letGo()
    await page.getByText('“Stormy” added').waitFor()
    expect(await tag.getAttribute('aria-pressed')).toBe('false')
  })
  await scene.admin.delete(`/api/tags/categories/${category.id}`)
})
