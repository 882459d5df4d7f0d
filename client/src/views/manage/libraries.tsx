import { FolderPlus, RefreshCw } from 'lucide-solid'
import { For, Show } from 'solid-js'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { late } from '../../components/late.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/manage.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { createScanStart } from '../../primitives/scan-start.ts'
import { createUrlLayer } from '../../primitives/url-layer.ts'
import { LibraryRow } from './library-row.tsx'

const LibraryDialog = late(async () => (await import('./library-dialog.tsx')).LibraryDialog)

export const ManageLibraries = () => {
  createPageTitle(() => [t('manage.libraries'), t('manage.title')])
  const adding = createUrlLayer('add')
  const scan = createScanStart()
  const { query, libraries } = createLibraries()
  return (
    <>
      <PageHeader
        title={t('manage.libraries')}
        lead={t('manageLibraries.lead')}
        actions={
          <>
            <Show when={libraries().length > 1}>
              <Button onClick={() => void scan()}>
                <RefreshCw size={18} aria-hidden="true" />
                {t('manageLibraries.scanAll')}
              </Button>
            </Show>
            <Button variant="primary" onClick={() => adding.open('1')}>
              <FolderPlus size={18} aria-hidden="true" />
              {t('manageLibraries.add')}
            </Button>
          </>
        }
      />
      <QueryView query={query} skeleton={<For each={[1, 2, 3]}>{() => <Skeleton class="mb-3 h-20 w-full" />}</For>}>
        {() => (
          <Show
            when={libraries().length > 0}
            fallback={
              <EmptyState icon={<FolderPlus size={28} />} heading={t('manageLibraries.emptyHeading')} text={t('manageLibraries.empty')} />
            }
          >
            <table class="block w-full text-left text-small md:table">
              <thead class="hidden border-b border-line text-caption text-muted md:table-header-group">
                <tr>
                  <th class="px-3 py-2 font-semibold">{t('field.name')}</th>
                  <th class="px-3 py-2 text-right font-semibold">{t('manageLibraries.items')}</th>
                  <th class="px-3 py-2 font-semibold">{t('manageLibraries.lastScan')}</th>
                  <th class="px-3 py-2 font-semibold whitespace-nowrap max-lg:hidden">{t('manageLibraries.schedule')}</th>
                  <th class="px-3 py-2">
                    <span class="sr-only">{t('manageLibraries.actions')}</span>
                  </th>
                </tr>
              </thead>
              <tbody class="flex flex-col gap-3 md:table-row-group">
                <For each={libraries().map(({ id }) => id)}>{(id) => <LibraryRow libraryId={id} />}</For>
              </tbody>
            </table>
          </Show>
        )}
      </QueryView>
      <Show when={adding.value()}>
        <LibraryDialog onClose={adding.close} />
      </Show>
    </>
  )
}
