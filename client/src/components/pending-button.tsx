import { LoaderCircle } from 'lucide-solid'
import { type JSX, Show } from 'solid-js'
import { PressButton } from './press-button.tsx'

interface PendingButtonProps {
  icon: JSX.Element
  children: JSX.Element
  /** How far the work is while it is under way; then it takes no click. */
  pending: string | undefined
  /** Takes no click; what it is described by says why. */
  disabled?: boolean | undefined
  describedBy?: string | undefined
  onClick: () => void
}

/** Asks for work that takes its time. Waiting is no error: it shows in the accent colour, and the button keeps the focus. */
export const PendingButton = (props: PendingButtonProps) => (
  <PressButton
    onClick={() => props.onClick()}
    isBusy={props.pending !== undefined}
    disabled={props.disabled}
    aria-describedby={props.describedBy}
    title={props.pending}
    class="inline-flex min-h-target-large max-w-full shrink-0 items-center justify-center gap-2 rounded-card border border-line bg-surface px-4 text-small font-semibold text-fg transition-colors select-none hover:bg-raised aria-disabled:not-aria-busy:cursor-not-allowed aria-disabled:not-aria-busy:text-muted aria-busy:cursor-default aria-busy:border-accent aria-busy:bg-accent aria-busy:text-on-accent"
  >
    <Show when={props.pending} fallback={props.icon}>
      <LoaderCircle size={16} class="animate-spin" aria-hidden="true" />
    </Show>
    {props.children}
    <Show when={props.pending}>{(text) => <span class="sr-only">: {text()}</span>}</Show>
  </PressButton>
)
