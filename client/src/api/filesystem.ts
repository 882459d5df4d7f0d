import { parseResponse } from 'hono/client'
import { api } from './client.ts'

interface FolderListing {
  /** Null at the top, where `folders` are the roots that libraries may lie in. */
  path: string | null
  parent: string | null
  folders: { name: string; path: string }[]
}

export const listFolders = (path: string, signal?: AbortSignal): Promise<FolderListing> =>
  parseResponse(api.filesystem.$get({ query: path === '' ? {} : { path } }, { init: { signal } }))
