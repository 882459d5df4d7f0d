import { useQueryClient } from '@tanstack/solid-query'
import { queryKeys } from '../api/query-keys.ts'
import { startScan } from '../api/scans.ts'
import { t } from '../i18n/translate.ts'
import { notify, notifyError } from './notify.ts'

/** Starts the scan of one library, of a folder in it, or of all, and lets every view of it know. */
export const createScanStart = () => {
  const client = useQueryClient()
  return async (libraryId?: number, path?: string) => {
    try {
      await startScan(libraryId, path)
      notify(t('library.scanStarted'))
    } catch (error) {
      notifyError(error)
    }
    await client.invalidateQueries({ queryKey: queryKeys.libraries })
    await client.invalidateQueries({ queryKey: ['scans'] })
  }
}
