/**
 * A page that is loaded anew stands where it stood. The browser leaves that to the router, which keeps the heights and leads
 * there as it starts: before anything is as high.
 */

import { onCleanup } from 'solid-js'
import { historyDepth } from './history-depth.ts'

/** The router's own name for them. */
const KEY = 'solid-router:scroll'
/** From the beginning of the page: what has not arrived by then is not waited for. */
const LIMIT_MS = 10_000
/** Whoever does something goes where they want. */
const ACTS = ['keydown', 'pointerdown', 'wheel'] as const

const isLoadedAnew = (): boolean =>
  performance.getEntriesByType('navigation').some((load) => load instanceof PerformanceNavigationTiming && load.type !== 'navigate')

/** The height at which this page was left, in pixels. */
const heightBefore = (): number => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}')[historyDepth()] ?? 0
  } catch {
    // Without storage a page begins at its top.
    return 0
  }
}

/** For the shell, once. */
export const createReloadPlace = () => {
  const top = isLoadedAnew() ? heightBefore() : 0
  if (top === 0) return
  const address = location.href
  const search = new AbortController()
  const endSearch = () => search.abort()
  for (const act of ACTS) window.addEventListener(act, endSearch, { capture: true, signal: search.signal })
  onCleanup(endSearch)
  const look = () => {
    if (search.signal.aborted) return
    if (location.href !== address || performance.now() > LIMIT_MS) return endSearch()
    window.scrollTo({ top, behavior: 'instant' })
    if (window.scrollY < Math.floor(top)) requestAnimationFrame(look)
    else endSearch()
  }
  look()
}
