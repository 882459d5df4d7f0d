import { createUniqueId, type JSX } from 'solid-js'
import { describedBy, FieldMessage } from './field-message.tsx'

interface TextAreaProps {
  ref?: (field: HTMLTextAreaElement) => void
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: string
  placeholder?: string | undefined
  /** Lines that are seen at first; it can be pulled larger. */
  rows: number
  /** Set as code is: prompts, lists. */
  isCode?: boolean
  /** Stands at the end of the label's line. */
  action?: JSX.Element
  onInput: (value: string) => void
}

export const TextArea = (props: TextAreaProps) => {
  const id = createUniqueId()
  return (
    <div class="flex min-w-0 flex-col gap-1">
      <div class="flex min-h-8 flex-wrap items-center justify-between gap-x-4">
        <label for={id} class="text-small font-semibold">
          {props.label}
        </label>
        {props.action}
      </div>
      <textarea
        ref={(field) => props.ref?.(field)}
        id={id}
        rows={props.rows}
        value={props.value}
        placeholder={props.placeholder}
        spellcheck={!props.isCode}
        onInput={(event) => props.onInput(event.currentTarget.value)}
        class={`w-full resize-y rounded-card border bg-bg px-3 py-2 text-small transition-colors placeholder:text-muted hover:border-fg ${props.isCode ? 'font-mono' : ''} ${props.error ? 'border-danger' : 'border-control'}`}
        aria-invalid={props.error ? 'true' : undefined}
        aria-describedby={describedBy({ field: id, hint: props.hint, error: props.error })}
      />
      <FieldMessage field={id} hint={props.hint} error={props.error} />
    </div>
  )
}
