/** Short messages. What shows them is loaded with the first one. */

import { createSignal } from 'solid-js'
import { ApiProblem } from '../api/http.ts'
import type { ToastAction, ToastKind } from '../components/toast-region.tsx'
import { problemText } from './problem-text.ts'

const [hasNotified, setHasNotified] = createSignal(false)

export { hasNotified }

const show = (text: string, kind: ToastKind, action?: ToastAction, subject?: string) => {
  void import('../components/toast-region.tsx').then(
    ({ showToast }) => {
      setHasNotified(true)
      showToast(text, kind, action, subject)
    },
    () => {
      // The server is away, or has another version by now: say it in the plainest way there is.
      document.title = text
    },
  )
}

/** Of a subject only the last is said: what went wrong with it goes once it has gone well. */
export const notify = (text: string, subject?: string) => show(text, 'info', undefined, subject)
/** Says what has been done, with a button that takes it back. */
export const notifyDone = (text: string, undo: ToastAction) => show(text, 'info', undo)
/** Stays until somebody does what it offers, or closes it. */
export const notifyLasting = (text: string, action: ToastAction) => show(text, 'lasting', action)
export const notifyError = (error: unknown, action?: ToastAction, subject?: string) =>
  show(problemText(error), error instanceof ApiProblem && error.status === 0 ? 'unreachable' : 'error', action, subject)
