import { parseResponse } from 'hono/client'
import { api } from './client.ts'
import type { Item } from './types.ts'

export const refreshFromNfo = async (itemKey: string): Promise<Item> =>
  (await parseResponse(api['nfo-refresh'].$post({ json: { itemKey } }))).item
export const refreshLibraryFromNfo = (libraryId: number): Promise<{ queued: number }> =>
  parseResponse(api['nfo-refresh'].library.$post({ json: { libraryId } }))
/** How many items of the library still wait for their refresh. */
export const countLibraryRefresh = (libraryId: number): Promise<{ queued: number }> =>
  parseResponse(api['nfo-refresh'].library.$get({ query: { libraryId: String(libraryId) } }))
