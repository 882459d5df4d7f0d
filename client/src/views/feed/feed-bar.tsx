import { CircleHelp, ListOrdered, Pause, Play, Shuffle, X } from 'lucide-solid'
import { Show } from 'solid-js'
import { IconButton } from '../../components/icon-button.tsx'
import { t } from '../../i18n/feed.ts'

interface FeedBarProps {
  counter: string
  hasCounter: boolean
  isShuffled: boolean
  isAdvancing: boolean
  canAdvance: boolean
  onClose: () => void
  onShuffle: () => void
  onAdvance: () => void
  onHelp: () => void
  ref: (closeButton: HTMLButtonElement) => void
}

/** Above the feed, before it in the order of focus. */
export const FeedBar = (props: FeedBarProps) => (
  <header class="feed-top pointer-events-none absolute inset-x-0 top-0 z-1 flex h-20 items-start gap-1 safe-px-2 pt-2 *:pointer-events-auto">
    <IconButton ref={props.ref} size="large" label={t('feed.close')} onClick={() => props.onClose()}>
      <X size={24} />
    </IconButton>
    <span class="mr-auto px-2 text-small leading-11 tabular-nums" aria-live="polite">
      {props.hasCounter ? props.counter : ''}
    </span>
    <Show when={props.canAdvance}>
      <IconButton size="large" label={t('feed.autoAdvance')} aria-pressed={props.isAdvancing} onClick={() => props.onAdvance()}>
        <Show when={props.isAdvancing} fallback={<Play size={22} />}>
          <Pause size={22} />
        </Show>
      </IconButton>
    </Show>
    <IconButton
      size="large"
      label={props.isShuffled ? t('feed.inOrder') : t('feed.shuffle')}
      onClick={() => props.onShuffle()}
      class="text-fg"
    >
      <Show when={props.isShuffled} fallback={<Shuffle size={22} />}>
        <ListOrdered size={22} />
      </Show>
    </IconButton>
    <IconButton size="large" label={t('feed.keys')} onClick={() => props.onHelp()} class="max-md:hidden">
      <CircleHelp size={22} />
    </IconButton>
  </header>
)
