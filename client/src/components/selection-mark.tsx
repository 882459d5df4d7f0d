import { Check } from 'lucide-solid'
import { Show } from 'solid-js'

/** Undefined where nothing is being selected: the entry is a link then. */
export type SelectionState = 'on' | 'off' | undefined

export const SelectionMark = (props: { state: SelectionState; class?: string }) => (
  <Show when={props.state}>
    <span
      aria-hidden="true"
      class={`flex size-6 shrink-0 items-center justify-center rounded-pill border-2 ${props.state === 'on' ? 'border-accent bg-accent text-on-accent' : 'border-control bg-bg'} ${props.class ?? ''}`}
    >
      <Show when={props.state === 'on'}>
        <Check size={14} />
      </Show>
    </span>
  </Show>
)
