/** What opens over a screen, in the address: opening adds a step to the history, Back closes it, and a reload keeps it. */

import { useLocation, useNavigate } from '@solidjs/router'
import { createUrlState } from './create-url-state.ts'
import { takeStep } from './history-depth.ts'
import { onChange } from './on-change.ts'

/** `around`: what else the address says once a deep link to it is closed. */
export const createUrlLayer = (name: string, around?: () => Record<string, string | null>) => {
  const { get, change } = createUrlState()
  const location = useLocation<{ opened?: string }>()
  const navigate = useNavigate()
  const state = { opened: name }
  const value = () => get(name) || undefined
  /** The present step is the one that opening it has added; what is chosen in it meanwhile has steps of its own, and they stay. */
  const isOwnStep = () => location.state?.opened === name
  let isGoing = false
  onChange(value, () => {
    isGoing = false
  })
  return {
    value,
    open: (wanted: string) => change({ [name]: wanted }, { state }),
    /** Something else in its place. */
    move: (wanted: string) => change({ [name]: wanted }, { replace: true, ...(isOwnStep() && { state }) }),
    close: () => {
      // A step back takes a moment: a second press meanwhile would be a step further.
      if (isGoing) return
      isGoing = isOwnStep()
      // It leaves no step behind that would open it again; a deep link has none of ours to go back to.
      if (isGoing) takeStep(() => navigate(-1))
      else change({ ...around?.(), [name]: null }, { replace: true })
    },
  }
}
