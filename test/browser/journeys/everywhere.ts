import { expect, test } from 'bun:test'
import { WIDTHS } from '../../support/browser.ts'
import { axeFindings } from '../axe.ts'
import { onPage } from '../on-page.ts'
import type { Scene } from '../scene.ts'
import { listScreens, tooWide, visit } from '../screens.ts'

/** Sixty pages and as many runs of axe, on a machine that has other things to do. */
const SCREENS_LIMIT_MS = 180_000
/** Each with what lies between it and the next smaller one. */
const NARROWER = { desktop: [WIDTHS.desktop, 840], phone: [WIDTHS.phone, 320] } as const

/** What must hold on every screen, whatever it shows. */
export const everywhere = (scene: () => Scene): void => {
  for (const screen of ['desktop', 'phone'] as const) {
    test(
      `no screen ${WIDTHS[screen]} wide is too wide, lacks its heading or title, or keeps somebody out`,
      async () => {
        const found: Record<string, string[]> = {}
        for (const isSignedOut of [false, true]) {
          const specs = listScreens(scene()).filter((spec) => (spec.isSignedOut ?? false) === isSignedOut)
          await onPage(scene(), { screen, ...(isSignedOut ? { client: null } : {}) }, async (page) => {
            for (const spec of specs) {
              await visit(page, spec)
              const problems = await axeFindings(page)
              problems.push(...(await tooWide(page, NARROWER[screen])))
              const headings = await page.locator('h1').count()
              if (headings !== 1 && spec.name !== 'viewer') problems.push(`${headings} headings of the first level`)
              if (!(await page.title()).endsWith('Vitrine')) problems.push(`title: ${await page.title()}`)
              if (problems.length > 0) found[spec.name] = problems
            }
          })
        }
        expect(found).toEqual({})
      },
      SCREENS_LIMIT_MS,
    )
  }
}
