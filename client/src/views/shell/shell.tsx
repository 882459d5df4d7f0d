import { Navigate, type RouteSectionProps, useLocation } from '@solidjs/router'
import { useQuery } from '@tanstack/solid-query'
import { createEffect, Match, Show, Suspense, Switch } from 'solid-js'
import { getAuthStatus } from '../../api/auth.ts'
import { isServerReachable } from '../../api/http.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { User } from '../../api/types.ts'
import { getUserSettings } from '../../api/user-settings.ts'
import { ErrorCard } from '../../components/error-card.tsx'
import { t } from '../../i18n/translate.ts'
import { setDefaultGridSize } from '../../primitives/create-card-size.ts'
import { createScanWatch } from '../../primitives/libraries.ts'
import { notify, notifyError } from '../../primitives/notify.ts'
import { createSearchShortcut } from '../../primitives/search-shortcut.ts'
import { SessionProvider } from '../../primitives/session.ts'
import { applyTheme } from '../../primitives/theme.ts'
import { BottomNav } from './bottom-nav.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

const RETRY_UNREACHABLE_MS = 5000

const SkipLink = () => (
  // biome-ignore lint/a11y/useValidAnchor: a link to a place on this page, whatever the base element says
  <a
    href="#main"
    class="fixed top-2 left-2 z-70 -translate-y-16 rounded-card bg-accent px-4 py-2 text-small font-semibold text-on-accent focus:translate-y-0"
    onClick={(event) => {
      // The base element makes "#main" an address of the start page.
      event.preventDefault()
      document.querySelector<HTMLElement>('#main')?.focus()
    }}
  >
    {t('app.skipToContent')}
  </a>
)

const SignedIn = (props: RouteSectionProps & { user: User }) => {
  const settings = useQuery(() => ({ queryKey: queryKeys.userSettings, queryFn: getUserSettings, refetchOnWindowFocus: false }))
  createEffect(() => {
    if (!settings.isSuccess || !settings.data) return
    if (settings.data.theme) applyTheme(settings.data.theme)
    if (settings.data.gridSize) setDefaultGridSize(settings.data.gridSize)
  })
  createSearchShortcut()
  createScanWatch((library) => {
    if (props.user.role !== 'admin') return
    if (library.lastScan?.status === 'done') notify(t('scan.finishedToast', library.name))
    if (library.lastScan?.status === 'failed') notifyError(new Error(t('scan.failedToast', library.name)))
  })
  return (
    <SessionProvider value={() => props.user}>
      <SkipLink />
      <Sidebar />
      <div class="flex min-h-dvh min-w-0 flex-col md:pl-18 lg:pl-58">
        <TopBar />
        <Show when={!isServerReachable()}>
          <p role="status" class="bg-warning-soft px-4 py-2 text-center text-small text-warning">
            {t('app.unreachable')}
          </p>
        </Show>
        <main id="main" tabIndex={-1} class="mx-auto w-full max-w-440 min-w-0 grow px-4 pt-2 pb-28 sm:px-6 md:pb-12 lg:px-8">
          <Suspense>{props.children}</Suspense>
        </main>
      </div>
      <BottomNav />
    </SessionProvider>
  )
}

/** The frame of every signed-in screen; whoever is not signed in goes to the door that fits. */
export const Shell = (props: RouteSectionProps) => {
  const location = useLocation()
  const status = useQuery(() => ({
    queryKey: queryKeys.authStatus,
    queryFn: getAuthStatus,
    refetchInterval: () => (isServerReachable() ? false : RETRY_UNREACHABLE_MS),
  }))
  const known = () => (status.isPending || status.isLoadingError ? undefined : status.data)
  const nextPath = () => encodeURIComponent(location.pathname + location.search)
  return (
    <Switch>
      <Match when={known()?.user}>{(user) => <SignedIn {...props} user={user()} />}</Match>
      <Match when={known()?.setupRequired}>
        <Navigate href="/setup" />
      </Match>
      <Match when={known()}>
        <Navigate href={`/login?next=${nextPath()}`} />
      </Match>
      <Match when={status.isError && status.error}>
        {(error) => (
          <main class="px-4">
            <ErrorCard isScreen error={error()} onRetry={() => void status.refetch()} />
          </main>
        )}
      </Match>
    </Switch>
  )
}
