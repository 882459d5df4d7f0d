import { A } from '@solidjs/router'
import { RefreshCw } from 'lucide-solid'
import { Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { formatCount } from '../../primitives/format.ts'
import { createLibraries, isScanActive } from '../../primitives/libraries.ts'

/** For administrators, wherever they are: what is being scanned now. */
export const ScanIndicator = () => {
  const { libraries } = createLibraries()
  const scanned = () => libraries().filter(({ lastScan }) => isScanActive(lastScan))
  const label = () => {
    const [first] = scanned()
    return scanned().length === 1 && first ? t('nav.scanning', first.name) : t('nav.scanningMany', scanned().length)
  }
  const found = () => scanned().reduce((sum, { lastScan }) => sum + (lastScan?.found ?? 0), 0)
  return (
    <Show when={scanned().length > 0}>
      <A
        href="/manage/libraries"
        title={label()}
        class="flex h-9 shrink-0 items-center gap-2 rounded-pill bg-accent-soft px-3 text-caption font-semibold text-accent tabular-nums"
      >
        <RefreshCw size={14} class="animate-spin" aria-hidden="true" />
        <span class="hidden sm:inline">{label()}</span>
        <span>{formatCount(found())}</span>
      </A>
    </Show>
  )
}
