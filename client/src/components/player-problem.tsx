import { Download } from 'lucide-solid'
import { onMount, Show } from 'solid-js'
import type { Playback } from '../api/playback.ts'
import { t } from '../i18n/viewers.ts'
import type { PlaybackFailure } from '../primitives/playback-failure.ts'
import { Button, type ButtonVariant, FileLinkButton } from './button.tsx'
import { late } from './late.tsx'

// Few videos need it, and none while there is no way to the server.
const FileFormat = late(async () => (await import('./file-format.tsx')).FileFormat)

interface PlayerProblemProps {
  failure: PlaybackFailure
  downloadUrl: string | null
  /** As far as it was told. */
  playback: Playback | undefined
}

/** In place of a picture that will not come: what to do instead. What else lies on the stage, as the way back, stays in reach. */
export const PlayerProblem = (props: PlayerProblemProps) => {
  let box!: HTMLDivElement
  // What had the focus went with the picture, or only holds it for want of a button.
  onMount(() => {
    if (!document.activeElement?.matches('a, button, input, select'))
      box.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  })
  const isLost = () => props.failure.isLost()
  const why = () => props.failure.failure() ?? 'damaged'
  const text = () => t(!isLost() && props.playback?.obstacle === 'no_ffmpeg' ? 'watch.noFfmpeg' : `watch.${why()}`)
  const Retry = (own: { variant: ButtonVariant }) => (
    <Button variant={own.variant} isBusy={props.failure.isRetrying()} onClick={props.failure.retry}>
      {t('action.retry')}
    </Button>
  )
  return (
    <div
      ref={box}
      role="alert"
      class="pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-4 p-6 text-center *:pointer-events-auto"
    >
      <div>
        <h2 class="text-h3 font-semibold">{t(`watch.${why()}Heading`)}</h2>
        <p class="max-w-[52ch] text-small text-muted">{text()}</p>
        <Show when={!isLost() && props.playback}>{(playback) => <FileFormat playback={playback()} />}</Show>
      </div>
      <div class="flex flex-wrap justify-center gap-3">
        <Show when={isLost()}>
          <Retry variant="primary" />
        </Show>
        <Show when={why() !== 'away' && props.downloadUrl}>
          {(url) => (
            <FileLinkButton href={url()} download="" variant={isLost() ? 'secondary' : 'primary'}>
              <Download size={18} aria-hidden="true" />
              {t('action.download')}
            </FileLinkButton>
          )}
        </Show>
        <Show when={!isLost()}>
          <Retry variant="secondary" />
        </Show>
      </div>
    </div>
  )
}
