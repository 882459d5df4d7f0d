import { SearchX } from 'lucide-solid'
import { t } from '../i18n/empty-library.ts'
import type { Filters } from '../primitives/create-filters.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** Nothing is left by the filters, and a way back. */
export const NoMatch = (props: { filters: Filters }) => {
  const isTitleAlone = () => props.filters.q() !== '' && props.filters.count() === 1
  return (
    <EmptyState
      icon={<SearchX size={28} />}
      heading={t('emptyLibrary.noMatchHeading')}
      text={isTitleAlone() ? t('emptyLibrary.noTitle', props.filters.q()) : t('emptyLibrary.noMatch')}
    >
      <Button onClick={props.filters.clear}>{t('action.clearFilters')}</Button>
    </EmptyState>
  )
}
