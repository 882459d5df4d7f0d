import { createComputed, createEffect, createMemo, Match, Show, Switch } from 'solid-js'
import type { Playback } from '../api/playback.ts'
import type { PlaybackControl } from '../primitives/create-playback.ts'
import { createPlaybackFailure } from '../primitives/playback-failure.ts'
import type { SourceFailure } from '../primitives/stream-source.ts'
import { ErrorCard } from './error-card.tsx'
import { PlayerWait } from './loading-ring.tsx'
import { speakControls } from './player-elements.ts'
import { PlayerProblem } from './player-problem.tsx'
import { VideoStage, type VideoStageProps } from './video-stage.tsx'

interface VideoPlayerProps extends VideoStageProps {
  control: PlaybackControl
  downloadUrl: string | null
  onUnplayable?: () => void
}

/** A video as this browser can play it: the file itself, or what the server makes of it. */
export const VideoPlayer = (props: VideoPlayerProps) => {
  speakControls()
  const failure = createPlaybackFailure(props.control)
  /** Asked for in vain while the line is broken, it is what it was: the stage stands meanwhile. */
  const playback = createMemo<Playback | undefined>((known) => props.control.playback() ?? known)
  /** Seconds; where the last failure came. It outlives it: that is where a further attempt begins. */
  let failedAt: number | undefined
  const fail = (kind: SourceFailure, position: number) => {
    // What did not even begin is tried from where it was to begin.
    failedAt = position || failedAt
    void failure.fail(kind, position)
  }
  createEffect(() => (failure.isUnplayable() || failure.refusal()) && props.onUnplayable?.())
  const stands = () => [failure.refusal(), failure.isUnplayable(), playback()]
  let focused: Element | null = null
  createComputed(() => {
    stands()
    focused = document.activeElement
  })
  // What the header has in it loses the focus as the header moves.
  createEffect(() => {
    stands()
    if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement) focused.focus()
  })
  const problem = () => <PlayerProblem failure={failure} downloadUrl={props.downloadUrl} playback={playback()} />
  return (
    <Switch
      fallback={
        <>
          {props.header}
          <Show when={failure.failure()} fallback={<PlayerWait />}>
            {problem()}
          </Show>
        </>
      }
    >
      <Match when={failure.refusal()}>
        {(error) => (
          <>
            {props.header}
            <div class="px-4">
              <ErrorCard error={error()} onRetry={failure.retry} />
            </div>
          </>
        )}
      </Match>
      <Match when={!failure.isUnplayable() && playback()}>
        {(known) => (
          <VideoStage
            {...props}
            playback={known()}
            startAt={failedAt ?? props.startAt}
            isLost={failure.isLost()}
            onSound={props.control.chooseAudio}
            onQuality={props.control.chooseQuality}
            onFailure={fail}
          >
            <Show when={failure.isLost()} fallback={props.children}>
              {problem()}
            </Show>
          </VideoStage>
        )}
      </Match>
    </Switch>
  )
}
