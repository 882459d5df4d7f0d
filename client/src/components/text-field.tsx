import { createUniqueId, type JSX, splitProps } from 'solid-js'
import { describedBy, FieldMessage } from './field-message.tsx'

type TextFieldProps = JSX.InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: string
  error?: string | undefined
  /** Stands inside the field, at its end. */
  trailing?: JSX.Element
}

export const TextField = (props: TextFieldProps) => {
  const [own, rest] = splitProps(props, ['label', 'hint', 'error', 'trailing', 'class'])
  const id = createUniqueId()
  return (
    <div class={`flex min-w-0 flex-col gap-1 ${own.class ?? ''}`}>
      <label for={id} class="text-small font-semibold">
        {own.label}
      </label>
      <div class="relative">
        <input
          id={id}
          type="text"
          {...rest}
          class={`h-target-large w-full rounded-card border bg-bg px-3 text-small transition-colors hover:border-fg ${own.trailing ? 'pr-12' : ''} ${own.error ? 'border-danger' : 'border-control'}`}
          aria-invalid={own.error ? 'true' : undefined}
          aria-describedby={describedBy({ field: id, hint: own.hint, error: own.error })}
        />
        <div class="absolute inset-y-0 right-1 flex items-center">{own.trailing}</div>
      </div>
      <FieldMessage field={id} hint={own.hint} error={own.error} />
    </div>
  )
}
