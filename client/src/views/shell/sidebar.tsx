import { A } from '@solidjs/router'
import { Index, Show } from 'solid-js'
import { Logo } from '../../components/logo.tsx'
import { t } from '../../i18n/translate.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { createCanManage } from '../../primitives/session.ts'
import { HomeNavItem, LibraryNavItem, ManageNavItem } from './nav-items.tsx'

export const Sidebar = () => {
  const canManage = createCanManage()
  const { libraries } = createLibraries()
  return (
    <aside class="fixed inset-y-0 left-0 z-20 hidden side-bar flex-col border-r border-line bg-surface md:flex">
      <A href="/" class="flex h-14 shrink-0 items-center justify-center gap-3 lg:justify-start lg:px-5" aria-label={t('app.name')}>
        <Logo />
        <span class="hidden text-h3 font-semibold lg:inline">{t('app.name')}</span>
      </A>
      <nav aria-label={t('nav.label')} class="flex min-h-0 grow flex-col gap-1 overflow-y-auto px-0.5 pt-2 safe-pb-2 lg:px-3">
        <HomeNavItem />
        <Show when={libraries().length > 0}>
          <p class="mt-4 mb-1 hidden px-3 text-caption font-semibold text-muted lg:block">{t('nav.libraries')}</p>
        </Show>
        <Index each={libraries()}>{(library) => <LibraryNavItem library={library()} />}</Index>
        <Show when={canManage()}>
          <div class="mt-auto pt-4">
            <ManageNavItem />
          </div>
        </Show>
      </nav>
    </aside>
  )
}
