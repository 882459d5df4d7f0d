import { Navigate, type RouteSectionProps, useLocation } from '@solidjs/router'
import { createMemo, Match, Show, Suspense, Switch } from 'solid-js'
import { authStatusQuery } from '../../api/auth.ts'
import { isServerReachable } from '../../api/http.ts'
import { ErrorCard, screen } from '../../components/screen.tsx'
import { t } from '../../i18n/translate.ts'
import { basePath } from '../../primitives/base-path.ts'
import { createDelayed } from '../../primitives/create-delayed.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { withoutBase } from '../../primitives/paths.ts'

const RETRY_UNREACHABLE_MS = 5000
/** A page that is empty for longer looks broken. */
const LATE_MS = 1000

const SignedIn = screen(() => import('./signed-in.tsx'), 'SignedIn')
// Most visitors are signed in: their frame loads beside the question who they are, and not after its answer.
void SignedIn.preload()

const Loading = () => {
  const isLate = createDelayed(() => true, LATE_MS)
  return (
    <Show when={isLate()}>
      <main class="p-8 text-center text-muted">
        <p role="status">{t('app.loading')}</p>
      </main>
    </Show>
  )
}

/** The gate of every screen: whoever is not signed in goes to the door that fits. */
export const Shell = (props: RouteSectionProps) => {
  const location = useLocation()
  const status = createQuery(() => ({
    ...authStatusQuery,
    // Somebody else may have signed in, in another tab.
    refetchOnWindowFocus: 'always',
    refetchInterval: isServerReachable() ? false : RETRY_UNREACHABLE_MS,
  }))
  const known = () => status.data
  /** Said from the first attempt on, and while it is asked again: nobody waits before an empty page for what cannot be had. */
  const failure = createMemo<Error | null>((before) => status.failureReason ?? before, null)
  const nextPath = () => encodeURIComponent(withoutBase(location.pathname, basePath) + location.search)
  return (
    <Switch fallback={<Loading />}>
      <Match when={known()?.user}>
        {(user) => (
          <Suspense fallback={<Loading />}>
            <SignedIn user={user()}>{props.children}</SignedIn>
          </Suspense>
        )}
      </Match>
      <Match when={known()?.setupRequired}>
        <Navigate href="/setup" />
      </Match>
      <Match when={known()}>
        <Navigate href={`/login?next=${nextPath()}`} />
      </Match>
      <Match when={failure()}>
        {(error) => (
          <main class="px-4">
            <Suspense>
              <ErrorCard isScreen error={error()} onRetry={() => void status.refetch()} />
            </Suspense>
          </main>
        )}
      </Match>
    </Switch>
  )
}
