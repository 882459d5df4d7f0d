import { createSignal, type JSX, Show } from 'solid-js'
import type { Filters } from '../primitives/create-filters.ts'
import { createMediaQuery, SIDE_PANEL_QUERY } from '../primitives/create-media-query.ts'
import { onChange } from '../primitives/on-change.ts'
import { createShortcut } from '../primitives/shortcuts.ts'
import { late } from './late.tsx'

const FilterPanel = late(async () => (await import('./filter-panel.tsx')).FilterPanel)
const FilterSheet = late(async () => (await import('./filter-panel-sheet.tsx')).FilterSheet)

interface FilterPanelLayoutProps {
  filters: Filters
  /** How many entries are left over: undefined before the answer, null where there are too many to count. */
  total: number | null | undefined
  children: JSX.Element
}

/** The content with its filter panel: beside it where there is room, over it where there is none. */
export const FilterPanelLayout = (props: FilterPanelLayoutProps) => {
  const isWide = createMediaQuery(SIDE_PANEL_QUERY)
  createShortcut('filters', () => props.filters.panel.toggle())
  /** Opened here, and not by the address: then the focus goes along. */
  const [wasOpened, setOpened] = createSignal(false)
  // Whoever closes the panel by its own button or by a key goes on where it was opened.
  onChange(props.filters.panel.isOpen, (isOpen) => {
    setOpened(isOpen)
    if (!isOpen && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('[data-filters-button]')?.focus({ preventScroll: true })
    }
  })
  return (
    <div class="flex items-start gap-6">
      <div class="min-w-0 grow">{props.children}</div>
      <Show when={props.filters.panel.isOpen()}>
        <Show when={isWide()} fallback={<FilterSheet filters={props.filters} total={props.total} />}>
          <FilterPanel filters={props.filters} isFocused={wasOpened()} />
        </Show>
      </Show>
    </div>
  )
}
