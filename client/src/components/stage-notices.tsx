import { FastForward, Rewind, RotateCcw, VolumeX } from 'lucide-solid'
import { Show } from 'solid-js'
import { t } from '../i18n/viewers.ts'
import { formatClock } from '../primitives/format.ts'
import { Button } from './button.tsx'

interface StageNoticesProps {
  /** Seconds; undefined where it began at its start. */
  resumedAt: number | undefined
  onStartOver: () => void
  /** The browser has refused to begin with sound. */
  isSilenced: boolean
  onSound: () => void
}

/** What the player has decided by itself, each with the way to undo it. */
export const StageNotices = (props: StageNoticesProps) => (
  <div role="status" class="pointer-events-none absolute inset-x-0 top-16 flex flex-wrap items-start justify-between gap-2 px-4">
    <Show when={props.resumedAt}>
      {(from) => (
        <div class="pointer-events-auto flex animate-rise items-center gap-3 rounded-card bg-scrim py-1 pr-1 pl-4 text-small">
          <span class="tabular-nums">{t('watch.resumed', formatClock(from()))}</span>
          <Button size="small" onClick={props.onStartOver}>
            <RotateCcw size={16} aria-hidden="true" />
            {t('item.startOver')}
          </Button>
        </div>
      )}
    </Show>
    <Show when={props.isSilenced}>
      <Button class="pointer-events-auto animate-rise" onClick={props.onSound}>
        <VolumeX size={18} aria-hidden="true" />
        {t('watch.silenced')}
      </Button>
    </Show>
  </div>
)

/** What a key has done, which the picture does not show. */
export const StageNote = (props: { text: string | undefined }) => (
  <p
    aria-live="polite"
    class="pointer-events-none absolute top-16 left-1/2 -translate-x-1/2 rounded-card bg-scrim px-4 py-2 text-body tabular-nums empty:hidden"
  >
    {props.text}
  </p>
)

interface SkipRippleProps {
  /** `left` is back; undefined while nobody skips. */
  side: string | undefined
  seconds: number
}

/** Where two taps have skipped, and how far. */
export const SkipRipple = (props: SkipRippleProps) => (
  <Show when={props.side} keyed>
    {(side) => (
      <div class={`player-ripple ${side === 'left' ? 'left-0' : 'right-0'}`} aria-hidden="true">
        <Show when={side === 'left'} fallback={<FastForward size={32} fill="currentColor" />}>
          <Rewind size={32} fill="currentColor" />
        </Show>
        <span class="text-small font-semibold tabular-nums">{t('watch.skipped', props.seconds)}</span>
      </div>
    )}
  </Show>
)
