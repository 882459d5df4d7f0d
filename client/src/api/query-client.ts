import { QueryClient } from '@tanstack/solid-query'
import { ApiProblem } from './http.ts'

const STALE_AFTER_MS = 30_000
/** Long enough that Back finds every page of a grid that was left. */
const KEEP_MS = 30 * 60_000
const MAX_RETRIES = 2

const isWorthRetrying = (error: Error) => !(error instanceof ApiProblem) || error.status === 0 || error.status >= 502

export const createQueryClient = () =>
  new QueryClient({
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
