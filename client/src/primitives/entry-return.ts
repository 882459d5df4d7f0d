/** Whoever comes back to a screen by the keyboard goes on from the entry that they had opened there. */

import { useBeforeLeave, useLocation } from '@solidjs/router'
import { isFocusLost } from './create-row-focus.ts'
import { listen } from './listen.ts'
import { onChange } from './on-change.ts'
import { takeFocus } from './route-focus.ts'
import { keepPath } from './step-back.ts'

/** For the entries of a screen, before they have arrived. */
const LIMIT_MS = 3000

const CARDS = 'main [data-item-key]'

const keyOf = (element: Element | null | undefined) => element?.closest<HTMLElement>('[data-item-key]')?.dataset.itemKey

/** The entry that has the focus, and where it may have gone by then, the one after it or before it. */
const keysHere = (): string[] => {
  const cards = [...document.querySelectorAll(CARDS)]
  const place = cards.findIndex((card) => card.contains(document.activeElement))
  return place < 0 ? [] : [place, place + 1, place - 1].flatMap((near) => keyOf(cards[near]) ?? [])
}

/** Focuses the first of these that is there. A list that is asked for anew may bring the entry late, or take it away once more. */
const focusEntry = (itemKeys: readonly string[], { signal, ...options }: FocusOptions & { signal: AbortSignal }) => {
  const limit = performance.now() + LIMIT_MS
  const look = () => {
    if (signal.aborted || performance.now() > limit) return
    const { activeElement } = document
    // What opens by itself meanwhile keeps the focus.
    if (isFocusLost() || activeElement?.matches('h1') || itemKeys.includes(keyOf(activeElement) ?? '')) {
      const cards = itemKeys.map((itemKey) => document.querySelector<HTMLElement>(`${CARDS}[data-item-key="${CSS.escape(itemKey)}"]`))
      const next = cards.find(Boolean) ?? document.querySelector('h1')
      if (next && next !== activeElement) takeFocus(next, options)
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

export const createEntryReturn = () => {
  const location = useLocation()
  /** By path: the entry that was opened there last, and those beside it. */
  const opened = new Map<string, string[]>()
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
    opened.set(from.pathname, keysHere())
  })
  onChange(
    () => location.pathname,
    (path) => {
      endSearch()
      const itemKeys = way === 'on' ? undefined : opened.get(path)
      if (!itemKeys?.length) return
      search = new AbortController()
      // The router restores the scroll position; focusing must not undo it.
      focusEntry(itemKeys, { preventScroll: way === 'back', signal: search.signal })
    },
  )
}
