import { FolderPlus, Library as LibraryShelf } from 'lucide-solid'
import { For, Show } from 'solid-js'
import { listContinue } from '../../api/progress.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Shelf } from '../../components/shelf.tsx'
import { t } from '../../i18n/translate.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { continuePath } from '../../primitives/paths.ts'
import { createIsAdmin } from '../../primitives/session.ts'
import { LibraryShelfRow, ShelfSkeleton } from './library-shelf.tsx'

const Continue = () => {
  const query = createQuery(() => ({ queryKey: queryKeys.continue, queryFn: listContinue, staleTime: 0 }))
  const entries = () => (query.isSuccess ? (query.data?.entries ?? []) : [])
  return (
    <Show when={entries().length > 0}>
      <Shelf title={t('home.continue')} entries={entries()} shape="wide" hrefOf={continuePath} />
    </Show>
  )
}

const NoLibraries = () => {
  const isAdmin = createIsAdmin()
  return (
    <EmptyState
      icon={<LibraryShelf size={28} />}
      heading={t('home.emptyHeading')}
      text={isAdmin() ? t('home.emptyAdmin') : t('home.emptyUser')}
    >
      <Show when={isAdmin()}>
        <LinkButton href="/manage/libraries?add=1" variant="primary">
          <FolderPlus size={18} aria-hidden="true" />
          {t('home.addLibrary')}
        </LinkButton>
      </Show>
    </EmptyState>
  )
}

export const Home = () => {
  createPageTitle(() => [t('home.title')])
  const { query, libraries } = createLibraries()
  return (
    <>
      <PageHeader title={t('home.title')} />
      <QueryView query={query} skeleton={<ShelfSkeleton />}>
        {() => (
          <Show when={libraries().length > 0} fallback={<NoLibraries />}>
            <div class="flex flex-col gap-10">
              <Continue />
              <For each={libraries().map(({ id }) => id)}>{(id) => <LibraryShelfRow libraryId={id} />}</For>
            </div>
          </Show>
        )}
      </QueryView>
    </>
  )
}
