import { Show } from 'solid-js'
import { sessionsQuery, tokensQuery } from '../../api/auth.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/settings.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { SessionsPanel } from './sessions-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'

export const Devices = () => {
  createPageTitle(() => [t('settings.devices'), t('settings.title')])
  const sessions = createQuery(() => sessionsQuery)
  const tokens = createQuery(() => tokensQuery)
  return (
    <>
      <PageHeader title={t('settings.devices')} lead={t('settings.devicesLead')} />
      <div class="flex max-w-180 flex-col gap-6">
        {/* Both at once: however many lines one has, it pushes nothing away. */}
        <Show when={!sessions.isPending && !tokens.isPending} fallback={<Skeleton class="h-96 w-full" />}>
          <SessionsPanel />
          <TokensPanel />
        </Show>
      </div>
    </>
  )
}
