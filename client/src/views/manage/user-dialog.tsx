import { useQueryClient } from '@tanstack/solid-query'
import { createSignal, Show } from 'solid-js'
import { ROLES, type Role } from '../../../../src/domain/permissions.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { createUser } from '../../api/users.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { FormError } from '../../components/form-error.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/manage.ts'
import { createOnward } from '../../primitives/create-onward.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { notify } from '../../primitives/notify.ts'
import { LibraryGrants } from './library-grants.tsx'

export const UserDialog = (props: { onClose: () => void }) => {
  const client = useQueryClient()
  const onward = createOnward()
  const [username, setUsername] = createSignal('')
  const [password, setPassword] = createSignal('')
  const [role, setRole] = createSignal<Role>('user')
  const [libraryIds, setLibraryIds] = createSignal<number[] | null>(null)
  const form = createSubmit(
    async () => {
      const goOn = onward()
      const { user } = await createUser({
        username: username().trim(),
        password: password(),
        role: role(),
        libraryIds: role() === 'admin' ? null : libraryIds(),
      })
      await client.invalidateQueries({ queryKey: queryKeys.users })
      notify(t('users.createdToast', user.username))
      return () => goOn(`/manage/users/${user.id}`)
    },
    (leadOn) => {
      props.onClose()
      leadOn()
    },
  )
  return (
    <Dialog onClose={props.onClose} title={t('users.addTitle')}>
      <form onSubmit={form.submit} class="flex flex-col gap-4">
        <TextField
          label={t('field.name')}
          name="username"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          value={username()}
          error={form.problem.ofField('username') ?? form.problem.ofCode('duplicate_name')}
          onInput={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordField
          label={t('field.password')}
          hint={t('field.passwordRule')}
          name="password"
          autocomplete="new-password"
          required
          value={password()}
          error={form.problem.ofField('password')}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
        <Select<Role>
          label={t('users.role')}
          value={role()}
          options={ROLES.toReversed().map((value) => ({ value, label: t(`users.roles.${value}`) }))}
          onSelect={setRole}
        />
        {/* At once: until they are restricted, somebody with this name and password sees everything. */}
        <Show when={role() !== 'admin'}>
          <LibraryGrants user={{ role: role(), libraryIds: libraryIds() }} onChange={setLibraryIds} />
        </Show>
        <FormError text={form.problem.general({ fields: ['username', 'password'], codes: ['duplicate_name'] })} />
        <FormButtons label={t('users.add')} isBusy={form.isBusy()} isReady onCancel={props.onClose} />
      </form>
    </Dialog>
  )
}
