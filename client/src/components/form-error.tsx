import { Show } from 'solid-js'

/** What went wrong with a whole form. */
export const FormError = (props: { text: string | undefined }) => (
  <Show when={props.text}>
    {(text) => (
      <p role="alert" class="rounded-card bg-danger-soft px-3 py-2 text-small text-danger">
        {text()}
      </p>
    )}
  </Show>
)
