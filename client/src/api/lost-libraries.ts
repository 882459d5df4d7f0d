import type { QueryClient } from '@tanstack/solid-query'
import { ApiProblem } from './http.ts'
import { queryKeys } from './query-keys.ts'
import type { Library } from './types.ts'

/**
 * What is kept of a library goes with the library, for whoever may not see it any more: Back would show it for as long as the
 * tab is open. That something is not there may be the first to be heard of it. Returns the function that ends it.
 */
export const forgetLostLibraries = (client: QueryClient): (() => void) =>
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    const [subject] = query.queryKey
    if (action.type === 'error' && subject === queryKeys.content[0]) {
      if (action.error instanceof ApiProblem && action.error.status === 404)
        void client.invalidateQueries({ queryKey: queryKeys.libraries })
    } else if (action.type === 'success' && subject === queryKeys.libraries[0]) {
      const ids = new Set<unknown>(client.getQueryData<{ libraries: Library[] }>(queryKeys.libraries)?.libraries.map(({ id }) => id))
      void client.resetQueries({
        queryKey: queryKeys.content,
        // What has been reset is asked for once more where it is shown, and not again for each answer after that.
        predicate: ({ queryKey, state }) => typeof queryKey[1] === 'number' && !ids.has(queryKey[1]) && state.data !== undefined,
      })
    }
  })
