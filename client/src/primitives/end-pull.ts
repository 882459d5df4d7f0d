/** Pulling on below the end of a strip goes on with the next volume (UI.md, 1.4). */

import { debounce } from '@solid-primitives/scheduled'
import { createSignal, onCleanup } from 'solid-js'

/** Pixels. */
export const PULL_DISTANCE = 200
/** A wheel that rests this long has been let go. One that was turning when it came to the end has to rest first. */
const WHEEL_REST_MS = 400

export const createEndPull = (onPull: () => void) => {
  const [shown, setShown] = createSignal(0)
  let pulled = 0
  let startY: number | undefined
  const hideLater = debounce(() => setShown(0), WHEEL_REST_MS)
  /** By the times of the events: a busy page hears of them late. */
  let rolledAt = Number.NEGATIVE_INFINITY
  let hasBegunAtEnd = false
  const pullTo = (distance: number) => {
    pulled = Math.max(0, distance)
    setShown(pulled)
  }
  const release = () => {
    startY = undefined
    pullTo(0)
  }
  const pull = (distance: number) => {
    pullTo(distance)
    if (distance < PULL_DISTANCE) return
    release()
    onPull()
  }
  onCleanup(release)
  return {
    /** From 0 to 1. */
    fraction: () => shown() / PULL_DISTANCE,
    release,
    /** A finger at this height; `isAtEnd` where there is nothing left to scroll. */
    onFinger: (y: number, isAtEnd: boolean) => {
      if (!isAtEnd) return release()
      startY ??= y
      pull(startY - y)
    },
    /** `at` is when it was turned, in milliseconds. */
    onWheel: (by: number, at: number, isAtEnd: boolean) => {
      hideLater()
      if (at - rolledAt > WHEEL_REST_MS) {
        hasBegunAtEnd = isAtEnd
        release()
      }
      rolledAt = at
      if (!isAtEnd || !hasBegunAtEnd || by < 0) return release()
      pull(pulled + by)
    },
  }
}
