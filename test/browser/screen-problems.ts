import { type Screen, WIDTHS } from '../support/browser.ts'
import { axeFindings } from './axe.ts'
import { onPage } from './on-page.ts'
import type { Scene } from './scene.ts'
import { getsFocus, listScreens, tooSmall, tooWide, tooWideWithText, visit, withOpen } from './screens.ts'

/** What must hold on every screen, whatever it shows. */

/** Fifty pages and as many runs of axe, on a machine that has other things to do. */
export const SCREENS_LIMIT_MS = 360_000
/** Each with what lies between it and the next smaller one. */
const NARROWER = { desktop: [WIDTHS.desktop, 840], phone: [WIDTHS.phone, 320] } as const
/** Twice as large as usual. */
const LARGER_TEXT = { width: WIDTHS.desktop, pixels: 32 }

/** By screen: what is too wide, too small for fingers, lacks its heading or title, keeps somebody out, or loses the focus. */
export const screenProblems = async (scene: Scene, screen: Screen): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {}
  for (const isSignedOut of [false, true]) {
    const specs = listScreens(scene).filter((spec) => (spec.isSignedOut ?? false) === isSignedOut)
    await onPage(scene, { screen, ...(isSignedOut ? { client: null } : {}) }, async (page) => {
      for (const spec of specs) {
        await visit(page, spec)
        const problems = await axeFindings(page)
        if (screen === 'phone') problems.push(...(await tooSmall(page)))
        else problems.push(...(await tooWideWithText(page, LARGER_TEXT)))
        problems.push(...(await tooWide(page, NARROWER[screen])))
        const headings = await page.locator('h1').count()
        if (headings !== 1 && spec.name !== 'viewer') problems.push(`${headings} headings of the first level`)
        if (!(await page.title()).endsWith('Vitrine')) problems.push(`title: ${await page.title()}`)
        if (problems.length > 0) found[spec.name] = problems
        for (const opening of spec.opens ?? []) {
          if (opening.screen !== undefined && opening.screen !== screen) continue
          let ofOpen: string[] = []
          await withOpen(page, opening, async () => {
            ofOpen = await axeFindings(page)
            if (screen === 'phone') ofOpen.push(...(await tooSmall(page)))
          })
          if (!(await getsFocus(page, opening))) ofOpen.push('the focus does not come back to the button')
          if (ofOpen.length > 0) found[opening.name] = ofOpen
        }
      }
    })
  }
  return found
}
