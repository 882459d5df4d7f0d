import { Show } from 'solid-js'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SaveBar } from '../../components/save-bar.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { AI_FIELDS } from '../../primitives/ai-form.ts'
import type { createSubmit } from '../../primitives/form-problem.ts'
import { createLeaveGuard } from '../../primitives/leave-guard.ts'
import { onChange } from '../../primitives/on-change.ts'

/** The id of the form of the settings, beside which other things stand on the page. */
export const AI_FORM = 'ai-settings'

interface AiSaveProps {
  form: ReturnType<typeof createSubmit>
  draft: { isDirty: () => boolean; reset: () => void }
  /** What stands before the paths of the fields in a problem. */
  prefix?: string
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
export const AiSave = (props: AiSaveProps) => {
  // By then the tab of what was refused is open.
  onChange(props.form.isBusy, (isBusy) => {
    if (!isBusy) requestAnimationFrame(() => document.querySelector<HTMLElement>(`#${AI_FORM} [aria-invalid]`)?.focus())
  })
  return (
    <>
      <LeaveGuard isDirty={props.draft.isDirty()} />
      <SaveBar
        isDirty={props.draft.isDirty()}
        isBusy={props.form.isBusy()}
        problem={props.form.problem.general({ fields: AI_FIELDS.map((path) => `${props.prefix ?? ''}${path}`) })}
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
}
