import { Check } from 'lucide-solid'
import { type JSX, Show } from 'solid-js'

interface ToggleChipProps {
  isOn: boolean
  /** A short remark behind the name. */
  note?: string | undefined
  onToggle: () => void
  children: JSX.Element
}

export const TOGGLE_CLASS =
  'inline-flex h-target-small max-w-full min-w-0 items-center gap-2 rounded-pill border border-line bg-surface px-3 text-small transition-colors hover:border-control aria-pressed:border-accent aria-pressed:bg-accent-soft'

/** One of several that can be chosen together. */
export const ToggleChip = (props: ToggleChipProps) => (
  <button type="button" aria-pressed={props.isOn} onClick={() => props.onToggle()} class={TOGGLE_CLASS}>
    <Show when={props.isOn}>
      <Check size={14} class="shrink-0 text-accent" aria-hidden="true" />
    </Show>
    <span class="truncate">{props.children}</span>
    <Show when={props.note}>{(note) => <span class="text-caption text-warning">{note()}</span>}</Show>
  </button>
)
