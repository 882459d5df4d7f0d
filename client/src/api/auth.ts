import { parseResponse } from 'hono/client'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'
import type { SessionInfo, TokenInfo, User } from './types.ts'

interface Credentials {
  username: string
  password: string
}

export interface AuthStatus {
  setupRequired: boolean
  user: User | null
}

/** Every page waits for it: whoever has heard nothing by then is told so, and asked again. */
let limitMs = 10_000
/** The longest that a server is waited for which is slow each time. */
const MAX_LIMIT_MS = 60_000

export const authStatusQuery = {
  queryKey: queryKeys.authStatus,
  queryFn: async (): Promise<AuthStatus> => {
    const signal = AbortSignal.timeout(limitMs)
    try {
      return await parseResponse(api.auth.status.$get({}, { init: { signal } }))
    } finally {
      if (signal.aborted) limitMs = Math.min(limitMs * 2, MAX_LIMIT_MS)
    }
  },
}
export const setUp = (json: Credentials): Promise<{ user: User }> => parseResponse(api.auth.setup.$post({ json }))
export const signIn = (json: Credentials): Promise<{ user: User }> => parseResponse(api.auth.login.$post({ json }))
export const signOut = () => api.auth.logout.$post()
export const changePassword = (json: { currentPassword: string; newPassword: string }) => api.auth.password.$put({ json })

export const sessionsQuery = {
  queryKey: queryKeys.sessions,
  queryFn: (): Promise<{ sessions: SessionInfo[] }> => parseResponse(api.auth.sessions.$get()),
}
export const endSession = (id: string) => api.auth.sessions[':id'].$delete({ param: { id } })
export const endOtherSessions = () => api.auth.sessions.$delete()

export const tokensQuery = {
  queryKey: queryKeys.tokens,
  queryFn: (): Promise<{ tokens: TokenInfo[] }> => parseResponse(api.auth.tokens.$get()),
}
export const createToken = (name: string) => parseResponse(api.auth.tokens.$post({ json: { name } }))
export const deleteToken = (id: string) => api.auth.tokens[':id'].$delete({ param: { id } })
