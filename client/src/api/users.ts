import { parseResponse } from 'hono/client'
import type { Permissions, Role } from '../../../src/domain/permissions.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'
import type { User } from './types.ts'

interface NewUser {
  username: string
  password: string
  role: Role
  libraryIds: number[] | null
}

export interface UserChanges {
  role?: Role
  permissions?: Partial<Permissions>
  libraryIds?: number[] | null
  disabled?: boolean
  password?: string
}

export const usersQuery = { queryKey: queryKeys.users, queryFn: (): Promise<{ users: User[] }> => parseResponse(api.users.$get()) }
export const createUser = (json: NewUser): Promise<{ user: User }> => parseResponse(api.users.$post({ json }))
export const changeUser = (id: number, json: UserChanges): Promise<{ user: User }> =>
  parseResponse(api.users[':id'].$patch({ param: { id: String(id) }, json }))
export const deleteUser = (id: number) => api.users[':id'].$delete({ param: { id: String(id) } })
