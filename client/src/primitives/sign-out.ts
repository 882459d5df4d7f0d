import { useNavigate } from '@solidjs/router'
import { useQueryClient } from '@tanstack/solid-query'
import { signOut } from '../api/auth.ts'
import { queryKeys } from '../api/query-keys.ts'
import { notifyError } from './notify.ts'

/** Ends the session; nothing of the account stays in the cache. */
export const createSignOut = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      await signOut()
    } catch (error) {
      notifyError(error)
      return
    }
    navigate('/login')
    client.clear()
    client.setQueryData(queryKeys.authStatus, { setupRequired: false, user: null })
  }
}
