import { SlidersHorizontal } from 'lucide-solid'
import { Show } from 'solid-js'
import { t } from '../i18n/filters.ts'
import type { Filters } from '../primitives/create-filters.ts'
import { formatCount } from '../primitives/format.ts'
import { Button } from './button.tsx'

/** Opens and closes the filter panel; says how many filters are active. */
export const FiltersButton = (props: { filters: Filters }) => (
  <Button
    data-filters-button
    aria-expanded={props.filters.panel.isOpen()}
    aria-keyshortcuts="f"
    onClick={props.filters.panel.toggle}
    class="max-sm:px-3 aria-expanded:border-accent"
  >
    <SlidersHorizontal size={18} aria-hidden="true" />
    <span class="max-sm:sr-only">{t('filters.open')}</span>
    <Show when={props.filters.count() > 0}>
      <span class="min-w-5 rounded-pill bg-accent px-1 text-center text-caption text-on-accent tabular-nums">
        <span aria-hidden="true">{formatCount(props.filters.count())}</span>
        <span class="sr-only">{t('filters.active', props.filters.count())}</span>
      </span>
    </Show>
  </Button>
)
