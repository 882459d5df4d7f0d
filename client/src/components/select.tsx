import { ChevronDown } from 'lucide-solid'
import { createUniqueId, For } from 'solid-js'
import { describedBy, FieldMessage } from './field-message.tsx'

interface SelectProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onSelect: (value: Value) => void
  /** The label stays for screen readers only. */
  isLabelHidden?: boolean
  hint?: string
  class?: string
}

/** A native select in the house style: it opens the system's own list on phones. */
export const Select = <Value extends string>(props: SelectProps<Value>) => {
  const id = createUniqueId()
  const choose = (text: string) => {
    const option = props.options.find(({ value }) => value === text)
    if (option) props.onSelect(option.value)
  }
  return (
    <div class={`flex min-w-0 flex-col gap-1 ${props.class ?? ''}`}>
      <label for={id} class={props.isLabelHidden ? 'sr-only' : 'text-small font-semibold'}>
        {props.label}
      </label>
      <div class="relative">
        <select
          id={id}
          value={props.value}
          aria-describedby={describedBy({ field: id, hint: props.hint })}
          onChange={(event) => choose(event.currentTarget.value)}
          class={`h-target-large w-full appearance-none truncate rounded-card border pr-8 pl-3 text-small transition-colors ${props.isLabelHidden ? 'border-line bg-surface hover:border-control' : 'border-control bg-bg hover:border-fg'}`}
        >
          <For each={props.options}>
            {(option) => (
              <option value={option.value} selected={option.value === props.value} class="bg-surface text-fg">
                {option.label}
              </option>
            )}
          </For>
        </select>
        <ChevronDown size={16} class="pointer-events-none absolute inset-y-0 right-3 my-auto text-muted" aria-hidden="true" />
      </div>
      <FieldMessage field={id} hint={props.hint} />
    </div>
  )
}
