import { For, Show } from 'solid-js'
import { OCR_MODES, type OcrMode } from '../../../../src/domain/ai-settings.ts'
import { getOcrSettings } from '../../api/ai-settings.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Panel } from '../../components/panel.tsx'
import { Select } from '../../components/select.tsx'
import { ToggleChip } from '../../components/toggle-chip.tsx'
import { t } from '../../i18n/ai-settings.ts'
import type { SharedForm } from '../../primitives/ai-form.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { ocrLanguageName } from '../../primitives/ocr-language-name.ts'

type OcrFields = Pick<SharedForm, 'ocrMode' | 'ocrLanguages'>

interface AiOcrProps {
  form: OcrFields
  /** The global form, in that of a library. */
  inherited?: OcrFields | undefined
  error: string | undefined
  onChange: (change: Partial<OcrFields>) => void
}

const split = (languages: string): string[] => languages.split('+').filter(Boolean)

/** How text in pictures is read. Which languages it is in is only asked where the offline recognition has a part in it. */
export const AiOcr = (props: AiOcrProps) => {
  const ocr = createQuery(() => ({ queryKey: queryKeys.ocr, queryFn: getOcrSettings }))
  const mode = (): OcrMode => props.form.ocrMode || props.inherited?.ocrMode || 'hybrid'
  const installed = (): string[] => (ocr.isSuccess ? (ocr.data?.availableLanguages ?? []) : [])
  const chosen = () => split(props.form.ocrLanguages)
  const shown = () => [...new Set([...installed(), ...chosen()])]
  const toggle = (language: string) => {
    const rest = chosen().filter((known) => known !== language)
    const next = rest.length < chosen().length ? rest : [...rest, language]
    // The global setting names at least one.
    if (next.length > 0 || props.inherited) props.onChange({ ocrLanguages: next.join('+') })
  }
  const options = () => [
    ...(props.inherited?.ocrMode
      ? [{ value: '' as const, label: t('aiLibrary.global', t(`aiOcr.modes.${props.inherited.ocrMode}`)) }]
      : []),
    ...OCR_MODES.map((value) => ({ value, label: t(`aiOcr.modes.${value}`) })),
  ]
  return (
    <Panel title={t('aiOcr.title')}>
      <div class="flex flex-col gap-4">
        <div class="flex flex-col gap-2">
          <Select<OcrMode | ''>
            label={t('aiOcr.mode')}
            value={props.form.ocrMode}
            options={options()}
            onSelect={(ocrMode) => props.onChange({ ocrMode })}
            class="sm:max-w-72"
          />
          <p class="max-w-[60ch] text-small text-muted">{t(`aiOcr.modeLead.${mode()}`)}</p>
        </div>
        <Show when={mode() !== 'llm-only'}>
          <fieldset class="flex min-w-0 flex-col gap-2">
            <legend class="mb-2 text-small font-semibold">{t('aiOcr.languages')}</legend>
            <div class="flex flex-wrap gap-2">
              <For each={shown()}>
                {(language) => (
                  <ToggleChip
                    isOn={chosen().includes(language)}
                    note={ocr.isSuccess && !installed().includes(language) ? t('aiOcr.missing') : undefined}
                    onToggle={() => toggle(language)}
                  >
                    {ocrLanguageName(language)}
                  </ToggleChip>
                )}
              </For>
            </div>
            <p class="text-caption text-muted">
              {props.inherited && chosen().length === 0
                ? t('aiLibrary.global', split(props.inherited.ocrLanguages).map(ocrLanguageName).join(', '))
                : t('aiOcr.languagesHint')}
            </p>
            <Show when={props.error}>
              {(error) => (
                <p class="text-caption text-danger" role="alert">
                  {error()}
                </p>
              )}
            </Show>
          </fieldset>
        </Show>
      </div>
    </Panel>
  )
}
