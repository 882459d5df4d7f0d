import { Key } from '@solid-primitives/keyed'
import { A } from '@solidjs/router'
import { ChevronRight, UserPlus } from 'lucide-solid'
import { createSignal, For, Show } from 'solid-js'
import type { User } from '../../api/types.ts'
import { usersQuery } from '../../api/users.ts'
import { Button } from '../../components/button.tsx'
import { late } from '../../components/late.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/manage.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { formatDate } from '../../primitives/format.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { useUser } from '../../primitives/session.ts'
import { Initial } from '../shell/avatar.tsx'
import { PermissionMatrix } from './permission-matrix.tsx'

const UserDialog = late(async () => (await import('./user-dialog.tsx')).UserDialog)

const accessOf = (user: User) => {
  if (user.role === 'admin' || user.libraryIds === null) return t('users.allLibraries')
  return user.libraryIds.length === 0 ? t('users.noLibraries') : t('users.someLibraries', user.libraryIds.length)
}

const UserRow = (props: { user: User }) => {
  const me = useUser()
  return (
    <li>
      <A href={`/manage/users/${props.user.id}`} class="group flex items-center gap-4 px-4 py-3 transition-colors hover:bg-raised">
        <span
          class="flex size-10 shrink-0 items-center justify-center rounded-pill bg-accent-soft font-semibold text-accent"
          classList={{ 'opacity-50': props.user.disabled }}
        >
          <Initial name={props.user.username} />
        </span>
        <span class="flex min-w-0 grow flex-col">
          <span class="flex flex-wrap items-center gap-2">
            <span class="truncate font-semibold">{props.user.username}</span>
            <Show when={props.user.id === me().id}>
              <span class="rounded-pill bg-raised px-2 text-caption text-muted">{t('users.you')}</span>
            </Show>
            <Show when={props.user.disabled}>
              <span class="rounded-pill bg-warning-soft px-2 text-caption text-warning">{t('users.disabled')}</span>
            </Show>
          </span>
          <span class="text-caption text-muted">
            {[t(`users.roles.${props.user.role}`), accessOf(props.user), t('users.since', formatDate(props.user.createdAt))].join(' · ')}
          </span>
        </span>
        <ChevronRight size={18} class="shrink-0 text-muted" aria-hidden="true" />
      </A>
    </li>
  )
}

export const ManageUsers = () => {
  createPageTitle(() => [t('manage.users'), t('manage.title')])
  const [isAdding, setAdding] = createSignal(false)
  const users = createQuery(() => usersQuery)
  return (
    <>
      <PageHeader
        title={t('manage.users')}
        lead={t('users.lead')}
        actions={
          <Button variant="primary" onClick={() => setAdding(true)}>
            <UserPlus size={18} aria-hidden="true" />
            {t('users.add')}
          </Button>
        }
      />
      <QueryView query={users} skeleton={<For each={[1, 2, 3]}>{() => <Skeleton class="mb-2 h-16 w-full" />}</For>}>
        {(data) => (
          <>
            <ul class="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
              <Key each={data().users} by="id">
                {(user) => <UserRow user={user()} />}
              </Key>
            </ul>
            <PermissionMatrix users={data().users} />
          </>
        )}
      </QueryView>
      <Show when={isAdding()}>
        <UserDialog onClose={() => setAdding(false)} />
      </Show>
    </>
  )
}
