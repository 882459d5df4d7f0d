import { useParams } from '@solidjs/router'
import { LibraryBig } from 'lucide-solid'
import { createEffect, createSignal, lazy, on, Show, Suspense } from 'solid-js'
import type { BrowseEntry, Library as LibraryRecord } from '../../api/types.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { EntryGrid } from '../../components/entry-grid.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { t } from '../../i18n/translate.ts'
import { createCardSize } from '../../primitives/create-card-size.ts'
import { createEntryPages } from '../../primitives/create-entry-pages.ts'
import { createSearchText } from '../../primitives/create-search-text.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { createLibrary } from '../../primitives/libraries.ts'
import { createLibrarySort } from '../../primitives/library-sort.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { entryPath } from '../../primitives/paths.ts'
import { createViewerState } from '../../primitives/viewer-state.ts'
import { LibraryToolbar } from './library-toolbar.tsx'

const LibraryEmpty = lazy(() => import('./library-empty.tsx').then(({ LibraryEmpty }) => ({ default: LibraryEmpty })))
const MixedViewer = lazy(() => import('../mixed/mixed-viewer.tsx').then(({ MixedViewer }) => ({ default: MixedViewer })))

const Entries = (props: { library: LibraryRecord }) => {
  const url = createUrlState()
  const [size, setSize] = createCardSize()
  const search = createSearchText('q')
  const order = createLibrarySort(() => props.library.type)
  const q = () => url.get('q').trim()
  const pages = createEntryPages(() => ({ libraryId: props.library.id, q: q(), sort: order.sort(), order: order.order() }))
  const viewer = createViewerState()
  const [closedKey, setClosedKey] = createSignal<string>()
  // The tile that was shown last takes the focus, once the viewer has let go of it.
  createEffect(on(viewer.key, (key, previous) => setClosedKey(key === undefined ? previous : undefined)))
  const isMixed = () => props.library.type === 'mixed'
  const isAnswered = () => pages.query.isSuccess && !pages.query.isPlaceholderData

  const open = (entry: BrowseEntry, event: MouseEvent) => {
    if (!isMixed() || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    viewer.open(entry.itemKey)
  }

  return (
    <>
      <LibraryToolbar
        library={props.library}
        search={search}
        order={order}
        size={size()}
        onSize={setSize}
        total={isAnswered() ? pages.total() : undefined}
        isFiltered={q() !== ''}
      />
      <EntryGrid
        label={t('library.grid', props.library.name)}
        pages={pages}
        shape={isMixed() ? 'tile' : 'poster'}
        size={size()}
        hrefOf={entryPath}
        onOpen={open}
        focusKey={closedKey()}
      />
      <Show when={isAnswered() && pages.entries().length === 0}>
        <Suspense>
          <LibraryEmpty library={props.library} query={q()} onClear={search.clear} />
        </Suspense>
      </Show>
      <Show when={isMixed() && viewer.key()}>
        {(key) => (
          <Suspense>
            <MixedViewer libraryId={props.library.id} pages={pages} itemKey={key()} onMove={viewer.move} onClose={viewer.close} />
          </Suspense>
        )}
      </Show>
    </>
  )
}

export const Library = () => {
  const params = useParams()
  const { query, library } = createLibrary(() => Number(params.lib))
  createPageTitle(() => [library()?.name])
  return (
    <QueryView isScreen query={query}>
      {() => (
        <Show
          when={library()?.id}
          keyed
          fallback={
            <>
              <PageHeading class="sr-only">{t('library.unknownHeading')}</PageHeading>
              <EmptyState icon={<LibraryBig size={28} />} heading={t('library.unknownHeading')} text={t('library.unknown')} />
            </>
          }
        >
          <Show when={library()}>{(known) => <Entries library={known()} />}</Show>
        </Show>
      )}
    </QueryView>
  )
}
