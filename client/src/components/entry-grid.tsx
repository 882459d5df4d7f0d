import { Show } from 'solid-js'
import type { BrowseEntry, GridSize } from '../api/types.ts'
import { t } from '../i18n/translate.ts'
import { createDelayed } from '../primitives/create-delayed.ts'
import type { createEntryPages } from '../primitives/create-entry-pages.ts'
import type { Selection } from '../primitives/create-selection.ts'
import type { GridShape } from '../primitives/grid-layout.ts'
import { Button } from './button.tsx'
import { ErrorCard } from './error-card.tsx'
import { GridSkeleton } from './grid-skeleton.tsx'
import { late } from './late.tsx'
import { MediaCard } from './media-card.tsx'
import { RefetchBar } from './progress-bar.tsx'
import { VirtualGrid } from './virtual-grid.tsx'

// Most look at cards.
const EntryRow = late(async () => (await import('./entry-row.tsx')).EntryRow)

interface EntryGridProps {
  label: string
  pages: ReturnType<typeof createEntryPages>
  shape: GridShape
  size: GridSize
  hrefOf: (entry: BrowseEntry) => string
  onOpen?: (entry: BrowseEntry, event: MouseEvent) => void
  /** What was opened is on its way. */
  isOpening?: boolean
  /** While it is active a click selects and opens nothing. */
  selection?: Selection
}

/** Past a grid that may go on for thousands of rows, for those who go by the keyboard. */
const SkipGrid = (props: { end: () => HTMLElement }) => (
  <button
    type="button"
    class="sr-only rounded-card bg-accent px-4 text-small font-semibold text-on-accent focus:not-sr-only focus:absolute focus:z-10 focus:h-target-large"
    onClick={() => props.end().focus({ preventScroll: true })}
  >
    {t('library.skipGrid')}
  </button>
)

/** The pages of a level as one grid, from its skeleton to its last row. */
export const EntryGrid = (props: EntryGridProps) => {
  let end!: HTMLSpanElement
  const isLate = createDelayed(() => props.pages.query.isPending)
  const isSelecting = () => props.selection?.isActive() ?? false
  const selectionOf = (key: string) => (isSelecting() ? (props.selection?.keys().has(key) ? 'on' : 'off') : undefined)
  const open = (entry: BrowseEntry, event: MouseEvent) => {
    if (!isSelecting()) return props.onOpen?.(entry, event)
    event.preventDefault()
    if (event.shiftKey) props.selection?.extendTo(entry.itemKey)
    else props.selection?.toggle(entry.itemKey)
  }
  const failure = () => (props.pages.query.isError ? props.pages.query.error : undefined)
  return (
    <>
      <RefetchBar isBusy={props.isOpening || props.pages.query.isRefetching} />
      <Show when={isLate()}>
        <GridSkeleton shape={props.shape} size={props.size} />
      </Show>
      <Show when={props.pages.entries().length > 0}>
        <SkipGrid end={() => end} />
        <VirtualGrid
          label={props.label}
          entries={props.pages.entries()}
          level={props.pages.query.isPlaceholderData ? undefined : JSON.stringify(props.pages.level())}
          shape={props.shape}
          size={props.size}
          hasMore={props.pages.hasMore()}
          onEndNear={props.pages.loadMore}
          card={(entry, { layout, isEager, tabIndex }) => (
            <Show
              when={props.shape !== 'row' && props.shape}
              fallback={
                <EntryRow
                  entry={entry()}
                  href={props.hrefOf(entry())}
                  isEager={isEager}
                  tabIndex={tabIndex()}
                  selection={selectionOf(entry().itemKey)}
                  onOpen={(event) => open(entry(), event)}
                />
              }
            >
              {(shape) => (
                <MediaCard
                  entry={entry()}
                  shape={shape()}
                  href={props.hrefOf(entry())}
                  width={layout().cardWidth}
                  pictureHeight={layout().pictureHeight}
                  isEager={isEager}
                  tabIndex={tabIndex()}
                  selection={selectionOf(entry().itemKey)}
                  onOpen={(event) => open(entry(), event)}
                />
              )}
            </Show>
          )}
        />
      </Show>
      <span ref={end} tabIndex={-1} />
      <Show when={props.pages.query.isFetchNextPageError}>
        <div class="flex justify-center py-4">
          <Button onClick={() => void props.pages.query.fetchNextPage()}>{t('action.loadMore')}</Button>
        </div>
      </Show>
      <Show when={props.pages.entries().length === 0 && failure()}>
        {(error) => <ErrorCard error={error()} onRetry={() => void props.pages.query.refetch()} />}
      </Show>
    </>
  )
}
