import { RotateCcw } from 'lucide-solid'
import { createUniqueId, For, Show } from 'solid-js'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/ai-settings.ts'

interface AiFieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: string
  /** What holds where the field is empty; undefined on the global page. */
  inherited?: string | undefined
  /** What stands in an empty field that inherits nothing either. */
  placeholder?: string | undefined
  onInput: (value: string) => void
}

const placeholderOf = ({ inherited, placeholder }: AiFieldProps): string | undefined => {
  if (inherited) return t('aiLibrary.global', inherited)
  return placeholder ?? (inherited === undefined ? undefined : t('aiLibrary.globalEmpty'))
}

interface AiTextFieldProps extends AiFieldProps {
  isNumber?: boolean
  /** What may be typed, without saying that nothing else may. */
  suggestions?: readonly string[]
}

/** A line of AI settings; in a library's form an empty one shows and takes the global value. */
export const AiTextField = (props: AiTextFieldProps) => {
  const listId = createUniqueId()
  let field!: HTMLInputElement
  // The button goes with what it takes back.
  const reset = () => {
    props.onInput('')
    field.focus()
  }
  return (
    <>
      <TextField
        ref={field}
        label={props.label}
        hint={props.hint}
        error={props.error}
        value={props.value}
        placeholder={placeholderOf(props)}
        inputmode={props.isNumber ? 'numeric' : undefined}
        autocomplete="off"
        spellcheck={false}
        list={props.suggestions?.length ? listId : undefined}
        onInput={(event) => props.onInput(event.currentTarget.value)}
        trailing={
          <Show when={props.inherited !== undefined && props.value !== ''}>
            <IconButton size="small" label={`${props.label}: ${t('aiLibrary.useGlobal')}`} onClick={reset}>
              <RotateCcw size={16} />
            </IconButton>
          </Show>
        }
      />
      <Show when={props.suggestions?.length}>
        <datalist id={listId}>
          <For each={props.suggestions}>{(name) => <option value={name} />}</For>
        </datalist>
      </Show>
    </>
  )
}

interface AiPromptFieldProps extends AiFieldProps {
  rows: number
  /** What Reset puts in. */
  standard: string
}

/** One part of a prompt, with the way back to the default or to the global one. */
export const AiPromptField = (props: AiPromptFieldProps) => {
  const isOwn = () => (props.inherited === undefined ? props.value !== props.standard : props.value !== '')
  const label = () => (props.inherited === undefined ? t('aiActivity.reset') : t('aiLibrary.useGlobal'))
  let field: HTMLTextAreaElement | undefined
  const reset = () => {
    props.onInput(props.inherited === undefined ? props.standard : '')
    field?.focus()
  }
  return (
    <TextArea
      ref={(element) => {
        field = element
      }}
      label={props.label}
      hint={props.hint}
      error={props.error}
      value={props.value}
      placeholder={placeholderOf(props)}
      rows={props.rows}
      isCode
      onInput={(value) => props.onInput(value)}
      action={
        <Show when={isOwn()}>
          <Button size="small" variant="ghost" aria-label={`${props.label}: ${label()}`} onClick={reset}>
            <RotateCcw size={14} aria-hidden="true" />
            {label()}
          </Button>
        </Show>
      }
    />
  )
}
