import { Show } from 'solid-js'
import { t } from '../i18n/filters.ts'
import type { Filters } from '../primitives/create-filters.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FilterPanelBody } from './filter-panel.tsx'

/** It covers what is left over, and keeps it from screen readers. */
const resultText = (isFiltered: boolean, total: number | null | undefined): string => {
  if (!isFiltered || total === undefined) return ''
  return total === null ? t('library.manyResults') : t('library.results', total)
}

/** The filters over the content, from the bottom edge. */
export const FilterSheet = (props: { filters: Filters; total: number | null | undefined }) => (
  <Dialog
    isSheet
    isInAddress
    title={t('filters.open')}
    lead={<span aria-live="polite">{resultText(props.filters.count() > 0, props.total)}</span>}
    onClose={props.filters.panel.close}
  >
    <div class="-mx-3">
      <FilterPanelBody filters={props.filters} />
    </div>
    <Show when={props.filters.count() > 0}>
      <Button class="mt-3 w-full" onClick={props.filters.clear}>
        {t('action.clearFilters')}
      </Button>
    </Show>
  </Dialog>
)
