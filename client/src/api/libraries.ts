import type { LibraryType } from '../../../src/domain/item-type.ts'
import { getJson, sendJson, sendOnly } from './http.ts'
import type { Library } from './types.ts'

export interface NewLibrary {
  name: string
  type: LibraryType
  path: string
  scanSchedule?: string | null
}

export type LibraryChanges = Partial<Omit<NewLibrary, 'type'>>

export const listLibraries = () => getJson<{ libraries: Library[] }>('libraries')
export const createLibrary = (library: NewLibrary) => sendJson<{ library: Library }>('POST', 'libraries', library)
export const changeLibrary = (id: number, changes: LibraryChanges) => sendJson<{ library: Library }>('PATCH', `libraries/${id}`, changes)
export const deleteLibrary = (id: number) => sendOnly('DELETE', `libraries/${id}`)
