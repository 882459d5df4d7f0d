import { type JSX, Show } from 'solid-js'
import { createHeadingFocus } from '../primitives/route-focus.ts'

interface PageHeadingProps {
  children: JSX.Element
  class?: string
}

/** The one h1 of a screen. */
export const PageHeading = (props: PageHeadingProps) => {
  let heading!: HTMLHeadingElement
  createHeadingFocus(() => heading)
  return (
    <h1 ref={heading} tabIndex={-1} class={props.class ?? 'text-h1 font-semibold'}>
      {props.children}
    </h1>
  )
}

interface PageHeaderProps {
  title: string
  lead?: JSX.Element
  actions?: JSX.Element
}

export const PageHeader = (props: PageHeaderProps) => (
  <header class="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
    <div class="min-w-0">
      <PageHeading>{props.title}</PageHeading>
      <Show when={props.lead}>
        <p class="text-small text-muted">{props.lead}</p>
      </Show>
    </div>
    <Show when={props.actions}>
      <div class="flex flex-wrap items-center gap-2">{props.actions}</div>
    </Show>
  </header>
)
