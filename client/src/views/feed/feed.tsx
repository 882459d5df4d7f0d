import { useLocation, useNavigate, useParams } from '@solidjs/router'
import { Images } from 'lucide-solid'
import { createEffect, createMemo, createSignal, on, onMount, Show } from 'solid-js'
import type { BrowseQuery } from '../../api/browse.ts'
import { ApiProblem } from '../../api/http.ts'
import { getItem } from '../../api/items.ts'
import type { Library } from '../../api/types.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorCard } from '../../components/error-card.tsx'
import { late } from '../../components/late.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { t as emptyText } from '../../i18n/empty-library.ts'
import { t } from '../../i18n/feed.ts'
import { createCloseRequest } from '../../primitives/close-request.ts'
import { createEntryWindow, missingPage } from '../../primitives/create-entry-window.ts'
import { createMediaQuery } from '../../primitives/create-media-query.ts'
import { createSlideshow } from '../../primitives/create-slideshow.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { FEED_KEYS, type FeedAction, feedAction } from '../../primitives/feed-keys.ts'
import { createFolderView } from '../../primitives/folder-view.ts'
import { keepPlaces } from '../../primitives/keep-places.ts'
import { createLibrary } from '../../primitives/libraries.ts'
import { createLibrarySort, newSeed, seedIn } from '../../primitives/library-sort.ts'
import { prefersReducedMotion } from '../../primitives/motion.ts'
import { ownsKey } from '../../primitives/own-keys.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { libraryPath } from '../../primitives/paths.ts'
import { createCan, useUser } from '../../primitives/session.ts'
import { createSessionSound } from '../../primitives/session-sound.ts'
import { createStepBack } from '../../primitives/step-back.ts'
import { filterIn, isNarrow } from '../../primitives/tag-filter.ts'
import { createWakeLock } from '../../primitives/wake-lock.ts'
import '../../styles/feed.css'
import { listen } from '../../primitives/listen.ts'
import { FeedBar } from './feed-bar.tsx'
import { FeedList, type FeedScroll } from './feed-list.tsx'
import { FeedRail } from './feed-rail.tsx'

/** Brings tags and texts along, which most pictures are looked at without. */
const ViewerPanel = late(async () => (await import('../viewer/viewer-panel.tsx')).ViewerPanel)

const KeyHelp = late(async () => (await import('../../components/key-help.tsx')).KeyHelp)

const helpRows = () =>
  FEED_KEYS.map(({ key, help, isWithControl }) => ({ keys: [isWithControl ? `Ctrl+${key}` : key], text: t(`feed.help.${help}`) }))

/** What goes on for as long as its key is held down; anything else is done once for each press. */
const HELD_ON = new Set<FeedAction>(['next', 'previous'])

/** What fills a screen, whatever else is chosen. */
const FEED_KINDS = ['image', 'video'] as const

const NO_FILTER = { q: null, tags: null, not: null, unfinished: null, untagged: null, files: null }

/** They lead out of a field as well. */
const LEADING_OUT = new Set(['Escape', 'PageDown', 'PageUp'])

/** The list of what is looked through, as the address says: the library's filter and order, or a shuffled one. */
const createFeedQuery = (libraryId: number) => {
  const url = createUrlState()
  const folders = createFolderView(libraryId, url.get)
  const sort = createLibrarySort(() => 'mixed')
  const isShuffled = () => url.get('order') === 'random'
  return {
    isShuffled,
    query: (): BrowseQuery => {
      const filter = filterIn(url.get)
      const kinds = FEED_KINDS.filter((kind) => filter.kinds.includes(kind))
      return {
        libraryId,
        // Also what lies in its folders: one that holds nothing but folders would be empty.
        ...folders.scope(true),
        ...filter,
        kinds: kinds.length > 0 ? kinds : FEED_KINDS,
        ...(isShuffled() ? { sort: 'random', seed: seedIn(url.get) } : sort.query()),
      }
    },
  }
}

/** Where one was last, in this visit: whoever leaves for the library and comes again goes on from there, and nobody else who signs in. */
let lastPlace: { userId: number; library: string; itemKey: string } | undefined

const FeedPage = (props: { library: Library }) => {
  const can = createCan()
  const url = createUrlState()
  const location = useLocation<{ isFromLibrary?: boolean }>()
  const navigate = useNavigate()
  const isFromLibrary = location.state?.isFromLibrary === true
  const sound = createSessionSound()
  const feed = createFeedQuery(props.library.id)
  /** All that narrows it down, and its order there. */
  const libraryAddress = () => {
    const search = new URLSearchParams(location.search)
    for (const name of ['i', 'order', ...(feed.isShuffled() ? ['seed'] : [])]) search.delete(name)
    return libraryPath(props.library.id) + (search.size > 0 ? `?${search}` : '')
  }
  const { id: userId } = useUser()()
  const isOwn = lastPlace?.userId === userId && lastPlace.library === libraryAddress()
  const resumed = isFromLibrary && isOwn ? lastPlace?.itemKey : undefined
  const [anchor, setAnchor] = createSignal(url.get('i') || resumed)
  const page = createEntryWindow(() => ({ ...feed.query(), ...(anchor() && { around: anchor() }) }))
  /** Whose change is another list, and not the same one that has changed. */
  const listName = createMemo(() => `${feed.isShuffled()} ${url.get('seed')} ${anchor() ?? ''}`)
  /** The item that is looked at, wherever the list has it. Not before the place to begin at is known. */
  const [shown, setShown] = createSignal<string>()
  const list = createMemo(on(listName, () => keepPlaces(page, () => shown() ?? '', getItem)))
  const [isHelping, setHelping] = createSignal(false)
  const [isInfoOpen, setInfoOpen] = createSignal(false)
  const [video, setVideo] = createSignal<HTMLVideoElement>()
  createCloseRequest(isInfoOpen, () => setInfoOpen(false))
  const isBeside = createMediaQuery('(min-width: 48rem)')
  /** Over the picture, details are gone at a tap beside them, which does nothing else. */
  const closeSheet = (event: Event) => {
    if (!isInfoOpen() || isBeside()) return
    event.stopPropagation()
    setInfoOpen(false)
  }
  let scroll: FeedScroll | undefined
  let closeButton: HTMLButtonElement | undefined
  let rail: HTMLElement | undefined
  const start = () => {
    const from = anchor()
    return from === undefined ? 0 : Math.max(0, list().indexOf(from))
  }
  const index = createMemo(() => {
    const key = shown()
    return key === undefined ? start() : list().indexOf(key)
  })
  const current = () => list().at(index())
  const show = (place: number) => {
    const entry = list().at(place)
    if (entry) setShown(entry.itemKey)
  }
  // What has moved is the same item by another key.
  createEffect(() => {
    if (shown() !== undefined) show(index())
  })
  // What was asked for is gone, or left out by the filter: then from the start. Where nobody could say so, it is asked for again.
  createEffect(() => {
    const { error, isLoadingError } = page.query
    if (isLoadingError && error instanceof ApiProblem && error.status >= 400 && error.status < 500) setAnchor(undefined)
  })
  let written = url.get('i')
  createEffect(
    on(shown, (key) => {
      if (key === undefined) return
      // Whoever has seen all of it begins anew.
      lastPlace = index() < list().end() - 1 ? { userId, library: libraryAddress(), itemKey: key } : undefined
      if (key === written) return
      written = key
      url.change({ i: key }, { replace: true })
    }),
  )
  const next = () => scroll?.step(1)
  const slideshow = createSlideshow({
    key: shown,
    isTimed: () => current()?.mediaKind === 'image',
    hasNext: () => index() < list().end() - 1,
    onNext: next,
  })
  createWakeLock(() => slideshow.isRunning() || current()?.mediaKind === 'video')

  const stepBack = createStepBack()
  const close = () => {
    if (isFromLibrary) stepBack()
    else navigate(libraryAddress(), { replace: true })
  }
  const shuffle = () => {
    setShown(undefined)
    setAnchor(undefined)
    written = ''
    const change = feed.isShuffled() ? { order: null, seed: null } : { order: 'random', seed: newSeed() }
    url.change({ ...change, i: null }, { replace: true })
  }
  const goToFirst = () => {
    // The beginning may not be loaded: then the list is asked for from there.
    if (list().offset() > 0) {
      setShown(undefined)
      setAnchor(undefined)
    } else scroll?.goTo(0)
  }
  const acts: Record<FeedAction, (isHeld?: boolean) => void> = {
    next: (isHeld) => scroll?.step(1, isHeld),
    previous: (isHeld) => scroll?.step(-1, isHeld),
    first: goToFirst,
    last: () => scroll?.goTo(list().offset() + list().entries().length - 1),
    before: () => closeButton?.focus(),
    after: () => rail?.querySelector<HTMLElement>('button, a')?.focus(),
    play: () => {
      const playing = video()
      if (playing?.paused) void playing.play().catch(() => undefined)
      else playing?.pause()
    },
    mute: () => sound.setMuted(!sound.isMuted()),
    close: () => (isInfoOpen() ? setInfoOpen(false) : close()),
    help: () => setHelping(true),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = feedAction(event)
    if (action === undefined || event.defaultPrevented || isHelping()) return
    if (ownsKey(event.target, event.key) && !LEADING_OUT.has(event.key)) return
    // What a button has opened takes its keys itself.
    if (document.querySelector('[role=dialog], [data-popper-positioner]')) return
    event.preventDefault()
    if (!event.repeat || HELD_ON.has(action)) acts[action](event.repeat)
  }
  onMount(() => listen(document, { keydown: onKeyDown }))
  const failure = createMemo(() => {
    const { isLoadingError, error, refetch } = page.query
    const missing = missingPage(page.query, list(), index())
    return missing ?? (isLoadingError && { error, heading: undefined, ask: () => void refetch() })
  })
  /** Another list is another box; one that grows is the same. */
  const listThere = createMemo(() => (list().entries().length > 0 ? listName() : undefined))
  createEffect(on(listThere, () => show(start())))

  return (
    <>
      <FeedBar
        counter={t('lightbox.counter', index() + 1, list().total())}
        hasCounter={list().entries().length > 0}
        isShuffled={feed.isShuffled()}
        isAdvancing={slideshow.isRunning()}
        canAdvance={!prefersReducedMotion()}
        onClose={close}
        onShuffle={shuffle}
        onAdvance={slideshow.toggle}
        onHelp={() => setHelping(true)}
        ref={(button) => {
          closeButton = button
        }}
      />
      <Show when={listThere()} keyed>
        {(_) => (
          <div class="contents" on:click={{ handleEvent: closeSheet, capture: true }}>
            <FeedList
              ref={(handle) => {
                scroll = handle
              }}
              label={t('feed.title', props.library.name)}
              list={list()}
              isBusy={page.query.isFetching}
              start={start()}
              index={index()}
              onIndex={show}
              isMuted={sound.isMuted()}
              isLooping={!slideshow.isRunning()}
              canDownload={can('download') && props.library.available}
              onMutedByBrowser={() => sound.setMuted(true)}
              onEnded={slideshow.onEnded}
              onUnplayable={slideshow.onUnplayable}
              onVideo={setVideo}
            />
          </div>
        )}
      </Show>
      <Show when={failure()}>
        {(failed) => (
          <div class="pointer-events-none absolute inset-0 flex items-center p-4 *:pointer-events-auto">
            <ErrorCard error={failed().error} heading={failed().heading} onRetry={() => failed().ask()} />
          </div>
        )}
      </Show>
      <Show when={page.query.data && list().entries().length === 0}>
        <div class="absolute inset-0 flex items-center justify-center">
          <Show when={isNarrow(filterIn(url.get))} fallback={<EmptyState icon={<Images size={28} />} heading={t('feed.empty')} />}>
            <EmptyState
              icon={<Images size={28} />}
              heading={emptyText('emptyLibrary.noMatchHeading')}
              text={emptyText('emptyLibrary.noMatch')}
            >
              <Button onClick={() => url.change(NO_FILTER, { replace: true })}>{t('action.clearFilters')}</Button>
            </EmptyState>
          </Show>
        </div>
      </Show>
      <Show when={current()}>
        {(entry) => (
          <FeedRail
            ref={(element) => {
              rail = element
            }}
            entry={entry()}
            isMuted={sound.isMuted()}
            isInfoOpen={isInfoOpen()}
            libraryHref={`${libraryPath(props.library.id)}?item=${encodeURIComponent(entry().itemKey)}`}
            onMute={acts.mute}
            onTagging={slideshow.stop}
            onInfo={() => setInfoOpen(!isInfoOpen())}
          />
        )}
      </Show>
      <Show when={isInfoOpen() && current()}>
        {(entry) => (
          <aside
            aria-label={t('feed.info')}
            onFocusIn={slideshow.stop}
            class="absolute inset-x-0 bottom-0 z-1 max-h-[60%] safe-pb-0 animate-sheet overflow-y-auto rounded-t-dialog border-t border-line bg-surface md:top-0 md:left-auto md:max-h-none md:w-80 md:animate-none md:rounded-none md:border-t-0 md:border-l"
          >
            <ViewerPanel libraryId={props.library.id} itemKey={entry().itemKey} part="info" onClose={() => setInfoOpen(false)} />
          </aside>
        )}
      </Show>
      <Show when={isHelping()}>
        <KeyHelp title={t('feed.keys')} rows={helpRows()} isOverStage onClose={() => setHelping(false)} />
      </Show>
    </>
  )
}

/** Pictures and videos one screen at a time, moved by a flick. */
export const Feed = () => {
  const params = useParams()
  const { query, library } = createLibrary(() => Number(params.lib))
  const mixed = () => (library()?.type === 'mixed' ? library() : undefined)
  createPageTitle(() => [library() && t('feed.title', library()?.name ?? '')])
  return (
    <div data-theme="dark" data-stage="page" data-own-keys class="fixed inset-0 z-50 overflow-hidden bg-stage text-fg">
      <QueryView isScreen query={query}>
        {() => (
          <>
            <PageHeading class="sr-only">
              {library() ? t('feed.title', library()?.name ?? '') : emptyText('emptyLibrary.unknownHeading')}
            </PageHeading>
            <Show
              when={mixed()?.id}
              keyed
              fallback={
                <div class="absolute inset-0 flex items-center justify-center">
                  <EmptyState icon={<Images size={28} />} heading={library() ? t('feed.empty') : emptyText('emptyLibrary.unknownHeading')}>
                    <LinkButton href={library() ? libraryPath(library()?.id ?? 0) : '/'} replace>
                      {library()?.name ?? t('problem.home')}
                    </LinkButton>
                  </EmptyState>
                </div>
              }
            >
              <Show when={mixed()}>{(known) => <FeedPage library={known()} />}</Show>
            </Show>
          </>
        )}
      </QueryView>
    </div>
  )
}
