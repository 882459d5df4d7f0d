import { Show } from 'solid-js'
import { t } from '../i18n/filters.ts'
import type { Filters } from '../primitives/create-filters.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FilterPanelBody } from './filter-panel.tsx'

/** The filters over the content, from the bottom edge. */
export const FilterSheet = (props: { filters: Filters }) => (
  <Dialog isSheet isOpen title={t('filters.open')} onClose={props.filters.panel.close}>
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
