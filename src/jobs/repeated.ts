/** Background work that is looked for a while after the start, and then again and again. Keeps no process alive. */

import { createWakeable, type WakeableOptions } from './wakeable.ts'

export interface Repeated {
  /** Resolves once the work that goes on has ended; `work` asks `isStopped` in between. */
  stop(): Promise<void>
}

export const createRepeated = (options: WakeableOptions & { firstLookMs: number; intervalMs: number }): Repeated => {
  const wakeable = createWakeable(options)
  const timers = [setTimeout(wakeable.wake, options.firstLookMs), setInterval(wakeable.wake, options.intervalMs)]
  for (const timer of timers) timer.unref()
  return {
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
      return wakeable.stop()
    },
  }
}
