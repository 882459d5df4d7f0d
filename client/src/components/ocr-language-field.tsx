import { createUniqueId, For, Show } from 'solid-js'
import { t } from '../i18n/ai-fields.ts'
import { ocrLanguageName } from '../primitives/ocr-language-name.ts'
import { describedBy, FieldMessage } from './field-message.tsx'
import { Select } from './select.tsx'
import { ToggleChip } from './toggle-chip.tsx'

interface OcrLanguageFieldProps {
  label: string
  hint: string
  error?: string | undefined
  /** Names of data, joined with "+". */
  value: string
  /** Names of data; undefined while that is not known. */
  installed: readonly string[] | undefined
  /** Where at least one has to be chosen, the last one cannot be put off. */
  isNeeded: boolean
  onChange: (value: string) => void
}

/** More than these are a list to choose from, and only what was chosen stands there. */
const MAX_CHIPS = 12

export const splitOcrLanguages = (languages: string): string[] => languages.split('+').filter(Boolean)

/** Which languages texts in pictures are in, in the order in which they were chosen: the first one counts most. */
export const OcrLanguageField = (props: OcrLanguageFieldProps) => {
  const id = createUniqueId()
  const chosen = () => splitOcrLanguages(props.value)
  const installed = () => props.installed ?? []
  const isLong = () => installed().length > MAX_CHIPS
  const shown = () => [...new Set([...(isLong() ? [] : installed()), ...chosen()])]
  const addable = () =>
    installed()
      .filter((language) => !chosen().includes(language))
      .map((language) => ({ value: language, label: ocrLanguageName(language) }))
      .toSorted((a, b) => a.label.localeCompare(b.label))
  const toggle = (language: string): void => {
    const rest = chosen().filter((known) => known !== language)
    const next = rest.length < chosen().length ? rest : [...rest, language]
    if (next.length > 0 || !props.isNeeded) props.onChange(next.join('+'))
  }
  return (
    <fieldset class="flex min-w-0 flex-col gap-2" aria-describedby={describedBy({ field: id, hint: props.hint, error: props.error })}>
      <legend class="mb-2 text-small font-semibold">{props.label}</legend>
      <div class="flex flex-wrap gap-2">
        <For each={shown()}>
          {(language) => (
            <ToggleChip
              isOn={chosen().includes(language)}
              note={props.installed && !installed().includes(language) ? t('aiFields.languageMissing') : undefined}
              onToggle={() => toggle(language)}
            >
              {ocrLanguageName(language)}
            </ToggleChip>
          )}
        </For>
      </div>
      <Show when={isLong()}>
        <Select
          label={t('aiFields.languageAdd')}
          isLabelHidden
          value=""
          options={[{ value: '', label: t('aiFields.languageAdd') }, ...addable()]}
          onSelect={(language) => language !== '' && toggle(language)}
          class="sm:max-w-72"
        />
      </Show>
      <FieldMessage field={id} hint={props.hint} error={props.error} />
    </fieldset>
  )
}
