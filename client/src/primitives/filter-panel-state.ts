/** Whether the filter panel is open, as `panel=filters` in the address: Back closes it, and a reload keeps it. */

import { useLocation, useNavigate } from '@solidjs/router'
import { createUrlState } from './create-url-state.ts'

const OPEN = 'filters'

export const createFilterPanelState = () => {
  const { get, change } = createUrlState()
  const location = useLocation()
  const navigate = useNavigate()
  /** The address that opening led to: while it is the present one, closing is a step back. */
  let openedAs: string | undefined
  const isOpen = () => get('panel') === OPEN
  const open = () => {
    change({ panel: OPEN })
    queueMicrotask(() => {
      openedAs = location.search
    })
  }
  const close = () => {
    // What was chosen meanwhile has steps of its own in the history, and they stay.
    if (openedAs !== undefined && openedAs === location.search) navigate(-1)
    else change({ panel: null }, { replace: true })
    openedAs = undefined
  }
  return { isOpen, open, close, toggle: () => (isOpen() ? close() : open()) }
}
