import { createUniqueId, Show } from 'solid-js'

interface SwitchFieldProps {
  label: string
  hint?: string
  isOn: boolean
  disabled?: boolean
  onChange: (isOn: boolean) => void
}

export const SwitchField = (props: SwitchFieldProps) => {
  const id = createUniqueId()
  return (
    <div class="flex items-center gap-4">
      <label for={id} class="flex min-w-0 grow flex-col justify-center py-2 wrap-anywhere min-h-finger">
        <span class="text-small">{props.label}</span>
        <Show when={props.hint}>{(hint) => <span class="text-caption text-muted">{hint()}</span>}</Show>
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={props.isOn}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
        class="relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-pill border border-control bg-raised transition-colors before:absolute before:top-1 before:left-1 before:size-3.5 before:rounded-pill before:bg-muted before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-on-accent disabled:cursor-not-allowed disabled:opacity-50"
      />
    </div>
  )
}
