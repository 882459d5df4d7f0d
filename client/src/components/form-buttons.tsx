import { t } from '../i18n/translate.ts'
import { Button } from './button.tsx'

interface FormButtonsProps {
  label: string
  isBusy: boolean
  isReady: boolean
  isDanger?: boolean
  onCancel: () => void
}

/** The end of a form in a dialog: away from it, or on. It stays in sight of a form that is longer than the window is high. */
export const FormButtons = (props: FormButtonsProps) => (
  <div class="-mx-6 mt-2 flex flex-wrap justify-end gap-3 border-t border-line bg-surface px-6 pt-4 dialog-end">
    <Button variant="ghost" onClick={() => props.onCancel()}>
      {t('action.cancel')}
    </Button>
    <Button type="submit" variant={props.isDanger ? 'danger' : 'primary'} isBusy={props.isBusy} disabled={!props.isReady}>
      {props.label}
    </Button>
  </div>
)
