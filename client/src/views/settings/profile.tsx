import { PageHeader } from '../../components/page-header.tsx'
import { t } from '../../i18n/settings.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { PasswordPanel } from './password-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'

export const Profile = () => {
  createPageTitle(() => [t('settings.profile'), t('settings.title')])
  return (
    <>
      <PageHeader title={t('settings.profile')} lead={t('settings.profileLead')} />
      <div class="flex max-w-180 flex-col gap-6">
        <PasswordPanel />
        <SessionsPanel />
        <TokensPanel />
      </div>
    </>
  )
}
