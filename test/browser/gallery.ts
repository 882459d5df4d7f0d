/**
 * `bun run gallery [names]`: every screen at both widths in both themes, as pictures in `test-results/gallery`, to be looked
 * at. With `--readme` the pictures of the README are made anew from them.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { WIDTHS } from '../support/browser.ts'
import { waitFor } from '../support/test-server.ts'
import { openScene, REPOSITORY, type Scene, waitForPictures } from './scene.ts'
import { listScreens, visit } from './screens.ts'

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

/** A household that has lived with it for a while: metadata is read, something is half watched. */
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
}

const args = process.argv.slice(2)
const wanted = args.filter((name) => !name.startsWith('--'))
await mkdir(FOLDER, { recursive: true })
await using scene = await openScene({ size: 'household', media: join(REPOSITORY, 'demo/media') })
await Promise.all([waitForPictures(scene), settleIn(scene)])
const screens = listScreens(scene).filter(({ name }) => wanted.length === 0 || wanted.includes(name))

for (const screen of ['desktop', 'phone'] as const) {
  for (const theme of ['dark', 'light'] as const) {
    const look = { screen, theme }
    const [member, guest] = [await scene.open(look), await scene.open({ ...look, client: null })]
    for (const spec of screens) {
      const { page } = spec.isSignedOut ? guest : member
      await visit(page, spec)
      await page.waitForTimeout(SETTLE_MS)
      await page.screenshot({ path: join(FOLDER, `${spec.name}-${WIDTHS[screen]}-${theme}.png`) })
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
