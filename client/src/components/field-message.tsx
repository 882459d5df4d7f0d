import { Show } from 'solid-js'

interface FieldMessageProps {
  /** The id of the field that it is about. */
  field: string
  hint?: string | undefined
  error?: string | undefined
}

/** What `aria-describedby` of the field is; undefined where there is nothing to say. */
export const describedBy = ({ field, hint, error }: FieldMessageProps): string | undefined =>
  error ? `${field}-error` : hint ? `${field}-hint` : undefined

/** Below a field: what is wrong with it, or else what it is for. */
export const FieldMessage = (props: FieldMessageProps) => (
  <Show
    when={props.error}
    fallback={
      <Show when={props.hint}>
        {(hint) => (
          <p id={`${props.field}-hint`} class="text-caption text-muted">
            {hint()}
          </p>
        )}
      </Show>
    }
  >
    {(error) => (
      <p id={`${props.field}-error`} class="text-caption text-danger" role="alert">
        {error()}
      </p>
    )}
  </Show>
)
