import { Key } from '@solid-primitives/keyed'
import { For } from 'solid-js'
import { PERMISSIONS } from '../../../../src/domain/permissions.ts'
import type { User } from '../../api/types.ts'
import { Section } from '../../components/section.tsx'
import { t } from '../../i18n/manage.ts'
import { createUserChanges } from '../../primitives/create-user-changes.ts'

const UserRow = (props: { user: User }) => {
  const { shown, change } = createUserChanges(() => props.user)
  return (
    <tr class={shown().disabled ? 'text-muted' : ''}>
      <th class="max-w-48 truncate px-4 py-2 text-left font-semibold">{shown().username}</th>
      <For each={PERMISSIONS}>
        {(permission) => (
          <td class="px-2 py-2 text-center">
            <input
              type="checkbox"
              aria-label={t('users.permissionOf', t(`users.permission.${permission}`), shown().username)}
              checked={shown().role === 'admin' || shown().permissions[permission]}
              disabled={shown().role === 'admin'}
              onChange={(event) => change({ permissions: { [permission]: event.currentTarget.checked } })}
              class="size-5 align-middle accent-accent disabled:opacity-50"
            />
          </td>
        )}
      </For>
    </tr>
  )
}

/** Who may do what, at a glance; on phones every account shows its own. */
export const PermissionMatrix = (props: { users: readonly User[] }) => (
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
            <Key each={props.users} by="id">
              {(user) => <UserRow user={user()} />}
            </Key>
          </tbody>
        </table>
      </div>
    </Section>
  </div>
)
