import { Key } from '@solid-primitives/keyed'
import { useQueryClient } from '@tanstack/solid-query'
import { Undo2 } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { type AiRun, listAiRuns, listFailedJobs, retryJob, undoAiRun } from '../../api/ai-batches.ts'
import { aiKeys } from '../../api/ai-keys.ts'
import type { AiJob } from '../../api/ai-tagging.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { aiFailureText } from '../../primitives/ai-failure-text.ts'
import { aiQueuePause } from '../../primitives/ai-queue-pause.ts'
import { createPace } from '../../primitives/create-pace.ts'
import { createPagedQuery, createQuery } from '../../primitives/create-query.ts'
import { createRowFocus, onePress, takeLostFocus } from '../../primitives/create-row-focus.ts'
import { formatAgo, formatRuntime } from '../../primitives/format.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { notify, notifyError } from '../../primitives/notify.ts'
import { onChange } from '../../primitives/on-change.ts'

const leftOf = ({ counts }: AiRun): number => counts.queued + counts.running
const totalOf = ({ counts }: AiRun): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

const reasonOf = ({ error }: AiJob): string => (error === null ? t('aiBatch.unknownError') : aiFailureText(error))

/** What went wrong, item by item, each with the way to try it again. */
const Failures = (props: { run: AiRun; heading: () => HTMLElement | undefined }) => {
  const client = useQueryClient()
  const failed = createPagedQuery(() => ({
    queryKey: aiKeys.failures(props.run.id),
    queryFn: ({ pageParam }) => listFailedJobs(props.run.id, pageParam),
  }))
  onChange(
    () => props.run.counts.failed,
    () => void failed.refetch(),
  )
  const jobs = () => failed.data?.pages.flatMap((page) => page.jobs) ?? []
  let list: HTMLUListElement | undefined
  const [isBusy, setBusy] = createSignal(false)
  const keepPlace = createRowFocus({ rows: jobs, isBusy, list: () => list, heading: props.heading })
  const retry = async (id: number) => {
    keepPlace({ id })
    setBusy(true)
    try {
      await retryJob(id)
    } catch (error) {
      notifyError(error)
    }
    await client.invalidateQueries({ queryKey: aiKeys.queue })
    setBusy(false)
  }
  return (
    <QueryView query={failed}>
      {() => (
        <Show when={jobs().length > 0}>
          <ul
            ref={list}
            class="mt-2 max-h-72 divide-y divide-line overflow-y-auto rounded-card border border-line"
            aria-label={t('aiBatch.failures')}
          >
            <Key each={jobs()} by="id">
              {(job) => (
                <li class="flex items-start justify-between gap-3 p-2">
                  <div class="min-w-0">
                    <p class="truncate text-small" title={job().title}>
                      {job().title}
                    </p>
                    <p class="text-caption break-words text-muted">{reasonOf(job())}</p>
                  </div>
                  <Button
                    size="small"
                    variant="ghost"
                    aria-label={`${t('action.retry')}: ${job().title}`}
                    disabled={isBusy()}
                    {...onePress(() => void retry(job().id))}
                  >
                    {t('action.retry')}
                  </Button>
                </li>
              )}
            </Key>
            <Show when={failed.hasNextPage}>
              <li class="p-1 text-center">
                <MoreButton
                  list={() => list}
                  size="small"
                  variant="ghost"
                  isBusy={failed.isFetchingNextPage}
                  onMore={() => void failed.fetchNextPage()}
                >
                  {t('action.loadMore')}
                </MoreButton>
              </li>
            </Show>
          </ul>
        </Show>
      )}
    </QueryView>
  )
}

const Run = (props: { run: AiRun; libraryName: string | undefined; isHalted: boolean }) => {
  const client = useQueryClient()
  const [isOpen, setOpen] = createSignal(false)
  const [isBusy, setBusy] = createSignal(false)
  let heading: HTMLParagraphElement | undefined
  const undo = async () => {
    setBusy(true)
    try {
      const { undone, kept } = await undoAiRun(props.run.id)
      notify(t('aiBatch.undoneToast', undone, kept))
    } catch (error) {
      notifyError(error)
    }
    setBusy(false)
    await client.invalidateQueries({ queryKey: aiKeys.queue })
    await client.invalidateQueries({ queryKey: queryKeys.libraryContent(props.run.libraryId) })
    takeLostFocus(heading)
  }
  const label = () => [t(`ai.activity.${props.run.activity}`), props.libraryName].filter(Boolean).join(' · ')
  const secondsLeft = createPace({
    done: () => props.run.counts.done + props.run.counts.failed,
    left: () => leftOf(props.run),
    isHalted: () => props.isHalted,
  })
  const progress = () => t('aiBatch.progress', totalOf(props.run) - leftOf(props.run), totalOf(props.run))
  return (
    <li class="py-3">
      <div class="flex items-baseline justify-between gap-3">
        <p ref={heading} class="min-w-0 truncate text-small font-semibold">
          {label()}
        </p>
        <p class="shrink-0 text-caption text-muted">{formatAgo(props.run.createdAt)}</p>
      </div>
      <Show when={leftOf(props.run) > 0}>
        <ProgressBar class="mt-2" label={label()} value={1 - leftOf(props.run) / totalOf(props.run)} text={progress()} />
      </Show>
      <div class="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-caption text-muted tabular-nums">
        <span>{progress()}</span>
        {/* A guess, which is not told to the second. */}
        <Show when={secondsLeft()}>{(seconds) => <span>{t('aiBatch.timeLeft', formatRuntime(Math.max(1, seconds() / 60)))}</span>}</Show>
        <Show when={props.run.trigger === 'scan'}>
          <span>{t('aiBatch.triggers.scan')}</span>
        </Show>
        <Show when={props.run.counts.cancelled > 0}>
          <span>{t('aiBatch.cancelled', props.run.counts.cancelled)}</span>
        </Show>
        <Show when={props.run.counts.failed > 0}>
          <Button size="small" variant="ghost" aria-expanded={isOpen()} onClick={() => setOpen(!isOpen())}>
            <span class="text-danger">{t('aiBatch.failed', props.run.counts.failed)}</span>
          </Button>
        </Show>
        <span class="ml-auto">
          <Show when={props.run.undoneAt === null} fallback={t('aiBatch.undone')}>
            <ConfirmButton
              isCompact
              size="small"
              label={leftOf(props.run) > 0 ? t('aiBatch.stop') : t('aiBatch.undo')}
              armedLabel={t('aiBatch.undoArmed')}
              icon={<Undo2 size={14} aria-hidden="true" />}
              isBusy={isBusy()}
              onConfirm={() => void undo()}
            />
          </Show>
        </span>
      </div>
      <Show when={isOpen()}>
        <Failures run={props.run} heading={() => heading} />
      </Show>
    </li>
  )
}

/** The latest batches, of one library or of all, followed while one is under way. */
export const AiRuns = (props: { libraryId: number | undefined; isHalted: boolean }) => {
  const { libraries } = createLibraries()
  const runs = createQuery(() => ({
    queryKey: aiKeys.runs(props.libraryId),
    queryFn: () => listAiRuns(props.libraryId),
    refetchInterval: ({ state }) => aiQueuePause(state.data?.some((run) => leftOf(run) > 0) ?? false),
  }))
  const nameOf = (id: number) => (props.libraryId === undefined ? libraries().find((library) => library.id === id)?.name : undefined)
  return (
    <section>
      <h3 class="text-small font-semibold">{t('aiBatch.runs')}</h3>
      <QueryView query={runs}>
        {(known) => (
          <ul class="divide-y divide-line">
            <Key each={known()} by="id" fallback={<li class="py-2 text-small text-muted">{t('aiBatch.noRuns')}</li>}>
              {(run) => <Run run={run()} libraryName={nameOf(run().libraryId)} isHalted={props.isHalted} />}
            </Key>
          </ul>
        )}
      </QueryView>
    </section>
  )
}
