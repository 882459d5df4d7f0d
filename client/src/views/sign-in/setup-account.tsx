import { createSignal } from 'solid-js'
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '../../../../src/domain/password.ts'
import { setUp } from '../../api/auth.ts'
import type { User } from '../../api/types.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/sign-in.ts'
import { createSubmit } from '../../primitives/form-problem.ts'

interface AccountStepProps {
  onCreated: (user: User) => void
  onRefused: () => void
}

export const AccountStep = (props: AccountStepProps) => {
  const [username, setUsername] = createSignal('')
  const [password, setPassword] = createSignal('')
  const form = createSubmit(async () => {
    try {
      const { user } = await setUp({ username: username().trim(), password: password() })
      props.onCreated(user)
    } catch (error) {
      props.onRefused()
      throw error
    }
  })
  return (
    <form onSubmit={form.submit} class="flex flex-col gap-4">
      <div>
        <PageHeading>{t('setup.accountHeading')}</PageHeading>
        <p class="text-small text-muted">{t('setup.accountLead')}</p>
      </div>
      <TextField
        label={t('field.name')}
        name="username"
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        required
        autofocus
        value={username()}
        error={form.problem.ofField('username')}
        onInput={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordField
        label={t('field.password')}
        hint={t('field.passwordRule')}
        name="password"
        autocomplete="new-password"
        required
        minLength={MIN_PASSWORD_CHARACTERS}
        maxLength={MAX_PASSWORD_CHARACTERS}
        value={password()}
        error={form.problem.ofField('password')}
        onInput={(event) => setPassword(event.currentTarget.value)}
      />
      <FormError text={form.problem.general({ fields: ['username', 'password'] })} />
      <Button type="submit" variant="primary" size="large" isBusy={form.isBusy()} class="mt-2">
        {t('setup.createAccount')}
      </Button>
    </form>
  )
}
