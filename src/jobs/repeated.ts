/** Background work that is looked for a while after the start, then again and again, and whenever somebody asks. Keeps no process alive. */

import { createWakeable, type Wakeable, type WakeableOptions } from './wakeable.ts'

export const createRepeated = (options: WakeableOptions & { firstLookMs: number; intervalMs: number }): Wakeable => {
  const wakeable = createWakeable(options)
  const timers = [setTimeout(wakeable.wake, options.firstLookMs), setInterval(wakeable.wake, options.intervalMs)]
  for (const timer of timers) timer.unref()
  return {
    wake: wakeable.wake,
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
      return wakeable.stop()
    },
  }
}
