import type { InferResponseType } from 'hono/client'
import type { api } from './client.ts'
import { ApiProblem, apiUrl, request } from './http.ts'
import { tooLarge } from './upload.ts'

export type ImportReport = InferResponseType<typeof api.tags.import.$post, 200>

/** Browsers tell the type of a table by the programs of the device, so the name decides. */
const typeOf = (file: File): string => (/\.(?:csv|txt)$/i.test(file.name) ? 'text/csv' : 'application/json')

/** `dryRun`: says what would happen, and changes nothing. */
export const importTags = async (file: File, { dryRun }: { dryRun: boolean }): Promise<ImportReport> => {
  const url = apiUrl('tags/import', { dryRun: dryRun ? 1 : undefined })
  const sent = request(url, { method: 'POST', body: file, headers: { 'content-type': typeOf(file) } })
  const response = await sent.catch((error: unknown) => {
    throw error instanceof ApiProblem && error.status === 413 ? tooLarge() : error
  })
  return response.json()
}

/** Of one library, or of all that the person may see. */
export const exportUrl = (libraryId?: number): string => apiUrl('tags/export', { libraryId })
