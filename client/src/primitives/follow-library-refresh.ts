import { type QueryClient, useQueryClient } from '@tanstack/solid-query'
import type { AuthStatus } from '../api/auth.ts'
import { ApiProblem } from '../api/http.ts'
import { getLibraryRefresh, type LibraryRefresh } from '../api/nfo-refresh.ts'
import { queryKeys } from '../api/query-keys.ts'
import { createRefresh } from './create-refresh.ts'

/** What fails may fail for as long as the tab is open. */
const PAUSE_MS = { running: 1000, failing: 15_000 }

export const libraryRefreshQuery = (libraryId: number) => ({
  queryKey: queryKeys.nfoRefresh(libraryId),
  queryFn: () => getLibraryRefresh(libraryId),
  staleTime: 0,
})

/** How it stands; `over` where there is nobody to ask for any more. A server that is away is asked again. */
const look = async (client: QueryClient, libraryId: number): Promise<keyof typeof PAUSE_MS | 'done' | 'over'> => {
  if (client.getQueryData<AuthStatus>(queryKeys.authStatus)?.user === null) return 'over'
  try {
    return (await client.fetchQuery<LibraryRefresh>(libraryRefreshQuery(libraryId))).queued > 0 ? 'running' : 'done'
  } catch (error) {
    return error instanceof ApiProblem && error.status >= 400 && error.status < 500 ? 'over' : 'failing'
  }
}

const followed = new Set<number>()

/** Follows the refresh of a library from its NFO files to its end, wherever one goes meanwhile: what they say is to be seen there. */
export const createLibraryRefreshFollowing = () => {
  const client = useQueryClient()
  const refresh = createRefresh()
  return async (libraryId: number) => {
    if (followed.has(libraryId)) return
    followed.add(libraryId)
    let state = await look(client, libraryId)
    while (state === 'running' || state === 'failing') {
      const pause = PAUSE_MS[state]
      await new Promise((resolve) => setTimeout(resolve, pause))
      state = await look(client, libraryId)
    }
    followed.delete(libraryId)
    if (state === 'done') await refresh(libraryId)
  }
}
