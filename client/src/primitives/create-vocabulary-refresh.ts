/** After a change of tags or categories: everything that shows them is asked for again. */

import { useQueryClient } from '@tanstack/solid-query'
import { queryKeys } from '../api/query-keys.ts'

export const createVocabularyRefresh = () => {
  const client = useQueryClient()
  return async () => {
    // Where one comes back to a filter, an answer from before would know the tags that are gone.
    client.removeQueries({ queryKey: queryKeys.content, type: 'inactive', predicate: ({ queryKey }) => queryKey[2] === 'facets' })
    await Promise.all([queryKeys.tags, queryKeys.content].map((queryKey) => client.invalidateQueries({ queryKey })))
  }
}

/** A change of tags or categories. What is refused may have been changed by somebody else, and is shown as it is now. */
export const createVocabularyChange = () => {
  const refresh = createVocabularyRefresh()
  return async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      void refresh()
      throw error
    }
    await refresh()
  }
}
