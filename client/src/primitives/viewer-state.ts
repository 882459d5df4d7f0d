/** What is open in the viewer, as `item` in the address: opening adds a history entry, moving replaces it, Back closes. */

import { useNavigate } from '@solidjs/router'
import { createUrlState } from './create-url-state.ts'

export const createViewerState = () => {
  const { get, change } = createUrlState()
  const navigate = useNavigate()
  let hasPushed = false
  return {
    key: () => get('item') || undefined,
    open: (key: string) => {
      hasPushed = true
      change({ item: key })
    },
    move: (key: string) => change({ item: key }, { replace: true }),
    close: () => {
      // Going back leaves no entry behind that would open the viewer again; a deep link has no entry of ours to go back to.
      if (hasPushed) navigate(-1)
      else change({ item: null }, { replace: true })
      hasPushed = false
    },
  }
}
