import { parseResponse } from 'hono/client'
import { api } from './client.ts'
import type { Scan } from './types.ts'

interface ScanLoss {
  itemKey: string
  title: string
  tagCount: number
}

const LOSSES_PER_PAGE = 100

/** Every library where `libraryId` is left out; with a path, that folder of it. */
export const startScan = (libraryId?: number, path?: string): Promise<{ scans: Scan[] }> =>
  parseResponse(api.scans.$post({ json: { libraryId, path } }))
export const listScans = (libraryId: number, limit: number): Promise<{ scans: Scan[]; held: Scan | null }> =>
  parseResponse(api.scans.$get({ query: { libraryId: String(libraryId), limit: String(limit) } }))
export const cancelScan = (id: number) => api.scans[':id'].$delete({ param: { id: String(id) } })
export const listScanLosses = (id: number, cursor?: string): Promise<{ entries: ScanLoss[]; nextCursor: string | null }> =>
  parseResponse(api.scans[':id'].losses.$get({ param: { id: String(id) }, query: { limit: String(LOSSES_PER_PAGE), cursor } }))
export const applyHeldScan = (id: number) => api.scans[':id'].apply.$post({ param: { id: String(id) } })
