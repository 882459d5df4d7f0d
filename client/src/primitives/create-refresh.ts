import { useQueryClient } from '@tanstack/solid-query'
import { queryKeys } from '../api/query-keys.ts'

/** After a change of one's own: what is shown of the library, and what there is to go on with, is asked for again. */
export const createRefresh = () => {
  const client = useQueryClient()
  /** `gone` is an item that is no more: asking for it, or for what lies in it, would be an error on a page that is about to be left. */
  return async (libraryId: number, gone?: string) => {
    await Promise.all([
      client.invalidateQueries({
        queryKey: queryKeys.libraryContent(libraryId),
        predicate: ({ queryHash }) => gone === undefined || !queryHash.includes(JSON.stringify(gone)),
      }),
      client.invalidateQueries({ queryKey: queryKeys.continue }),
    ])
  }
}
