import { Play } from 'lucide-solid'
import { createEffect, createMemo, createSignal, on, onCleanup, onMount, Show } from 'solid-js'
import { fileUrl, playedUrl } from '../../api/files.ts'
import type { BrowseEntry } from '../../api/types.ts'
import { ErrorCard } from '../../components/error-card.tsx'
import { PlayerProblem } from '../../components/player-problem.tsx'
import { SeekSlider } from '../../components/seek-slider.tsx'
import { t } from '../../i18n/feed.ts'
import { createPlayback } from '../../primitives/create-playback.ts'
import { formatClock } from '../../primitives/format.ts'
import { pictureAt } from '../../primitives/picture-source.ts'
import { createPlaybackFailure } from '../../primitives/playback-failure.ts'
import { createStallWatch } from '../../primitives/stall-watch.ts'
import { attachSource, type SourceFailure } from '../../primitives/stream-source.ts'

interface FeedVideoProps {
  entry: BrowseEntry
  isCurrent: boolean
  /** It will be the current one, presumably. */
  isNext: boolean
  isMuted: boolean
  isLooping: boolean
  downloadUrl: string | null
  onMutedByBrowser: () => void
  onEnded: () => void
  onUnplayable: () => void
  /** For the keys: the video while it is the current one. */
  onVideo: (video: HTMLVideoElement | undefined) => void
}

/** A video that plays while it is looked at. The next one has its first bytes already; any other has none. */
export const FeedVideo = (props: FeedVideoProps) => {
  let video!: HTMLVideoElement
  const [isPaused, setPaused] = createSignal(false)
  const [position, setPosition] = createSignal(0)
  const [duration, setDuration] = createSignal(props.entry.durationSeconds ?? 0)
  const control = createPlayback({ itemKey: () => props.entry.itemKey, isEnabled: () => props.isCurrent, isWhole: true })
  const plainUrl = () => playedUrl(fileUrl(props.entry.itemKey))
  const failure = createPlaybackFailure(control, () => props.isCurrent)
  const hasFailed = () => failure.failure() !== undefined
  const fail = (kind: SourceFailure) => {
    if (props.isCurrent) void failure.fail(kind, video.currentTime)
  }
  createEffect(() => {
    if (!props.isCurrent || hasFailed()) return
    createStallWatch(
      () => video,
      () => fail('network'),
    )
  })
  createEffect(() => (failure.isUnplayable() || failure.refusal()) && props.onUnplayable())
  const play = async () => {
    try {
      await video.play()
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError' || video.muted) return
      // Sound needs a gesture first: without one it goes on in silence.
      props.onMutedByBrowser()
      video.muted = true
      await video.play().catch(() => undefined)
    }
  }
  const drop = () => {
    video.pause()
    video.removeAttribute('src')
    video.load()
  }
  createEffect(() => {
    if (props.isCurrent) return
    if (!props.isNext) drop()
    else if (video.src === '' && video.canPlayType(props.entry.mimeType ?? '') !== '') video.src = plainUrl()
  })
  /** Seconds; where the connection was lost. */
  let reached = 0
  createEffect(
    on(
      createMemo(() => (props.isCurrent && !failure.isLost() ? control.playback() : undefined)),
      (playback) => {
        if (!playback) return
        props.onVideo(video)
        const isThere = playback.mode === 'direct' && video.src === new URL(playback.url, document.baseURI).href && !video.error
        const before = reached
        const takeAway = isThere
          ? drop
          : attachSource(video, { url: playback.url, isList: playback.mode !== 'direct', startAt: before, onFailure: fail })
        if (!isPaused()) void play()
        onCleanup(() => {
          props.onVideo(undefined)
          reached = props.isCurrent ? video.currentTime || before : 0
          if (!props.isCurrent) setPaused(false)
          takeAway()
          setPosition(reached)
        })
      },
    ),
  )
  createEffect(() => {
    video.muted = props.isMuted
  })
  onMount(() => onCleanup(drop))
  const toggle = () => void (video.paused ? play() : video.pause())
  return (
    <>
      <video
        ref={video}
        aria-label={props.entry.title}
        playsinline
        muted
        loop={props.isLooping}
        preload={props.isCurrent ? 'auto' : 'metadata'}
        poster={props.entry.thumbnailUrl ? pictureAt(props.entry.thumbnailUrl, 'large') : undefined}
        onClick={toggle}
        onCanPlay={() => props.isCurrent && !isPaused() && video.paused && void play()}
        onPlay={() => setPaused(false)}
        onPause={() => setPaused(props.isCurrent && !hasFailed() && !video.ended)}
        onTimeUpdate={() => video.readyState > 0 && setPosition(video.currentTime)}
        onDurationChange={() => Number.isFinite(video.duration) && setDuration(video.duration)}
        onEnded={() => props.onEnded()}
        onError={() => video.src !== '' && fail(video.error?.code === MediaError.MEDIA_ERR_NETWORK ? 'network' : 'media')}
        class={`absolute inset-0 size-full object-contain ${hasFailed() ? 'invisible' : ''}`}
      >
        <track kind="captions" />
      </video>
      <Show when={isPaused() && !hasFailed()}>
        <span
          class="pointer-events-none absolute inset-0 m-auto flex size-16 items-center justify-center rounded-pill bg-scrim"
          aria-hidden="true"
        >
          <Play size={28} fill="currentColor" />
        </span>
      </Show>
      <Show when={hasFailed()}>
        <PlayerProblem failure={failure} downloadUrl={props.downloadUrl} playback={control.playback()} />
      </Show>
      <Show when={failure.refusal()}>
        {(error) => (
          <div class="absolute inset-0 flex items-center p-4">
            <ErrorCard error={error()} onRetry={failure.retry} />
          </div>
        )}
      </Show>
      <Show when={props.isCurrent && !hasFailed() && duration() > 0}>
        <SeekSlider
          label={t('feed.seek')}
          value={position()}
          max={duration()}
          valueText={t('feed.positionOf', formatClock(position()), formatClock(duration()))}
          onInput={(seconds) => (video.currentTime = seconds)}
          class="absolute inset-x-0 safe-bottom-0 z-1 w-full"
        />
      </Show>
    </>
  )
}
