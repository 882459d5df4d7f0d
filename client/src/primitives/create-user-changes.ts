import { useQueryClient } from '@tanstack/solid-query'
import { type Accessor, untrack } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import type { User } from '../api/types.ts'
import { changeUser, type UserChanges } from '../api/users.ts'
import { t } from '../i18n/translate.ts'
import { createChanges } from './create-changes.ts'
import { notify, notifyError } from './notify.ts'
import { useUser } from './session.ts'

const withChanges = (user: User, { role, permissions, disabled, libraryIds = user.libraryIds }: UserChanges): User => ({
  ...user,
  role: role ?? user.role,
  disabled: disabled ?? user.disabled,
  libraryIds,
  permissions: { ...user.permissions, ...permissions },
})

/** What somebody may do and see, each part saved by itself. Made anew for every user: what still waits belongs to this one. */
export const createUserChanges = (user: Accessor<User>) => {
  const me = useUser()
  const client = useQueryClient()
  const { id } = untrack(user)
  return createChanges<User, UserChanges>({
    saved: user,
    apply: withChanges,
    save: async (changes) => {
      await changeUser(id, changes)
      notify(t('action.saved'))
    },
    tellRefusal: notifyError,
    refresh: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.users })
      if (id === me().id) await client.invalidateQueries({ queryKey: queryKeys.authStatus })
    },
  })
}
