import { useQueryClient } from '@tanstack/solid-query'
import { For } from 'solid-js'
import { PERMISSIONS, type Permission } from '../../../../src/domain/permissions.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { User } from '../../api/types.ts'
import { changeUser } from '../../api/users.ts'
import { Section } from '../../components/section.tsx'
import { t } from '../../i18n/manage.ts'
import { notify, notifyError } from '../../primitives/notify.ts'

/** Who may do what, at a glance; on phones every account shows its own. */
export const PermissionMatrix = (props: { users: readonly User[] }) => {
  const client = useQueryClient()
  const change = async (user: User, permission: Permission, isGranted: boolean) => {
    try {
      await changeUser(user.id, { permissions: { [permission]: isGranted } })
      notify(t('action.saved'))
    } catch (error) {
      notifyError(error)
    }
    await client.invalidateQueries({ queryKey: queryKeys.users })
  }
  return (
    <div class="max-md:hidden">
      <Section title={t('users.permissions')} note={t('users.permissionsAdmin')}>
        <div class="overflow-x-auto rounded-card border border-line bg-surface">
          <table class="w-full text-small">
            <thead>
              <tr class="border-b border-line text-caption text-muted">
                <th class="px-4 py-3 text-left font-semibold">{t('field.name')}</th>
                <For each={PERMISSIONS}>
                  {(permission) => <th class="px-2 py-3 text-center align-bottom font-semibold">{t(`users.permission.${permission}`)}</th>}
                </For>
              </tr>
            </thead>
            <tbody class="divide-y divide-line">
              <For each={props.users}>
                {(user) => (
                  <tr class={user.disabled ? 'text-muted' : ''}>
                    <th class="max-w-48 truncate px-4 py-2 text-left font-semibold">{user.username}</th>
                    <For each={PERMISSIONS}>
                      {(permission) => (
                        <td class="px-2 py-2 text-center">
                          <input
                            type="checkbox"
                            aria-label={t('users.permissionOf', t(`users.permission.${permission}`), user.username)}
                            checked={user.role === 'admin' || user.permissions[permission]}
                            disabled={user.role === 'admin'}
                            onChange={(event) => void change(user, permission, event.currentTarget.checked)}
                            class="size-5 align-middle accent-accent disabled:opacity-50"
                          />
                        </td>
                      )}
                    </For>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </div>
      </Section>
    </div>
  )
}
