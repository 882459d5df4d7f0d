import { FolderPlus, Library as LibraryShelf } from 'lucide-solid'
import { For, Show } from 'solid-js'
import { continueQuery } from '../../api/progress.ts'
import { LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/home.ts'
import { createDelayed } from '../../primitives/create-delayed.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { createIsAdmin } from '../../primitives/session.ts'
import { ContinueShelf } from './continue-shelf.tsx'
import { LibraryShelfRow } from './library-shelf.tsx'

/** Pixels from the heading of one row to the next, about. */
const SHELF_HEIGHT = 330

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
  const begun = createQuery(() => ({ ...continueQuery, staleTime: 0 }))
  const isLate = createDelayed(() => query.isPending || begun.isPending)
  const toContinue = () => begun.data?.entries ?? []
  const isInSight = (index: number) => (index + (toContinue().length > 0 ? 2 : 1)) * SHELF_HEIGHT < window.innerHeight
  return (
    <>
      <PageHeader title={t('home.title')} />
      <Show when={isLate()}>
        <Skeleton class="h-60" />
      </Show>
      <QueryView query={query}>
        {() => (
          <Show when={libraries().length > 0} fallback={<NoLibraries />}>
            {/* What was begun stands above all else: whatever were there before it would be pushed away. */}
            <Show when={!begun.isPending}>
              <div class="flex flex-col gap-10">
                <Show when={toContinue().length > 0}>
                  <ContinueShelf entries={toContinue()} />
                </Show>
                <For each={libraries().map(({ id }) => id)}>
                  {(id, index) => <LibraryShelfRow libraryId={id} isInSight={isInSight(index())} />}
                </For>
              </div>
            </Show>
          </Show>
        )}
      </QueryView>
    </>
  )
}
