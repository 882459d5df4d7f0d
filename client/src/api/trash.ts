import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'

type TrashPage = InferResponseType<typeof api.trash.$get, 200>

/** What was deleted and can come back. */
export type TrashEntry = TrashPage['entries'][number]

const ENTRIES_PER_PAGE = 50

/** Of every library where `libraryId` is left out. */
export const listTrash = (libraryId?: number, cursor?: string): Promise<TrashPage> =>
  parseResponse(
    api.trash.$get({
      query: { limit: String(ENTRIES_PER_PAGE), cursor, ...(libraryId !== undefined && { libraryId: String(libraryId) }) },
    }),
  )
export const restoreFromTrash = (id: number): Promise<{ itemKey: string }> =>
  parseResponse(api.trash[':id'].restore.$post({ param: { id: String(id) } }))
export const deleteFromTrash = (id: number) => api.trash[':id'].$delete({ param: { id: String(id) } })
