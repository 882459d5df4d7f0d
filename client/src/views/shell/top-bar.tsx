import { A } from '@solidjs/router'
import { createSignal, Show } from 'solid-js'
import { isServerReachable } from '../../api/http.ts'
import { Breadcrumbs } from '../../components/breadcrumbs.tsx'
import { late } from '../../components/late.tsx'
import { Logo } from '../../components/logo.tsx'
import { t } from '../../i18n/translate.ts'
import { crumbs } from '../../primitives/crumbs.ts'
import { createIsAdmin, useUser } from '../../primitives/session.ts'
import { AVATAR_CLASS, Initial } from './avatar.tsx'
import { HeaderSearch } from './header-search.tsx'

const load = async () => (await import('./user-menu.tsx')).UserMenu
const UserMenu = late(load)
/** Nobody has asked for it yet: that it cannot be had is said to who does. */
const warm = () => load().catch(() => undefined)

/** The menu and its positioning code are as large as a library's grid: they come when somebody reaches for them. */
const AccountButton = () => {
  const user = useUser()
  const [isWanted, setWanted] = createSignal(false)
  const button = () => (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded="false"
      aria-label={t('nav.userMenu', user().username)}
      title={t('nav.userMenu', user().username)}
      onPointerEnter={warm}
      onFocus={warm}
      onClick={() => {
        UserMenu.preload()
        setWanted(true)
      }}
      class={AVATAR_CLASS}
    >
      <Initial name={user().username} />
    </button>
  )
  return (
    <Show when={isWanted() && UserMenu.isThere()} fallback={button()}>
      <UserMenu />
    </Show>
  )
}

const ACTIVITY_AFTER_MS = 2000
// What goes on in the background is asked for after what the screen shows.
const ActivityIndicator = late(async () => {
  await new Promise((resolve) => setTimeout(resolve, ACTIVITY_AFTER_MS))
  return (await import('./activity-indicator.tsx')).ActivityIndicator
})

export const TopBar = () => {
  const isAdmin = createIsAdmin()
  return (
    <header class="sticky top-0 z-10 flex h-14 shrink-0 items-center gap-3 bg-bg/90 px-4 backdrop-blur-md sm:px-6 lg:px-8">
      <A href="/" class="-m-2 p-2 md:hidden" aria-label={t('app.name')}>
        <Logo />
      </A>
      <div class="min-w-0 grow">
        <Show when={crumbs().length > 0}>
          <Breadcrumbs label={t('nav.breadcrumbs')} crumbs={crumbs()} />
        </Show>
      </div>
      <HeaderSearch />
      <Show when={isAdmin()}>
        <ActivityIndicator />
      </Show>
      <AccountButton />
      {/* In the gap between the bar and what the screen begins with: nothing moves when it comes. */}
      <Show when={!isServerReachable()}>
        <p role="status" class="absolute inset-x-0 top-12 truncate bg-warning px-4 text-center text-caption font-semibold text-bg">
          {t('app.unreachable')}
        </p>
      </Show>
    </header>
  )
}
