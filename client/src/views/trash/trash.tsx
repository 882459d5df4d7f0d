import { Trash2 } from 'lucide-solid'
import { Show } from 'solid-js'
import { ApiProblem } from '../../api/http.ts'
import { LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorCard } from '../../components/error-card.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { t } from '../../i18n/manage.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { createCan, createIsAdmin } from '../../primitives/session.ts'
import { TrashList } from './trash-list.tsx'

/** What was deleted in any library, for those who may delete. */
export const Trash = () => {
  createPageTitle(() => [t('trash.title')])
  const can = createCan()
  const isAdmin = createIsAdmin()
  const { libraries } = createLibraries()
  return (
    <Show when={can('delete')} fallback={<ErrorCard isScreen error={new ApiProblem(403, 'forbidden', '')} />}>
      <PageHeader title={t('trash.title')} lead={t('trash.lead')} />
      <TrashList
        nameOf={(id) => libraries().find((library) => library.id === id)?.name}
        fallback={
          <EmptyState icon={<Trash2 size={28} />} heading={t('trash.emptyHeading')} text={t(isAdmin() ? 'trash.emptySet' : 'trash.empty')}>
            <Show when={isAdmin()}>
              <LinkButton href="/manage/libraries">{t('manage.libraries')}</LinkButton>
            </Show>
          </EmptyState>
        }
      />
    </Show>
  )
}
