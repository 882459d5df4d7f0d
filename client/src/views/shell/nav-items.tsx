import { A } from '@solidjs/router'
import { House, Settings2 } from 'lucide-solid'
import { type JSX, Show } from 'solid-js'
import type { Library } from '../../api/types.ts'
import { LibraryIcon } from '../../components/type-icon.tsx'
import { t } from '../../i18n/translate.ts'
import { isScanActive } from '../../primitives/libraries.ts'
import { libraryPath } from '../../primitives/paths.ts'

interface NavItemProps {
  href: string
  label: string
  icon: JSX.Element
  isExact?: boolean
  /** Something is going on behind this entry. */
  isBusy?: boolean
}

/** A row in the wide sidebar, an icon over a small label in the rail. */
const NavItem = (props: NavItemProps) => (
  <A
    href={props.href}
    end={props.isExact}
    title={props.label}
    class="group relative flex flex-col items-center gap-1 rounded-card py-2 text-caption transition-colors lg:flex-row lg:gap-3 lg:px-3 lg:text-small"
    activeClass="bg-accent-soft text-accent lg:font-semibold"
    inactiveClass="text-muted hover:bg-raised hover:text-fg"
  >
    {props.icon}
    <span class="line-clamp-2 w-full min-w-0 text-center max-lg:tracking-[-0.02em] lg:line-clamp-1 lg:text-left">{props.label}</span>
    <Show when={props.isBusy}>
      <span class="absolute top-2 right-2 size-2 animate-pulse rounded-pill bg-accent lg:static" aria-hidden="true" />
    </Show>
  </A>
)

export const HomeNavItem = () => (
  <NavItem href="/" isExact label={t('nav.home')} icon={<House size={20} class="shrink-0" aria-hidden="true" />} />
)

export const LibraryNavItem = (props: { library: Library }) => (
  <NavItem
    href={libraryPath(props.library.id)}
    label={props.library.name}
    icon={<LibraryIcon type={props.library.type} />}
    isBusy={isScanActive(props.library.lastScan)}
  />
)

export const ManageNavItem = () => (
  <NavItem href="/manage" label={t('nav.manage')} icon={<Settings2 size={20} class="shrink-0" aria-hidden="true" />} />
)
