import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { WIDTHS } from '../../support/browser.ts'
import { onPage } from '../on-page.ts'
import { REPOSITORY, type Scene } from '../scene.ts'
import { listScreens, visit } from '../screens.ts'

const AXE = readFileSync(join(REPOSITORY, 'node_modules/axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Sixty pages and as many runs of axe, on a machine that has other things to do. */
const SCREENS_LIMIT_MS = 180_000
/** What a theme can make wrong. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

declare global {
  interface Window {
    axe: { run: (root: Document, options: object) => Promise<AxeResults> }
  }
}

interface AxeResults {
  violations: { id: string; impact: string | null; nodes: { target: unknown; failureSummary?: string }[] }[]
}

/** Serious and critical findings, each with the elements that it is about. */
const findings = (page: Page, runOnly: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> =>
  page.evaluate(async (only) => {
    const { violations } = await window.axe.run(document, { runOnly: only })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(' | ')}`)
  }, runOnly)

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** What must hold on every screen, whatever it shows. */
export const everywhere = (scene: () => Scene): void => {
  for (const screen of ['desktop', 'phone'] as const) {
    test(
      `no screen ${WIDTHS[screen]} wide is too wide, lacks its heading or title, or keeps somebody out`,
      async () => {
        const found: Record<string, string[]> = {}
        for (const isSignedOut of [false, true]) {
          const specs = listScreens(scene()).filter((spec) => (spec.isSignedOut ?? false) === isSignedOut)
          const context = { reducedMotion: 'reduce' as const }
          await onPage(scene(), { screen, context, ...(isSignedOut ? { client: null } : {}) }, async (page) => {
            for (const spec of specs) {
              await visit(page, spec)
              await page.evaluate(AXE)
              const problems = await findings(page, { type: 'tag', values: RULES })
              await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'))
              problems.push(...(await findings(page, { type: 'rule', values: COLOUR_RULES })).map((problem) => `light: ${problem}`))
              const tooWide = await overflow(page)
              if (tooWide > 0) problems.push(`${tooWide} pixels too wide`)
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
