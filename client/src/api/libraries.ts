import { parseResponse } from 'hono/client'
import type { AiActivity } from '../../../src/domain/ai-activity.ts'
import type { LibraryType } from '../../../src/domain/item-type.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'
import type { Library } from './types.ts'

interface NewLibrary {
  name: string
  type: LibraryType
  path: string
  scanSchedule?: string | null
  trashDays?: number
}

type LibraryChanges = Partial<Omit<NewLibrary, 'type'>> & { aiOnScan?: AiActivity[] }

export const listLibraries = (): Promise<{ libraries: Library[] }> => parseResponse(api.libraries.$get())
export const createLibrary = (json: NewLibrary): Promise<{ library: Library }> => parseResponse(api.libraries.$post({ json }))
export const changeLibrary = (id: number, changes: LibraryChanges): Promise<{ library: Library }> =>
  parseResponse(api.libraries[':id'].$patch({ param: { id: String(id) }, json: changes }))
export const deleteLibrary = (id: number) => api.libraries[':id'].$delete({ param: { id: String(id) } })

export const librariesQuery = { queryKey: queryKeys.libraries, queryFn: listLibraries }
