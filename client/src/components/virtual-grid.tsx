import { createEffect, createMemo, createSignal, For, Index, type JSX, on, Show, untrack } from 'solid-js'
import type { BrowseEntry, GridSize } from '../api/types.ts'
import { t } from '../i18n/translate.ts'
import { createVirtualRows } from '../primitives/create-virtual-rows.ts'
import { createWidth } from '../primitives/create-width.ts'
import { nextGridIndex } from '../primitives/grid-keys.ts'
import { type GridLayout, type GridShape, gridLayout } from '../primitives/grid-layout.ts'
import { onChange } from '../primitives/on-change.ts'
import { soughtKey } from '../primitives/route-focus.ts'
import { textScale } from '../primitives/text-scale.ts'
import { Skeleton } from './skeleton.tsx'

interface VirtualGridProps {
  label: string
  entries: readonly BrowseEntry[]
  /** What the entries answer; undefined while another answer is awaited. */
  level: string | undefined
  shape: GridShape
  size: GridSize
  hasMore: boolean
  onEndNear: () => void
  card: (entry: () => BrowseEntry, place: { layout: () => GridLayout; isEager: boolean; tabIndex: () => number }) => JSX.Element
}

/** The next page is asked for this many rows before the end comes into view. */
const ROWS_AHEAD = 8
const EAGER_ROWS = 2
/** An entry that is further down is not gone through the pages for. */
const MOST_SOUGHT = 2000

export const VirtualGrid = (props: VirtualGridProps) => {
  let container!: HTMLDivElement
  const width = createWidth(() => container)
  const [focusedIndex, setFocusedIndex] = createSignal(0)
  /** The tab stop: a filter may have left fewer entries than the one that had the focus last. */
  const activeIndex = createMemo(() => Math.min(focusedIndex(), props.entries.length - 1))
  const layout = createMemo(() => gridLayout(props.shape, props.size, width(), textScale()))
  const rowCount = createMemo(() => (width() === 0 ? 0 : Math.ceil(props.entries.length / layout().columns)))
  const activeRow = () => Math.floor(activeIndex() / layout().columns)
  const { rows, top, scrolled, rowAtTop, lastRow, height } = createVirtualRows({
    container: () => container,
    rowCount,
    rowHeight: () => layout().rowHeight,
    pinnedRow: activeRow,
  })

  createEffect(() => {
    if (props.hasMore && lastRow() >= rowCount() - ROWS_AHEAD) props.onEndNear()
  })

  const focusIndex = (index: number, isSeen = true) => {
    setFocusedIndex(index)
    const place = `[aria-rowindex="${Math.floor(index / layout().columns) + 1}"] [aria-colindex="${(index % layout().columns) + 1}"] a`
    // The row of the new position may have to be drawn first.
    queueMicrotask(() => {
      const card = container.querySelector<HTMLElement>(place)
      card?.focus({ preventScroll: true })
      if (isSeen) card?.scrollIntoView({ block: 'nearest' })
    })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const rowsPerPage = Math.max(1, Math.floor(window.innerHeight / layout().rowHeight) - 1)
    const next = nextGridIndex(event.key, { index: activeIndex(), columns: layout().columns, count: props.entries.length, rowsPerPage })
    if (next === undefined) return
    event.preventDefault()
    focusIndex(next)
  }

  const focusKey = (key: string | undefined, isSeen?: boolean): boolean => {
    const index = props.entries.findIndex((entry) => entry.itemKey === key)
    if (index >= 0) focusIndex(index, isSeen)
    return index >= 0
  }
  /** What a viewer was closed at, and no page has brought yet. */
  let sought: string | undefined
  /** Meanwhile the grid has the focus itself. */
  const seek = (key: string | undefined) => {
    sought = undefined
    if (key === undefined || focusKey(key)) return
    container.focus({ preventScroll: true })
    if (!props.hasMore || props.entries.length >= MOST_SOUGHT) return
    sought = key
    props.onEndNear()
  }
  onChange(
    soughtKey,
    // Closing a viewer is a step back: first the router leads to the height at which the page was left.
    (key) => requestAnimationFrame(() => seek(key)),
  )
  /** What is seen stays where it is: the first of it that is still there. At the top of the grid, what is new shows. */
  const keepInSight = (before: readonly BrowseEntry[]) => {
    const { columns, rowHeight } = layout()
    const row = rowAtTop()
    if (row <= 0) return
    const places = new Map(props.entries.map(({ itemKey }, index) => [itemKey, index]))
    const old = before.findIndex(({ itemKey }, index) => index >= row * columns && places.has(itemKey))
    const now = places.get(before[old]?.itemKey ?? '') ?? old
    const rowsMoved = Math.floor(now / columns) - Math.floor(old / columns)
    if (rowsMoved !== 0) window.scrollBy({ top: rowsMoved * rowHeight, behavior: 'instant' })
  }
  /** What was kept in sight last, for as long as nobody scrolls on: an entry that begins no row would be lost by and by. */
  let kept = { index: 0, scrolled: 0 }
  // So does what is seen when the window is turned, or the cards grow.
  createEffect(
    on(layout, ({ columns, rowHeight }, before) => {
      if (!before?.cardWidth) return
      const past = scrolled() - top()
      const row = Math.ceil(past / before.rowHeight)
      if (row <= 0) return
      const index = kept.scrolled === scrolled() ? kept.index : row * before.columns
      const rowTop = container.getBoundingClientRect().top + Math.floor(index / columns) * rowHeight
      window.scrollBy({ top: rowTop + past - row * before.rowHeight, behavior: 'instant' })
      kept = { index, scrolled: window.scrollY }
    }),
  )
  // A scan adds and removes others before what is looked at: the card that has the focus keeps it as well.
  let level = untrack(() => props.level)
  onChange(
    () => props.entries,
    (_, before) => {
      if (level === props.level) keepInSight(before)
      level = props.level
      if (document.activeElement === container) seek(sought)
      const key = before[focusedIndex()]?.itemKey
      if (key !== props.entries[focusedIndex()]?.itemKey && container.contains(document.activeElement)) focusKey(key, false)
    },
  )

  const rowEntries = (row: number) => props.entries.slice(row * layout().columns, (row + 1) * layout().columns)

  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual grid are placed by hand, which a table's cannot be
    <div
      ref={container}
      role="grid"
      tabIndex={-1}
      aria-label={props.label}
      aria-rowcount={props.hasMore ? -1 : rowCount()}
      aria-colcount={layout().columns}
      aria-busy={props.hasMore ? undefined : 'false'}
      onKeyDown={onKeyDown}
      class="relative w-full outline-none"
      style={{ height: `${height() + (props.hasMore ? layout().rowHeight : 0)}px` }}
    >
      <For each={rows()}>
        {(row) => (
          // biome-ignore lint/a11y/useSemanticElements: see the grid
          // biome-ignore lint/a11y/useFocusableInteractive: the cells' links take the focus
          <div
            role="row"
            aria-rowindex={row + 1}
            class="absolute top-0 left-0 flex w-full"
            style={{ gap: `${layout().gap}px`, transform: `translateY(${row * layout().rowHeight}px)` }}
          >
            <Index each={rowEntries(row)}>
              {(entry, column) => {
                const index = () => row * layout().columns + column
                return (
                  // biome-ignore lint/a11y/useSemanticElements: see the grid
                  // biome-ignore lint/a11y/useFocusableInteractive: the link inside takes the focus
                  <div
                    role="gridcell"
                    aria-colindex={column + 1}
                    class={props.shape === 'row' ? 'w-full' : undefined}
                    onFocusIn={() => setFocusedIndex(index())}
                  >
                    {props.card(entry, { layout, isEager: row < EAGER_ROWS, tabIndex: () => (index() === activeIndex() ? 0 : -1) })}
                  </div>
                )
              }}
            </Index>
          </div>
        )}
      </For>
      <Show when={props.hasMore && width() > 0}>
        <div class="absolute bottom-0 left-0 flex" style={{ gap: `${layout().gap}px` }} aria-hidden="true">
          <Index each={Array.from({ length: layout().columns })}>
            {() => (
              <div style={{ width: `${layout().cardWidth}px`, height: `${layout().rowHeight}px` }}>
                <div style={{ height: `${layout().pictureHeight}px` }}>
                  <Skeleton class="size-full" />
                </div>
              </div>
            )}
          </Index>
        </div>
      </Show>
      <span class="sr-only">{props.hasMore ? t('app.loading') : ''}</span>
    </div>
  )
}
