/** Two clicks for what cannot be undone: the first arms, the second does it (UI.md 1.5). */

import { debounce } from '@solid-primitives/scheduled'
import { createSignal } from 'solid-js'

/** Whoever has not clicked again by then has thought better of it. */
const ARMED_MS = 5000
/** The second half of a double-click is no second thought. */
const GUARD_MS = 500

interface ArmedOptions {
  onConfirm: () => void
  /** What has to be known before somebody can decide; where it fails, nothing is armed. */
  prepare?: () => Promise<boolean>
}

export const createArmed = (options: ArmedOptions) => {
  const [isArmed, setArmed] = createSignal(false)
  let isPreparing = false
  let armedAt = 0
  const disarmLater = debounce(() => setArmed(false), ARMED_MS)
  const disarm = () => {
    disarmLater.clear()
    setArmed(false)
  }
  const arm = async () => {
    if (isPreparing) return
    isPreparing = true
    const isReady = (await options.prepare?.()) ?? true
    isPreparing = false
    if (!isReady) return
    armedAt = performance.now()
    setArmed(true)
    disarmLater()
  }
  return {
    isArmed,
    disarm,
    /** By when the button was pressed: on a busy device what answers to it runs later. */
    press: ({ timeStamp }: Pick<Event, 'timeStamp'>) => {
      if (!isArmed()) void arm()
      else if (timeStamp - armedAt >= GUARD_MS) {
        disarm()
        options.onConfirm()
      }
    },
  }
}
