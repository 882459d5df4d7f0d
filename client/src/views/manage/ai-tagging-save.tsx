import { Show } from 'solid-js'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SaveBar } from '../../components/save-bar.tsx'
import { t } from '../../i18n/ai-settings.ts'
import type { createSubmit } from '../../primitives/form-problem.ts'
import { createLeaveGuard } from '../../primitives/leave-guard.ts'

/** The id of the form of the settings, beside which other things stand on the page. */
export const AI_FORM = 'ai-settings'

interface AiSaveProps {
  form: ReturnType<typeof createSubmit>
  draft: { isDirty: () => boolean; reset: () => void }
}

/** Asks before what was typed is lost. */
const LeaveGuard = (props: { isDirty: boolean }) => {
  const guard = createLeaveGuard(() => props.isDirty)
  return (
    <Show when={guard.isAsking()}>
      <Dialog onClose={guard.stay} title={t('ai.leaveTitle')} lead={t('ai.leaveLead')}>
        <div class="flex justify-end gap-3">
          <Button variant="ghost" onClick={guard.stay}>
            {t('ai.stay')}
          </Button>
          <Button variant="danger" onClick={guard.leave}>
            {t('ai.leave')}
          </Button>
        </div>
      </Dialog>
    </Show>
  )
}

/** Saves or discards what was changed in AI settings, of the whole server or of one library. */
export const AiSave = (props: AiSaveProps) => (
  <>
    <LeaveGuard isDirty={props.draft.isDirty()} />
    <SaveBar
      isDirty={props.draft.isDirty()}
      isBusy={props.form.isBusy()}
      problem={props.form.problem.general()}
      text={t('ai.unsaved')}
      saveLabel={t('ai.save')}
      discardLabel={t('ai.discard')}
      form={AI_FORM}
      onDiscard={() => {
        props.form.problem.clear()
        props.draft.reset()
      }}
    />
  </>
)
