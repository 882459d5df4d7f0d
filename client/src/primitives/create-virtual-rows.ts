/** Rows of equal, known height in the page's own scroll: only those near the window exist. */

import { type Accessor, batch, createEffect, createMemo, createSignal, onCleanup, onMount } from 'solid-js'
import { createGrowth } from './create-gradually.ts'
import { listen } from './listen.ts'

const OVERSCAN_ROWS = 4

interface VirtualRowsOptions {
  container: () => HTMLElement
  rowCount: Accessor<number>
  /** Pixels, more than none. */
  rowHeight: Accessor<number>
  /** A row that stays drawn wherever the window is: it holds the tab stop. */
  pinnedRow: Accessor<number>
}

export const createVirtualRows = (options: VirtualRowsOptions) => {
  const [top, setTop] = createSignal(0)
  const [scrolled, setScrolled] = createSignal(window.scrollY)
  const [windowHeight, setWindowHeight] = createSignal(window.innerHeight)
  /** At first, and after a jump, only what is seen: what is above and below, with its pictures, comes when there is time. */
  const [overscan, restartOverscan] = createGrowth(0, () => OVERSCAN_ROWS, 1)
  onMount(() => {
    const measure = () => setTop(Math.round(options.container().getBoundingClientRect().top + window.scrollY))
    measure()
    // Whatever changes the height above the grid (a banner, a wrapped toolbar) changes the body's size too.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    const onScroll = () => {
      const rowsJumped = Math.abs(window.scrollY - scrolled()) / options.rowHeight()
      batch(() => {
        if (rowsJumped > OVERSCAN_ROWS) restartOverscan()
        setScrolled(window.scrollY)
      })
    }
    onScroll()
    listen(window, { scroll: onScroll, resize: () => setWindowHeight(window.innerHeight) }, { passive: true })
    onCleanup(() => observer.disconnect())
  })

  const rowAt = (pixels: number) => Math.floor((pixels - top()) / options.rowHeight())
  // Memos of numbers: scrolling within a row changes nothing below them.
  const first = createMemo(() => Math.max(0, rowAt(scrolled()) - overscan()))
  const last = createMemo(() => Math.min(options.rowCount() - 1, rowAt(scrolled() + windowHeight()) + overscan()))
  let focused: HTMLElement | null
  const rows = createMemo((): readonly number[] => {
    focused = document.querySelector(':focus')
    const near = Array.from({ length: Math.max(0, last() - first() + 1) }, (_, offset) => first() + offset)
    const pinned = options.pinnedRow()
    if (pinned < 0 || pinned >= options.rowCount() || near.includes(pinned)) return near
    return pinned < first() ? [pinned, ...near] : [...near, pinned]
  })
  createEffect(() => {
    rows()
    // A row that changed its place among the others was taken out and put in again.
    if (!document.querySelector(':focus')) focused?.focus({ preventScroll: true })
  })

  return {
    /** Pixels above the rows, and how far down the page was when it was last scrolled: a layout that has become shorter may not reach there. */
    top,
    scrolled,
    /** The first row that begins in the window; below zero where something above the rows is still seen. */
    rowAtTop: () => Math.ceil((window.scrollY - top()) / options.rowHeight()),
    /** Numbers of the rows to draw, ascending. */
    rows,
    /** The last one near the window; -1 where there is none. */
    lastRow: last,
    /** Pixels of all rows together. */
    height: () => options.rowCount() * options.rowHeight(),
  }
}
