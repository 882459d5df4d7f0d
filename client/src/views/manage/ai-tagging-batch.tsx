import { useQueryClient } from '@tanstack/solid-query'
import { CircleAlert, Pause, Play, RotateCcw } from 'lucide-solid'
import { createSignal, createUniqueId, Show } from 'solid-js'
import { AI_ACTIVITIES, type AiActivity } from '../../../../src/domain/ai-activity.ts'
import { needsModel } from '../../../../src/domain/ai-job.ts'
import { modelObstacle } from '../../../../src/domain/ai-settings.ts'
import { type BatchScope, pauseAiQueue, startBatch } from '../../api/ai-batches.ts'
import { aiKeys } from '../../api/ai-keys.ts'
import { libraryAiSettingsQuery } from '../../api/ai-settings.ts'
import { aiQueueQuery } from '../../api/ai-tagging.ts'
import { categoriesQuery } from '../../api/tags.ts'
import type { Library } from '../../api/types.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { late } from '../../components/late.tsx'
import { Panel } from '../../components/panel.tsx'
import { Select } from '../../components/select.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { createBatchCounts } from '../../primitives/ai-batch-counts.ts'
import { aiFailureText } from '../../primitives/ai-failure-text.ts'
import { AI_QUEUE_POLL_MS } from '../../primitives/ai-queue-pause.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { notify, notifyError } from '../../primitives/notify.ts'
import { onChange } from '../../primitives/on-change.ts'
import { problemText } from '../../primitives/problem-text.ts'
import { AiRuns } from './ai-tagging-runs.tsx'

const AllAgain = late(async () => (await import('./ai-tagging-all.tsx')).AiAllAgain)

const createQueueState = () => createQuery(() => ({ ...aiQueueQuery, refetchInterval: AI_QUEUE_POLL_MS }))

/** Says why nothing happens just now, and lets the queue go on. */
const QueueState = (props: { state: ReturnType<typeof createQueueState> }) => {
  const client = useQueryClient()
  const pause = async (paused: boolean) => {
    try {
      await pauseAiQueue(paused)
    } catch (error) {
      notifyError(error)
    }
    await client.invalidateQueries({ queryKey: aiKeys.queueState })
  }
  return (
    <Show when={props.state.data}>
      {(queue) => (
        <div class="flex flex-wrap items-center justify-between gap-2">
          <Show when={queue().paused ? t('aiBatch.paused') : aiFailureText(queue().waiting ?? '')}>
            {(reason) => <p class="min-w-0 text-caption text-muted">{reason()}</p>}
          </Show>
          <Button size="small" variant="ghost" class="-ml-3" onClick={() => void pause(!queue().paused)}>
            <Show when={queue().paused} fallback={<Pause size={14} aria-hidden="true" />}>
              <Play size={14} aria-hidden="true" />
            </Show>
            {queue().paused ? t('aiBatch.resume') : t('aiBatch.pause')}
          </Button>
        </div>
      )}
    </Show>
  )
}

/** Starts work on a whole library, and shows how far it is. */
export const AiBatches = (props: { library?: Library }) => {
  const client = useQueryClient()
  const { libraries } = createLibraries()
  const [chosen, setChosen] = createSignal('')
  const [activity, setActivity] = createSignal<AiActivity>('tagging')
  const [isAsking, setAsking] = createSignal(false)
  const reasonId = createUniqueId()
  const library = () => props.library ?? libraries().find(({ id }) => String(id) === chosen()) ?? libraries()[0]
  const batch = (scope: BatchScope) => ({ libraryId: library()?.id ?? 0, activity: activity(), scope })
  const queue = createQueueState()
  const isHalted = () => !queue.data || queue.data.paused || queue.data.waiting !== null
  const counts = createBatchCounts({
    library,
    batch: () => batch('untagged'),
    queued: () => (queue.data ? queue.data.queued + queue.data.running : undefined),
  })
  const settings = createQuery(() => ({
    ...libraryAiSettingsQuery(library()?.id ?? 0),
    enabled: library() !== undefined,
  }))
  const categories = createQuery(() => categoriesQuery)
  const obstacle = () => {
    const known = settings.data?.effective
    if (!known || !needsModel(activity(), known.ocrMode)) return undefined
    if (settings.data?.overrides.enabled === false) return 'off_here' as const
    // Nobody is asked then, and all would be left marked as tagged.
    const isWithoutTags = activity() === 'tagging' && categories.data?.every(({ tagCount }) => tagCount === 0)
    return modelObstacle(known, activity()) ?? (isWithoutTags ? ('no_tags' as const) : undefined)
  }
  const run = async (scope: BatchScope) => {
    const { queued, left } = await startBatch(batch(scope))
    notify(left > 0 ? `${t('aiBatch.started', queued)} ${t('aiBatch.full', left)}` : t('aiBatch.started', queued))
  }
  const refresh = () => client.invalidateQueries({ queryKey: aiKeys.queue })
  const form = createSubmit(async () => {
    await run('untagged')
    // What is left to do is another number now.
    await refresh()
  })
  /** The dialog does not wait until a large library has been counted again. */
  const runAll = async () => {
    await run('all')
    void refresh()
  }
  // What went wrong with one batch is not said of the next.
  onChange(
    () => `${library()?.id} ${activity()}`,
    () => form.problem.clear(),
  )
  const count = () => counts.data
  const note = () => {
    const items = count()
    if (items === undefined) return counts.error ? problemText(counts.error) : t('aiBatch.counting')
    const { left, open } = items
    if (left + open === 0) return t('aiBatch.nothing')
    return [left > 0 && t('aiBatch.eligible', left), open > 0 && t('aiBatch.open', open)].filter(Boolean).join(' · ')
  }
  return (
    <Panel title={t('aiBatch.title')} lead={t('aiBatch.lead')}>
      <div class="flex flex-col gap-4">
        <Show when={!props.library}>
          <Select
            label={t('aiBatch.library')}
            value={String(library()?.id ?? '')}
            options={libraries().map(({ id, name }) => ({ value: String(id), label: name }))}
            onSelect={setChosen}
          />
        </Show>
        <Select<AiActivity>
          label={t('aiBatch.activity')}
          value={activity()}
          options={AI_ACTIVITIES.map((value) => ({ value, label: t(`ai.activity.${value}`) }))}
          onSelect={setActivity}
        />
        <p class="text-small text-muted tabular-nums" role="status">
          {note()}
        </p>
        <FormError text={form.problem.general()} />
        <Show when={obstacle()}>
          {(reason) => (
            <p id={reasonId} class="flex items-start gap-2 text-small">
              <CircleAlert size={16} class="mt-0.5 shrink-0 text-warning" aria-hidden="true" />
              {t(`aiBatch.obstacle.${reason()}`)}
            </p>
          )}
        </Show>
        <div class="flex flex-wrap gap-2">
          <Button
            variant="primary"
            disabled={!count()?.left || obstacle() !== undefined}
            aria-describedby={obstacle() && reasonId}
            isBusy={form.isBusy()}
            onClick={() => form.submit()}
          >
            <Show when={!form.isBusy()}>
              <Play size={16} aria-hidden="true" />
            </Show>
            {t('aiBatch.start')}
          </Button>
          <Button
            disabled={!library() || obstacle() !== undefined}
            aria-describedby={obstacle() && reasonId}
            onClick={() => setAsking(true)}
          >
            <RotateCcw size={16} aria-hidden="true" />
            {t(`aiBatch.all.${activity()}`)}
          </Button>
        </div>
        <QueueState state={queue} />
        <AiRuns libraryId={props.library?.id} isHalted={isHalted()} />
      </div>
      <Show when={isAsking() && library()}>
        {(known) => <AllAgain library={known()} activity={activity()} onStart={runAll} onClose={() => setAsking(false)} />}
      </Show>
    </Panel>
  )
}
