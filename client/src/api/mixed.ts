import { parseResponse } from 'hono/client'
import { api } from './client.ts'

interface MixedFolder {
  name: string
  /** Relative to the library, "/" separated. */
  path: string
  /** Items in it and below it. */
  itemCount: number
  /** Of an item in it or below it. */
  thumbnailUrl?: string | null
  thumbhash?: string | null
}

/** The folders directly below a folder of a mixed library, with their pictures; the root is the empty path. */
export const listMixedFolders = (libraryId: number, path: string, signal?: AbortSignal): Promise<{ folders: MixedFolder[] }> =>
  parseResponse(api.mixed.folders.$get({ query: { libraryId: String(libraryId), path, pictures: '1' } }, { init: { signal } }))
