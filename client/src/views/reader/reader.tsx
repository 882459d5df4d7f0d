import { A, useParams } from '@solidjs/router'
import { ArrowLeft, ArrowRight, BookOpen } from 'lucide-solid'
import { createEffect, createSignal, onCleanup, onMount, Show } from 'solid-js'
import { parseItemKey } from '../../../../src/domain/item-key.ts'
import { ApiProblem } from '../../api/http.ts'
import { getItem } from '../../api/items.ts'
import { listMangaPages, type MangaPages } from '../../api/manga.ts'
import { getProgress, type SavedProgress } from '../../api/progress.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Item } from '../../api/types.ts'
import { LinkButton } from '../../components/button.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { t } from '../../i18n/details.ts'
import { createLevel } from '../../primitives/create-level.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { decodeSegment, libraryPath, mangaSeriesPath, readPath } from '../../primitives/paths.ts'
import { type PageDirection, pageForKey } from '../../primitives/reader-keys.ts'
import { createReadingProgress } from '../../primitives/reading-progress.ts'
import { createSwipe } from '../viewer/swipe.ts'

const PAGES_AHEAD = 3

interface PagesProps {
  volume: Item
  begun: SavedProgress
  manga: MangaPages
}

const Pages = (props: PagesProps) => {
  const url = createUrlState()
  const progress = createReadingProgress(props.volume)
  const count = () => props.manga.pages.length
  const [direction, setDirection] = createSignal<PageDirection>(props.manga.readingDirection === 'rtl' ? 'rtl' : 'ltr')
  const begun = props.begun.completed ? 0 : (props.begun.page ?? 0)
  const page = () => {
    const asked = url.get('page') === '' ? begun : Number(url.get('page')) - 1
    return Number.isInteger(asked) ? Math.min(count() - 1, Math.max(0, asked)) : 0
  }
  const turnTo = (target: number) => {
    if (target !== page()) url.change({ page: String(target + 1) }, { replace: true })
  }
  const step = (by: number) => turnTo(Math.min(count() - 1, Math.max(0, page() + by)))
  const siblings = createLevel(
    () => props.volume.libraryId,
    () => props.volume.parentKey ?? undefined,
  )
  const next = () => {
    const volumes = siblings.isSuccess ? (siblings.data ?? []) : []
    return volumes[volumes.findIndex(({ itemKey }) => itemKey === props.volume.itemKey) + 1]
  }

  createEffect(() => {
    progress.reach(page())
    for (const { url: address } of props.manga.pages.slice(page() + 1, page() + 1 + PAGES_AHEAD)) new Image().src = address
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof HTMLElement && event.target.matches('input, a, button')))
      return
    const target = pageForKey(event.key, { page: page(), count: count(), direction: direction() })
    if (target === undefined) return
    event.preventDefault()
    turnTo(target)
  }
  onMount(() => {
    document.addEventListener('keydown', onKeyDown)
    onCleanup(() => document.removeEventListener('keydown', onKeyDown))
  })

  const isRightToLeft = () => direction() === 'rtl'
  const swipe = createSwipe((by) => step(isRightToLeft() ? -by : by))
  const zone = (side: 'left' | 'right') => {
    const isForward = () => (side === 'left') === isRightToLeft()
    return (
      <button
        type="button"
        tabIndex={-1}
        aria-label={isForward() ? t('reader.next') : t('reader.previous')}
        onClick={() => step(isForward() ? 1 : -1)}
        class={`absolute inset-y-0 w-1/3 ${side === 'left' ? 'left-0' : 'right-0'}`}
      />
    )
  }
  return (
    <>
      <div class="relative min-h-0 grow" onTouchStart={swipe.onTouchStart} onTouchEnd={swipe.onTouchEnd}>
        <img
          src={props.manga.pages[page()]?.url}
          alt={t('manga.page', page() + 1)}
          draggable={false}
          class="absolute inset-0 size-full object-contain"
        />
        {zone('left')}
        {zone('right')}
        <Show when={page() === count() - 1 && next()}>
          {(volume) => (
            <LinkButton href={readPath(volume().itemKey)} replace variant="primary" class="absolute bottom-4 left-1/2 -translate-x-1/2">
              {t('reader.nextVolume', volume().title)}
              <ArrowRight size={18} aria-hidden="true" />
            </LinkButton>
          )}
        </Show>
      </div>
      <footer class="flex h-14 shrink-0 items-center gap-4 px-4 pb-[env(safe-area-inset-bottom)]">
        <span class="w-16 shrink-0 text-caption text-muted tabular-nums" aria-live="polite">
          {t('viewer.counter', page() + 1, count())}
        </span>
        <input
          type="range"
          min={1}
          max={count()}
          value={page() + 1}
          dir={direction()}
          aria-label={t('reader.page')}
          onInput={(event) => turnTo(Number(event.currentTarget.value) - 1)}
          class="min-w-0 grow accent-accent"
        />
        <SegmentedControl<PageDirection>
          label={t('reader.direction')}
          value={direction()}
          options={[
            { value: 'rtl', label: t('reader.rightToLeft'), short: '←' },
            { value: 'ltr', label: t('reader.leftToRight'), short: '→' },
          ]}
          onSelect={setDirection}
        />
      </footer>
    </>
  )
}

export const Reader = () => {
  const params = useParams()
  const key = () => decodeSegment(params.id) ?? ''
  const libraryId = () => parseItemKey(key())?.libraryId ?? 0
  const volume = createQuery(() => ({
    queryKey: queryKeys.item(libraryId(), key()),
    queryFn: ({ signal }) => {
      if (parseItemKey(key())?.itemType !== 'manga_volume') throw new ApiProblem(404, 'not_found', '')
      return getItem(key(), signal)
    },
  }))
  // The page must be the one that was saved a moment ago, and not one from the cache.
  const progress = createQuery(() => ({
    queryKey: queryKeys.progress(key()),
    queryFn: () => getProgress(key()),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  }))
  const manga = createQuery(() => ({
    queryKey: queryKeys.mangaPages(libraryId(), key()),
    queryFn: ({ signal }) => listMangaPages(key(), signal),
  }))
  const parent = () => (volume.isSuccess ? volume.data?.parents.at(-1) : undefined)
  createPageTitle(() => [volume.isSuccess ? volume.data?.title : undefined, parent()?.title])
  return (
    <div data-theme="dark" data-stage class="fixed inset-0 z-50 flex flex-col bg-stage text-fg">
      <header class="flex h-14 shrink-0 items-center gap-3 px-2">
        <A
          href={parent() ? mangaSeriesPath(libraryId(), parent()?.itemKey ?? '') : libraryPath(libraryId())}
          aria-label={t('action.back')}
          title={t('action.back')}
          class="inline-flex size-11 shrink-0 items-center justify-center rounded-card text-muted hover:bg-raised hover:text-fg"
        >
          <ArrowLeft size={22} />
        </A>
        <div class="min-w-0 grow">
          <Show when={volume.isSuccess && volume.data}>
            {(known) => <PageHeading class="truncate text-small font-semibold">{known().title}</PageHeading>}
          </Show>
          <p class="truncate text-caption text-muted">{parent()?.title}</p>
        </div>
      </header>
      <QueryView isScreen query={volume}>
        {(known) => (
          <QueryView query={manga}>
            {(pages) => (
              <Show
                when={pages().pages.length > 0 && known().itemKey}
                keyed
                fallback={
                  <div class="flex grow flex-col items-center justify-center gap-4 text-muted">
                    <BookOpen size={40} aria-hidden="true" />
                    <p>{t('viewer.pagesHeading')}</p>
                  </div>
                }
              >
                <QueryView query={progress}>{(begun) => <Pages volume={known()} manga={pages()} begun={begun()} />}</QueryView>
              </Show>
            )}
          </QueryView>
        )}
      </QueryView>
    </div>
  )
}
