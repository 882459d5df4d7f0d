import { useQueryClient } from '@tanstack/solid-query'
import { queryKeys } from '../api/query-keys.ts'

/** After a change of one's own: what is shown of the library, and what there is to go on with, is asked for again. */
export const createRefresh = () => {
  const client = useQueryClient()
  return async (libraryId: number) => {
    await Promise.all([
      client.invalidateQueries({ queryKey: queryKeys.libraryContent(libraryId) }),
      client.invalidateQueries({ queryKey: queryKeys.continue }),
    ])
  }
}
