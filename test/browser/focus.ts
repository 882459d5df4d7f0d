import type { Locator, Page } from 'playwright-core'
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

/** Waits until the focus is in it. */
export const waitForFocusIn = (dialog: Locator): Promise<true> =>
  waitFor(
    async () => (await dialog.evaluate((element) => element.contains(document.activeElement))) || undefined,
    WAIT_LIMIT_MS,
    () => 'The focus never came into it',
  )

/** Holds Enter down on it until what is called so has the focus, and for one more of the presses that a held key makes. */
export const holdEnter = async (page: Page, button: Locator, next: string): Promise<void> => {
  await button.focus()
  await page.keyboard.down('Enter')
  await waitForFocus(page, next)
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
}

/** A double click whose second half comes when the first has been answered, and so meets what has moved up. */
export const clickTwiceAcross = async (page: Page, button: Locator, isAnswered: () => Promise<unknown>): Promise<void> => {
  const box = await button.boundingBox()
  if (!box) throw new Error('What is to be clicked has no place')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.up()
  await isAnswered()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
}
