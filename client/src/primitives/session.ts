import { createContext, useContext } from 'solid-js'
import type { Permission } from '../../../src/domain/permissions.ts'
import type { User } from '../api/types.ts'

const SessionContext = createContext<() => User>()
export const SessionProvider = SessionContext.Provider

export const useUser = (): (() => User) => {
  const user = useContext(SessionContext)
  if (!user) throw new Error('useUser stands outside the signed-in part of the client')
  return user
}

export const createIsAdmin = () => {
  const user = useUser()
  return () => user().role === 'admin'
}

export const createCan = () => {
  const user = useUser()
  return (permission: Permission) => user().role === 'admin' || user().permissions[permission]
}

/** Whether there is anything to manage: all of it for administrators, the tags for whoever has that permission. */
export const createCanManage = () => {
  const can = createCan()
  return () => can('manageTags')
}
