import { TriangleAlert } from 'lucide-solid'
import { Show } from 'solid-js'
import { queryKeys } from '../../api/query-keys.ts'
import { getSystem } from '../../api/system.ts'
import { t } from '../../i18n/manage.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { formatBytes } from '../../primitives/format.ts'

const REFRESH_MS = 60_000

/** Above everything that is managed, while the disk of the data folder is nearly full. */
export const DiskNotice = () => {
  const system = createQuery(() => ({ queryKey: queryKeys.system, queryFn: getSystem, refetchInterval: REFRESH_MS }))
  const disk = () => (system.isSuccess && system.data.disk.nearlyFull ? system.data.disk : undefined)
  return (
    <Show when={disk()}>
      {(nearlyFull) => (
        <section class="mb-6 flex gap-3 rounded-card border border-warning bg-warning-soft p-4" role="status">
          <TriangleAlert size={22} class="shrink-0 text-warning" aria-hidden="true" />
          <div>
            <h2 class="text-body font-semibold">{t('system.diskNearlyFullHeading')}</h2>
            <p class="max-w-[70ch] text-small tabular-nums">{t('system.diskNearlyFull', formatBytes(nearlyFull().freeBytes))}</p>
          </div>
        </section>
      )}
    </Show>
  )
}
