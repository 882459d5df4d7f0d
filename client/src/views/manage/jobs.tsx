import { Key } from '@solid-primitives/keyed'
import { keepPreviousData, useQueryClient } from '@tanstack/solid-query'
import { ListChecks, Pause, Play } from 'lucide-solid'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { AI_ACTIVITIES } from '../../../../src/domain/ai-activity.ts'
import { AI_JOB_STATUSES, type AiJobStatus } from '../../../../src/domain/ai-job.ts'
import { pauseAiQueue, retryJob } from '../../api/ai-batches.ts'
import { aiKeys } from '../../api/ai-keys.ts'
import { type AiJobsQuery, cancelAiJob, clearAiJobs, listAiJobs, retryFailedAiJobs } from '../../api/ai-tagging.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RefetchBar } from '../../components/progress-bar.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/ai-fields.ts'
import { aiFailureText } from '../../primitives/ai-failure-text.ts'
import { aiQueuePause } from '../../primitives/ai-queue-pause.ts'
import { createPagedQuery } from '../../primitives/create-query.ts'
import { createRowFocus } from '../../primitives/create-row-focus.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { formatCount } from '../../primitives/format.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { notify, notifyError } from '../../primitives/notify.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { JobRow } from './job-row.tsx'

const CARDS = ['queued', 'running', 'failed', 'done'] as const satisfies readonly AiJobStatus[]

/** A figure of the queue, and what can be done about all of it. */
const QueueCard = (props: { status: (typeof CARDS)[number]; count: number; children?: JSX.Element }) => (
  <fieldset
    aria-label={t(`aiJobs.status.${props.status}`)}
    class="flex min-w-0 flex-col gap-2 rounded-card border border-line bg-surface p-4"
  >
    <p class="text-small text-muted">{t(`aiJobs.status.${props.status}`)}</p>
    <p
      class="text-h1 font-semibold tabular-nums"
      classList={{
        'text-danger': props.status === 'failed' && props.count > 0,
        'text-accent': props.status === 'running' && props.count > 0,
      }}
    >
      {formatCount(props.count)}
    </p>
    <div class="-mx-3 -mb-2 flex flex-wrap empty:hidden">{props.children}</div>
  </fieldset>
)

const Loading = () => <For each={[1, 2, 3, 4]}>{() => <Skeleton class="mb-2 h-16 w-full" />}</For>

/** What the AI queue does, has done and has failed to do; the filters are in the address. */
export const ManageJobs = () => {
  createPageTitle(() => [t('aiJobs.title'), t('nav.manage')])
  const client = useQueryClient()
  const url = createUrlState()
  const { libraries } = createLibraries()
  const [isBusy, setBusy] = createSignal(false)
  const query = (): AiJobsQuery => ({
    status: AI_JOB_STATUSES.find((status) => status === url.get('status')),
    libraryId: Number(url.get('library')) || undefined,
    activity: AI_ACTIVITIES.find((activity) => activity === url.get('activity')),
  })
  const jobs = createPagedQuery(() => ({
    queryKey: aiKeys.jobs(query()),
    queryFn: ({ pageParam }) => listAiJobs(query(), pageParam),
    // Those of another choice are no longer what is asked for; their place, and what one chooses by, stay.
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const counts = state.data?.pages[0]?.counts
      return aiQueuePause(counts !== undefined && counts.queued + counts.running > 0)
    },
  }))
  const first = () => jobs.data?.pages[0]
  /** One that has ended between two pages is on both. */
  const rows = () => [...new Map(jobs.data?.pages.flatMap((page) => page.jobs.map((job) => [job.id, job] as const))).values()]
  const isFiltered = () => Object.values(query()).some((value) => value !== undefined)
  const nameOf = (id: number) => libraries().find((library) => library.id === id)?.name ?? ''

  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      notifyError(error)
    }
    await client.invalidateQueries({ queryKey: aiKeys.queue })
  }
  /** Until the list says what has become of them: a job that is waiting again is not retried, and one that is gone not cancelled. */
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await attempt(work)
    setBusy(false)
  }
  let list: HTMLUListElement | undefined
  const keepPlace = createRowFocus({ rows, isBusy, list: () => list, heading: () => document.querySelector('h1') })
  const actOn = (id: number, work: (id: number) => Promise<unknown>) => {
    keepPlace({ id })
    void act(() => work(id))
  }
  const retryAll = () => act(async () => notify(t('aiJobs.retried', (await retryFailedAiJobs(query())).queued)))
  const clear = (status: 'failed' | 'queued') =>
    act(async () => notify(t(`aiJobs.cleared.${status}`, (await clearAiJobs(status, query())).cleared)))
  /** Why those that wait do; where none does there is nothing to explain. */
  const waiting = () => ((first()?.counts.queued ?? 0) > 0 ? first()?.queue.waiting : undefined)
  const isPaused = () => first()?.queue.paused ?? false
  const pause = () => attempt(() => pauseAiQueue(!isPaused()))

  return (
    <>
      <PageHeader
        title={t('aiJobs.title')}
        lead={t('aiJobs.lead')}
        actions={
          <Button variant={isPaused() ? 'primary' : 'secondary'} disabled={!first()} onClick={() => void pause()}>
            <Show when={isPaused()} fallback={<Pause size={18} aria-hidden="true" />}>
              <Play size={18} aria-hidden="true" />
            </Show>
            {isPaused() ? t('aiJobs.resume') : t('aiJobs.pause')}
          </Button>
        }
      />
      <RefetchBar isBusy={jobs.isPlaceholderData} />
      <QueryView query={jobs} skeleton={<Loading />}>
        {() => (
          <>
            <div aria-live="polite">
              <Show when={isPaused() ? t('aiJobs.paused') : waiting() && t('aiFields.waiting', aiFailureText(waiting() ?? ''))}>
                {(text) => <p class="mb-4 rounded-card bg-warning-soft px-4 py-3 text-small text-warning">{text()}</p>}
              </Show>
            </div>
            <div class="mb-6 grid grid-cols-2 gap-3 lg:grid-cols-4">
              <For each={CARDS}>
                {(status) => {
                  const count = () => first()?.counts[status] ?? 0
                  // They stay: what goes takes the focus along.
                  const isOff = () => isBusy() || jobs.isPlaceholderData || count() === 0
                  return (
                    <QueueCard status={status} count={count()}>
                      <Show when={status === 'failed'}>
                        <Button size="small" variant="ghost" disabled={isOff()} onClick={() => void retryAll()}>
                          {t('aiJobs.retryAll')}
                        </Button>
                        <Button size="small" variant="ghost" disabled={isOff()} onClick={() => void clear('failed')}>
                          {t('aiJobs.clearFailed')}
                        </Button>
                      </Show>
                      <Show when={status === 'queued'}>
                        <Button size="small" variant="ghost" disabled={isOff()} onClick={() => void clear('queued')}>
                          {t('aiJobs.cancelWaiting')}
                        </Button>
                      </Show>
                    </QueueCard>
                  )
                }}
              </For>
            </div>
            <div class="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-3">
              <Select
                label={t('aiJobs.filterStatus')}
                value={query().status ?? ''}
                options={[
                  { value: '', label: t('aiJobs.anyStatus') },
                  ...AI_JOB_STATUSES.map((value) => ({ value, label: t(`aiJobs.status.${value}`) })),
                ]}
                onSelect={(status) => url.change({ status })}
              />
              <Select
                label={t('aiJobs.filterLibrary')}
                value={String(query().libraryId ?? '')}
                options={[
                  { value: '', label: t('aiJobs.anyLibrary') },
                  ...libraries().map(({ id, name }) => ({ value: String(id), label: name })),
                ]}
                onSelect={(library) => url.change({ library })}
              />
              <Select
                label={t('aiJobs.filterActivity')}
                value={query().activity ?? ''}
                options={[
                  { value: '', label: t('aiJobs.anyActivity') },
                  ...AI_ACTIVITIES.map((value) => ({ value, label: t(`aiFields.activity.${value}`) })),
                ]}
                onSelect={(activity) => url.change({ activity })}
              />
            </div>
            <Show
              when={rows().length > 0}
              fallback={
                <EmptyState
                  icon={<ListChecks size={28} />}
                  heading={t('aiJobs.emptyHeading')}
                  text={isFiltered() ? t('aiJobs.emptyFiltered') : t('aiJobs.empty')}
                />
              }
            >
              <ul
                ref={list}
                class="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
                aria-label={t('aiJobs.title')}
              >
                <Key each={rows()} by="id">
                  {(job) => (
                    <JobRow
                      job={job()}
                      libraryName={nameOf(job().libraryId)}
                      isBusy={isBusy()}
                      onRetry={() => actOn(job().id, retryJob)}
                      onCancel={() => actOn(job().id, cancelAiJob)}
                    />
                  )}
                </Key>
              </ul>
              <Show when={jobs.hasNextPage}>
                <div class="mt-4 text-center">
                  <MoreButton list={() => list} isBusy={jobs.isFetchingNextPage} onMore={() => void jobs.fetchNextPage()}>
                    {t('action.loadMore')}
                  </MoreButton>
                </div>
              </Show>
            </Show>
          </>
        )}
      </QueryView>
    </>
  )
}
