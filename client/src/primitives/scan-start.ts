import { useQueryClient } from '@tanstack/solid-query'
import { queryKeys } from '../api/query-keys.ts'
import { startScan } from '../api/scans.ts'
import { t } from '../i18n/translate.ts'
import { notify, notifyError } from './notify.ts'

/** Starts the scan of one library, or of all, and lets every view of it know. */
export const createScanStart = () => {
  const client = useQueryClient()
  return async (libraryId?: number) => {
    try {
      await startScan(libraryId)
      notify(t('library.scanStarted'))
    } catch (error) {
      notifyError(error)
    }
    await client.invalidateQueries({ queryKey: queryKeys.libraries })
    await client.invalidateQueries({ queryKey: ['scans'] })
  }
}
