import { useNavigate } from '@solidjs/router'
import { useQueryClient } from '@tanstack/solid-query'
import { signOut } from '../api/auth.ts'
import { ApiProblem } from '../api/http.ts'
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
      // Signed out elsewhere: there is no session left to end.
      if (!(error instanceof ApiProblem && error.status === 401)) return notifyError(error)
    }
    navigate('/login')
    client.clear()
    client.setQueryData(queryKeys.authStatus, { setupRequired: false, user: null })
  }
}
