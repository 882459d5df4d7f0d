/** Pulling on below the end of a strip goes on with the next volume (UI.md, 1.4). */

import { createSignal, onCleanup } from 'solid-js'

/** Pixels. */
export const PULL_DISTANCE = 200
/** A wheel that rests this long has been let go. One that was turning when it came to the end has to rest first. */
const WHEEL_REST_MS = 400

export const createEndPull = (onPull: () => void) => {
  const [pulled, setPulled] = createSignal(0)
  let startY: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasBegunAtEnd: boolean | undefined
  const release = () => {
    startY = undefined
    setPulled(0)
  }
  const rest = () => {
    clearTimeout(timer)
    hasBegunAtEnd = undefined
    release()
  }
  const pullTo = (distance: number) => {
    setPulled(Math.max(0, distance))
    if (distance < PULL_DISTANCE) return
    release()
    onPull()
  }
  onCleanup(rest)
  return {
    /** From 0 to 1. */
    fraction: () => pulled() / PULL_DISTANCE,
    release,
    /** A finger at this height; `isAtEnd` where there is nothing left to scroll. */
    onFinger: (y: number, isAtEnd: boolean) => {
      if (!isAtEnd) return release()
      startY ??= y
      pullTo(startY - y)
    },
    onWheel: (by: number, isAtEnd: boolean) => {
      clearTimeout(timer)
      timer = setTimeout(rest, WHEEL_REST_MS)
      hasBegunAtEnd ??= isAtEnd
      if (!isAtEnd || !hasBegunAtEnd || by < 0) return release()
      pullTo(pulled() + by)
    },
  }
}
