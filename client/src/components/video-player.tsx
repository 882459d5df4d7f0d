import { Download } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { t } from '../i18n/details.ts'
import { createPlaybackProgress } from '../primitives/playback-progress.ts'
import { FileLinkButton } from './button.tsx'

interface VideoPlayerProps {
  itemKey: string
  url: string
  title: string
  posterUrl: string | null
  downloadUrl: string | null
  /** Seconds; where to begin instead of the saved position. */
  startAt?: number | undefined
  onEnded?: () => void
}

/** The browser's own player, filling its box. It begins where this user stopped. */
export const VideoPlayer = (props: VideoPlayerProps) => {
  let video!: HTMLVideoElement
  const [isUnplayable, setUnplayable] = createSignal(false)
  const progress = createPlaybackProgress({ itemKey: () => props.itemKey, video: () => video, startAt: () => props.startAt })

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

  return (
    <Show
      when={!isUnplayable()}
      fallback={
        <div role="alert" class="absolute inset-0 flex flex-col items-center justify-center gap-4 p-6 text-center">
          <div>
            <h2 class="text-h3 font-semibold">{t('player.unplayableHeading')}</h2>
            <p class="max-w-[52ch] text-small text-muted">{t('player.unplayable')}</p>
          </div>
          <Show when={props.downloadUrl}>
            {(url) => (
              <FileLinkButton href={url()} download="" variant="primary">
                <Download size={18} aria-hidden="true" />
                {t('action.download')}
              </FileLinkButton>
            )}
          </Show>
        </div>
      }
    >
      {/* biome-ignore lint/a11y/useMediaCaption: sidecar subtitles come with the full player */}
      <video
        ref={video}
        src={props.url}
        poster={props.posterUrl ?? undefined}
        aria-label={props.title}
        controls
        playsinline
        preload="metadata"
        onLoadedMetadata={() => {
          progress.resume()
          void play()
        }}
        onTimeUpdate={progress.onTimeUpdate}
        onPause={progress.save}
        onEnded={() => {
          progress.save()
          props.onEnded?.()
        }}
        onError={() => setUnplayable(true)}
        class="absolute inset-0 size-full bg-stage object-contain"
      />
    </Show>
  )
}
