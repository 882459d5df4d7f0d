/** What was left is let go: a tab on the kitchen's wall is open for months, and nobody loads it anew. */

import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { makePicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'
import { onPage, TEST_LIMIT_MS, WAIT_LIMIT_MS } from './on-page.ts'
import { type ServedLibraries, serveLibraries } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)
const SCENE_LIMIT_MS = 180_000
const PICTURES = 12
const VISITS = 5

let folder: TemporaryFolder
let scene: ServedLibraries
beforeAll(async () => {
  folder = await temporaryFolder('leaving')
  const album = join(folder.path, 'album')
  for (let seed = 1; seed <= PICTURES; seed++) await makePicture(join(album, `${seed}.jpg`), { seed })
  scene = await serveLibraries(folder, [{ type: 'mixed', name: 'Album', path: album }])
}, SCENE_LIMIT_MS)
afterAll(() => scene?.[Symbol.asyncDispose]())

/** How many objects of this kind nobody could throw away. */
const countHeld = async (page: Page, kind: string): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { result } = await session.send('Runtime.evaluate', { expression: `${kind}.prototype` })
  const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' })
  const { result: length } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.length }',
  })
  await session.detach()
  return length.value
}

const shows = (page: Page, pictures: number) => page.waitForFunction((count) => document.images.length === count, pictures)

test('a grid takes its pictures along', () =>
  onPage(scene, {}, async (page) => {
    await page.goto('/settings/profile')
    for (let visit = 1; visit <= VISITS; visit++) {
      await page.getByRole('link', { name: 'Album' }).first().click()
      await shows(page, PICTURES)
      await page.getByRole('link', { name: 'Manage' }).first().click()
      await shows(page, 0)
    }
    let held = 0
    const isLetGo = async () => {
      held = await countHeld(page, 'HTMLImageElement')
      // The browser may hold on to what was looked at last.
      return held < 2 * PICTURES || undefined
    }
    await waitFor(isLetGo, WAIT_LIMIT_MS, () => `${held} pictures of ${VISITS} visits are still held`)
  }))
