import type { Query, QueryClient } from '@tanstack/solid-query'

/**
 * Asks once more where a first answer was already on its way when something changed: it may be from before that, and the query
 * library takes it for the newest (only where there is an answer does it drop the one that comes). Returns the function that ends it.
 */
export const renewOutdatedAnswers = (client: QueryClient): (() => void) => {
  const outdated = new WeakSet<Query>()
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    if (action.type === 'invalidate' && query.state.data === undefined && query.state.fetchStatus !== 'idle') outdated.add(query)
    else if (action.type === 'success' && outdated.delete(query)) void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
  })
}
