import { type JSX, Show } from 'solid-js'

/** A part of a page under its own heading. */
export const Section = (props: { title: string; note?: string; actions?: JSX.Element; children: JSX.Element }) => (
  <section class="mt-10">
    <header class="mb-3 flex min-h-8 flex-wrap items-center gap-3">
      <h2 class="min-w-0 text-h2 font-semibold break-words">{props.title}</h2>
      <Show when={props.note}>
        <span class="text-small text-muted tabular-nums">{props.note}</span>
      </Show>
      <Show when={props.actions}>
        <div class="flex flex-wrap items-center gap-2 max-sm:w-full sm:ml-auto">{props.actions}</div>
      </Show>
    </header>
    {props.children}
  </section>
)
