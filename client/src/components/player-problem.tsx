import { Download } from 'lucide-solid'
import { onMount, Show } from 'solid-js'
import { t } from '../i18n/viewers.ts'
import { Button, FileLinkButton } from './button.tsx'

interface PlayerProblemProps {
  heading: string
  text: string
  downloadUrl: string | null
  onRetry?: () => void
  isRetrying?: boolean
}

/** In place of a picture that will not come: what to do instead. What else lies on the stage, as the way back, stays in reach. */
export const PlayerProblem = (props: PlayerProblemProps) => {
  let box!: HTMLDivElement
  // What had the focus went with the picture.
  onMount(() => document.activeElement === document.body && box.querySelector<HTMLElement>('a, button')?.focus())
  return (
    <div
      ref={box}
      role="alert"
      class="pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-4 p-6 text-center *:pointer-events-auto"
    >
      <div>
        <h2 class="text-h3 font-semibold">{props.heading}</h2>
        <p class="max-w-[52ch] text-small text-muted">{props.text}</p>
      </div>
      <div class="flex flex-wrap justify-center gap-3">
        <Show when={props.downloadUrl}>
          {(url) => (
            <FileLinkButton href={url()} download="" variant="primary">
              <Download size={18} aria-hidden="true" />
              {t('action.download')}
            </FileLinkButton>
          )}
        </Show>
        <Show when={props.onRetry}>
          {(retry) => (
            <Button isBusy={props.isRetrying} onClick={() => retry()()}>
              {t('action.retry')}
            </Button>
          )}
        </Show>
      </div>
    </div>
  )
}
