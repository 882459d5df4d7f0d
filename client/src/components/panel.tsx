import { type JSX, Show } from 'solid-js'

/** A titled box of settings. */
export const Panel = (props: { title: string; lead?: string; actions?: JSX.Element; children: JSX.Element }) => (
  <section class="rounded-card border border-line bg-surface p-4 sm:p-6">
    <header class="mb-4 flex flex-wrap items-start justify-between gap-3">
      <div class="min-w-0 wrap-anywhere">
        <h2 class="text-h3 font-semibold">{props.title}</h2>
        <Show when={props.lead}>{(lead) => <p class="text-small text-muted">{lead()}</p>}</Show>
      </div>
      {props.actions}
    </header>
    {props.children}
  </section>
)
