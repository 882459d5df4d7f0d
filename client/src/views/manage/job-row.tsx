import { A } from '@solidjs/router'
import { RotateCw, X } from 'lucide-solid'
import { Show } from 'solid-js'
import { parseItemKey } from '../../../../src/domain/item-key.ts'
import type { AiJob } from '../../api/ai-tagging.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { t } from '../../i18n/ai-fields.ts'
import { aiFailureText } from '../../primitives/ai-failure-text.ts'
import { onePress } from '../../primitives/create-row-focus.ts'
import { formatAgo, formatCount } from '../../primitives/format.ts'
import { entryPath } from '../../primitives/paths.ts'

const TONES: Record<AiJob['status'], string> = {
  queued: 'bg-raised text-muted',
  running: 'bg-accent-soft text-accent',
  done: 'bg-success-soft text-success',
  failed: 'bg-danger-soft text-danger',
  cancelled: 'bg-raised text-muted',
}

const secondsOf = ({ startedAt, finishedAt }: AiJob): number | undefined =>
  startedAt === null || finishedAt === null ? undefined : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000

/** The item's own page; a season is known by its series alone. */
const pathOf = (job: AiJob): string | undefined => {
  const parts = parseItemKey(job.itemKey)
  if (!parts || parts.itemType === 'tv_season') return undefined
  return entryPath({ ...job, itemType: parts.itemType, parentKey: null, seasonNumber: null })
}

interface JobRowProps {
  job: AiJob
  libraryName: string
  /** Something is done to one of them. */
  isBusy: boolean
  onRetry: () => void
  onCancel: () => void
}

/** A row of the table; on phones a card of its own. */
export const JobRow = (props: JobRowProps) => {
  const isOpen = () => props.job.status === 'queued' || props.job.status === 'running'
  const canRetry = () => props.job.status === 'failed' || props.job.status === 'cancelled'
  const note = () =>
    (props.job.error === null ? undefined : aiFailureText(props.job.error)) ??
    (props.job.suggestions.length > 0 ? t('aiJobs.suggestions', props.job.suggestions.join(', ')) : undefined)
  return (
    <li class="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 sm:flex-nowrap">
      <span
        class={`inline-flex h-6 shrink-0 items-center justify-center rounded-pill px-2 text-caption font-semibold whitespace-nowrap sm:w-24 ${TONES[props.job.status]}`}
      >
        {t(`aiJobs.status.${props.job.status}`)}
      </span>
      <div class="order-last min-w-0 basis-full sm:order-none sm:grow sm:basis-0">
        <p class="truncate text-small font-semibold" title={props.job.title}>
          <Show when={pathOf(props.job)} fallback={props.job.title}>
            {(path) => (
              <A href={path()} class="rounded-chip hover:text-accent">
                {props.job.title}
              </A>
            )}
          </Show>
        </p>
        <p class="truncate text-caption text-muted">{[t(`aiFields.activity.${props.job.activity}`), props.libraryName].join(' · ')}</p>
        <Show when={note()}>
          {(text) => <p class={`text-caption break-words ${props.job.status === 'failed' ? 'text-danger' : 'text-muted'}`}>{text()}</p>}
        </Show>
      </div>
      <p class="ml-auto shrink-0 text-right text-caption text-muted tabular-nums sm:w-36">
        {formatAgo(props.job.createdAt)}
        <Show when={props.job.attempts > 1}>
          <br />
          {t('aiJobs.attempts', props.job.attempts)}
        </Show>
        <Show when={secondsOf(props.job)}>
          {(seconds) => (
            <>
              <br />
              {t('aiJobs.seconds', formatCount(Math.round(seconds() * 10) / 10))}
            </>
          )}
        </Show>
      </p>
      <div class="flex w-20 shrink-0 justify-end">
        <Show when={canRetry()}>
          <IconButton label={t('aiJobs.retryJob', props.job.title)} disabled={props.isBusy} {...onePress(() => props.onRetry())}>
            <RotateCw size={18} />
          </IconButton>
        </Show>
        <Show when={isOpen() || props.job.status === 'failed'}>
          <IconButton
            label={isOpen() ? t('aiJobs.cancelJob', props.job.title) : t('aiJobs.putAway', props.job.title)}
            disabled={props.isBusy}
            {...onePress(() => props.onCancel())}
          >
            <X size={18} />
          </IconButton>
        </Show>
      </div>
    </li>
  )
}
