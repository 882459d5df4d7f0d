/** What was left is let go: a tab on the kitchen's wall is open for months, and nobody loads it anew. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { itemKey } from '../../src/domain/item-key.ts'
import type { LibraryType } from '../../src/domain/item-type.ts'
import type { Json } from '../support/http-client.ts'
import { drawnPages, makeClip, makePicture, makeZip } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'
import { card, holdRequests, onPage, TEST_LIMIT_MS, WAIT_LIMIT_MS } from './on-page.ts'
import { type ServedLibraries, serveLibraries } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)
const SCENE_LIMIT_MS = 180_000
/** With the clip's. */
const PICTURES = 13
const VISITS = 5

const PAGES = 60
const VOLUME = 'Paper Lanterns/Paper Lanterns v01.cbz'

let folder: TemporaryFolder
let scene: ServedLibraries
beforeAll(async () => {
  folder = await temporaryFolder('leaving')
  const album = join(folder.path, 'album')
  for (let seed = 1; seed < PICTURES; seed++) await makePicture(join(album, `${seed}.jpg`), { seed, width: 480 })
  await makeClip(join(album, 'clip.mp4'))
  const manga = join(folder.path, 'manga')
  await makeZip(join(manga, VOLUME), await drawnPages(PAGES))
  scene = await serveLibraries(folder, [
    { type: 'mixed', name: 'Album', path: album },
    { type: 'manga', name: 'Manga', path: manga },
  ])
  const id = await idOf('mixed')
  const areMeasured = async () =>
    (await scene.admin.get('/api/browse', { libraryId: id })).body.entries.every(({ width }: Json) => width !== null) || undefined
  await waitFor(areMeasured, SCENE_LIMIT_MS, () => 'The pictures were not measured')
}, SCENE_LIMIT_MS)
afterAll(() => scene?.[Symbol.asyncDispose]())

const idOf = async (wanted: LibraryType): Promise<number> =>
  (await scene.admin.get('/api/libraries')).body.libraries.find(({ type }: Json) => type === wanted).id

/** How many elements of this kind nobody could throw away. */
const countHeld = async (page: Page, kind: string, selector: string): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { result } = await session.send('Runtime.evaluate', { expression: `${kind}.prototype` })
  const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' })
  const { result: length } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function (selector) { return this.filter((element) => element.matches(selector)).length }',
    arguments: [{ value: selector }],
  })
  await session.detach()
  return length.value
}

const shows = (page: Page, pictures: number) => page.waitForFunction((count) => document.images.length === count, pictures)

/** The browser may hold on to what was looked at last. */
const expectFewer = async (page: Page, limit: number, what: [kind: string, selector: string]) => {
  let held = 0
  const areLetGo = async () => {
    held = await countHeld(page, ...what)
    return held < limit || undefined
  }
  await waitFor(areLetGo, WAIT_LIMIT_MS, () => `${held} are still held`)
}

test('a grid takes its pictures along', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/settings/profile')
    for (let visit = 1; visit <= VISITS; visit++) {
      await page.getByRole('link', { name: 'Album' }).first().click()
      await shows(page, PICTURES)
      await page.getByRole('link', { name: 'Manage' }).first().click()
      await shows(page, 0)
    }
    await expectFewer(page, 2 * PICTURES, ['HTMLImageElement', 'img'])
  }))

test('the viewer takes its pictures along, also those that it loaded ahead', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/settings/profile')
    await page.getByRole('link', { name: 'Album' }).first().click()
    for (let visit = 1; visit <= VISITS; visit++) {
      await card(page, '1.jpg').click()
      for (const seed of [1, 2, 3, 4]) {
        await page.getByRole('heading', { name: `${seed}.jpg` }).waitFor()
        await page.keyboard.press('ArrowRight')
      }
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await expectFewer(page, VISITS, ['HTMLImageElement', '.pswp__img'])
  }))

test('a video that is left before it begins is let go, and says no more that it stands there', () =>
  onPage(scene, { isIntercepted: true }, async (page) => {
    await page.goto('/settings/profile')
    await page.getByRole('link', { name: 'Album' }).first().click()
    for (let visit = 1; visit <= VISITS; visit++) {
      const progress = await holdRequests(page, 'GET', /api\/progress\?/)
      await card(page, 'clip.mp4').click()
      await progress.asked
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const answered = page.waitForResponse(/api\/progress\?/)
      progress.letGo()
      await answered
    }
    await expectFewer(page, VISITS, ['HTMLVideoElement', '[slot=media]'])
    expect(await page.evaluate(() => navigator.mediaSession.playbackState)).toBe('none')
  }))

test('the reader lets go of pages that were read long ago', () =>
  onPage(scene, {}, async (page) => {
    await page.goto(`/read/${encodeURIComponent(itemKey('manga_volume', await idOf('manga'), VOLUME))}`)
    await page.getByRole('img', { name: 'Page 1', exact: true }).waitFor()
    for (let number = 2; number <= PAGES; number++) {
      // From right to left.
      await page.keyboard.press('ArrowLeft')
      await page.getByRole('img', { name: `Page ${number}`, exact: true }).waitFor()
    }
    await expectFewer(page, PAGES / 2, ['HTMLImageElement', 'img'])
  }))
