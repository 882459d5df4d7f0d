import type { Page } from 'playwright-core'
import { waitFor } from '../support/test-server.ts'
import { WAIT_LIMIT_MS } from './on-page.ts'

/** What the thing with the focus is called. */
export const focusedName = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

/** Waits until what is called so has the focus. */
export const waitForFocus = async (page: Page, name: string): Promise<void> => {
  let last: string | null | undefined
  await waitFor(
    async () => {
      last = await focusedName(page)
      return last === name || undefined
    },
    WAIT_LIMIT_MS,
    () => `${name} never had the focus, which was at ${last}`,
  )
}
