/** The way back closes what lies on top before it leaves the screen under it. */

import { useBeforeLeave } from '@solidjs/router'
import { type Accessor, createEffect, createMemo, onCleanup } from 'solid-js'
import { createCloseWatch } from './close-watch.ts'
import { historyDepth, isTakingStep } from './history-depth.ts'

/** What is open, the one on top last. */
const open: object[] = []

/** On a desktop, and in Safari and Firefox everywhere, the way back is a step in the history, which is taken back. */
const createStepRequest = (isOpen: Accessor<boolean>, onClose: () => void, isInAddress: boolean): void => {
  const self = {}
  const isThere = createMemo(isOpen)
  createEffect(() => {
    if (!isThere()) return
    open.push(self)
    onCleanup(() => open.splice(open.indexOf(self), 1))
  })
  useBeforeLeave((event) => {
    // Whoever goes further back at once has chosen a screen.
    if (event.to !== -1 || isInAddress || isTakingStep() || event.defaultPrevented || open.at(-1) !== self) return
    event.preventDefault()
    const depth = historyDepth() + 1
    const settle = () => {
      // The router goes back to where it was, and a second step of somebody in a hurry may have come before that.
      const missing = depth - historyDepth()
      if (missing !== 0) history.go(missing)
      onClose()
    }
    addEventListener('popstate', settle, { once: true })
  })
}

/** `isInAddress`: a step back in the history closes it by itself. */
export const createCloseRequest = (isOpen: Accessor<boolean>, onClose: () => void, isInAddress = false): void => {
  createStepRequest(isOpen, onClose, isInAddress)
  createCloseWatch(isOpen, onClose)
}
