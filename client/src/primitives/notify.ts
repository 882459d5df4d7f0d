/** Short messages. What shows them is loaded with the first one. */

import { createSignal } from 'solid-js'
import { ApiProblem } from '../api/http.ts'

const [hasNotified, setHasNotified] = createSignal(false)

export { hasNotified }

const show = (text: string, kind: 'info' | 'error') => {
  setHasNotified(true)
  void import('../components/toast-region.tsx').then(
    ({ showToast }) => showToast(text, kind),
    (error: unknown) => {
      // The chunk is gone (a new version was installed): say it in the plainest way there is.
      document.title = text
      throw error
    },
  )
}

export const notify = (text: string) => show(text, 'info')
export const notifyError = (error: unknown) =>
  show(error instanceof ApiProblem || error instanceof Error ? error.message : String(error), 'error')
