import type { ItemKey } from '../../../src/domain/item-key.ts'
import { getJson, sendJson, sendOnly } from './http.ts'
import type { Scan } from './types.ts'

export interface ScanLoss {
  itemKey: ItemKey
  title: string
  tagCount: number
}

/** Every library where `libraryId` is left out. */
export const startScan = (libraryId?: number) => sendJson<{ scans: Scan[] }>('POST', 'scans', { libraryId })
export const listScans = (libraryId: number, limit: number) => getJson<{ scans: Scan[] }>('scans', { libraryId, limit })
export const getScan = (id: number) => getJson<{ scan: Scan }>(`scans/${id}`)
export const cancelScan = (id: number) => sendOnly('DELETE', `scans/${id}`)
export const listScanLosses = (id: number, cursor?: string) =>
  getJson<{ entries: ScanLoss[]; nextCursor: string | null }>(`scans/${id}/losses`, { limit: 100, cursor })
export const applyHeldScan = (id: number) => sendOnly('POST', `scans/${id}/apply`)
