/** axe-core in a page: what people who see, hear or move otherwise would stumble over. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { REPOSITORY } from './scene.ts'

const AXE = readFileSync(join(REPOSITORY, 'node_modules/axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
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

const run = (page: Page, runOnly: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> =>
  page.evaluate(async (only) => {
    const { violations } = await window.axe.run(document, { runOnly: only, resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(' | ')}`)
  }, runOnly)

/** Serious and critical findings of the page as it stands, in both themes, each with the elements that it is about. */
export const axeFindings = async (page: Page): Promise<string[]> => {
  // What is opened on a page has it already: to read it again takes as long as a third of the rules.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const found = await run(page, { type: 'tag', values: RULES })
  const theme = await page.evaluate(() => {
    const before = document.documentElement.dataset.theme ?? 'dark'
    document.documentElement.dataset.theme = before === 'dark' ? 'light' : 'dark'
    return before
  })
  const other = await run(page, { type: 'rule', values: COLOUR_RULES })
  await page.evaluate((before) => {
    document.documentElement.dataset.theme = before
  }, theme)
  return [...found, ...other.map((problem) => `other theme: ${problem}`)]
}
