/** Whoever comes back to a screen by the keyboard goes on from the entry that they had opened there. */

import { useBeforeLeave, useLocation } from '@solidjs/router'
import { listen } from './listen.ts'
import { onChange } from './on-change.ts'
import { takeFocus } from './route-focus.ts'
import { keepPath } from './step-back.ts'

/** For the entries of a screen, before they have arrived. */
const LIMIT_MS = 3000

/** Focuses the entry as soon as it is there. */
const focusEntry = (itemKey: string, { signal, ...options }: FocusOptions & { signal: AbortSignal }) => {
  const limit = performance.now() + LIMIT_MS
  const look = () => {
    if (signal.aborted || performance.now() > limit) return
    const link = document.querySelector<HTMLElement>(`main [data-item-key="${CSS.escape(itemKey)}"]`)
    if (link) takeFocus(link, options)
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

export const createEntryReturn = () => {
  const location = useLocation()
  /** By path: the entry that was opened there last. */
  const opened = new Map<string, string>()
  let way: 'on' | 'up' | 'back' = 'on'
  /** Over as soon as somebody does something else. */
  let search = new AbortController()
  const endSearch = () => search.abort()
  listen(window, { keydown: endSearch, pointerdown: endSearch }, { capture: true })
  useBeforeLeave(({ from, to, options }) => {
    // The browser's own steps are numbers; a player or a reader puts what lies above it in its place.
    way = typeof to === 'number' ? 'back' : options?.replace ? 'up' : 'on'
    if (way !== 'on') return
    keepPath(from.pathname)
    const itemKey = document.activeElement?.closest<HTMLElement>('[data-item-key]')?.dataset.itemKey
    if (itemKey) opened.set(from.pathname, itemKey)
    else opened.delete(from.pathname)
  })
  onChange(
    () => location.pathname,
    (path) => {
      endSearch()
      const itemKey = way === 'on' ? undefined : opened.get(path)
      if (!itemKey) return
      search = new AbortController()
      // The router restores the scroll position; focusing must not undo it.
      focusEntry(itemKey, { preventScroll: way === 'back', signal: search.signal })
    },
  )
}
