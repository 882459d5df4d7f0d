/** Whether things move, on this device: as its system says, and less where somebody says so here. Remembered for `first.js`. */

import { createSignal } from 'solid-js'

const STORAGE_KEY = 'vitrine.motion'

const [isMotionReduced, setMotionReduced] = createSignal(document.documentElement.dataset.motion === 'reduce')

/** What somebody has chosen here. */
export { isMotionReduced }

/** Whether somebody wants less movement, on this device or of their whole system. */
export const prefersReducedMotion = (): boolean => isMotionReduced() || matchMedia('(prefers-reduced-motion: reduce)').matches

export const reduceMotion = (isReduced: boolean) => {
  setMotionReduced(isReduced)
  if (isReduced) document.documentElement.dataset.motion = 'reduce'
  else delete document.documentElement.dataset.motion
  try {
    if (isReduced) localStorage.setItem(STORAGE_KEY, 'reduce')
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Refused storage only means that the next visit moves again.
  }
}
