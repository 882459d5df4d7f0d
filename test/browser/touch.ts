/** Fingers on a page of a phone: what Playwright's own touchscreen has no gesture for. */

import type { CDPSession, Page } from 'playwright-core'

interface Point {
  x: number
  y: number
}

const MOVES = 8
const STEP_MS = 12

const openHand = async (page: Page) => {
  const session: CDPSession = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: touchPoints.map(({ x, y }, id) => ({ x, y, id })) })
  return { send, close: () => session.detach() }
}

const between = (from: Point, to: Point, share: number): Point => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
})

/** Each finger goes from its first place to its second at the same time. */
const drag = async (page: Page, fingers: readonly [from: Point, to: Point][]): Promise<void> => {
  const hand = await openHand(page)
  await hand.send(
    'touchStart',
    fingers.map(([from]) => from),
  )
  for (let move = 1; move <= MOVES; move++) {
    await hand.send(
      'touchMove',
      fingers.map(([from, to]) => between(from, to, move / MOVES)),
    )
    await page.waitForTimeout(STEP_MS)
  }
  await hand.send('touchEnd', [])
  await hand.close()
}

export const swipe = (page: Page, from: Point, to: Point): Promise<void> => drag(page, [[from, to]])

/** Two fingers from the middle outwards. */
export const pinchOut = (page: Page, { x, y }: Point, distance: number): Promise<void> =>
  drag(page, [
    [
      { x: x - 20, y },
      { x: x - distance, y },
    ],
    [
      { x: x + 20, y },
      { x: x + distance, y },
    ],
  ])

/** A finger that stays until something has come of it. */
export const hold = async (page: Page, at: Point, until: () => Promise<unknown>): Promise<void> => {
  const hand = await openHand(page)
  await hand.send('touchStart', [at])
  await until()
  await hand.send('touchEnd', [])
  await hand.close()
}

export const tap = (page: Page, at: Point): Promise<void> => hold(page, at, () => Promise.resolve())

/** Two taps in one session: opening one between them would take longer than a double tap lasts. */
const doubleTap = async (page: Page, at: Point): Promise<void> => {
  const hand = await openHand(page)
  for (let count = 0; count < 2; count++) {
    await hand.send('touchStart', [at])
    await hand.send('touchEnd', [])
  }
  await hand.close()
}

const ATTEMPTS = 5

/**
 * Two taps are only one gesture where they follow each other fast, which a busy machine may not manage at the first attempt.
 * `isDone` waits for what the gesture does, and throws where that does not come.
 */
export const doubleTapUntil = async (page: Page, at: Point, isDone: (limit: { timeout: number }) => Promise<unknown>): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    await doubleTap(page, at)
    const hasCome = await isDone({ timeout: 2000 }).then(
      () => true,
      (error: unknown) => {
        if (attempt === ATTEMPTS) throw error
        return false
      },
    )
    if (hasCome) return
  }
}
