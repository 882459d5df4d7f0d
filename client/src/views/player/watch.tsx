import { A, useNavigate, useParams } from '@solidjs/router'
import { ArrowLeft } from 'lucide-solid'
import { createSignal, type JSX, Show, untrack } from 'solid-js'
import { partsOf } from '../../../../src/domain/film-parts.ts'
import { parseItemKey } from '../../../../src/domain/item-key.ts'
import { resumePosition } from '../../../../src/domain/progress.ts'
import { downloadUrl } from '../../api/files.ts'
import { ApiProblem } from '../../api/http.ts'
import { getItem, itemQuery } from '../../api/items.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Item } from '../../api/types.ts'
import { userSettingsQuery } from '../../api/user-settings.ts'
import { PlayerWait } from '../../components/loading-ring.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { VideoPlayer } from '../../components/video-player.tsx'
import { t } from '../../i18n/viewers.ts'
import { createPlayback } from '../../primitives/create-playback.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { createFullscreenEnd } from '../../primitives/fullscreen-end.ts'
import { listen } from '../../primitives/listen.ts'
import { isNextDue } from '../../primitives/next-up.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { decodeSegment, entryPath, libraryPath, seasonPath, seriesPath, watchPath } from '../../primitives/paths.ts'
import type { Pace } from '../../primitives/player-habits.ts'
import { createCan } from '../../primitives/session.ts'
import { createStepBack } from '../../primitives/step-back.ts'
import { NextCard } from './next-card.tsx'

/** Whether a step back stays with us. Older browsers tell how many steps there are, and not whose. */
const hasOwnBefore = (): boolean => ('navigation' in window ? window.navigation.canGoBack : history.length > 1)

/** Whether something lies over what is told of the next one: the settings, or a dialog. */
const isNextCovered = (): boolean => document.querySelector('.player-bar > fieldset, [data-overlay]') !== null

const HEADER = 'flex h-14 items-center gap-3 safe-px-2'

/** To where we came from, by a press or by Escape. */
const Back = (props: { href: string }) => {
  const stepBack = createStepBack()
  let back!: HTMLAnchorElement
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.repeat) return
    // Most browsers end it by themselves, and tell nobody of the key.
    if (document.fullscreenElement) void document.exitFullscreen()
    else back.click()
  }
  listen(window, { keydown: onKeyDown })
  return (
    <A
      ref={back}
      href={props.href}
      aria-label={t('action.back')}
      title={t('action.back')}
      class="inline-flex size-11 items-center justify-center rounded-card hover:bg-raised"
      onClick={(event) => {
        // Where we came from, with its scroll position, if that was a screen of ours.
        if (!hasOwnBefore() || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        stepBack()
      }}
    >
      <ArrowLeft size={22} />
    </A>
  )
}

/** Dark, over the whole page. */
const Stage = (props: { children: JSX.Element }) => (
  <div data-theme="dark" data-stage="page" data-own-keys class="fixed inset-0 z-50 bg-stage text-fg">
    {props.children}
  </div>
)

interface WatchPageProps {
  pace: Pace
  item: Item
  file: string | undefined
}

const WatchPage = (props: WatchPageProps) => {
  const can = createCan()
  const navigate = useNavigate()
  const url = createUrlState()
  const startAt = () => (url.get('t') === '' ? undefined : Number(url.get('t')) || 0)
  const parts = () => partsOf(props.item.files ?? []).map(({ name }) => name)
  const place = props.file === undefined ? 0 : untrack(parts).indexOf(props.file)
  /** A part is called by its new name where it was renamed meanwhile. */
  const file = () => parts()[place] ?? props.file
  const asked = () => props.file && file()
  const control = createPlayback({
    itemKey: () => props.item.itemKey,
    file: asked,
    startAt: startAt() ?? resumePosition(props.item.progress),
  })
  const settings = createQuery(() => userSettingsQuery)
  const nextKey = () => control.playback()?.next ?? undefined
  const previousKey = () => control.playback()?.previous ?? undefined
  const next = createQuery(() => ({
    ...itemQuery(props.item.libraryId, nextKey() ?? ''),
    enabled: nextKey() !== undefined,
  }))
  const [isDue, setDue] = createSignal(false)
  const [isHidden, setHidden] = createSignal(false)
  const [remaining, setRemaining] = createSignal(0)
  const onTimeUpdate = (playing: HTMLVideoElement) => {
    // It has begun there: a reload goes on where one is by then.
    if (url.get('t') !== '') url.change({ t: null }, { replace: true })
    setRemaining(Math.max(0, Math.ceil(playing.duration - playing.currentTime)))
    setDue(playing.ended || isNextDue(playing.currentTime, playing.duration, isDue()))
  }
  const play = (key: string | undefined) => {
    if (key) navigate(watchPath(key), { replace: true })
  }
  const playNext = () => play(nextKey())
  const playPrevious = () => play(previousKey())
  const onEnded = () => {
    // A film in several files goes on with the next one.
    const part = parts()[place + 1]
    if (part && place >= 0) return url.change({ file: part, t: '0' }, { replace: true })
    setDue(true)
    if (!isHidden() && !isNextCovered() && settings.data?.autoplayNext) playNext()
  }
  /** The screen above: the season of an episode, the page of a movie. */
  const upPath = () => {
    if (props.item.itemType !== 'tv_episode') return entryPath(props.item)
    const [series] = props.item.parents
    if (!series) return libraryPath(props.item.libraryId)
    const address = seriesPath(props.item.libraryId, series.itemKey)
    return props.item.seasonNumber === null ? address : seasonPath(address, { seasonNumber: props.item.seasonNumber, title: '' })
  }
  const over = () => {
    const { itemType, episodeNumber, seasonNumber, parents, files } = props.item
    if (itemType !== 'tv_episode') return files?.find(({ name }) => name === asked())?.label ?? undefined
    // The number first: a long name is cut off.
    return [episodeNumber === null ? undefined : t('entry.episode', seasonNumber, episodeNumber), parents[0]?.title]
      .filter(Boolean)
      .join(' · ')
  }
  // Made once: it moves from what stands before the film is there onto the stage.
  const header = (
    <header class={HEADER}>
      <Back href={upPath()} />
      <div class="min-w-0 grow">
        <PageHeading class="truncate text-small font-semibold">{props.item.title}</PageHeading>
        <Show when={over()}>
          <p class="truncate text-caption text-muted">{over()}</p>
        </Show>
      </div>
    </header>
  )
  return (
    <Stage>
      <VideoPlayer
        item={{ ...props.item, file: file() }}
        control={control}
        title={props.item.title}
        over={over()}
        posterUrl={props.item.backdropUrl ?? props.item.thumbnailUrl}
        downloadUrl={can('download') ? downloadUrl(props.item.itemKey, asked()) : null}
        startAt={startAt()}
        header={header}
        pace={props.pace}
        // It outlives the episode, and dialogs are within it.
        screen={document.body}
        onTimeUpdate={onTimeUpdate}
        onPrevious={previousKey() ? playPrevious : undefined}
        onNext={nextKey() ? playNext : undefined}
        onEnded={onEnded}
      >
        <Show when={isDue() && !isHidden() && next.data}>
          {(following) => (
            <NextCard
              title={following().title}
              remaining={settings.data?.autoplayNext ? remaining() : undefined}
              onPlay={playNext}
              onHide={() => setHidden(true)}
            />
          )}
        </Show>
      </VideoPlayer>
    </Stage>
  )
}

/** The file that is asked for, or the part of the film that one stopped in; a place alone is one in the first part. */
const WatchFile = (props: Omit<WatchPageProps, 'file'>) => {
  const url = createUrlState()
  const { progress } = props.item
  const begun = (url.get('t') === '' && resumePosition(progress) > 0 && progress?.file) || undefined
  const file = () => url.get('file') || begun
  return (
    // Another file is another player, as the next episode is.
    <Show when={file() ?? true} keyed>
      <WatchPage item={props.item} file={file()} pace={props.pace} />
    </Show>
  )
}

const WatchItem = (props: { itemKey: string; pace: Pace }) => {
  const key = () => props.itemKey
  const item = createQuery(() => ({
    queryKey: queryKeys.item(parseItemKey(key())?.libraryId ?? 0, key()),
    queryFn: ({ signal }) => {
      if (!parseItemKey(key())) throw new ApiProblem(404, 'not_found', '')
      return getItem(key(), signal)
    },
    // The position must be the one that was saved a moment ago.
    staleTime: 0,
  }))
  /** Of a film in several files an older answer may name another one than that in which one has stopped since. */
  const isPlaceKnown = ({ files }: Item) => item.isFetchedAfterMount || partsOf(files ?? []).length < 2
  createPageTitle(() => [item.data?.title, item.data?.parents[0]?.title])
  const skeleton = () => (
    <Stage>
      <div class={HEADER}>
        <Back href={libraryPath(parseItemKey(key())?.libraryId ?? 0)} />
      </div>
      <PlayerWait />
    </Stage>
  )
  return (
    <QueryView isScreen query={item} skeleton={skeleton()}>
      {(known) => (
        // What moves meanwhile plays on.
        <Show when={isPlaceKnown(known())} fallback={skeleton()}>
          <WatchFile item={known()} pace={props.pace} />
        </Show>
      )}
    </QueryView>
  )
}

export const Watch = () => {
  const params = useParams()
  const pace: Pace = { speed: 1 }
  createFullscreenEnd()
  return (
    // Also what is asked for: the answer about the episode before would tell where this one is to begin.
    <Show when={params.id} keyed>
      {(id) => <WatchItem itemKey={decodeSegment(id) ?? ''} pace={pace} />}
    </Show>
  )
}
