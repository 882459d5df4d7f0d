import { getJson, sendJson, sendOnly } from './http.ts'
import type { SessionInfo, TokenInfo, User } from './types.ts'

export interface Credentials {
  username: string
  password: string
}

export interface AuthStatus {
  setupRequired: boolean
  user: User | null
}

export const getAuthStatus = () => getJson<AuthStatus>('auth/status')
export const setUp = (credentials: Credentials) => sendJson<{ user: User }>('POST', 'auth/setup', credentials)
export const signIn = (credentials: Credentials) => sendJson<{ user: User }>('POST', 'auth/login', credentials)
export const signOut = () => sendOnly('POST', 'auth/logout')
export const changePassword = (passwords: { currentPassword: string; newPassword: string }) => sendOnly('PUT', 'auth/password', passwords)

export const listSessions = () => getJson<{ sessions: SessionInfo[] }>('auth/sessions')
export const endSession = (id: string) => sendOnly('DELETE', `auth/sessions/${encodeURIComponent(id)}`)

export const listTokens = () => getJson<{ tokens: TokenInfo[] }>('auth/tokens')
export const createToken = (name: string) => sendJson<{ id: string; token: string }>('POST', 'auth/tokens', { name })
export const deleteToken = (id: string) => sendOnly('DELETE', `auth/tokens/${encodeURIComponent(id)}`)
