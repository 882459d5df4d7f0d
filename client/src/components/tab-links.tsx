import { For, Show } from 'solid-js'
import { createShownInRow } from '../primitives/create-shown-in-row.ts'

interface TabLinksProps<Value extends string> {
  label: string
  value: Value
  tabs: readonly { value: Value; label: string; note?: string }[]
  onSelect: (value: Value) => void
  /** The id of the panel that the tabs switch. */
  panelId: string
}

/** Tabs whose choice is kept in the address; arrow keys move between them. */
export const TabLinks = <Value extends string>(props: TabLinksProps<Value>) => {
  let list!: HTMLDivElement
  createShownInRow(
    () => list,
    '[aria-selected=true]',
    () => props.value,
  )
  const step = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (direction === undefined) return
    event.preventDefault()
    const index = props.tabs.findIndex(({ value }) => value === props.value)
    const next = props.tabs[(index + direction + props.tabs.length) % props.tabs.length]
    if (!next) return
    props.onSelect(next.value)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.value}"]`)?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={props.label}
      class="no-scrollbar relative flex gap-6 overflow-x-auto border-b border-line"
      onKeyDown={step}
    >
      <For each={props.tabs}>
        {(tab) => (
          <button
            type="button"
            role="tab"
            data-tab={tab.value}
            aria-selected={tab.value === props.value}
            aria-controls={props.panelId}
            tabIndex={tab.value === props.value ? 0 : -1}
            onClick={() => props.onSelect(tab.value)}
            class="relative -mx-2 -mb-px flex h-11 shrink-0 items-center gap-2 px-2 text-small whitespace-nowrap text-muted transition-colors after:absolute after:inset-x-2 after:bottom-0 after:border-b-2 after:border-transparent hover:text-fg aria-selected:font-semibold aria-selected:text-fg aria-selected:after:border-accent"
          >
            {tab.label}
            <Show when={tab.note}>
              <span class="text-caption text-muted tabular-nums">{tab.note}</span>
            </Show>
          </button>
        )}
      </For>
    </div>
  )
}
