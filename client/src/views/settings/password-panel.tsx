import { useQueryClient } from '@tanstack/solid-query'
import { createSignal } from 'solid-js'
import { changePassword } from '../../api/auth.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Panel } from '../../components/panel.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { t } from '../../i18n/settings.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { notify } from '../../primitives/notify.ts'
import { useUser } from '../../primitives/session.ts'

export const PasswordPanel = () => {
  const client = useQueryClient()
  const user = useUser()
  const [current, setCurrent] = createSignal('')
  const [next, setNext] = createSignal('')
  const form = createSubmit(async () => {
    await changePassword({ currentPassword: current(), newPassword: next() })
    setCurrent('')
    setNext('')
    notify(t('settings.passwordChanged'))
    await client.invalidateQueries({ queryKey: queryKeys.sessions })
  })
  return (
    <Panel title={t('settings.password')} lead={t('settings.passwordLead')}>
      <form onSubmit={form.submit} class="flex max-w-96 flex-col gap-4">
        <input type="text" name="username" autocomplete="username" value={user().username} readOnly hidden />
        <PasswordField
          label={t('settings.currentPassword')}
          name="current-password"
          autocomplete="current-password"
          required
          value={current()}
          error={form.problem.ofField('currentPassword') ?? form.problem.ofCode('invalid_credentials')}
          onInput={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordField
          label={t('settings.newPassword')}
          hint={t('field.passwordRule')}
          name="new-password"
          autocomplete="new-password"
          required
          value={next()}
          error={form.problem.ofField('newPassword')}
          onInput={(event) => setNext(event.currentTarget.value)}
        />
        <FormError text={form.problem.general({ fields: ['currentPassword', 'newPassword'], codes: ['invalid_credentials'] })} />
        <div>
          <Button type="submit" variant="primary" isBusy={form.isBusy()}>
            {t('settings.changePassword')}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
