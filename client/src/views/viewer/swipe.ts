/** Shorter or steeper movements of a finger are no swipe. Pixels. */
const MIN_SWIPE = 48

/** One finger to the left is the next one, to the right the previous one. */
export const createSwipe = (move: (step: number) => void) => {
  let start: { x: number; y: number } | undefined
  return {
    onTouchStart: (event: TouchEvent) => {
      const [touch] = event.touches
      start = event.touches.length === 1 && touch ? { x: touch.clientX, y: touch.clientY } : undefined
    },
    onTouchEnd: (event: TouchEvent) => {
      const [touch] = event.changedTouches
      if (!start || !touch) return
      const across = touch.clientX - start.x
      const along = touch.clientY - start.y
      start = undefined
      if (Math.abs(across) >= MIN_SWIPE && Math.abs(across) > 2 * Math.abs(along)) move(across < 0 ? 1 : -1)
    },
  }
}
