import type MediaController from 'media-chrome/media-controller'
import { createEffect, createMemo, createSignal, For, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import type { VideoQuality } from '../../../src/domain/video-quality.ts'
import type { Playback } from '../api/playback.ts'
import { t } from '../i18n/viewers.ts'
import { createChapters } from '../primitives/create-chapters.ts'
import { createNote } from '../primitives/create-note.ts'
import { createUserSettings } from '../primitives/create-user-settings.ts'
import { createFullscreenTurn } from '../primitives/fullscreen-turn.ts'
import { createMediaSession } from '../primitives/media-session.ts'
import { isInDialogOver, ownsKey } from '../primitives/own-keys.ts'
import { createPlaybackProgress } from '../primitives/playback-progress.ts'
import { createPlayerGestures } from '../primitives/player-gestures.ts'
import { type Pace, recallLoudness, rememberLoudness } from '../primitives/player-habits.ts'
import { HELD_ON, type PlayerAction, playerAction, type SeekLength, WITHOUT_PICTURE } from '../primitives/player-keys.ts'
import { createStallWatch } from '../primitives/stall-watch.ts'
import { attachSource, type SourceFailure } from '../primitives/stream-source.ts'
import { createSubtitles } from '../primitives/subtitle-choice.ts'
import { trackName } from '../primitives/track-name.ts'
import { applyAction, seekBy, setSpeed, toggleFullscreen } from '../primitives/video-actions.ts'
import { createWakeLock } from '../primitives/wake-lock.ts'
import { late } from './late.tsx'
import { PlayerWait, StallRing } from './loading-ring.tsx'
import { PlayerControls } from './player-controls.tsx'
import { SkipRipple, StageNote, StageNotices } from './stage-notices.tsx'
import '../styles/player.css'
import { listen } from '../primitives/listen.ts'

const PlayerHelp = late(async () => (await import('./player-help.tsx')).PlayerHelp)

export interface VideoStageProps {
  item: { itemKey: string; libraryId: number; file?: string | undefined }
  title: string
  /** The series of an episode. */
  over?: string | undefined
  posterUrl: string | null
  /** Seconds; where to begin instead of the saved position. */
  startAt?: number | undefined
  /** The speed to begin with, and what becomes of it. */
  pace?: Pace
  /** What fills the screen when that is wished for; the stage alone where it is missing, and for as long as that stands. */
  screen?: HTMLElement
  /** Above the picture, comes and goes with the controls. */
  header?: JSX.Element
  /** Over the picture, stays. */
  children?: JSX.Element
  onTimeUpdate?: ((video: HTMLVideoElement) => void) | undefined
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  onEnded?: (() => void) | undefined
  onHelp?: () => void
}

interface StageProps extends VideoStageProps {
  playback: Playback
  onSound: (id: string, position: number) => void
  onQuality: (quality: VideoQuality | null, position: number) => void
  /** There is no way to the server: it stands as it is, and goes on from there. */
  isLost: boolean
  onFailure: (failure: SourceFailure, position: number) => void
}

/** The time range looks for a track of this name, and shows the picture of the place that is pointed at. */
const PREVIEWS = 'thumbnails'
const HELD_SPEED = 2
/** What the controls go after, of a pointer that rests and a picture that plays. */
const HIDE_AFTER_SECONDS = 2
const NEVER = -1

/** A playing picture with its controls, keys and gestures. It begins where this user stopped. */
export const VideoStage = (props: StageProps) => {
  let stage!: HTMLDivElement
  let controller!: MediaController
  let video!: HTMLVideoElement
  const note = createNote()
  const ripple = createNote()
  const { settings } = createUserSettings()
  const seconds = (): Record<SeekLength, number> => ({ short: settings().seekShort, long: settings().seekLong })
  const [isPlaying, setPlaying] = createSignal(false)
  const [position, setPosition] = createSignal(0)
  const [duration, setDuration] = createSignal(props.playback.durationSeconds ?? 0)
  /** Width to height. Until it is known, as flat as nothing is: no part of the screen beside it counts as empty. */
  const [shape, setShape] = createSignal(0.001)
  const [speed, setShownSpeed] = createSignal(1)
  const [isSilenced, setSilenced] = createSignal(false)
  const [isHelping, setHelping] = createSignal(false)
  const help = () => (props.onHelp ? props.onHelp() : setHelping(true))
  const [isBusy, setBusy] = createSignal(false)
  const progress = createPlaybackProgress({ item: () => props.item, video: () => video, startAt: () => props.startAt })
  const subtitles = createSubtitles({ video: () => video, tracks: () => props.playback.subtitleTracks })
  const chapters = createChapters({ video: () => video, chapters: () => props.playback.chapters, position, duration })
  const shownSubtitles = () => {
    const track = props.playback.subtitleTracks.find(({ id }) => id === subtitles.chosen())
    return track ? trackName(track) : t('watch.noSubtitlesShown')
  }
  const screen = () => props.screen ?? stage
  const session = createMediaSession(
    () => ({ title: props.title, artist: props.over, artworkUrl: props.posterUrl }),
    () => ({
      play: () => void play(),
      pause: () => video.pause(),
      seekbackward: () => seekBy(video, -seconds().long),
      seekforward: () => seekBy(video, seconds().long),
      seekto: ({ seekTime }) => {
        if (seekTime !== undefined) video.currentTime = seekTime
      },
      previoustrack: props.onPrevious,
      nexttrack: props.onNext,
    }),
  )
  createWakeLock(isPlaying)
  createFullscreenTurn(() => video)
  const [hasBegun, setBegun] = createSignal(false)
  /** Somebody has paused it, and another source stands as well. What breaks pauses it too. */
  let isHeld = false
  let speedBefore = 1
  const fail = (failure: SourceFailure) => props.onFailure(failure, video.currentTime)
  createEffect(() => {
    if (props.isLost) return
    createStallWatch(
      () => video,
      () => fail('network'),
    )
  })

  const play = async () => {
    try {
      await video.play()
    } catch (error) {
      // Sound without a gesture was refused: that is no failure, it starts muted and says so.
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
      video.muted = true
      setSilenced(true)
      await video.play().catch(() => undefined)
    }
  }
  const begin = async () => {
    // A browser that knows the container and not the codec plays the sound to a black picture.
    if (props.playback.mode === 'direct' && video.videoWidth === 0) return fail('media')
    if (!hasBegun()) await progress.resume()
    // Left meanwhile: what is told to play without a source is held by the browser for ever.
    if (!video.isConnected) return
    setBegun(true)
    if (!isHeld) await play()
  }

  /** Seconds; where the source before this one was taken away. */
  let reached = 0
  createEffect(
    on(
      createMemo(() => (props.isLost ? undefined : props.playback)),
      (playback) => {
        if (!playback) return
        const { url, mode } = playback
        const before = reached
        const takeAway = attachSource(video, { url, isList: mode !== 'direct', startAt: before || props.startAt || 0, onFailure: fail })
        // Another sound track is another stream: it goes on where the one before was, or stands there.
        onCleanup(() => {
          reached = video.currentTime || before
          takeAway()
        })
      },
    ),
  )

  const skip = (by: number) => {
    seekBy(video, by)
    ripple.show(by < 0 ? 'left' : 'right')
  }
  createPlayerGestures(() => video, {
    onToggle: () => applyAction(video, { kind: 'toggle' }),
    onFullscreen: () => void toggleFullscreen(screen(), video).catch(() => undefined),
    onSkip: (side) => skip(side === 'left' ? -seconds().long : seconds().long),
    onHold: (isHeld) => {
      if (isHeld) speedBefore = video.playbackRate
      video.playbackRate = isHeld ? HELD_SPEED : speedBefore
      if (isHeld) note.show(t('watch.held', HELD_SPEED))
    },
  })

  const remember = () => {
    setShownSpeed(video.playbackRate)
    setSilenced(isSilenced() && video.muted)
    if (!isSilenced()) rememberLoudness(video)
    if (props.pace) props.pace.speed = video.defaultPlaybackRate
  }
  const act = (action: PlayerAction): string | undefined => {
    switch (action.kind) {
      case 'next':
        return void props.onNext?.()
      case 'previous':
        return void props.onPrevious?.()
      case 'help':
        return void help()
      case 'seek':
        seekBy(video, action.direction * seconds()[action.length])
        return undefined
      case 'chapter':
        return chapters.step(action.by)
      case 'captions':
        subtitles.toggle()
        return shownSubtitles()
      case 'subtitleDelay':
        if (subtitles.chosen() === null) return undefined
        subtitles.shift(action.by)
        return t('watch.delayNote', subtitles.delay())
      default: {
        const text = applyAction(video, action, screen())
        // The element tells a moment later, or never if the next episode comes first.
        remember()
        return text
      }
    }
  }
  const actVisibly = (action: PlayerAction) => {
    const text = act(action)
    if (text !== undefined) note.show(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isInDialogOver(stage, event.target)) return
    const action = playerAction(event)
    if (!action || ownsKey(event.target, event.key) || (props.isLost && !WITHOUT_PICTURE.has(action.kind))) return
    event.preventDefault()
    if (!event.repeat || HELD_ON.has(action.kind)) actVisibly(action)
  }
  const tell = () => {
    setPlaying(!video.paused && !video.ended)
    session.tell(video)
  }
  onMount(() => {
    controller.fullscreenElement = screen()
    recallLoudness(video)
    setSpeed(video, props.pace?.speed ?? 1)
    listen(document, { keydown: onKeyDown })
  })

  return (
    <div ref={stage} class="player-stage absolute inset-0 bg-stage text-fg">
      <media-controller
        ref={controller}
        nohotkeys=""
        gesturesdisabled=""
        novolumepref=""
        autohide={isBusy() ? NEVER : HIDE_AFTER_SECONDS}
        class="player absolute inset-0"
      >
        <Show when={props.header}>
          <div slot="top-chrome" class="player-top w-full">
            {props.header}
          </div>
        </Show>
        {/* biome-ignore lint/a11y/useMediaCaption: the tracks are those that lie beside the file or in it */}
        <video
          ref={video}
          slot="media"
          poster={props.posterUrl ?? undefined}
          aria-label={props.title}
          playsinline
          preload="metadata"
          onLoadedMetadata={() => void begin()}
          // What was recorded on the fly has no end.
          onDurationChange={() => setDuration(video.duration < Number.POSITIVE_INFINITY ? video.duration : 0)}
          on:resize={() => setShape(video.videoWidth / video.videoHeight || 0.001)}
          style={{ '--shape': shape() }}
          onTimeUpdate={() => {
            // A source that is taken away sets it back to the start.
            if (video.readyState === 0) return
            setPosition(video.currentTime)
            progress.onTimeUpdate()
            props.onTimeUpdate?.(video)
          }}
          onPlay={() => {
            isHeld = false
            tell()
          }}
          onPause={() => {
            isHeld ||= video.error === null
            tell()
            progress.save()
          }}
          onSeeked={tell}
          onEmptied={tell}
          onRateChange={remember}
          onVolumeChange={remember}
          onEnded={() => {
            tell()
            progress.save()
            props.onEnded?.()
          }}
          onError={() => fail(video.error?.code === MediaError.MEDIA_ERR_NETWORK ? 'network' : 'media')}
          class={`size-full object-contain cue-${subtitles.size()} ${props.isLost ? 'invisible' : ''}`}
        >
          <For each={props.playback.subtitleTracks}>
            {(track) => (
              <track
                kind="subtitles"
                src={track.url}
                label={trackName(track)}
                srclang={track.language ?? undefined}
                onLoad={subtitles.onTrackLoad}
              />
            )}
          </For>
          <Show when={props.playback.previewsUrl}>{(url) => <track kind="metadata" label={PREVIEWS} src={url()} default />}</Show>
        </video>
        <Show when={!props.isLost}>
          <StallRing />
          <PlayerControls
            position={position()}
            duration={duration()}
            speed={speed()}
            onSpeed={(wanted) => note.show(setSpeed(video, wanted))}
            chapters={chapters}
            tracks={props.playback.subtitleTracks}
            hasPictureSubtitles={props.playback.hasPictureSubtitles}
            subtitles={subtitles}
            sounds={props.playback.audioTracks}
            soundId={props.playback.audioTrackId}
            onSound={(id) => props.onSound(id, video.currentTime)}
            qualities={props.playback.qualities}
            quality={props.playback.quality}
            onQuality={(quality) => props.onQuality(quality, video.currentTime)}
            onBusy={setBusy}
            onHelp={help}
            onVolume={(by) => actVisibly({ kind: 'volume', by })}
            onPrevious={props.onPrevious}
            onNext={props.onNext}
          />
        </Show>
      </media-controller>
      <Show when={!(hasBegun() || isPlaying() || props.isLost)}>
        <PlayerWait />
      </Show>
      <SkipRipple side={ripple.text()} seconds={seconds().long} />
      <Show when={!props.isLost}>
        <StageNotices
          resumedAt={progress.resumedAt()}
          onStartOver={progress.startOver}
          isSilenced={isSilenced()}
          onSound={() => (video.muted = false)}
        />
      </Show>
      <StageNote text={note.text()} />
      {props.children}
      <Show when={isHelping()}>
        <PlayerHelp played={props} onClose={() => setHelping(false)} />
      </Show>
    </div>
  )
}
