import { Show } from 'solid-js'
import type { Scan } from '../api/types.ts'
import { t } from '../i18n/scans.ts'
import { isScanActive } from '../primitives/libraries.ts'
import { scanResult } from '../primitives/scan-facts.ts'
import { ProgressBar } from './progress-bar.tsx'
import { StatusPill } from './status-pill.tsx'

const PHASES = ['walking', 'matching', 'cancelling'] as const

const phaseOf = ({ phase }: Scan): string | undefined => {
  const known = PHASES.find((name) => name === phase)
  return known && t(`scanLine.phases.${known}`)
}

/**
 * One scan in two lines: its state and counters, and a bar while it runs. The total is not known before its end. What is
 * found grows all the time: it is seen, and only the phases and the end are announced.
 */
export const ScanLine = (props: { scan: Scan }) => (
  <div class="flex min-w-0 flex-col gap-2">
    <div class="flex flex-wrap items-center gap-x-3 gap-y-1 text-small">
      <div class="flex flex-wrap items-center gap-x-3 gap-y-1" aria-live="polite">
        <StatusPill status={props.scan.status} />
        <Show when={isScanActive(props.scan)} fallback={<span class="text-muted">{scanResult(props.scan)}</span>}>
          <Show when={phaseOf(props.scan)}>{(phase) => <span class="text-muted">{phase()}</span>}</Show>
        </Show>
      </div>
      <Show when={isScanActive(props.scan)}>
        <span class="text-muted tabular-nums">{t('scanLine.progress', props.scan.found)}</span>
      </Show>
    </div>
    <Show when={isScanActive(props.scan)}>
      <ProgressBar label={t('scanLine.statuses.running')} value={null} text={t('scanLine.progress', props.scan.found)} />
    </Show>
  </div>
)
