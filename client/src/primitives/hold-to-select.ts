import { type Accessor, createEffect } from 'solid-js'
import type { Selection } from './create-selection.ts'
import { listen } from './listen.ts'

/**
 * A finger that rests on an entry begins the selection with it; where there is one, it takes along what lies between, as Shift
 * does for a mouse. It stands in place of the browser's menu for links, which a mouse still has.
 */
export const createHoldToSelect = (selection: Accessor<Selection>, isAllowed: Accessor<boolean>) => {
  const onContextMenu = (event: Event) => {
    if (!(event instanceof PointerEvent && event.pointerType === 'touch' && event.target instanceof Element)) return
    const key = event.target.closest<HTMLElement>('[data-item-key]')?.dataset.itemKey
    if (!key) return
    event.preventDefault()
    selection().start()
    selection().extendTo(key)
  }
  createEffect(() => {
    if (isAllowed()) listen(window, { contextmenu: onContextMenu })
  })
}
