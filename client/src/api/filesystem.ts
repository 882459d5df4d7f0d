import { getJson } from './http.ts'
import type { Folder } from './types.ts'

export interface FolderListing {
  /** Null at the top, where `folders` are the roots that libraries may lie in. */
  path: string | null
  parent: string | null
  folders: Folder[]
}

export const listFolders = (path: string, signal?: AbortSignal) => getJson<FolderListing>('filesystem', { path }, signal)
