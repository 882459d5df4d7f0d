/** Rows of equal, known height in the page's own scroll: only those near the window exist. */

import { createWindowVirtualizer, defaultRangeExtractor, type Range } from '@tanstack/solid-virtual'
import { type Accessor, createEffect, createSignal, on, onCleanup, onMount } from 'solid-js'

const OVERSCAN_ROWS = 4

interface VirtualRowsOptions {
  container: () => HTMLElement
  rowCount: Accessor<number>
  /** Pixels. */
  rowHeight: Accessor<number>
  /** A row that stays drawn wherever the window is: it holds the tab stop. */
  pinnedRow: Accessor<number>
}

export const createVirtualRows = (options: VirtualRowsOptions) => {
  const [top, setTop] = createSignal(0)
  onMount(() => {
    const measure = () => setTop(Math.round(options.container().getBoundingClientRect().top + window.scrollY))
    measure()
    // Whatever changes the height above the grid (a banner, a wrapped toolbar) changes the body's size too.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    onCleanup(() => observer.disconnect())
  })

  const virtualizer = createWindowVirtualizer({
    get count() {
      return options.rowCount()
    },
    get scrollMargin() {
      return top()
    },
    estimateSize: () => options.rowHeight(),
    overscan: OVERSCAN_ROWS,
    // A getter, and a new function each time: the virtualizer asks again only when its options have changed.
    get rangeExtractor() {
      const pinned = options.pinnedRow()
      return (range: Range) => {
        const rows = defaultRangeExtractor(range)
        return pinned >= range.count || rows.includes(pinned) ? rows : [...rows, pinned].sort((a, b) => a - b)
      }
    },
  })
  createEffect(on(options.rowHeight, () => virtualizer.measure(), { defer: true }))
  return { virtualizer, top }
}
