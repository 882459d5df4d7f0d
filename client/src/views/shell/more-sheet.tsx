import { A } from '@solidjs/router'
import { LogOut, Settings2, Trash2, UserRound } from 'lucide-solid'
import { Index, type JSX, Show } from 'solid-js'
import { Dialog } from '../../components/dialog.tsx'
import { LibraryIcon } from '../../components/type-icon.tsx'
import { t } from '../../i18n/translate.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { libraryPath } from '../../primitives/paths.ts'
import { createCan, createCanManage, useUser } from '../../primitives/session.ts'
import { createSignOut } from '../../primitives/sign-out.ts'

const ROW = 'flex h-11 w-full items-center gap-3 rounded-card px-3 text-body transition-colors hover:bg-raised'

const SheetLink = (props: { href: string; label: string; icon: JSX.Element }) => (
  <A href={props.href} class={ROW} activeClass="text-accent">
    {props.icon}
    <span class="truncate">{props.label}</span>
  </A>
)

/** Everything that the bottom bar has no room for. */
export const MoreSheet = (props: { onClose: () => void }) => {
  const user = useUser()
  const can = createCan()
  const canManage = createCanManage()
  const signOut = createSignOut()
  const { libraries } = createLibraries()
  return (
    <Dialog title={user().username} onClose={props.onClose}>
      <nav aria-label={t('nav.more')} class="-mx-3 flex flex-col gap-1">
        <Index each={libraries()}>
          {(library) => <SheetLink href={libraryPath(library().id)} label={library().name} icon={<LibraryIcon type={library().type} />} />}
        </Index>
        <hr class="my-2 border-line" />
        <Show when={canManage()}>
          <SheetLink href="/manage" label={t('nav.manage')} icon={<Settings2 size={20} aria-hidden="true" />} />
        </Show>
        <SheetLink href="/settings" label={t('nav.settings')} icon={<UserRound size={20} aria-hidden="true" />} />
        <Show when={can('delete')}>
          <SheetLink href="/trash" label={t('nav.trash')} icon={<Trash2 size={20} aria-hidden="true" />} />
        </Show>
        <button type="button" class={ROW} onClick={() => void signOut()}>
          <LogOut size={20} aria-hidden="true" />
          {t('nav.signOut')}
        </button>
      </nav>
    </Dialog>
  )
}
