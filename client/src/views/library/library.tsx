import { useParams } from '@solidjs/router'
import { Show } from 'solid-js'
import type { BrowseEntry, Library as LibraryRecord } from '../../api/types.ts'
import { EntryGrid } from '../../components/entry-grid.tsx'
import { FilterPanelLayout } from '../../components/filter-panel-layout.tsx'
import { GridSkeleton } from '../../components/grid-skeleton.tsx'
import { late } from '../../components/late.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/translate.ts'
import { createCardSize, createCardZoom } from '../../primitives/create-card-size.ts'
import { createEntryPages } from '../../primitives/create-entry-pages.ts'
import { createFilters } from '../../primitives/create-filters.ts'
import { createLatest } from '../../primitives/create-latest.ts'
import { createSelection } from '../../primitives/create-selection.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { createFolderView } from '../../primitives/folder-view.ts'
import { createLibrary } from '../../primitives/libraries.ts'
import { createLibrarySort } from '../../primitives/library-sort.ts'
import { createLibraryView } from '../../primitives/library-view.ts'
import { onChange } from '../../primitives/on-change.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { entryPath } from '../../primitives/paths.ts'
import { setSoughtKey } from '../../primitives/route-focus.ts'
import { createUrlLayer } from '../../primitives/url-layer.ts'
import { LibraryToolbar } from './library-toolbar.tsx'

const ActiveFilters = late(async () => (await import('../../components/active-filters.tsx')).ActiveFilters)
const LibraryState = late(async () => (await import('./library-state.tsx')).LibraryState)
const UnknownLibrary = late(async () => (await import('./unknown-library.tsx')).UnknownLibrary)
const EntrySelection = late(async () => (await import('../../components/entry-selection.tsx')).EntrySelection)
const MixedFolders = late(async () => (await import('../mixed/mixed-folders.tsx')).MixedFolders)
const MixedViewer = late(async () => (await import('../mixed/mixed-viewer.tsx')).MixedViewer)

const Entries = (props: { library: LibraryRecord }) => {
  const [size, setSize] = createCardSize()
  const [view, setView] = createLibraryView(props.library.id)
  createCardZoom(size, setSize, () => view() === 'grid')
  const isMixed = () => props.library.type === 'mixed'
  const folders = createFolderView(props.library.id, createUrlState().get)
  /** Filtered, below the folder as well: what is searched for mostly lies somewhere in it. */
  const level = (below: boolean) => ({ libraryId: props.library.id, ...(isMixed() && folders.scope(below)) })
  const filters = createFilters(() => level(true))
  const isFiltered = () => filters.count() > 0
  const order = createLibrarySort(() => props.library.type)
  const pages = createEntryPages(() => ({ ...level(isFiltered()), ...filters.query(), ...order.query() }))
  const selection = createSelection(pages.entries)
  const viewer = createUrlLayer('item', () => ({ folder: folders.named(folders.folder()) }))
  const opened = () => isMixed() && viewer.value()
  // The tile that was shown last takes the focus, once the viewer has let go of it.
  onChange(viewer.value, (key, before) => setSoughtKey(key === undefined ? before : undefined))
  const isEmpty = () => isAnswered() && pages.entries().length === 0
  /** A folder may hold nothing but folders. */
  const isBare = () => isEmpty() && (isFiltered() || folders.folder() === undefined)
  const isAnswered = () => pages.query.data !== undefined && !pages.query.isPlaceholderData
  const total = () => (isAnswered() ? pages.total() : undefined)

  const open = (entry: BrowseEntry, event: MouseEvent) => {
    if (!isMixed() || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    viewer.open(entry.itemKey)
  }

  return (
    <>
      <LibraryToolbar
        library={props.library}
        heading={folders.folder()?.split('/').pop() || props.library.name}
        filters={filters}
        order={order}
        size={size()}
        onSize={setSize}
        view={view()}
        onView={setView}
        selection={selection}
        total={total()}
      />
      <FilterPanelLayout filters={filters} total={total()}>
        <Show when={isMixed()}>
          {/* It comes late, as the filters do, and pushes nothing down. */}
          <div class="flow-root min-h-15">
            <MixedFolders library={props.library} view={folders} isFiltered={isFiltered()} isEmpty={isEmpty()} />
          </div>
        </Show>
        <Show when={isFiltered()}>
          <div class="flow-root min-h-12 pointer-coarse:min-h-15">
            <ActiveFilters filters={filters} />
          </div>
        </Show>
        <Show when={!props.library.available || isBare()}>
          <LibraryState library={props.library} filters={filters} isEmpty={isBare()} />
        </Show>
        <EntryGrid
          label={t('library.grid', props.library.name)}
          pages={pages}
          shape={view() === 'list' ? 'row' : isMixed() ? 'tile' : 'poster'}
          size={size()}
          hrefOf={entryPath}
          onOpen={open}
          isOpening={Boolean(opened()) && !MixedViewer.isThere()}
          selection={selection}
        />
      </FilterPanelLayout>
      <Show when={selection.isActive()}>
        <EntrySelection selection={selection} pages={pages} />
      </Show>
      <Show when={opened()}>
        {(key) => {
          const shown = createLatest(viewer.value, key())
          return <MixedViewer libraryId={props.library.id} pages={pages} itemKey={shown()} onMove={viewer.move} onClose={viewer.close} />
        }}
      </Show>
    </>
  )
}

export const Library = () => {
  const params = useParams()
  const { query, library } = createLibrary(() => Number(params.lib))
  createPageTitle(() => [library()?.name])
  return (
    <QueryView
      isScreen
      query={query}
      skeleton={
        <>
          <Skeleton class="mb-4 h-36 sm:h-24" />
          <GridSkeleton shape="poster" size="medium" />
        </>
      }
    >
      {() => (
        <Show when={library()?.id} keyed fallback={<UnknownLibrary />}>
          <Show when={library()}>{(known) => <Entries library={known()} />}</Show>
        </Show>
      )}
    </QueryView>
  )
}
