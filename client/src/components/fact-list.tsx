import { For } from 'solid-js'

interface Fact {
  label: string
  value: string
  isCode?: boolean
}

export const FactList = (props: { facts: readonly Fact[] }) => (
  <dl class="grid overflow-hidden rounded-card border border-line bg-surface sm:grid-cols-2 xl:grid-cols-4">
    <For each={props.facts}>
      {(fact) => (
        <div class="-mr-px -mb-px min-w-0 border-r border-b border-line p-4 sm:last:odd:col-span-2 xl:last:odd:col-span-1">
          <dt class="text-caption text-muted">{fact.label}</dt>
          <dd class={fact.isCode ? 'mt-1 font-mono text-small break-all' : 'mt-1 text-body font-semibold tabular-nums'}>{fact.value}</dd>
        </div>
      )}
    </For>
  </dl>
)
