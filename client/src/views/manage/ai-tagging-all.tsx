import type { AiActivity } from '../../../../src/domain/ai-activity.ts'
import { countBatch } from '../../api/ai-batches.ts'
import { aiKeys } from '../../api/ai-keys.ts'
import type { Library } from '../../api/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { problemText } from '../../primitives/problem-text.ts'

interface AiAllAgainProps {
  library: Library
  activity: AiActivity
  onStart: () => Promise<void>
  onClose: () => void
}

/** Asks before a whole library is done again, and says how much that is. */
export const AiAllAgain = (props: AiAllAgainProps) => {
  const batch = () => ({ libraryId: props.library.id, activity: props.activity, scope: 'all' as const })
  const eligible = createQuery(() => ({ queryKey: aiKeys.eligible(batch()), queryFn: () => countBatch(batch()) }))
  const isUncounted = () => eligible.isLoadingError
  const label = () => {
    if (isUncounted()) return t(`aiBatch.all.${props.activity}`)
    return eligible.data === undefined ? t('aiBatch.counting') : t('aiBatch.allSubmit', eligible.data)
  }
  const form = createSubmit(
    () => props.onStart(),
    () => props.onClose(),
  )
  return (
    <Dialog onClose={props.onClose} title={t('aiBatch.allTitle', props.library.name)} lead={t(`aiBatch.allLead.${props.activity}`)}>
      <div class="flex flex-col gap-4">
        <FormError text={form.problem.general() ?? (isUncounted() ? problemText(eligible.error) : undefined)} />
        <div class="flex flex-wrap justify-end gap-3">
          <Button variant="ghost" onClick={() => props.onClose()}>
            {t('action.cancel')}
          </Button>
          <Button variant="primary" disabled={!isUncounted() && !eligible.data} isBusy={form.isBusy()} onClick={() => form.submit()}>
            {label()}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
