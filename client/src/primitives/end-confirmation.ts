/** Beyond the last page, and before the first, lies another volume: who asks for it twice within a moment wants it (UI.md, 1.4). */

import { createSignal, onCleanup } from 'solid-js'

export type End = 'next' | 'previous'

/** Komga's `jumpConfirmationDelay`. */
export const CONFIRM_WITHIN_MS = 3000

export const createEndConfirmation = (leave: (end: End) => void) => {
  const [asked, setAsked] = createSignal<End>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const forget = () => {
    clearTimeout(timer)
    setAsked(undefined)
  }
  onCleanup(() => clearTimeout(timer))
  return {
    /** The end that waits for a second press. */
    asked,
    forget,
    press: (end: End) => {
      const isSecond = asked() === end
      forget()
      if (isSecond) return leave(end)
      setAsked(end)
      timer = setTimeout(forget, CONFIRM_WITHIN_MS)
    },
  }
}
