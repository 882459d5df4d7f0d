import { useQueryClient } from '@tanstack/solid-query'
import { queryKeys } from '../api/query-keys.ts'

/** After a change of one's own: what is shown of the library, and what there is to go on with, is asked for again. */
export const createRefresh = () => {
  const client = useQueryClient()
  /** `gone` is an item that is no more: asking for it again would be an error on a page that is about to be left. */
  return async (libraryId: number, gone?: string) => {
    await Promise.all([
      client.invalidateQueries({
        queryKey: queryKeys.libraryContent(libraryId),
        predicate: ({ queryKey }) => gone === undefined || !queryKey.includes(gone),
      }),
      client.invalidateQueries({ queryKey: queryKeys.continue }),
    ])
  }
}
