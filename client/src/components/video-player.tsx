import { createSignal, Show } from 'solid-js'
import { isServerThere } from '../api/health.ts'
import { ApiProblem } from '../api/http.ts'
import { t } from '../i18n/viewers.ts'
import type { PlaybackControl } from '../primitives/create-playback.ts'
import { createReturnWatch } from '../primitives/return-watch.ts'
import type { SourceFailure } from '../primitives/stream-source.ts'
import { ErrorCard } from './error-card.tsx'
import { PlayerProblem } from './player-problem.tsx'
import { VideoStage, type VideoStageProps } from './video-stage.tsx'

export interface VideoPlayerProps extends VideoStageProps {
  control: PlaybackControl
  downloadUrl: string | null
}

/** A video as this browser can play it: the file itself, or what the server makes of it. */
export const VideoPlayer = (props: VideoPlayerProps) => {
  const [failure, setFailure] = createSignal<SourceFailure>()
  /** Seconds; where the last one came. It outlives it: that is where a further attempt begins. */
  let failedAt: number | undefined
  /** Whether somebody had paused it by then: what goes on by itself stays paused. */
  let wasPaused = false
  let isJudging = false
  const fail = async (kind: SourceFailure, position: number, isPaused: boolean) => {
    // What did not even begin is tried from where it was to begin.
    failedAt = position || failedAt
    wasPaused = isPaused
    if (isJudging) return
    isJudging = true
    // To a browser whatever does not come is a file that it cannot play.
    const isBroken = kind === 'network' || !(await isServerThere())
    isJudging = false
    // What broke on the way is no better in another form.
    if (isBroken) setFailure('network')
    else if (!props.control.distrust(position)) setFailure('media')
  }
  const problem = () => {
    const failed = failure()
    if (failed === undefined) return undefined
    if (failed === 'network') return t('watch.broken')
    return props.control.playback()?.obstacle === 'no_ffmpeg' ? t('watch.noFfmpeg') : t('watch.unplayable')
  }
  const goOn = async () => {
    const { isSuccess } = await props.control.query.refetch()
    if (isSuccess) setFailure(undefined)
  }
  const retry = () => {
    wasPaused = false
    return goOn()
  }
  /** The server's word on it, which no browser is to blame for. */
  const refusal = () => {
    const error = props.control.query.isError ? props.control.query.error : undefined
    return failure() === 'network' && error instanceof ApiProblem && error.status === 0 ? undefined : error
  }
  createReturnWatch(() => failure() === 'network' && !refusal(), goOn)
  return (
    <Show
      when={!refusal() && problem() === undefined}
      fallback={
        <>
          {props.header}
          <Show
            when={refusal()}
            fallback={
              <PlayerProblem
                heading={failure() === 'network' ? t('watch.brokenHeading') : t('watch.unplayableHeading')}
                text={problem() ?? ''}
                downloadUrl={props.downloadUrl}
                onRetry={retry}
                isRetrying={props.control.query.isFetching}
              />
            }
          >
            {(error) => (
              <div class="px-4">
                <ErrorCard error={error()} onRetry={retry} />
              </div>
            )}
          </Show>
        </>
      }
    >
      <Show when={props.control.playback()} fallback={props.header}>
        {(playback) => (
          <VideoStage
            {...props}
            playback={playback()}
            startAt={failedAt ?? props.startAt}
            isHeld={wasPaused}
            onSound={props.control.chooseAudio}
            onQuality={props.control.chooseQuality}
            onFailure={fail}
          />
        )}
      </Show>
    </Show>
  )
}
