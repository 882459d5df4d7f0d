import { CircleAlert } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { ApiProblem } from '../api/http.ts'
import { t } from '../i18n/translate.ts'
import { copyText } from '../primitives/copy-text.ts'
import { notifyError } from '../primitives/notify.ts'
import { problemText } from '../primitives/problem-text.ts'
import { Button } from './button.tsx'
import { PageHeading } from './page-header.tsx'

interface ErrorCardProps {
  error: Error
  /** What did not work, where it would not be known from the place of the card. */
  heading?: string | undefined
  onRetry?: () => void
  /** It stands for a whole screen: its heading is the screen's. */
  isScreen?: boolean | undefined
}

const statusOf = (error: Error) => (error instanceof ApiProblem ? error.status : undefined)

const headingOf = (error: Error) => {
  const status = statusOf(error)
  if (status === 0) return t('problem.unreachableHeading')
  if (status === 403) return t('problem.forbiddenHeading')
  if (status === 404) return t('problem.notFoundHeading')
  return t('problem.heading')
}

const textOf = (error: Error) => {
  const status = statusOf(error)
  if (status === 403) return t('problem.forbidden')
  if (status === 404) return t('problem.notFound')
  return problemText(error)
}

const detailsOf = (error: Error) =>
  error instanceof ApiProblem
    ? JSON.stringify({ status: error.status, code: error.code, detail: error.message, errors: error.fields })
    : String(error)

export const ErrorCard = (props: ErrorCardProps) => {
  const [isCopied, setCopied] = createSignal(false)
  const copy = async () => {
    await copyText(detailsOf(props.error))
    setCopied(true)
  }
  return (
    <div role="alert" class="mx-auto my-8 flex w-full max-w-140 gap-4 rounded-card border border-line bg-surface p-4">
      <CircleAlert size={24} class="shrink-0 text-danger" aria-hidden="true" />
      <div class="flex min-w-0 flex-col gap-3">
        <div>
          <Show when={props.isScreen} fallback={<h2 class="text-body font-semibold">{props.heading ?? headingOf(props.error)}</h2>}>
            <PageHeading class="text-body font-semibold">{headingOf(props.error)}</PageHeading>
          </Show>
          <p class="text-small text-muted">{textOf(props.error)}</p>
        </div>
        <div class="flex flex-wrap gap-2">
          <Show when={props.onRetry}>
            {(retry) => (
              <Button size="small" onClick={() => retry()()}>
                {t('action.retry')}
              </Button>
            )}
          </Show>
          <Button size="small" variant="ghost" onClick={() => void copy().catch(notifyError)}>
            {isCopied() ? t('action.copied') : t('action.copyDetails')}
          </Button>
        </div>
      </div>
    </div>
  )
}
