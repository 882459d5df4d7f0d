/** Fingers and mouse on a playing picture (UI.md 1.2): what a press means, told from where and how long it was. */

import { debounce } from '@solid-primitives/scheduled'
import { onCleanup, onMount } from 'solid-js'
import { listen } from './listen.ts'

/** A second click or tap within it belongs to the first. */
const DOUBLE_MS = 300
/** A finger that rests this long means to hold. */
const HOLD_MS = 500
/** A finger that moved further did not tap. Pixels. */
const TAP_SLOP = 12

interface PlayerGestures {
  onToggle: () => void
  onFullscreen: () => void
  /** Two taps on the left or right third, and each further one. */
  onSkip: (side: 'left' | 'right') => void
  onHold: (isHeld: boolean) => void
}

type Side = 'left' | 'middle' | 'right'

/** The thirds of a box, left to right. */
const sideOf = (x: number, { left, width }: { left: number; width: number }): Side => {
  const place = width > 0 ? (x - left) / width : 0.5
  if (place < 1 / 3) return 'left'
  return place > 2 / 3 ? 'right' : 'middle'
}

export const createPlayerGestures = (element: () => HTMLElement, gestures: PlayerGestures) => {
  let clickTimer: ReturnType<typeof setTimeout> | undefined
  let clickedAt = Number.NEGATIVE_INFINITY
  let isHeld = false
  let start: { x: number; y: number } | undefined
  let last: { at: number; side: Side } | undefined

  const holdLater = debounce(() => {
    isHeld = true
    gestures.onHold(true)
  }, HOLD_MS)
  const release = () => {
    holdLater.clear()
    if (isHeld) gestures.onHold(false)
    isHeld = false
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return
    // A second finger pinches: that is no tap and no hold.
    start = event.isPrimary ? { x: event.clientX, y: event.clientY } : undefined
    release()
    if (start) holdLater()
  }
  const onPointerMove = (event: PointerEvent) => {
    if (!start || Math.hypot(event.clientX - start.x, event.clientY - start.y) <= TAP_SLOP) return
    start = undefined
    holdLater.clear()
  }
  const onPointerUp = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return
    const isTap = start !== undefined && !isHeld
    start = undefined
    release()
    if (!isTap) return
    const side = sideOf(event.clientX, element().getBoundingClientRect())
    const isSecond = last !== undefined && last.side === side && event.timeStamp - last.at <= DOUBLE_MS
    last = { at: event.timeStamp, side }
    if (isSecond && side !== 'middle') gestures.onSkip(side)
  }
  const onClick = (event: MouseEvent) => {
    if (event instanceof PointerEvent && event.pointerType !== 'mouse') return
    if (event.timeStamp - clickedAt > DOUBLE_MS) {
      clickedAt = event.timeStamp
      clickTimer = setTimeout(() => {
        clickTimer = undefined
        gestures.onToggle()
      }, DOUBLE_MS)
      return
    }
    clickedAt = Number.NEGATIVE_INFINITY
    // A busy page has heard of the second so late that it took the first for the only one.
    if (clickTimer === undefined) gestures.onToggle()
    clearTimeout(clickTimer)
    clickTimer = undefined
    gestures.onFullscreen()
  }
  /** The click that would follow presses what has come to lie under the finger meanwhile: the controls that the tap brought back. */
  const onTouchEnd = (event: TouchEvent) => {
    if (event.cancelable) event.preventDefault()
  }
  /** A long press would open the browser's menu over the picture. */
  const onContextMenu = (event: MouseEvent) => {
    if (start !== undefined || isHeld) event.preventDefault()
  }
  onMount(() => {
    listen(element(), {
      pointerdown: onPointerDown,
      pointermove: onPointerMove,
      pointerup: onPointerUp,
      pointercancel: release,
      pointerleave: release,
      touchend: onTouchEnd,
      click: onClick,
      contextmenu: onContextMenu,
    })
    onCleanup(() => {
      clearTimeout(clickTimer)
      release()
    })
  })
}
