import { useQueryClient } from '@tanstack/solid-query'
import { Trash2, UserRound } from 'lucide-solid'
import { createSignal, For, Show } from 'solid-js'
import { PERMISSIONS, ROLES, type Role } from '../../../../src/domain/permissions.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { User } from '../../api/types.ts'
import { deleteUser, usersQuery } from '../../api/users.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { late } from '../../components/late.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { SwitchField } from '../../components/switch-field.tsx'
import { t } from '../../i18n/manage.ts'
import { createOnward } from '../../primitives/create-onward.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createUserChanges } from '../../primitives/create-user-changes.ts'
import { createCrumbs } from '../../primitives/crumbs.ts'
import { formatDate } from '../../primitives/format.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { useUser } from '../../primitives/session.ts'
import { LibraryGrants } from './library-grants.tsx'
import { UserPassword } from './user-password.tsx'

const TypedConfirm = late(async () => (await import('../../components/typed-confirm.tsx')).TypedConfirm)

const UserPage = (props: { user: User }) => {
  const me = useUser()
  const client = useQueryClient()
  const onward = createOnward()
  const [isDeleting, setDeleting] = createSignal(false)
  /** Every switch saves at once. */
  const { shown, change } = createUserChanges(() => props.user)
  const isAdmin = () => shown().role === 'admin'
  const remove = async () => {
    const goOn = onward()
    await deleteUser(props.user.id)
    goOn('/manage/users', { replace: true })
    await client.invalidateQueries({ queryKey: queryKeys.users })
  }
  return (
    <>
      <PageHeader
        title={props.user.username}
        lead={`${t(`users.roles.${props.user.role}`)} · ${t('users.since', formatDate(props.user.createdAt))}`}
      />
      <div class="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <div class="flex min-w-0 flex-col gap-6">
          <Panel title={t('users.account')}>
            <Select<Role>
              label={t('users.role')}
              value={shown().role}
              options={ROLES.toReversed().map((value) => ({ value, label: t(`users.roles.${value}`) }))}
              onSelect={(role) => change({ role })}
              class="mb-2 max-w-72"
            />
            <SwitchField
              label={t('users.enabled')}
              hint={t('users.enabledHint')}
              isOn={!shown().disabled}
              disabled={props.user.id === me().id}
              onChange={(isOn) => change({ disabled: !isOn })}
            />
          </Panel>
          <LibraryGrants user={shown()} onChange={(libraryIds) => change({ libraryIds })} />
          <UserPassword userId={props.user.id} username={props.user.username} />
        </div>
        <Panel title={t('users.permissions')} lead={isAdmin() ? t('users.permissionsAdmin') : undefined}>
          <div class="divide-y divide-line">
            <For each={PERMISSIONS}>
              {(permission) => (
                <SwitchField
                  label={t(`users.permission.${permission}`)}
                  isOn={isAdmin() || shown().permissions[permission]}
                  disabled={isAdmin()}
                  onChange={(isOn) => change({ permissions: { [permission]: isOn } })}
                />
              )}
            </For>
          </div>
        </Panel>
      </div>
      <Show when={props.user.id !== me().id}>
        <div class="mt-8 flex flex-wrap items-center justify-between gap-4 rounded-card border border-line p-4">
          <p class="max-w-[60ch] text-small text-muted">{t('users.deleteLead')}</p>
          <Button onClick={() => setDeleting(true)}>
            <Trash2 size={18} aria-hidden="true" />
            {t('users.delete')}
          </Button>
        </div>
      </Show>
      <Show when={isDeleting()}>
        <TypedConfirm
          title={t('users.deleteTitle', props.user.username)}
          lead={t('users.deleteLead')}
          name={props.user.username}
          label={t('manageLibraries.deleteConfirm', props.user.username)}
          submitLabel={t('users.delete')}
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        />
      </Show>
    </>
  )
}

export const ManageUser = (props: { userId: number }) => {
  const users = createQuery(() => usersQuery)
  const user = () => users.data?.users.find(({ id }) => id === props.userId)
  createPageTitle(() => [user()?.username, t('manage.users')])
  createCrumbs(() => [{ label: t('manage.users'), href: '/manage/users' }])
  return (
    <QueryView isScreen query={users} skeleton={<Skeleton class="h-80 w-full" />}>
      {() => (
        <Show when={user()} fallback={<EmptyState isScreen icon={<UserRound size={28} />} heading={t('users.unknownHeading')} />}>
          {(known) => <UserPage user={known()} />}
        </Show>
      )}
    </QueryView>
  )
}
