import type { Permissions, Role } from '../../../src/domain/permissions.ts'
import { getJson, sendJson, sendOnly } from './http.ts'
import type { User } from './types.ts'

export interface NewUser {
  username: string
  password: string
  role: Role
}

export interface UserChanges {
  role?: Role
  permissions?: Partial<Permissions>
  libraryIds?: number[] | null
  disabled?: boolean
  password?: string
}

export const listUsers = () => getJson<{ users: User[] }>('users')
export const createUser = (user: NewUser) => sendJson<{ user: User }>('POST', 'users', user)
export const changeUser = (id: number, changes: UserChanges) => sendJson<{ user: User }>('PATCH', `users/${id}`, changes)
export const deleteUser = (id: number) => sendOnly('DELETE', `users/${id}`)
