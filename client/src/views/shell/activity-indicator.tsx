import { A } from '@solidjs/router'
import { useQueryClient } from '@tanstack/solid-query'
import { Pause, RefreshCw, Sparkles } from 'lucide-solid'
import { type JSX, Show } from 'solid-js'
import { aiQueueQuery } from '../../api/ai-tagging.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { t } from '../../i18n/scans.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { formatCount } from '../../primitives/format.ts'
import { createLibraries, isScanActive } from '../../primitives/libraries.ts'
import { onChange } from '../../primitives/on-change.ts'

const AI_POLL_MS = 4000
const AI_IDLE_POLL_MS = 20_000

const Activity = (props: { href: string; label: string; count: number; icon: JSX.Element }) => (
  <A
    href={props.href}
    title={props.label}
    class="flex h-target-medium shrink-0 items-center gap-2 rounded-pill bg-accent-soft px-3 text-caption font-semibold text-accent tabular-nums"
  >
    {props.icon}
    <span class="sr-only lg:not-sr-only">{props.label}</span>
    <span>{formatCount(props.count)}</span>
  </A>
)

const Scans = () => {
  const { libraries } = createLibraries()
  const scanned = () => libraries().filter(({ lastScan }) => isScanActive(lastScan))
  const label = () => {
    const [first] = scanned()
    return scanned().length === 1 && first ? t('activity.scanning', first.name) : t('activity.scanningMany', scanned().length)
  }
  const found = () => scanned().reduce((sum, { lastScan }) => sum + (lastScan?.found ?? 0), 0)
  return (
    <Show when={scanned().length > 0}>
      <Activity
        href="/manage/libraries"
        label={label()}
        count={found()}
        icon={<RefreshCw size={14} class="animate-spin" aria-hidden="true" />}
      />
    </Show>
  )
}

const AiJobs = () => {
  const client = useQueryClient()
  const queue = createQuery(() => ({
    ...aiQueueQuery,
    refetchInterval: ({ state }) => (state.data && state.data.queued + state.data.running > 0 ? AI_POLL_MS : AI_IDLE_POLL_MS),
  }))
  const open = () => (queue.data ? queue.data.queued + queue.data.running : 0)
  const isPaused = () => queue.data?.paused ?? false
  // Whoever asked for them has gone elsewhere, perhaps, where nobody else notices that they are done.
  onChange(
    () => open() > 0,
    (isOpen) => {
      if (!isOpen) for (const queryKey of [queryKeys.content, queryKeys.tags]) void client.invalidateQueries({ queryKey })
    },
  )
  return (
    <Show when={open() > 0}>
      <Activity
        href="/manage/jobs"
        label={isPaused() ? t('activity.aiPaused') : t('activity.aiWorking')}
        count={open()}
        icon={
          <Show when={isPaused()} fallback={<Sparkles size={14} aria-hidden="true" />}>
            <Pause size={14} aria-hidden="true" />
          </Show>
        }
      />
    </Show>
  )
}

/** For administrators, wherever they are: what is being scanned, and what AI still has to do. */
export const ActivityIndicator = () => (
  <>
    <Scans />
    <AiJobs />
  </>
)
