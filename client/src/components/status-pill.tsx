import type { ScanStatus } from '../api/types.ts'
import { t } from '../i18n/scans.ts'

const TONES: Record<ScanStatus, string> = {
  queued: 'bg-raised text-muted',
  running: 'bg-accent-soft text-accent',
  done: 'bg-success-soft text-success',
  failed: 'bg-danger-soft text-danger',
  cancelled: 'bg-raised text-muted',
  interrupted: 'bg-warning-soft text-warning',
  held: 'bg-warning-soft text-warning',
}

export const StatusPill = (props: { status: ScanStatus }) => (
  <span
    class={`inline-flex h-6 shrink-0 items-center rounded-pill px-2 text-caption font-semibold whitespace-nowrap ${TONES[props.status]}`}
  >
    {t(`scanLine.statuses.${props.status}`)}
  </span>
)
