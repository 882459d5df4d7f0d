import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

type LibraryContents = InferResponseType<(typeof api.libraries)[':id']['contents']['$get'], 200>['contents']

/** Goes with everything that a scan of the library can change. */
export const libraryContentsQuery = (id: number) => ({
  queryKey: [...queryKeys.libraryContent(id), 'contents'],
  queryFn: async (): Promise<LibraryContents> =>
    (await parseResponse(api.libraries[':id'].contents.$get({ param: { id: String(id) } }))).contents,
})

/** Forgets the missing items; answers how many. */
export const purgeMissing = async (id: number): Promise<number> =>
  (await parseResponse(api.libraries[':id']['purge-missing'].$post({ param: { id: String(id) } }))).purged
