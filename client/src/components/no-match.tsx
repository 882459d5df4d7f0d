import { SearchX } from 'lucide-solid'
import { t } from '../i18n/filters.ts'
import type { Filters } from '../primitives/create-filters.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** Nothing is left by the filters, and a way back. */
export const NoMatch = (props: { filters: Filters }) => {
  const isTitleAlone = () => props.filters.q() !== '' && props.filters.count() === 1
  return (
    <EmptyState
      icon={<SearchX size={28} />}
      heading={t('library.noMatchHeading')}
      text={isTitleAlone() ? t('library.noMatch', props.filters.q()) : t('filters.noMatch')}
    >
      <Button onClick={props.filters.clear}>{t('action.clearFilters')}</Button>
    </EmptyState>
  )
}
