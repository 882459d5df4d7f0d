import { ApiProblem } from '../../api/http.ts'
import { type DailyBackup, getSystem, restoreBackup } from '../../api/system.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { FormError } from '../../components/form-error.tsx'
import { t } from '../../i18n/manage.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { formatDateTime } from '../../primitives/format.ts'

const LOOK_EVERY_MS = 500

interface RestoreDialogProps {
  backup: DailyBackup
  /** Of the server that is asked. */
  startedAt: string
  onClose: () => void
}

/** Undefined while nobody answers, or nobody but the server that still ends. */
const findNewServer = async (endedStart: string): Promise<'restored' | 'as_before' | undefined> => {
  try {
    const { startedAt } = await getSystem()
    return startedAt === endedStart ? undefined : 'as_before'
  } catch (error) {
    // Nobody is signed in to what was restored.
    if (error instanceof ApiProblem && error.status === 401) return 'restored'
    if (error instanceof ApiProblem && (error.status === 0 || error.status >= 500)) return undefined
    throw error
  }
}

/** Says what goes back and what does not; then it waits for the server, which comes back with its sign-in. */
export const RestoreDialog = (props: RestoreDialogProps) => {
  const form = createSubmit(async () => {
    const { startedAt } = props
    await restoreBackup(props.backup.name)
    let found = await findNewServer(startedAt)
    while (found === undefined) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      found = await findNewServer(startedAt)
    }
    if (found === 'as_before') throw new Error(t('system.restoreFailed'))
  })
  /** What is at work cannot be stopped. */
  const close = () => form.isBusy() || props.onClose()
  return (
    <Dialog onClose={close} title={t('system.restoreTitle', formatDateTime(props.backup.createdAt))}>
      <form onSubmit={form.submit} class="flex flex-col gap-3 text-small">
        <p>{t('system.restoreGoesBack')}</p>
        <p class="text-muted">{t('system.restoreKeeps')}</p>
        <p class="text-muted">{t('system.restoreRestarts')}</p>
        <FormError text={form.problem.general()} />
        <FormButtons isDanger label={t('system.restoreSubmit')} isBusy={form.isBusy()} isReady onCancel={close} />
      </form>
    </Dialog>
  )
}
