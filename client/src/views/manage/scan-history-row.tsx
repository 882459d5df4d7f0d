import { ChevronDown } from 'lucide-solid'
import { For, Show } from 'solid-js'
import type { Scan } from '../../api/types.ts'
import { ScanLine } from '../../components/scan-line.tsx'
import { t } from '../../i18n/manage.ts'
import { formatClock, formatDateTime } from '../../primitives/format.ts'
import { scanPhases, scanSeconds } from '../../primitives/scan-facts.ts'

export const ScanHistoryRow = (props: { scan: Scan }) => {
  const when = () =>
    [
      props.scan.startedAt === null ? '' : formatDateTime(props.scan.startedAt),
      t(`scans.triggers.${props.scan.trigger}`),
      scanSeconds(props.scan) === undefined ? '' : formatClock(scanSeconds(props.scan) ?? 0),
    ].filter((part) => part !== '')
  const phases = () => {
    const known = scanPhases(props.scan)
    return known && t('scans.phases', formatClock(known.walking), formatClock(known.matching))
  }
  return (
    <li class="flex flex-col gap-2 p-4">
      <div class="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <ScanLine scan={props.scan} />
        <p class="text-caption text-muted tabular-nums" title={phases()}>
          {when().join(' · ')}
          <Show when={phases()}>{(told) => <span class="sr-only">, {told()}</span>}</Show>
        </p>
      </div>
      <Show when={props.scan.paths}>
        {(paths) => <p class="font-mono text-caption break-all text-muted">{t('scans.folders', paths().join(', '), paths().length)}</p>}
      </Show>
      <Show when={props.scan.error}>{(error) => <p class="text-small text-danger">{t('scans.error', error())}</p>}</Show>
      <Show when={props.scan.warningCount > 0}>
        <details class="group">
          <summary class="inline-flex list-none items-center gap-1 rounded-chip min-h-finger text-caption text-warning">
            <ChevronDown size={14} class="transition-transform group-open:rotate-180" aria-hidden="true" />
            {t('scans.warnings', props.scan.warningCount)}
          </summary>
          <ul class="mt-2 max-h-80 overflow-y-auto rounded-card bg-bg p-3">
            <For each={props.scan.warnings}>
              {(warning) => (
                <li class="flex flex-col gap-x-3 py-1 text-caption sm:flex-row">
                  <span class="shrink-0 font-mono break-all sm:max-w-1/2">{warning.path || '/'}</span>
                  <span class="text-muted">{t('scans.warning', warning.code, warning.message)}</span>
                </li>
              )}
            </For>
            <Show when={props.scan.warningCount > props.scan.warnings.length}>
              <li class="py-1 text-caption text-muted">{t('scans.moreWarnings', props.scan.warningCount - props.scan.warnings.length)}</li>
            </Show>
          </ul>
        </details>
      </Show>
    </li>
  )
}
