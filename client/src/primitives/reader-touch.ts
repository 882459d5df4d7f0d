/** Taps and swipes on the page, as shares of its box. */

import { onMount } from 'solid-js'
import { listen } from './listen.ts'

/** Shorter or steeper movements of a finger are no swipe. Pixels. */
const MIN_SWIPE = 48

interface TouchHandlers {
  /** From 0 to 1, from the left upper corner. */
  onTap: (x: number, y: number) => void
  /** A finger that moved to the left or up went on: 1; back: -1. */
  onSwipe: (axis: 'x' | 'y', step: 1 | -1) => void
}

const isControl = (target: EventTarget | null): boolean => target instanceof Element && target.closest('a, button, input') !== null

export const createReaderTouch = (stage: () => HTMLElement, { onTap, onSwipe }: TouchHandlers): void => {
  let start: { x: number; y: number } | undefined
  const onClick = (event: MouseEvent) => {
    if (isControl(event.target) || event.button !== 0) return
    const { left, top, width, height } = stage().getBoundingClientRect()
    // Enlarged by two fingers, only a part of it is on the screen: what counts is where on the screen the finger was.
    const { offsetLeft, offsetTop, scale } = globalThis.visualViewport ?? { offsetLeft: 0, offsetTop: 0, scale: 1 }
    onTap(((event.clientX - offsetLeft) * scale - left) / width, ((event.clientY - offsetTop) * scale - top) / height)
  }
  const onTouchStart = (event: TouchEvent) => {
    const [touch] = event.touches
    start = event.touches.length === 1 && touch ? { x: touch.clientX, y: touch.clientY } : undefined
  }
  const onTouchEnd = (event: TouchEvent) => {
    const [touch] = event.changedTouches
    if (!start || !touch) return
    const [x, y] = [touch.clientX - start.x, touch.clientY - start.y]
    start = undefined
    const [along, across, axis] = Math.abs(x) > Math.abs(y) ? [x, y, 'x' as const] : [y, x, 'y' as const]
    if (Math.abs(along) >= MIN_SWIPE && Math.abs(along) > 2 * Math.abs(across)) onSwipe(axis, along < 0 ? 1 : -1)
  }
  onMount(() => listen(stage(), { click: onClick, touchstart: onTouchStart, touchend: onTouchEnd }, { passive: true }))
}
