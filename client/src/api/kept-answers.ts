import type { QueryClient } from '@tanstack/solid-query'

/** Keeps answers without their questions: with those, the screens that asked would be kept as long. Returns the function that ends it. */
export const keepAnswersAlone = (client: QueryClient): (() => void) =>
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'observerRemoved' && query.getObserversCount() === 0) query.setOptions({ queryKey: query.queryKey, gcTime: 0 })
  })
