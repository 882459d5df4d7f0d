import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

/** The pages of a volume in their order, and the way in which it is read unless somebody chooses another. */
export type MangaPages = InferResponseType<typeof api.manga.pages.$get, 200>

export const mangaPagesQuery = (libraryId: number, itemKey: string) => ({
  queryKey: queryKeys.mangaPages(libraryId, itemKey),
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<MangaPages> =>
    parseResponse(api.manga.pages.$get({ query: { itemKey } }, { init: { signal } })),
})
