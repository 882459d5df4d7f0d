import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { t } from '../../i18n/settings.ts'
import { formatDate } from '../../primitives/format.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { useUser } from '../../primitives/session.ts'
import { PasswordPanel } from './password-panel.tsx'

export const Profile = () => {
  createPageTitle(() => [t('settings.profile'), t('settings.title')])
  const user = useUser()
  return (
    <>
      <PageHeader title={t('settings.profile')} lead={t('settings.profileLead')} />
      <div class="flex max-w-180 flex-col gap-6">
        <Panel title={user().username}>
          <p class="text-small text-muted">
            {t(`users.roles.${user().role}`)} · {t('users.since', formatDate(user().createdAt))}
          </p>
        </Panel>
        <PasswordPanel />
      </div>
    </>
  )
}
