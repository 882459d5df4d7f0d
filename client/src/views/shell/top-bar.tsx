import { A } from '@solidjs/router'
import { lazy, Show, Suspense } from 'solid-js'
import { Breadcrumbs } from '../../components/breadcrumbs.tsx'
import { Logo } from '../../components/logo.tsx'
import { t } from '../../i18n/translate.ts'
import { crumbs } from '../../primitives/crumbs.ts'
import { createIsAdmin, useUser } from '../../primitives/session.ts'
import { AVATAR_CLASS, Initial } from './avatar.tsx'
import { HeaderSearch } from './header-search.tsx'
import { ScanIndicator } from './scan-indicator.tsx'

const LATEST_MS = 2000
/** When the browser has nothing better to do. Safari does not tell. */
const idle = (): Promise<unknown> =>
  new Promise((resolve) => ('requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: LATEST_MS }) : setTimeout(resolve)))

// The menu and its positioning code are as large as a library's grid, which goes first.
const UserMenu = lazy(async () => {
  await idle()
  return { default: (await import('./user-menu.tsx')).UserMenu }
})

export const TopBar = () => {
  const user = useUser()
  const isAdmin = createIsAdmin()
  return (
    <header class="sticky top-0 z-10 flex h-14 shrink-0 items-center gap-3 bg-bg/90 px-4 backdrop-blur-md sm:px-6 lg:px-8">
      <A href="/" class="md:hidden" aria-label={t('app.name')}>
        <Logo />
      </A>
      <div class="min-w-0 grow">
        <Show when={crumbs().length > 0}>
          <Breadcrumbs label={t('nav.breadcrumbs')} crumbs={crumbs()} />
        </Show>
      </div>
      <HeaderSearch />
      <Show when={isAdmin()}>
        <ScanIndicator />
      </Show>
      <Suspense
        fallback={
          <span class={AVATAR_CLASS}>
            <Initial name={user().username} />
          </span>
        }
      >
        <UserMenu />
      </Suspense>
    </header>
  )
}
