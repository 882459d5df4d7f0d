/** Beyond the last page, and before the first, lies another volume: who asks for it twice within a moment wants it (UI.md, 1.4). */

import { debounce } from '@solid-primitives/scheduled'
import { createSignal } from 'solid-js'

export type End = 'next' | 'previous'

/** Komga's `jumpConfirmationDelay`. */
export const CONFIRM_WITHIN_MS = 3000

export const createEndConfirmation = (leave: (end: End) => void) => {
  const [asked, setAsked] = createSignal<End>()
  const forgetLater = debounce(() => setAsked(undefined), CONFIRM_WITHIN_MS)
  const forget = () => {
    forgetLater.clear()
    setAsked(undefined)
  }
  return {
    /** The end that waits for a second press. */
    asked,
    forget,
    press: (end: End) => {
      const isSecond = asked() === end
      forget()
      if (isSecond) return leave(end)
      setAsked(end)
      forgetLater()
    },
  }
}
