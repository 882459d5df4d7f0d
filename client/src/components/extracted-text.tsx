import { createEffect, createMemo, Show } from 'solid-js'
import { t } from '../i18n/ai-fields.ts'
import { takeLostFocus } from '../primitives/create-row-focus.ts'
import { createKeptDraft } from '../primitives/kept-draft.ts'
import { createCan } from '../primitives/session.ts'
import { Button } from './button.tsx'
import { FormError } from './form-error.tsx'
import { TextArea } from './text-area.tsx'

interface ExtractedTextProps {
  text: string | null
  itemKey: string
  /** It gets the caret. */
  isWriting: boolean | undefined
  isSaving: boolean
  problem: string | undefined
  /** Whether it was kept. */
  onSave: (text: string) => Promise<boolean>
}

/** The text that was read of an item, to be corrected by whoever may. */
export const ExtractedText = (props: ExtractedTextProps) => {
  let field: HTMLTextAreaElement | undefined
  const can = createCan()
  const { draft, setDraft, saveDraft } = createKeptDraft(() => props.itemKey)
  const isChanged = () => draft() !== undefined && draft() !== (props.text ?? '')
  const isWriting = createMemo(() => props.isWriting === true)
  createEffect(() => isWriting() && field?.focus())
  /** The buttons go once there is nothing to save. Not in the field itself: on a touch screen that would bring up the keyboard. */
  const goOn = (form: HTMLFormElement | null) => takeLostFocus(form, { preventScroll: true })
  return (
    <Show
      // Whoever may not any more keeps what they have typed, to take it elsewhere.
      when={can('editMetadata') || draft() !== undefined}
      fallback={<p class="max-w-[70ch] text-small break-words whitespace-pre-wrap">{props.text}</p>}
    >
      <form
        class="flex max-w-[80ch] flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          void saveDraft(props.onSave).then(() => goOn(form))
        }}
      >
        <TextArea
          ref={(element) => {
            field = element
          }}
          label={t('aiFields.extractedText')}
          rows={Math.min(14, Math.max(3, (draft() ?? props.text ?? '').split('\n').length + 1))}
          value={draft() ?? props.text ?? ''}
          hint={props.text === '' ? t('aiFields.noText') : undefined}
          // Back to what is saved is nothing left to save.
          onInput={(text) => setDraft(text === (props.text ?? '') && !props.isSaving ? undefined : text)}
        />
        <Show when={isChanged()}>
          <div class="flex gap-2">
            <Button type="submit" variant="primary" isBusy={props.isSaving}>
              {t('action.save')}
            </Button>
            <Button
              variant="ghost"
              onClick={({ currentTarget: { form } }) => {
                setDraft(undefined)
                goOn(form)
              }}
            >
              {t('action.cancel')}
            </Button>
          </div>
        </Show>
        <FormError text={props.problem} />
      </form>
    </Show>
  )
}
