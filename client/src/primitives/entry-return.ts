/** Whoever comes back to a screen by the keyboard goes on from the entry that they had opened there. */

import { useBeforeLeave, useLocation } from '@solidjs/router'
import { useIsFetching } from '@tanstack/solid-query'
import { isFocusLost } from './create-row-focus.ts'
import { historyDepth } from './history-depth.ts'
import { listen } from './listen.ts'
import { onChange } from './on-change.ts'
import { setSoughtKey, takeFocus } from './route-focus.ts'
import { keepPath } from './step-back.ts'

/** For the entries of a screen, once all that it asks for has been answered. */
const LIMIT_MS = 3000
/** What is asked for again and again is not waited for to its end. */
const MOST_MS = 30_000
/** Of the places in the history for which it is kept what was opened there: nobody goes back further. */
const MOST_PLACES = 200

const CARDS = 'main [data-item-key]'

const keyOf = (element: Element | null | undefined) => element?.closest<HTMLElement>('[data-item-key]')?.dataset.itemKey

/** The entry that this is in, and where it may have gone by then, the one after it or before it. */
const keysAround = (element: Element | null): string[] => {
  const cards = [...document.querySelectorAll(CARDS)]
  const place = cards.findIndex((card) => card.contains(element))
  return place < 0 ? [] : [place, place + 1, place - 1].flatMap((near) => keyOf(cards[near]) ?? [])
}

interface Look {
  isFetching: () => boolean
  signal: AbortSignal
}

/** Looks in each frame until there is nothing more to look for. A list that is asked for anew may bring the entry late, or take it away once more. */
const keepLooking = ({ isFetching, signal }: Look, isOver: () => boolean) => {
  const end = performance.now() + MOST_MS
  let limit = 0
  const look = (now: number) => {
    if (isFetching() || limit === 0) limit = Math.min(end, now + LIMIT_MS)
    if (!signal.aborted && now <= limit && !isOver()) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

interface Sought extends FocusOptions {
  /** Undefined where it was opened before anybody looked. */
  itemKeys: readonly string[] | undefined
  /** The path that is come back from, to which its card leads. */
  left: string
}

/** Focuses the first of these that is there. */
const focusEntry = ({ itemKeys: known, left, ...options }: Sought, look: Look) => {
  let itemKeys = known
  keepLooking(look, () => {
    const { activeElement } = document
    const opener = itemKeys ? null : document.querySelector(`main a[href="${CSS.escape(left)}"]`)
    if (opener) itemKeys = keysAround(opener)
    // What opens by itself meanwhile keeps the focus.
    const isFree = isFocusLost() || activeElement?.matches('h1') || itemKeys?.includes(keyOf(activeElement) ?? '')
    if (isFree && itemKeys?.length) {
      const cards = itemKeys.map((itemKey) => document.querySelector<HTMLElement>(`${CARDS}[data-item-key="${CSS.escape(itemKey)}"]`))
      const next = cards.find(Boolean) ?? document.querySelector('h1')
      if (next && next !== activeElement) takeFocus(next, options)
    }
    return itemKeys?.length === 0
  })
}

/** Two visits of one screen are two places. One may hold another screen than before: what takes the place of a screen has it from then on. */
const placeOf = (path: string) => {
  // Safari before 26.2 has only the router's number, which a place that was gone back from hands on to the next one.
  const { navigation }: { navigation?: Navigation } = window
  return `${navigation?.currentEntry?.key ?? historyDepth()} ${path}`
}

/** Leads the grid to what the feed showed last, once there is a grid. */
const seekInGrid = (itemKey: string, look: Look) =>
  keepLooking(look, () => {
    const grid = document.querySelector<HTMLElement>('main [role=grid]')
    if (grid && (isFocusLost() || document.activeElement?.matches('h1'))) {
      takeFocus(grid, { preventScroll: true })
      setSoughtKey(itemKey)
    }
    return grid !== null
  })

export const createEntryReturn = () => {
  const location = useLocation()
  const fetching = useIsFetching()
  /** By place: the entry that was opened there last, and those beside it. */
  const opened = new Map<string, string[]>()
  /** What the address that is left says was looked at there. */
  let shown: string | undefined
  let way: 'on' | 'up' | 'back' = 'on'
  /** Over as soon as somebody does something else. */
  let search = new AbortController()
  const endSearch = () => search.abort()
  listen(window, { keydown: endSearch, pointerdown: endSearch }, { capture: true })
  useBeforeLeave(({ from, to, options }) => {
    // The browser's own steps are numbers; a player or a reader puts what lies above it in its place.
    way = typeof to === 'number' ? 'back' : options?.replace ? 'up' : 'on'
    shown = new URLSearchParams(from.search).get('i') ?? undefined
    if (way !== 'on') return
    keepPath(from.pathname)
    const place = placeOf(from.pathname)
    // What is left last comes last.
    opened.delete(place)
    opened.set(place, keysAround(document.activeElement))
    for (const oldest of opened.keys()) if (opened.size > MOST_PLACES) opened.delete(oldest)
  })
  onChange(
    () => location.pathname,
    (path, left) => {
      endSearch()
      setSoughtKey(undefined)
      if (way === 'on') return
      search = new AbortController()
      const look = { isFetching: () => fetching() > 0, signal: search.signal }
      if (shown !== undefined && left === `${path}/feed`) return seekInGrid(shown, look)
      // The router restores the scroll position; focusing must not undo it.
      focusEntry({ itemKeys: opened.get(placeOf(path)), left, preventScroll: way === 'back' }, look)
    },
  )
}
