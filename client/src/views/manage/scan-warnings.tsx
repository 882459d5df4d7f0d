import { A } from '@solidjs/router'
import { Show } from 'solid-js'
import type { Scan } from '../../api/types.ts'
import { t } from '../../i18n/manage.ts'

/** How much a scan has left out, and the way to where it is told what; nothing where it took all. */
export const ScanWarnings = (props: { scan: Scan }) => (
  <Show when={props.scan.warningCount > 0}>
    <A
      href={`/manage/libraries/${props.scan.libraryId}`}
      class="inline-flex min-h-finger items-center self-start rounded-chip text-caption text-warning underline"
    >
      {t('scans.warnings', props.scan.warningCount)}
    </A>
  </Show>
)
