import type { UserSettings } from '../../../../src/domain/user-settings.ts'
import { Panel } from '../../components/panel.tsx'
import { Select } from '../../components/select.tsx'
import { chooseLanguage, languageOfSetting } from '../../i18n/choose-language.ts'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../i18n/language.ts'
import { t } from '../../i18n/settings.ts'
import { notifyError } from '../../primitives/notify.ts'

type LanguageSetting = Language | 'auto'

interface LanguagePanelProps {
  language: string
  onChange: (changes: Partial<UserSettings>) => void
}

/** The language of the interface: one that there are texts for, or the browser's. */
export const LanguagePanel = (props: LanguagePanelProps) => (
  <Panel title={t('settings.language')} lead={t('settings.languageLead')}>
    <Select<LanguageSetting>
      label={t('settings.language')}
      isLabelHidden
      value={LANGUAGES.find((known) => known === props.language) ?? 'auto'}
      options={[
        { value: 'auto', label: t('settings.browserLanguage') },
        ...LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
      ]}
      onSelect={(language) => {
        chooseLanguage(languageOfSetting(language)).catch(() => notifyError(new Error(t('problem.incomplete'))))
        props.onChange({ language })
      }}
      class="max-w-72"
    />
  </Panel>
)
