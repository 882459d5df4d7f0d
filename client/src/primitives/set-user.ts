import type { QueryClient } from '@tanstack/solid-query'
import type { AuthStatus } from '../api/auth.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { User } from '../api/types.ts'

/** Who is there by now, whatever a slow server answers to who asked before. */
export const setUser = async (client: QueryClient, user: User): Promise<void> => {
  await client.cancelQueries({ queryKey: queryKeys.authStatus })
  client.setQueryData<AuthStatus>(queryKeys.authStatus, { setupRequired: false, user })
}
