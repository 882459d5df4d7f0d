import { Show } from 'solid-js'
import { t } from '../i18n/filters.ts'
import type { Filters } from '../primitives/create-filters.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FilterPanelBody } from './filter-panel.tsx'
import { resultText } from './result-count.tsx'

/** The filters over the content, from the bottom edge. It keeps the count of what is left over from screen readers. */
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
