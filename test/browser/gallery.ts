/**
 * `bun run gallery [names]`: every screen at both widths in both themes, as pictures in `test-results/gallery`, to be looked
 * at. With `--readme` the pictures of the README are made anew from them.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { LIBRARY_TYPES } from '../../src/domain/item-type.ts'
import { WIDTHS } from '../support/browser.ts'
import type { Json } from '../support/http-client.ts'
import { waitFor } from '../support/test-server.ts'
import { openScene, REPOSITORY, type Scene, waitForPictures } from './scene.ts'
import { listScreens, visit, withOpen } from './screens.ts'

const FOLDER = join(REPOSITORY, 'test-results/gallery')
const README_FOLDER = join(REPOSITORY, 'client/screenshots')
const README_PICTURES = [
  'home-1280-dark',
  'library-movies-1280-light',
  'movie-1280-dark',
  'season-1280-light',
  'library-mixed-1280-dark',
  'reader-1280-dark',
]
const README_WIDTH = 1000
const README_QUALITY = 70
/** Pictures fade in, and a row is measured, after the screen is there. */
const SETTLE_MS = 400
const NFO_LIMIT_MS = 60_000

const VOCABULARY = {
  Mood: ['Calm', 'Tense', 'Funny', 'Sad'],
  Place: ['Harbour', 'Mountains', 'City', 'Garden'],
  'For whom': ['Everybody', 'Film night', 'Children'],
}
/** Items of each library that get tags. */
const TAGGED_ITEMS = 100

/** Tags of every category, spread over the first items of each library in an order that is the same at each run. */
const tagSome = async ({ admin, idOf }: Pick<Scene, 'admin' | 'idOf'>): Promise<void> => {
  const categories = Object.entries(VOCABULARY).map(([name, tags]) => ({ name, tags: tags.map((tag) => ({ name: tag })) }))
  await admin.post('/api/tags/import', { categories })
  const { tags } = (await admin.get('/api/tags/items', { limit: '50' })).body
  for (const [place, type] of LIBRARY_TYPES.entries()) {
    const { entries } = (await admin.get('/api/browse', { libraryId: idOf(type), limit: String(TAGGED_ITEMS) })).body
    for (const [index, tag] of tags.entries()) {
      const itemKeys = entries.filter((_: Json, n: number) => (n * 7 + place + index) % 5 === 0).map(({ itemKey }: Json) => itemKey)
      if (itemKeys.length > 0) await admin.post('/api/tags/assignments/bulk', { itemKeys, add: [tag.id] })
    }
  }
}

/** A household that has lived with it for a while: metadata is read, something is half watched, much is tagged. */
const settleIn = async ({ admin, idOf, keyOf }: Scene): Promise<void> => {
  for (const type of ['movies', 'tv'] as const) {
    await admin.post('/api/nfo-refresh/library', { libraryId: idOf(type) })
    const isDone = async () => (await admin.get('/api/nfo-refresh/library', { libraryId: idOf(type) })).body.queued === 0 || undefined
    await waitFor(isDone, NFO_LIMIT_MS, () => 'The NFO files were not read in time')
  }
  const begun = { durationSeconds: 5400, positionSeconds: 2300 }
  await admin.put('/api/progress', { itemKey: keyOf('movie', 'Copper Rain (1978)'), ...begun })
  await admin.put('/api/progress', { itemKey: keyOf('movie', 'Harbour of Glass (2011)'), ...begun, positionSeconds: 3900 })
  const episode = (name: string) => keyOf('tv_episode', `Northline (2018)/Season 01/Northline ${name}.mkv`)
  await admin.put('/api/progress', { itemKey: episode('S01E01 - The First Mile'), completed: true })
  await admin.put('/api/progress', { itemKey: keyOf('manga_volume', 'Tidal Kitchen/Tidal Kitchen v01'), page: 7 })
  await tagSome({ admin, idOf })
}

const args = process.argv.slice(2)
const wanted = args.filter((name) => !name.startsWith('--'))
await mkdir(FOLDER, { recursive: true })
await using scene = await openScene({ size: 'household', media: join(REPOSITORY, 'demo/media') })
await Promise.all([waitForPictures(scene), settleIn(scene)])
const screens = listScreens(scene).filter(({ name }) => wanted.length === 0 || wanted.includes(name))

for (const screen of ['desktop', 'phone'] as const) {
  for (const theme of ['dark', 'light'] as const) {
    // Whoever reads for the first time is shown the tap zones, over the page.
    const origin = { origin: new URL(scene.server.url).origin, localStorage: [{ name: 'vitrine.reader-hint', value: 'seen' }] }
    const look = { screen, theme, context: { storageState: { cookies: [], origins: [origin] } } }
    const [member, guest] = [await scene.open(look), await scene.open({ ...look, client: null })]
    for (const spec of screens) {
      const { page } = spec.isSignedOut ? guest : member
      await visit(page, spec)
      // A player shows its bars to whoever moves.
      await page.mouse.move(1, 1)
      await page.mouse.move(2, 2)
      await page.waitForTimeout(SETTLE_MS)
      const take = (name: string) => page.screenshot({ path: join(FOLDER, `${name}-${WIDTHS[screen]}-${theme}.png`) })
      await take(spec.name)
      for (const opening of spec.opens ?? []) {
        if (opening.screen === undefined || opening.screen === screen) await withOpen(page, opening, () => take(opening.name))
      }
    }
    for (const problem of [...member.problems, ...guest.problems]) process.stdout.write(`${WIDTHS[screen]} ${theme}: ${problem}\n`)
    await Promise.all([member.close(), guest.close()])
  }
}
if (args.includes('--readme')) {
  await mkdir(README_FOLDER, { recursive: true })
  for (const name of README_PICTURES) {
    const picture = sharp(join(FOLDER, `${name}.png`)).resize({ width: README_WIDTH })
    await picture.webp({ quality: README_QUALITY }).toFile(join(README_FOLDER, `${name}.webp`))
  }
}
process.stdout.write(`${screens.length} screens in ${FOLDER}\n`)
