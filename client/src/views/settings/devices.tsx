import { PageHeader } from '../../components/page-header.tsx'
import { t } from '../../i18n/settings.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { SessionsPanel } from './sessions-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'

export const Devices = () => {
  createPageTitle(() => [t('settings.devices'), t('settings.title')])
  return (
    <>
      <PageHeader title={t('settings.devices')} lead={t('settings.devicesLead')} />
      <div class="flex max-w-180 flex-col gap-6">
        <SessionsPanel />
        <TokensPanel />
      </div>
    </>
  )
}
