import { A } from '@solidjs/router'
import { ArrowRight } from 'lucide-solid'
import { For, Show } from 'solid-js'
import type { LibraryType } from '../../../../src/domain/item-type.ts'
import { browse } from '../../api/browse.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { ErrorCard } from '../../components/error-card.tsx'
import { ScanLine } from '../../components/scan-line.tsx'
import { Shelf, shelfHeight } from '../../components/shelf.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { LibraryIcon } from '../../components/type-icon.tsx'
import { t } from '../../i18n/home.ts'
import { createDelayed } from '../../primitives/create-delayed.ts'
import { createNearView } from '../../primitives/create-near-view.ts'
import { createQuery } from '../../primitives/create-query.ts'
import type { CardShape } from '../../primitives/grid-layout.ts'
import { createLibrary, isScanActive } from '../../primitives/libraries.ts'
import { libraryPath } from '../../primitives/paths.ts'

const SHELF_LENGTH = 20

/** In the place of the cards, as high as they will be. */
const CardsToCome = (props: { shape: CardShape; isLate: boolean }) => (
  <div class="flex gap-3 overflow-hidden py-1" style={{ height: `${shelfHeight(props.shape)}px` }} aria-hidden="true">
    <Show when={props.isLate}>
      <For each={[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}>{() => <Skeleton class="h-full w-40 shrink-0" />}</For>
    </Show>
  </div>
)

/** Of series, what is new is an episode or a volume of one that has long been there. */
const IN_PARTS: readonly (LibraryType | undefined)[] = ['tv', 'manga']

/** What was added to a library last, or added to. */
export const LibraryShelfRow = (props: { libraryId: number; isInSight: boolean }) => {
  let place!: HTMLDivElement
  const isNear = createNearView(() => place)
  const { library } = createLibrary(() => props.libraryId)
  const sort = () => (IN_PARTS.includes(library()?.type) ? 'updated' : 'added')
  const query = () => ({ libraryId: props.libraryId, sort: sort(), order: 'desc' as const, limit: SHELF_LENGTH }) as const
  const recent = createQuery(() => ({ queryKey: queryKeys.shelf(query()), queryFn: () => browse(query()), enabled: isNear() }))
  const entries = () => recent.data?.entries ?? []
  const shape = (): CardShape => (library()?.type === 'mixed' ? 'tile' : 'poster')
  const isLate = createDelayed(() => recent.isFetching && recent.isPending)
  return (
    <div ref={place}>
      <Show when={library()}>
        {(known) => (
          <Shelf
            name={String(props.libraryId)}
            title={
              <A href={libraryPath(known().id)} class="group flex items-center gap-3 rounded-chip min-h-finger">
                <span class="shrink-0 text-muted">
                  <LibraryIcon type={known().type} />
                </span>
                <span class="min-w-0 truncate transition-colors group-hover:text-accent">{known().name}</span>
              </A>
            }
            note={t('library.items', known().itemCount)}
            entries={entries()}
            shape={shape()}
            isEager={props.isInSight}
            actions={
              <A
                href={libraryPath(known().id)}
                class="flex items-center gap-1 rounded-chip px-2 py-1 min-h-finger text-small text-muted transition-colors hover:text-accent"
                aria-label={`${t('home.seeAll')}: ${known().name}`}
              >
                {t('home.seeAll')}
                <ArrowRight size={14} aria-hidden="true" />
              </A>
            }
          >
            <Show when={isScanActive(known().lastScan) && known().lastScan}>
              {(scan) => (
                <div class="mb-3 max-w-120">
                  <ScanLine scan={scan()} />
                </div>
              )}
            </Show>
            <Show when={recent.isPending}>
              <CardsToCome shape={shape()} isLate={isLate()} />
            </Show>
            <Show when={recent.isLoadingError && recent.error}>
              {(error) => <ErrorCard error={error()} onRetry={() => void recent.refetch()} />}
            </Show>
            <Show when={recent.data && entries().length === 0 && !isScanActive(known().lastScan)}>
              <p class="rounded-card border border-dashed border-line px-4 py-6 text-center text-small text-muted">
                {known().lastScan ? t('home.foundNothing') : t('home.neverScanned')}
              </p>
            </Show>
          </Shelf>
        )}
      </Show>
    </div>
  )
}
