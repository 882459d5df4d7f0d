import { createUniqueId, For, type JSX, Show } from 'solid-js'

interface SegmentedControlProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string; short?: string; icon?: JSX.Element }[]
  onSelect: (value: Value) => void
}

/** One of a few choices, side by side; a radio group, so that arrow keys work. */
export const SegmentedControl = <Value extends string>(props: SegmentedControlProps<Value>) => {
  const name = createUniqueId()
  return (
    <fieldset class="flex h-target-large max-w-full min-w-0 shrink-0 items-center gap-1 rounded-card border border-line bg-surface p-1 pointer-coarse:box-content pointer-coarse:gap-0 pointer-coarse:p-0">
      <legend class="sr-only">{props.label}</legend>
      <For each={props.options}>
        {(option) => (
          <label
            title={option.label}
            class="flex h-full min-w-8 pointer-coarse:min-w-10 items-center justify-center gap-2 rounded-chip px-2 text-small text-muted transition-colors hover:text-fg has-checked:bg-raised has-checked:font-semibold has-checked:text-fg has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              class="sr-only"
              name={name}
              checked={option.value === props.value}
              onChange={() => props.onSelect(option.value)}
              aria-label={option.label}
            />
            {option.icon}
            <Show when={option.short ?? (option.icon ? undefined : option.label)}>
              {(text) => (
                <span aria-hidden="true" class="truncate">
                  {text()}
                </span>
              )}
            </Show>
          </label>
        )}
      </For>
    </fieldset>
  )
}
