/** `bun run gallery [names]`: every screen at both widths in both themes, as pictures in `test-results/gallery`, to be looked at. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { WIDTHS } from '../support/browser.ts'
import { openScene, REPOSITORY, waitForPictures } from './scene.ts'
import { listScreens, visit } from './screens.ts'

const FOLDER = join(REPOSITORY, 'test-results/gallery')
/** Pictures fade in, and a row is measured, after the screen is there. */
const SETTLE_MS = 400

await mkdir(FOLDER, { recursive: true })
await using scene = await openScene({ size: 'household', media: join(REPOSITORY, 'demo/media') })
await waitForPictures(scene)
const wanted = process.argv.slice(2)
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
process.stdout.write(`${screens.length} screens in ${FOLDER}\n`)
