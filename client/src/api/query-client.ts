import { QueryClient } from '@tanstack/solid-query'
import { ApiProblem } from './http.ts'

const STALE_AFTER_MS = 30_000
/** Long enough that Back finds every page of a grid that was left. */
const KEEP_MS = 30 * 60_000
const MAX_RETRIES = 2

const isWorthRetrying = (error: Error) => !(error instanceof ApiProblem) || error.status === 0 || error.status >= 502

/** With the question, the screen that asked it would be kept for as long as the answer. */
const keepAnswersAlone = (client: QueryClient) =>
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'observerRemoved' && query.getObserversCount() === 0) query.setOptions({ queryKey: query.queryKey, gcTime: 0 })
  })

export const createQueryClient = () => {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER_MS,
        gcTime: KEEP_MS,
        // A server in the house is reachable while the browser believes itself offline.
        networkMode: 'always',
        retry: (failures, error) => failures < MAX_RETRIES && isWorthRetrying(error),
      },
      mutations: { networkMode: 'always' },
    },
  })
  keepAnswersAlone(client)
  return client
}
