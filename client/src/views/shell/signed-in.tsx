import { createEffect, type JSX, Show, Suspense } from 'solid-js'
import { ownsTab } from '../../api/http.ts'
import type { User } from '../../api/types.ts'
import { userSettingsQuery } from '../../api/user-settings.ts'
import { late } from '../../components/late.tsx'
import { chooseLanguage, languageOfSetting } from '../../i18n/choose-language.ts'
import { t } from '../../i18n/translate.ts'
import { createConnectionWatch } from '../../primitives/connection-watch.ts'
import { setDefaultGridSize } from '../../primitives/create-card-size.ts'
import { createMediaQuery, SIDE_PANEL_QUERY } from '../../primitives/create-media-query.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { setDefaultSort } from '../../primitives/library-sort.ts'
import { SessionProvider } from '../../primitives/session.ts'
import { applyTheme } from '../../primitives/theme.ts'
import { BottomNav } from './bottom-nav.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

const ShellLater = late(async () => (await import('./shell-later.tsx')).ShellLater)
ShellLater.preload()

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

/** The frame around every screen of somebody who is signed in. */
export const SignedIn = (props: { user: User; children?: JSX.Element }) => {
  // What another person has left in the memory of this tab, places that are still to be told among it, is not for this one.
  if (!ownsTab(props.user.id)) {
    location.reload()
    return null
  }
  createEffect(() => ownsTab(props.user.id) || location.reload())
  const settings = createQuery(() => ({ ...userSettingsQuery, refetchOnWindowFocus: false }))
  createEffect(() => {
    if (!settings.data) return
    if (settings.data.theme) applyTheme(settings.data.theme)
    // Without its texts the one before stays; nobody has asked for it just now.
    if (settings.data.language) chooseLanguage(languageOfSetting(settings.data.language)).catch(() => undefined)
    if (settings.data.defaultSort) setDefaultSort(settings.data.defaultSort)
    if (settings.data.gridSize) setDefaultGridSize(settings.data.gridSize)
  })
  const isWide = createMediaQuery(SIDE_PANEL_QUERY)
  createConnectionWatch()
  return (
    <SessionProvider value={() => props.user}>
      <SkipLink />
      <Show when={isWide()}>
        <Sidebar />
      </Show>
      <div class="flex min-h-dvh min-w-0 flex-col md:pl-18 lg:pl-58">
        <TopBar />
        <main id="main" tabIndex={-1} class="mx-auto w-full max-w-440 min-w-0 grow px-4 pt-2 safe-pb-28 sm:px-6 md:pb-12 lg:px-8">
          <Suspense>{props.children}</Suspense>
        </main>
      </div>
      <Show when={!isWide()}>
        <BottomNav />
      </Show>
      <ShellLater />
    </SessionProvider>
  )
}
