/** Android's way back, and whatever else a system has to close what lies on top, Escape included. */

import { type Accessor, createEffect, createMemo, onCleanup } from 'solid-js'

/** Not in every browser, and in no library of types yet. */
interface CloseWatcher {
  onclose: (() => void) | null
  destroy: () => void
}

export const createCloseWatch = (isOpen: Accessor<boolean>, onClose: () => void): void => {
  const { CloseWatcher } = window as { CloseWatcher?: new () => CloseWatcher }
  if (CloseWatcher === undefined) return
  const isThere = createMemo(isOpen)
  createEffect(() => {
    if (!isThere()) return
    let watcher: CloseWatcher
    const watch = () => {
      watcher = new CloseWatcher()
      watcher.onclose = () => {
        onClose()
        // What is at work stays open, and one watcher is told once.
        if (isThere()) watch()
      }
    }
    watch()
    onCleanup(() => watcher.destroy())
  })
}
