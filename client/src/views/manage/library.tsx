import { Key } from '@solid-primitives/keyed'
import { ExternalLink, Pencil, RefreshCw, Trash2 } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { queryKeys } from '../../api/query-keys.ts'
import { listScans } from '../../api/scans.ts'
import type { Library } from '../../api/types.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { late } from '../../components/late.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/manage.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createCrumbs } from '../../primitives/crumbs.ts'
import { formatCount } from '../../primitives/format.ts'
import { createLibrary, isScanActive, SCAN_POLL_MS } from '../../primitives/libraries.ts'
import { onChange } from '../../primitives/on-change.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { libraryPath } from '../../primitives/paths.ts'
import { scheduleName } from '../../primitives/scan-schedule.ts'
import { createScanStart } from '../../primitives/scan-start.ts'
import { UnknownLibrary } from '../library/unknown-library.tsx'
import { TrashList } from '../trash/trash-list.tsx'
import { HeldScan } from './held-scan.tsx'
import { LibraryMissing } from './library-missing.tsx'
import { LibraryNfo } from './library-nfo.tsx'
import { ScanHistoryRow } from './scan-history-row.tsx'

const LibraryDialog = late(async () => (await import('./library-dialog.tsx')).LibraryDialog)
const DeleteDialog = late(async () => (await import('./delete-library-dialog.tsx')).DeleteLibraryDialog)

const HISTORY_LENGTH = 20

const LibraryPage = (props: { library: Library }) => {
  const scan = createScanStart()
  const [dialog, setDialog] = createSignal<'edit' | 'delete'>()
  const isScanning = () => isScanActive(props.library.lastScan)
  const history = createQuery(() => ({
    queryKey: queryKeys.scans(props.library.id),
    queryFn: () => listScans(props.library.id, HISTORY_LENGTH),
    refetchInterval: ({ state }) => (isScanning() || state.data?.scans.some(isScanActive) ? SCAN_POLL_MS : false),
  }))
  // One that somebody else began, or the schedule, may begin and end between two looks.
  onChange(
    () => props.library.lastScan?.id,
    () => void history.refetch(),
  )
  /** Of films and series: what has NFO files is what can be deleted. */
  const hasFolders = () => props.library.type === 'movies' || props.library.type === 'tv'
  const schedule = () => {
    const name = scheduleName(props.library.scanSchedule)
    return name && t(`manageLibraries.schedules.${name}`)
  }
  const held = () => history.data?.held ?? undefined
  return (
    <>
      <PageHeader
        title={props.library.name}
        lead={t(`libraryType.${props.library.type}`)}
        actions={
          <>
            <LinkButton href={libraryPath(props.library.id)} variant="ghost">
              <ExternalLink size={18} aria-hidden="true" />
              {t('manageLibraries.open')}
            </LinkButton>
            <Button onClick={() => setDialog('edit')}>
              <Pencil size={18} aria-hidden="true" />
              {t('manageLibraries.edit')}
            </Button>
            <Button variant="primary" isBusy={isScanning()} onClick={() => void scan(props.library.id)}>
              <Show when={!isScanning()}>
                <RefreshCw size={18} aria-hidden="true" />
              </Show>
              {t('manageLibraries.scan')}
            </Button>
          </>
        }
      />
      <FactList
        facts={[
          { label: t('manageLibraries.folder'), value: props.library.path ?? '', isCode: true },
          { label: t('manageLibraries.items'), value: formatCount(props.library.itemCount) },
          {
            label: t('manageLibraries.schedule'),
            value: schedule() ?? props.library.scanSchedule ?? '',
            isCode: schedule() === undefined,
          },
          {
            label: t('manageLibraries.state'),
            value: props.library.available ? t('manageLibraries.available') : t('manageLibraries.unavailable'),
          },
        ]}
      />
      <Show when={held()}>{(waiting) => <HeldScan scan={waiting()} />}</Show>
      <Show when={hasFolders()}>
        <div class="mt-10">
          <LibraryNfo libraryId={props.library.id} />
        </div>
      </Show>
      <Section title={t('scans.history')}>
        <QueryView query={history} skeleton={<Skeleton class="h-40 w-full" />}>
          {(data) => (
            <ul class="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
              <Key each={data().scans} by="id" fallback={<li class="p-4 text-small text-muted">{t('scans.noHistory')}</li>}>
                {(scanned) => <ScanHistoryRow scan={scanned()} />}
              </Key>
            </ul>
          )}
        </QueryView>
      </Section>
      <LibraryMissing libraryId={props.library.id} isScanning={isScanning()} />
      <Show when={hasFolders()}>
        <Section title={t('trash.title')}>
          <TrashList
            libraryId={props.library.id}
            fallback={
              <p class="rounded-card border border-line bg-surface p-4 text-small text-muted">
                {t(props.library.trashDays ? 'trash.none' : 'trash.off')}
              </p>
            }
          />
        </Section>
      </Show>
      <div class="mt-12 flex flex-wrap items-center justify-between gap-4 rounded-card border border-line p-4">
        <div class="min-w-0">
          <h2 class="text-body font-semibold">{t('manageLibraries.deleteSubmit')}</h2>
          <p class="max-w-[60ch] text-small text-muted">{t('manageLibraries.deleteLead')}</p>
        </div>
        <Button onClick={() => setDialog('delete')} class="text-danger">
          <Trash2 size={18} aria-hidden="true" />
          {t('manageLibraries.deleteSubmit')}
        </Button>
      </div>
      <Show when={dialog() === 'edit'}>
        <LibraryDialog library={props.library} onClose={() => setDialog(undefined)} />
      </Show>
      <Show when={dialog() === 'delete'}>
        <DeleteDialog library={props.library} onClose={() => setDialog(undefined)} />
      </Show>
    </>
  )
}

export const ManageLibrary = (props: { libraryId: number }) => {
  const { query, library } = createLibrary(() => props.libraryId)
  createPageTitle(() => [library()?.name, t('manage.title')])
  createCrumbs(() => [{ label: t('manage.libraries'), href: '/manage/libraries' }])
  return (
    <QueryView isScreen query={query} skeleton={<Skeleton class="h-60 w-full" />}>
      {() => (
        <Show when={library()} fallback={<UnknownLibrary />}>
          {(known) => <LibraryPage library={known()} />}
        </Show>
      )}
    </QueryView>
  )
}
