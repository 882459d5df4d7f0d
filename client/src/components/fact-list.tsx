import { For } from 'solid-js'

export interface Fact {
  label: string
  value: string
  isCode?: boolean
}

export const FactList = (props: { facts: readonly Fact[] }) => (
  <dl class="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 xl:grid-cols-4">
    <For each={props.facts}>
      {(fact) => (
        <div class="min-w-0 bg-surface p-4">
          <dt class="text-caption text-muted">{fact.label}</dt>
          <dd class={fact.isCode ? 'mt-1 font-mono text-small break-all' : 'mt-1 text-body font-semibold tabular-nums'}>{fact.value}</dd>
        </div>
      )}
    </For>
  </dl>
)
