import { createSignal, type JSX } from 'solid-js'
import { t } from '../i18n/manage.ts'
import { createSubmit } from '../primitives/form-problem.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormError } from './form-error.tsx'
import { TextField } from './text-field.tsx'

interface TypedConfirmProps {
  title: string
  lead: string
  /** What has to be typed. */
  name: string
  label: string
  submitLabel: string
  /** What is to be known before. */
  children?: JSX.Element
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** For what cannot be undone: the button works once the name has been typed. */
export const TypedConfirm = (props: TypedConfirmProps) => {
  const [typed, setTyped] = createSignal('')
  const form = createSubmit(() => props.onConfirm())
  const isMatch = () => typed().trim() === props.name
  return (
    <Dialog onClose={props.onClose} title={props.title} lead={props.lead}>
      <form
        class="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isMatch()) form.submit()
        }}
      >
        {props.children}
        <TextField
          label={props.label}
          name="confirm"
          autocomplete="off"
          spellcheck={false}
          value={typed()}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <FormError text={form.problem.general()} />
        <div class="flex justify-end gap-3">
          <Button variant="ghost" onClick={() => props.onClose()}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" variant="danger" disabled={!isMatch()} isBusy={form.isBusy()}>
            {props.submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
