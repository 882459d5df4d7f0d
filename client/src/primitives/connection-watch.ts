/** Notices soon that the server is gone, and that it is back. */

import { useQueryClient } from '@tanstack/solid-query'
import { onMount } from 'solid-js'
import { isServerReachable } from '../api/http.ts'
import { queryKeys } from '../api/query-keys.ts'
import { listen } from './listen.ts'
import { onChange } from './on-change.ts'

/** For the shell, once. */
export const createConnectionWatch = () => {
  const client = useQueryClient()
  const look = () => void client.refetchQueries({ queryKey: queryKeys.libraries })
  // A browser that loses its network may still reach a server in the house, and one that has it may not: only asking tells.
  onMount(() => listen(window, { online: look, offline: look }))
  onChange(isServerReachable, (isReachable) => {
    // What failed meanwhile is asked for again: nobody has to press Retry on every card.
    if (isReachable) void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  })
}
