import { createUniqueId } from 'solid-js'

interface CheckboxFieldProps {
  label: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

export const CheckboxField = (props: CheckboxFieldProps) => {
  const id = createUniqueId()
  return (
    <div class="flex items-center gap-3">
      <input
        id={id}
        type="checkbox"
        checked={props.isChecked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
        class="size-5 shrink-0 accent-accent"
      />
      <label for={id} class="min-w-0 grow py-2 text-small pointer-coarse:py-3">
        {props.label}
      </label>
    </div>
  )
}
