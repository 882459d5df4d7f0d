/** Whether things move, on this device: as its system says, and less where somebody says so here. Remembered for `first.js`. */

import { createDeviceChoice } from './device-choice.ts'

const [motion, choose] = createDeviceChoice('motion', ['system', 'reduce'], 'system')

/** What somebody has chosen here. */
export const isMotionReduced = (): boolean => motion() === 'reduce'

/** Whether somebody wants less movement, on this device or of their whole system. */
export const prefersReducedMotion = (): boolean => isMotionReduced() || matchMedia('(prefers-reduced-motion: reduce)').matches

export const reduceMotion = (isReduced: boolean) => {
  choose(isReduced ? 'reduce' : 'system')
  if (isReduced) document.documentElement.dataset.motion = 'reduce'
  else delete document.documentElement.dataset.motion
}
