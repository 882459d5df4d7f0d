import { Eye, EyeOff } from 'lucide-solid'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../i18n/manage.ts'
import { IconButton } from './icon-button.tsx'
import { TextField } from './text-field.tsx'

type PasswordFieldProps = Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: string
  hint?: string
  error?: string | undefined
}

export const PasswordField = (props: PasswordFieldProps) => {
  const [isShown, setShown] = createSignal(false)
  return (
    <TextField
      {...props}
      type={isShown() ? 'text' : 'password'}
      trailing={
        <IconButton
          size="small"
          label={isShown() ? t('field.hidePassword') : t('field.showPassword')}
          aria-pressed={isShown()}
          onClick={() => setShown(!isShown())}
        >
          <Show when={isShown()} fallback={<Eye size={18} />}>
            <EyeOff size={18} />
          </Show>
        </IconButton>
      }
    />
  )
}
