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
