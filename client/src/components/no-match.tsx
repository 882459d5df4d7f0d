import { SearchX } from 'lucide-solid'
import { Show } from 'solid-js'
import { t } from '../i18n/empty-library.ts'
import type { Filters } from '../primitives/create-filters.ts'
import { focusFiltersButton } from '../primitives/filters-button.ts'
import { searchPath } from '../primitives/paths.ts'
import { Button, LinkButton } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** Nothing is left by the filters, and a way back, or on to the search, which forgives more and looks further. */
export const NoMatch = (props: { filters: Filters }) => {
  const isTitleAlone = () => props.filters.q() !== '' && props.filters.count() === 1
  return (
    <EmptyState
      icon={<SearchX size={28} />}
      heading={t('emptyLibrary.noMatchHeading')}
      text={isTitleAlone() ? t('emptyLibrary.noTitle', props.filters.q()) : t('emptyLibrary.noMatch')}
    >
      <Button
        onClick={() => {
          focusFiltersButton()
          props.filters.clear()
        }}
      >
        {t('action.clearFilters')}
      </Button>
      <Show when={props.filters.q()}>
        {(q) => (
          <LinkButton href={searchPath(q())} variant="ghost" class="max-w-full">
            <span class="line-clamp-2 min-w-0">{t('emptyLibrary.searchAll', q())}</span>
          </LinkButton>
        )}
      </Show>
    </EmptyState>
  )
}
