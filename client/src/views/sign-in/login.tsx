import { Navigate, useNavigate } from '@solidjs/router'
import { useQueryClient } from '@tanstack/solid-query'
import { createSignal, Show } from 'solid-js'
import { authStatusQuery, signIn } from '../../api/auth.ts'
import { ApiProblem } from '../../api/http.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/sign-in.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { safeNextPath } from '../../primitives/paths.ts'
import { problemText } from '../../primitives/problem-text.ts'
import { setUser } from '../../primitives/set-user.ts'
import { Door } from './door.tsx'

export const Login = () => {
  createPageTitle(() => [t('signIn.title')])
  const client = useQueryClient()
  const navigate = useNavigate()
  const url = createUrlState()
  const next = () => safeNextPath(url.get('next'))
  // Somebody may have signed in meanwhile in another tab.
  const status = createQuery(() => ({ ...authStatusQuery, refetchOnWindowFocus: 'always' }))
  const known = () => status.data
  const [username, setUsername] = createSignal('')
  const [password, setPassword] = createSignal('')
  const [problem, setProblem] = createSignal<unknown>()
  const isRejected = () => {
    const error = problem()
    return error instanceof ApiProblem && error.code === 'invalid_credentials'
  }
  const [isBusy, setBusy] = createSignal(false)
  // The form leads on by itself; only those who come here signed in are sent away.
  let hasSubmitted = false
  /** Whatever another account left in the cache is not for this one. */
  const forgetOthers = () => client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth' })

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    hasSubmitted = true
    setProblem(undefined)
    try {
      const { user } = await signIn({ username: username(), password: password() })
      forgetOthers()
      await setUser(client, user)
      navigate(next(), { replace: true })
    } catch (error) {
      setProblem(error)
      hasSubmitted = false
    } finally {
      setBusy(false)
    }
  }

  return (
    <Door>
      <Show when={known()?.setupRequired}>
        <Navigate href="/setup" />
      </Show>
      <Show when={known()?.user && !hasSubmitted}>
        {(_) => {
          forgetOthers()
          return <Navigate href={next()} />
        }}
      </Show>
      <form onSubmit={(event) => void submit(event)} class="flex flex-col gap-4" aria-busy={isBusy()}>
        <div>
          <PageHeading>{t('signIn.title')}</PageHeading>
          <p class="text-small text-muted">{t('signIn.lead')}</p>
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
          onInput={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordField
          label={t('field.password')}
          name="password"
          autocomplete="current-password"
          required
          value={password()}
          error={isRejected() ? t('signIn.rejected') : undefined}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
        <FormError text={problem() === undefined || isRejected() ? undefined : problemText(problem())} />
        <Button type="submit" variant="primary" size="large" isBusy={isBusy()} class="mt-2">
          {t('signIn.submit')}
        </Button>
      </form>
    </Door>
  )
}
