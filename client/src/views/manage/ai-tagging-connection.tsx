import { Show } from 'solid-js'
import type { SetStoreFunction } from 'solid-js/store'
import type { GlobalAiSettings } from '../../api/ai-settings.ts'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { SwitchField } from '../../components/switch-field.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { type GlobalForm, losesKey } from '../../primitives/ai-form.ts'
import { AiTextField } from './ai-tagging-field.tsx'

interface AiConnectionProps {
  form: GlobalForm
  saved: GlobalAiSettings
  models: readonly string[]
  problemOf: (path: string) => string | undefined
  set: SetStoreFunction<GlobalForm>
}

/** The key can be written and removed, never read. */
const Key = (props: AiConnectionProps) => {
  const hint = () => {
    if (props.form.isKeyRemoved && props.form.apiKey === '') return t('aiStatus.apiKeyRemoved')
    if (losesKey(props.form, props.saved)) return t('aiStatus.apiKeyLost')
    return props.saved.apiKeySet ? t('aiStatus.apiKeySaved') : t('aiStatus.apiKeyHint')
  }
  return (
    <div class="flex flex-col items-start gap-1">
      <PasswordField
        class="w-full"
        label={t('aiStatus.apiKey')}
        hint={hint()}
        error={props.problemOf('apiKey')}
        autocomplete="new-password"
        value={props.form.apiKey}
        placeholder={props.saved.apiKeySet && !props.form.isKeyRemoved && !losesKey(props.form, props.saved) ? '••••••••' : ''}
        onInput={(event) => props.set('apiKey', event.currentTarget.value)}
      />
      <Show when={props.saved.apiKeySet && props.form.apiKey === '' && !losesKey(props.form, props.saved)}>
        <Button size="small" variant="ghost" class="-ml-3" onClick={() => props.set('isKeyRemoved', (isRemoved) => !isRemoved)}>
          {props.form.isKeyRemoved ? t('aiStatus.keepKey') : t('aiStatus.removeKey')}
        </Button>
      </Show>
    </div>
  )
}

/** Which model is asked, where, and how much at a time. */
export const AiConnection = (props: AiConnectionProps) => (
  <Panel title={t('aiLibrary.general')}>
    <div class="flex flex-col gap-4">
      <SwitchField
        label={t('aiStatus.enabled')}
        hint={t('aiStatus.enabledHint')}
        isOn={props.form.enabled}
        onChange={(isOn) => props.set('enabled', isOn)}
      />
      <div class="grid items-start gap-4 sm:grid-cols-2">
        <AiTextField
          label={t('aiStatus.endpoint')}
          hint={t('aiStatus.endpointHint')}
          placeholder="http://localhost:11434/v1"
          value={props.form.endpoint}
          error={props.problemOf('endpoint')}
          onInput={(endpoint) => props.set('endpoint', endpoint)}
        />
        <Key {...props} />
        <AiTextField
          label={t('aiStatus.model')}
          hint={t('aiStatus.modelHint')}
          value={props.form.model}
          suggestions={props.models}
          error={props.problemOf('model')}
          onInput={(model) => props.set('model', model)}
        />
        <AiTextField
          label={t('aiStatus.targetLanguage')}
          hint={t('aiStatus.targetLanguageHint')}
          value={props.form.targetLanguage}
          error={props.problemOf('targetLanguage')}
          onInput={(targetLanguage) => props.set('targetLanguage', targetLanguage)}
        />
        <AiTextField
          isNumber
          label={t('aiStatus.concurrency')}
          value={props.form.concurrency}
          error={props.problemOf('concurrency')}
          onInput={(concurrency) => props.set('concurrency', concurrency)}
        />
        <AiTextField
          isNumber
          label={t('aiStatus.timeoutSeconds')}
          hint={t('aiStatus.timeoutHint')}
          value={props.form.timeoutSeconds}
          error={props.problemOf('timeoutSeconds')}
          onInput={(timeoutSeconds) => props.set('timeoutSeconds', timeoutSeconds)}
        />
      </div>
    </div>
  </Panel>
)
