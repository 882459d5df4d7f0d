/** After a change of tags or categories: everything that shows them is asked for again. */

import { useQueryClient } from '@tanstack/solid-query'
import { queryKeys } from '../api/query-keys.ts'

export const createVocabularyRefresh = () => {
  const client = useQueryClient()
  return async () => {
    await Promise.all([queryKeys.tags, queryKeys.content].map((queryKey) => client.invalidateQueries({ queryKey })))
  }
}
