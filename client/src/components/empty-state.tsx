import { type JSX, Show } from 'solid-js'
import { PageHeading } from './page-header.tsx'

const HEADING = 'text-h3 font-semibold'

interface EmptyStateProps {
  /** It is the whole screen, and its heading the screen's. */
  isScreen?: boolean
  icon: JSX.Element
  heading: string
  text?: string
  children?: JSX.Element
}

export const EmptyState = (props: EmptyStateProps) => (
  <div class="flex flex-col items-center gap-4 px-4 py-16 text-center">
    <div class="flex size-16 items-center justify-center rounded-pill bg-raised text-muted">{props.icon}</div>
    <div class="flex max-w-[48ch] flex-col gap-1">
      <Show when={props.isScreen} fallback={<h2 class={HEADING}>{props.heading}</h2>}>
        <PageHeading class={HEADING}>{props.heading}</PageHeading>
      </Show>
      <Show when={props.text}>{(text) => <p class="text-small text-muted">{text()}</p>}</Show>
    </div>
    <div class="flex max-w-full flex-wrap items-center justify-center gap-3">{props.children}</div>
  </div>
)
