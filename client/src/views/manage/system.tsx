import { DatabaseBackup, History } from 'lucide-solid'
import { createSignal, For, Index, Show } from 'solid-js'
import { queryKeys } from '../../api/query-keys.ts'
import { type DailyBackup, getSystem, makeBackup, type SystemFacts } from '../../api/system.ts'
import { Button } from '../../components/button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { FormError } from '../../components/form-error.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/manage.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { download } from '../../primitives/download.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { formatBytes, formatCount, formatDateTime, formatRuntime } from '../../primitives/format.ts'
import { ocrLanguageName } from '../../primitives/ocr-language-name.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { RestoreDialog } from './restore-dialog.tsx'

const REFRESH_MS = 10_000

const DAY_HOURS = 24

/** "2 h 5 min", and "13 d 4 h" of a server that nobody has to look after. */
const formatUptime = (seconds: number): string => {
  const hours = Math.floor(seconds / 3600)
  return hours < 2 * DAY_HOURS ? formatRuntime(seconds / 60) : `${Math.floor(hours / DAY_HOURS)} d ${hours % DAY_HOURS} h`
}

const factsOf = (system: SystemFacts) => [
  { label: t('system.version'), value: system.version },
  { label: t('system.uptime'), value: formatUptime(system.uptimeSeconds) },
  { label: t('system.memory'), value: formatBytes(system.memoryBytes) },
  {
    label: t('system.database'),
    value: system.database.bytes === null ? t(`system.databases.${system.database.kind}`) : formatBytes(system.database.bytes),
  },
  { label: t('system.ffmpeg'), value: system.ffmpeg.available && system.ffmpeg.probe ? t('system.installed') : t('system.notInstalled') },
  { label: t('system.thumbnails'), value: formatCount(system.workers.thumbnails.pending + system.workers.thumbnails.running) },
  { label: t('system.ocrLanguages'), value: system.ocrLanguages.map(ocrLanguageName).join(', ') || t('system.none') },
]

const Disk = (props: { freeBytes: number; totalBytes: number }) => {
  const text = () => t('system.diskText', formatBytes(props.freeBytes), formatBytes(props.totalBytes))
  return (
    <Panel title={t('system.disk')} lead={t('system.diskLead')}>
      <ProgressBar label={t('system.disk')} value={1 - props.freeBytes / props.totalBytes} text={text()} class="h-2" />
      <p class="mt-2 text-small text-muted tabular-nums">{text()}</p>
    </Panel>
  )
}

const saveFile = ({ name, blob }: { name: string; blob: Blob }) => {
  const url = URL.createObjectURL(blob)
  download(url, name)
  URL.revokeObjectURL(url)
}

const DailyBackups = (props: { system: SystemFacts }) => {
  const [chosen, setChosen] = createSignal<DailyBackup>()
  return (
    <Show when={props.system.dailyBackups.length > 0} fallback={<p class="mt-4 text-small text-muted">{t('system.noDailyBackup')}</p>}>
      <h3 class="mt-6 text-small font-semibold">{t('system.dailyBackups')}</h3>
      <ul class="mt-1 divide-y divide-line">
        <Index each={props.system.dailyBackups}>
          {(backup) => (
            <li class="flex flex-wrap items-center justify-between gap-x-3 py-1">
              <span class="text-small tabular-nums">
                {formatDateTime(backup().createdAt)} <span class="text-muted">{formatBytes(backup().size)}</span>
              </span>
              <Button
                size="small"
                variant="ghost"
                aria-label={t('system.restoreOf', formatDateTime(backup().createdAt))}
                onClick={() => setChosen(backup())}
              >
                <History size={14} aria-hidden="true" />
                {t('system.restore')}
              </Button>
            </li>
          )}
        </Index>
      </ul>
      <Show when={chosen()}>
        {(backup) => <RestoreDialog backup={backup()} startedAt={props.system.startedAt} onClose={() => setChosen(undefined)} />}
      </Show>
    </Show>
  )
}

const Backup = (props: { system: SystemFacts }) => {
  const form = createSubmit(async () => saveFile(await makeBackup()))
  return (
    <Panel title={t('system.backup')} lead={t('system.backupLead')}>
      <FormError text={form.problem.general()} />
      <Button isBusy={form.isBusy()} onClick={() => form.submit()}>
        <DatabaseBackup size={18} aria-hidden="true" />
        {t('system.downloadBackup')}
      </Button>
      <Show when={props.system.database.kind === 'file'}>
        <DailyBackups system={props.system} />
      </Show>
    </Panel>
  )
}

export const ManageSystem = () => {
  createPageTitle(() => [t('manage.system'), t('manage.title')])
  const system = createQuery(() => ({ queryKey: queryKeys.system, queryFn: getSystem, refetchInterval: REFRESH_MS }))
  return (
    <>
      <PageHeader title={t('manage.system')} lead={t('system.lead')} />
      <QueryView query={system} skeleton={<For each={[1, 2]}>{() => <Skeleton class="mb-4 h-24 w-full" />}</For>}>
        {(known) => (
          <div class="flex flex-col gap-6">
            <FactList facts={factsOf(known())} />
            <div class="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
              <Disk freeBytes={known().disk.freeBytes} totalBytes={known().disk.totalBytes} />
              <Backup system={known()} />
            </div>
          </div>
        )}
      </QueryView>
    </>
  )
}
