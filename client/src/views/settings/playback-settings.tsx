import { createSignal } from 'solid-js'
import { SEEK_STEPS } from '../../../../src/domain/user-settings.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { Select } from '../../components/select.tsx'
import { SwitchField } from '../../components/switch-field.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/settings.ts'
import { t as viewerText } from '../../i18n/viewers.ts'
import { createUserSettings } from '../../primitives/create-user-settings.ts'
import { languageNames } from '../../primitives/language-names.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { createSubtitleSize, SUBTITLE_SIZES, type SubtitleSize } from '../../primitives/subtitle-size.ts'

const NONE = ''

const STEPS = SEEK_STEPS.map((seconds) => ({ value: String(seconds), seconds }))

interface StepSelectProps {
  label: string
  hint: string
  seconds: number
  onSelect: (seconds: (typeof SEEK_STEPS)[number]) => void
}

const StepSelect = (props: StepSelectProps) => (
  <Select
    label={props.label}
    hint={props.hint}
    value={String(props.seconds)}
    options={STEPS.map(({ value, seconds }) => ({ value, label: t('settings.seekSeconds', seconds) }))}
    onSelect={(chosen) => {
      const step = STEPS.find(({ value }) => value === chosen)
      if (step) props.onSelect(step.seconds)
    }}
  />
)

/** How films, series and clips play, and the language that is asked of translations. */
export const PlaybackSettings = () => {
  createPageTitle(() => [t('settings.playback'), t('settings.title')])
  const { settings, change } = createUserSettings()
  const [size, setSize] = createSubtitleSize()
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
          <div class="mt-2 grid gap-4 sm:grid-cols-2">
            <StepSelect
              label={t('settings.seekShort')}
              hint={t('settings.seekShortHint')}
              seconds={settings().seekShort}
              onSelect={(seekShort) => change({ seekShort })}
            />
            <StepSelect
              label={t('settings.seekLong')}
              hint={t('settings.seekLongHint')}
              seconds={settings().seekLong}
              onSelect={(seekLong) => change({ seekLong })}
            />
          </div>
        </Panel>
        <Panel title={t('settings.tracks')} lead={t('settings.tracksLead')}>
          <div class="grid gap-4 sm:grid-cols-2">
            <Select
              label={t('settings.audioLanguage')}
              value={settings().audioLanguage ?? NONE}
              options={[{ value: NONE, label: t('settings.ownAudio') }, ...languageNames(settings().audioLanguage)]}
              onSelect={(audioLanguage) => change({ audioLanguage: audioLanguage === NONE ? null : audioLanguage })}
            />
            <Select
              label={t('settings.subtitleLanguage')}
              value={settings().subtitleLanguage ?? NONE}
              options={[{ value: NONE, label: t('settings.noSubtitles') }, ...languageNames(settings().subtitleLanguage)]}
              onSelect={(subtitleLanguage) => change({ subtitleLanguage: subtitleLanguage === NONE ? null : subtitleLanguage })}
            />
            <Select<SubtitleSize>
              label={viewerText('watch.subtitleSize')}
              hint={t('settings.thisDeviceOnly')}
              value={size()}
              options={SUBTITLE_SIZES.map((value) => ({ value, label: t(`library.sizes.${value}`) }))}
              onSelect={setSize}
            />
          </div>
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
