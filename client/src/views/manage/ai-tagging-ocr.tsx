import { Show } from 'solid-js'
import { OCR_MODES, type OcrMode } from '../../../../src/domain/ai-settings.ts'
import { aiKeys } from '../../api/ai-keys.ts'
import { getOcrSettings } from '../../api/ai-settings.ts'
import { OcrLanguageField, splitOcrLanguages } from '../../components/ocr-language-field.tsx'
import { Panel } from '../../components/panel.tsx'
import { Select } from '../../components/select.tsx'
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

/** How text in pictures is read. Which languages it is in is only asked where the offline recognition has a part in it. */
export const AiOcr = (props: AiOcrProps) => {
  const ocr = createQuery(() => ({ queryKey: aiKeys.ocr(), queryFn: () => getOcrSettings() }))
  const mode = (): OcrMode => props.form.ocrMode || props.inherited?.ocrMode || 'hybrid'
  const hint = (): string =>
    props.inherited && props.form.ocrLanguages === ''
      ? t('aiLibrary.global', splitOcrLanguages(props.inherited.ocrLanguages).map(ocrLanguageName).join(', '))
      : t('aiOcr.languagesHint')
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
          <OcrLanguageField
            label={t('aiOcr.languages')}
            hint={hint()}
            error={props.error}
            value={props.form.ocrLanguages}
            installed={ocr.data?.availableLanguages}
            isNeeded={!props.inherited}
            onChange={(ocrLanguages) => props.onChange({ ocrLanguages })}
          />
        </Show>
      </div>
    </Panel>
  )
}
