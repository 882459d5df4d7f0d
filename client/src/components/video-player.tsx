import { RotateCcw } from 'lucide-solid'
import { createEffect, createSignal, For, on, onCleanup, onMount, Show } from 'solid-js'
import type { Playback } from '../api/playback.ts'
import { t } from '../i18n/details.ts'
import type { PlaybackControl } from '../primitives/create-playback.ts'
import { formatClock } from '../primitives/format.ts'
import { createPlaybackProgress } from '../primitives/playback-progress.ts'
import { playerAction } from '../primitives/player-keys.ts'
import { preferredSubtitles } from '../primitives/preferred-subtitles.ts'
import { attachSource } from '../primitives/stream-source.ts'
import { createSubtitleSetting } from '../primitives/subtitle-choice.ts'
import { applyAction } from '../primitives/video-actions.ts'
import { Button } from './button.tsx'
import { PlayerProblem } from './player-problem.tsx'

export interface VideoPlayerProps {
  item: { itemKey: string; libraryId: number }
  control: PlaybackControl
  title: string
  posterUrl: string | null
  downloadUrl: string | null
  /** Seconds; where to begin instead of the saved position. */
  startAt?: number | undefined
  /** The whole keyboard is the player's; in the viewer arrows turn to the next item. */
  hasKeys?: boolean
  onTimeUpdate?: (video: HTMLVideoElement) => void
  onNext?: () => void
  onEnded?: () => void
}

const NOTE_MS = 1000

const isControl = (target: EventTarget | null) => target instanceof HTMLElement && target.matches('button, a, input, select, textarea')

/** The browser's own player, filling its box. It begins where this user stopped. */
const Player = (props: VideoPlayerProps & { playback: Playback; onFailure: (position: number) => void }) => {
  let video!: HTMLVideoElement
  let noteTimer: ReturnType<typeof setTimeout> | undefined
  const [note, setNote] = createSignal<string>()
  const progress = createPlaybackProgress({ item: props.item, video: () => video, startAt: () => props.startAt })
  const subtitles = createSubtitleSetting(() => video)
  let hasBegun = false

  const play = async () => {
    try {
      await video.play()
    } catch (error) {
      // Sound without a gesture was refused: that is no failure, it starts muted and the controls show it.
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
      video.muted = true
      await video.play().catch(() => undefined)
    }
  }

  const begin = async () => {
    if (!hasBegun) await progress.resume()
    hasBegun = true
    await play()
  }

  createEffect(
    on(
      () => props.playback,
      ({ url, mode }) => {
        const position = video.currentTime
        const takeAway = attachSource(video, {
          url,
          isList: mode !== 'direct',
          startAt: position || props.startAt || 0,
          onFailure: () => props.onFailure(video.currentTime),
        })
        // Another sound track is another stream: it goes on where the one before was.
        if (position > 0) video.addEventListener('loadedmetadata', () => (video.currentTime = position), { once: true })
        onCleanup(takeAway)
      },
    ),
  )

  const onKeyDown = (event: KeyboardEvent) => {
    const action = playerAction(event)
    if (!action || (isControl(event.target) && (event.key === ' ' || event.target instanceof HTMLSelectElement))) return
    event.preventDefault()
    if (action.kind === 'next') return props.onNext?.()
    const text = applyAction(video, action)
    if (text === undefined) return
    clearTimeout(noteTimer)
    setNote(text)
    noteTimer = setTimeout(() => setNote(undefined), NOTE_MS)
  }
  onMount(() => {
    subtitles.watch()
    if (!props.hasKeys) return
    document.addEventListener('keydown', onKeyDown)
    onCleanup(() => document.removeEventListener('keydown', onKeyDown))
  })
  onCleanup(() => clearTimeout(noteTimer))

  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the tracks are those that lie beside the file or in it */}
      <video
        ref={video}
        poster={props.posterUrl ?? undefined}
        aria-label={props.title}
        controls
        playsinline
        preload="metadata"
        onLoadedMetadata={() => void begin()}
        onTimeUpdate={() => {
          progress.onTimeUpdate()
          props.onTimeUpdate?.(video)
        }}
        onPause={progress.save}
        onEnded={() => {
          progress.save()
          props.onEnded?.()
        }}
        onError={() => props.onFailure(video.currentTime)}
        class="absolute inset-0 size-full bg-stage object-contain"
      >
        <For each={props.playback.subtitleTracks}>
          {(track) => (
            <track
              kind="subtitles"
              src={track.url}
              label={track.label}
              srclang={track.language ?? undefined}
              default={track.id === preferredSubtitles(props.playback.subtitleTracks, subtitles.language())}
            />
          )}
        </For>
      </video>
      <Show when={progress.resumedAt()}>
        {(position) => (
          <div class="absolute top-4 left-4 flex animate-rise items-center gap-3 rounded-card bg-scrim py-1 pr-1 pl-4 text-small">
            <span class="tabular-nums">{t('player.resumed', formatClock(position()))}</span>
            <Button size="small" onClick={progress.startOver}>
              <RotateCcw size={16} aria-hidden="true" />
              {t('item.startOver')}
            </Button>
          </div>
        )}
      </Show>
      <p
        aria-live="polite"
        class="pointer-events-none absolute top-4 left-1/2 -translate-x-1/2 rounded-card bg-scrim px-4 py-2 text-body tabular-nums empty:hidden"
      >
        {note()}
      </p>
    </>
  )
}

/** A video as this browser can play it: the file itself, or what the server makes of it. */
export const VideoPlayer = (props: VideoPlayerProps) => {
  const [isUnplayable, setUnplayable] = createSignal(false)
  const fail = (position: number) => {
    if (!props.control.distrust(position)) setUnplayable(true)
  }
  const problem = () => {
    if (props.control.query.isError) return props.control.query.error?.message
    if (!isUnplayable()) return undefined
    return props.control.playback()?.obstacle === 'no_ffmpeg' ? t('player.noFfmpeg') : t('player.unplayable')
  }
  return (
    <Show
      when={problem() === undefined}
      fallback={
        <PlayerProblem
          text={problem() ?? ''}
          downloadUrl={props.downloadUrl}
          onRetry={() => {
            setUnplayable(false)
            void props.control.query.refetch()
          }}
        />
      }
    >
      <Show when={props.control.playback()}>{(playback) => <Player {...props} playback={playback()} onFailure={fail} />}</Show>
    </Show>
  )
}
