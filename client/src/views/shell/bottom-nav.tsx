import { A, useLocation } from '@solidjs/router'
import { Ellipsis, House } from 'lucide-solid'
import { createSignal, Index, type JSX, Show } from 'solid-js'
import { late } from '../../components/late.tsx'
import { LibraryIcon } from '../../components/type-icon.tsx'
import { t } from '../../i18n/translate.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { onChange } from '../../primitives/on-change.ts'
import { libraryPath } from '../../primitives/paths.ts'

const MoreSheet = late(async () => (await import('./more-sheet.tsx')).MoreSheet)

/** Beside the start page and "More", a thumb finds three entries at most. */
const LIBRARIES_SHOWN = 3

const ITEM = 'flex min-w-0 flex-1 flex-col items-center justify-center gap-1 px-px text-caption transition-colors'

const BottomItem = (props: { href: string; label: string; icon: JSX.Element; isExact?: boolean }) => (
  <A href={props.href} end={props.isExact} class={ITEM} activeClass="font-semibold text-accent" inactiveClass="text-muted">
    {props.icon}
    <span class="w-full truncate text-center">{props.label}</span>
  </A>
)

export const BottomNav = () => {
  const [isOpen, setOpen] = createSignal(false)
  const location = useLocation()
  const { query, libraries } = createLibraries()
  // Also one that is still on its way: it would open over where somebody has gone meanwhile.
  onChange(
    () => location.pathname,
    () => setOpen(false),
  )
  return (
    <>
      <nav aria-label={t('nav.label')} class="bottom-bar fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface md:hidden">
        <BottomItem href="/" isExact label={t('nav.home')} icon={<House size={20} aria-hidden="true" />} />
        {/* Until they are known, their room: what stands beside them does not slide away from under a thumb. */}
        <Show when={query.data} fallback={<span class="flex-3 px-[3px]" />}>
          <Index each={libraries().slice(0, LIBRARIES_SHOWN)}>
            {(library) => (
              <BottomItem href={libraryPath(library().id)} label={library().name} icon={<LibraryIcon type={library().type} />} />
            )}
          </Index>
        </Show>
        <button
          type="button"
          class={`${ITEM} text-muted`}
          aria-haspopup="dialog"
          aria-expanded={isOpen()}
          onClick={() => {
            // Asks again, where it could not be had the last time.
            MoreSheet.preload()
            setOpen(true)
          }}
        >
          <Ellipsis size={20} aria-hidden="true" />
          {t('nav.more')}
        </button>
      </nav>
      <Show when={isOpen()}>
        <MoreSheet onClose={() => setOpen(false)} />
      </Show>
    </>
  )
}
