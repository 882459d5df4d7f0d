import { RefreshCw } from 'lucide-solid'
import type { Library } from '../../api/types.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { t } from '../../i18n/translate.ts'
import { isScanActive } from '../../primitives/libraries.ts'
import { createScanStart } from '../../primitives/scan-start.ts'

/** Scans the library that is looked at; turns while it is scanned. */
export const ScanButton = (props: { library: Library }) => {
  const scan = createScanStart()
  return (
    <IconButton
      label={t('scan.start', props.library.name)}
      disabled={isScanActive(props.library.lastScan)}
      onClick={() => void scan(props.library.id)}
    >
      <RefreshCw size={18} classList={{ 'animate-spin': isScanActive(props.library.lastScan) }} />
    </IconButton>
  )
}
