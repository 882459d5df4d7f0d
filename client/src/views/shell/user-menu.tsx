import { useNavigate } from '@solidjs/router'
import { LogOut, MonitorDown, Trash2, UserRound } from 'lucide-solid'
import { Menu } from '../../components/menu.tsx'
import { t as installText } from '../../i18n/install.ts'
import { t } from '../../i18n/translate.ts'
import { canInstall, install } from '../../primitives/install-prompt.ts'
import { createCan, useUser } from '../../primitives/session.ts'
import { createSignOut } from '../../primitives/sign-out.ts'
import { AVATAR_CLASS, Initial } from './avatar.tsx'

/** Made by the press that opens it. */
export const UserMenu = () => {
  const user = useUser()
  const can = createCan()
  const navigate = useNavigate()
  const signOut = createSignOut()
  return (
    <Menu
      isOpenAtFirst
      label={t('nav.userMenu', user().username)}
      triggerClass={AVATAR_CLASS}
      trigger={<Initial name={user().username} />}
      header={<p class="mb-1 truncate border-b border-line px-3 pt-1 pb-2 font-semibold">{user().username}</p>}
      items={[
        { label: t('nav.settings'), icon: <UserRound size={16} aria-hidden="true" />, onSelect: () => navigate('/settings') },
        ...(can('delete')
          ? [{ label: t('nav.trash'), icon: <Trash2 size={16} aria-hidden="true" />, onSelect: () => navigate('/trash') }]
          : []),
        ...(canInstall()
          ? [{ label: installText('install.action'), icon: <MonitorDown size={16} aria-hidden="true" />, onSelect: () => void install() }]
          : []),
        { label: t('nav.signOut'), icon: <LogOut size={16} aria-hidden="true" />, onSelect: () => void signOut() },
      ]}
    />
  )
}
