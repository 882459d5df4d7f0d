import { type JSX, Show } from 'solid-js'

interface EmptyStateProps {
  icon: JSX.Element
  heading: string
  text?: string
  children?: JSX.Element
}

export const EmptyState = (props: EmptyStateProps) => (
  <div class="flex flex-col items-center gap-4 px-4 py-16 text-center">
    <div class="flex size-16 items-center justify-center rounded-pill bg-raised text-muted">{props.icon}</div>
    <div class="flex max-w-[48ch] flex-col gap-1">
      <h2 class="text-h3 font-semibold">{props.heading}</h2>
      <Show when={props.text}>{(text) => <p class="text-small text-muted">{text()}</p>}</Show>
    </div>
    <div class="flex flex-wrap items-center justify-center gap-3">{props.children}</div>
  </div>
)
