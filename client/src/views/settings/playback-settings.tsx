import { createSignal } from 'solid-js'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { Select } from '../../components/select.tsx'
import { SwitchField } from '../../components/switch-field.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/settings.ts'
import { createUserSettings } from '../../primitives/create-user-settings.ts'
import { languageNames } from '../../primitives/language-names.ts'
import { createPageTitle } from '../../primitives/page-title.ts'

const NONE = ''

/** How films, series and clips play, and the language that is asked of translations. */
export const PlaybackSettings = () => {
  createPageTitle(() => [t('settings.playback'), t('settings.title')])
  const { settings, change } = createUserSettings()
  const [target, setTarget] = createSignal<string>()
  const saveTarget = () => {
    const typed = target()?.trim()
    if (typed !== undefined && typed !== (settings().translationTarget ?? '')) change({ translationTarget: typed === '' ? null : typed })
  }
  return (
    <>
      <PageHeader title={t('settings.playback')} lead={t('settings.playbackLead')} />
      <div class="flex max-w-180 flex-col gap-6">
        <Panel title={t('settings.videos')}>
          <SwitchField
            label={t('settings.autoplayNext')}
            hint={t('settings.autoplayNextHint')}
            isOn={settings().autoplayNext}
            onChange={(autoplayNext) => change({ autoplayNext })}
          />
          <SwitchField
            label={t('settings.scrollMuted')}
            isOn={settings().scrollMuted}
            onChange={(scrollMuted) => change({ scrollMuted })}
          />
        </Panel>
        <Panel title={t('settings.subtitles')} lead={t('settings.subtitlesLead')}>
          <Select
            label={t('settings.subtitles')}
            isLabelHidden
            value={settings().subtitleLanguage ?? NONE}
            options={[{ value: NONE, label: t('settings.noSubtitles') }, ...languageNames(settings().subtitleLanguage)]}
            onSelect={(subtitleLanguage) => change({ subtitleLanguage: subtitleLanguage === NONE ? null : subtitleLanguage })}
            class="max-w-72"
          />
        </Panel>
        <Panel title={t('settings.translations')} lead={t('settings.translationsLead')}>
          <TextField
            label={t('settings.translationTarget')}
            autocomplete="off"
            maxLength={64}
            value={target() ?? settings().translationTarget ?? ''}
            placeholder={t('settings.likeLibrary')}
            onInput={(event) => setTarget(event.currentTarget.value)}
            onChange={saveTarget}
            class="max-w-72"
          />
        </Panel>
      </div>
    </>
  )
}
