/** Pulling on below the end of a strip goes on with the next volume (UI.md, 1.4). */

import { createSignal, onCleanup } from 'solid-js'

/** Pixels. */
export const PULL_DISTANCE = 200
/** A wheel that rests this long has been let go. */
const WHEEL_REST_MS = 400

export const createEndPull = (onPull: () => void) => {
  const [pulled, setPulled] = createSignal(0)
  let startY: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const release = () => {
    clearTimeout(timer)
    startY = undefined
    setPulled(0)
  }
  const pullTo = (distance: number) => {
    setPulled(Math.max(0, distance))
    if (distance < PULL_DISTANCE) return
    release()
    onPull()
  }
  onCleanup(release)
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
      if (!isAtEnd || by < 0) return release()
      timer = setTimeout(release, WHEEL_REST_MS)
      pullTo(pulled() + by)
    },
  }
}
