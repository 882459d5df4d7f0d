import { createSignal } from 'solid-js'
import { changeUser } from '../../api/users.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Panel } from '../../components/panel.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { t } from '../../i18n/manage.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { notify } from '../../primitives/notify.ts'

/** For somebody who has forgotten theirs. */
export const UserPassword = (props: { userId: number; username: string }) => {
  const [password, setPassword] = createSignal('')
  const form = createSubmit(async () => {
    await changeUser(props.userId, { password: password() })
    setPassword('')
    notify(t('users.passwordSet'))
  })
  return (
    <Panel title={t('field.password')} lead={t('users.passwordLead')}>
      <form onSubmit={form.submit} class="flex max-w-96 flex-col gap-4">
        <input type="text" name="username" autocomplete="username" value={props.username} readOnly hidden />
        <PasswordField
          label={t('users.newPassword')}
          hint={t('field.passwordRule')}
          name="new-password"
          autocomplete="new-password"
          required
          value={password()}
          error={form.problem.ofField('password')}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
        <FormError text={form.problem.general({ fields: ['password'] })} />
        <div>
          <Button type="submit" isBusy={form.isBusy()}>
            {t('users.setPassword')}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
