import { Key } from '@solid-primitives/keyed'
import { useQueryClient } from '@tanstack/solid-query'
import { MonitorSmartphone, MonitorX } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { endOtherSessions, endSession, sessionsQuery } from '../../api/auth.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/settings.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createRowFocus, onePress, takeLostFocus } from '../../primitives/create-row-focus.ts'
import { deviceName } from '../../primitives/device-name.ts'
import { formatAgo } from '../../primitives/format.ts'
import { notifyError } from '../../primitives/notify.ts'

/** Stands for all of them where one of their ids would. */
const OTHERS = 'others'
/** For one other device its own button will do. */
const MIN_OTHERS = 2

export const SessionsPanel = () => {
  const client = useQueryClient()
  const sessions = createQuery(() => sessionsQuery)
  let list: HTMLUListElement | undefined
  const heading = () => list?.closest('section')?.querySelector('h2')
  const [ending, setEnding] = createSignal<string>()
  const keepPlace = createRowFocus({
    rows: () => sessions.data?.sessions ?? [],
    isBusy: () => ending() !== undefined,
    list: () => list,
    heading,
  })
  const others = () => sessions.data?.sessions.filter(({ current }) => !current).length ?? 0
  const end = async (id: string, request: Promise<unknown>) => {
    setEnding(id)
    await request.catch(notifyError)
    await client.invalidateQueries({ queryKey: queryKeys.sessions })
    setEnding(undefined)
  }
  const endOne = (session: { id: string }) => {
    keepPlace(session)
    void end(session.id, endSession(session.id))
  }
  const endOthers = () => end(OTHERS, endOtherSessions()).then(() => takeLostFocus(heading()))
  return (
    <Panel
      title={t('settings.sessions')}
      lead={t('settings.sessionsLead')}
      actions={
        <Show when={others() >= MIN_OTHERS}>
          <ConfirmButton
            size="small"
            label={t('settings.endOthers')}
            armedLabel={t('settings.endOthersArmed', others())}
            icon={<MonitorX size={16} aria-hidden="true" />}
            disabled={ending() !== undefined}
            isBusy={ending() === OTHERS}
            onConfirm={() => void endOthers()}
          />
        </Show>
      }
    >
      <QueryView query={sessions} skeleton={<Skeleton class="h-14 w-full" />}>
        {(data) => (
          <ul ref={list} class="divide-y divide-line">
            <Key each={data().sessions} by="id">
              {(session) => {
                const name = () => deviceName(session().userAgent) ?? t('settings.unknownDevice')
                return (
                  <li class="flex items-center gap-4 py-3">
                    <MonitorSmartphone size={20} class="shrink-0 text-muted" aria-hidden="true" />
                    <div class="min-w-0 grow">
                      <p class="truncate text-small font-semibold" title={session().userAgent ?? undefined}>
                        {name()}
                      </p>
                      <p class="text-caption text-muted">
                        {session().current ? t('settings.thisDevice') : t('settings.lastSeen', formatAgo(session().lastSeenAt))}
                      </p>
                    </div>
                    <Show when={!session().current}>
                      <Button
                        size="small"
                        aria-label={t('settings.endSessionOf', name())}
                        disabled={ending() !== undefined}
                        {...onePress(() => endOne(session()))}
                      >
                        {t('settings.endSession')}
                      </Button>
                    </Show>
                  </li>
                )
              }}
            </Key>
          </ul>
        )}
      </QueryView>
    </Panel>
  )
}
