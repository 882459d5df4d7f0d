import type { UserSettings } from '../../../../src/domain/user-settings.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { getUserSettings } from '../../api/user-settings.ts'
import { Panel } from '../../components/panel.tsx'
import { Select } from '../../components/select.tsx'
import { chooseLanguage, languageOfSetting } from '../../i18n/choose-language.ts'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../i18n/language.ts'
import { t } from '../../i18n/settings.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { notifyError } from '../../primitives/notify.ts'

type LanguageSetting = Language | 'auto'

/** The language of the interface: one that there are texts for, or the browser's. */
export const LanguagePanel = (props: { onSave: (changes: Partial<UserSettings>) => Promise<void> }) => {
  const settings = createQuery(() => ({ queryKey: queryKeys.userSettings, queryFn: getUserSettings }))
  const chosen = (): LanguageSetting => LANGUAGES.find((known) => settings.isSuccess && settings.data?.language === known) ?? 'auto'
  const choose = (setting: LanguageSetting) => {
    chooseLanguage(languageOfSetting(setting)).catch(notifyError)
    void props.onSave({ language: setting })
  }
  return (
    <Panel title={t('settings.language')} lead={t('settings.languageLead')}>
      <Select<LanguageSetting>
        label={t('settings.language')}
        isLabelHidden
        value={chosen()}
        options={[
          { value: 'auto', label: t('settings.browserLanguage') },
          ...LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
        ]}
        onSelect={choose}
        class="max-w-72"
      />
    </Panel>
  )
}
