import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

type LibraryContents = InferResponseType<(typeof api.libraries)[':id']['contents']['$get'], 200>['contents']

/** Goes with everything that a scan of the library can change. */
export const libraryContentsKey = (id: number) => [...queryKeys.libraryContent(id), 'contents'] as const

export const getLibraryContents = async (id: number): Promise<LibraryContents> =>
  (await parseResponse(api.libraries[':id'].contents.$get({ param: { id: String(id) } }))).contents

/** Forgets the missing items; answers how many. */
export const purgeMissing = async (id: number): Promise<number> =>
  (await parseResponse(api.libraries[':id']['purge-missing'].$post({ param: { id: String(id) } }))).purged
