import { Show } from 'solid-js'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { createLeaveGuard } from '../../primitives/leave-guard.ts'

/** Asks before what was typed is lost. */
export const AiLeaveGuard = (props: { isDirty: boolean }) => {
  const guard = createLeaveGuard(() => props.isDirty)
  return (
    <Show when={guard.isAsking()}>
      <Dialog isOpen onClose={guard.stay} title={t('ai.leaveTitle')} lead={t('ai.leaveLead')}>
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
