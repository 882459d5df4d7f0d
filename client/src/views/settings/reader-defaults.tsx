import type { ReaderSettings } from '../../../../src/domain/reader-settings.ts'
import { readerDefaults, type UserSettings } from '../../../../src/domain/user-settings.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { t } from '../../i18n/settings.ts'
import { createUserSettings } from '../../primitives/create-user-settings.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { ReaderSettingsFields } from '../reader/reader-settings-fields.tsx'

const NAMES = {
  mode: 'readerMode',
  fit: 'readerFit',
  background: 'readerBackground',
  tapZones: 'readerTapZones',
  invertTaps: 'readerInvertTaps',
  doublePage: 'readerDoublePage',
  coverAlone: 'readerCoverAlone',
  sidePadding: 'readerSidePadding',
} as const satisfies Record<keyof ReaderSettings, keyof UserSettings>

const isName = (name: string): name is keyof ReaderSettings => name in NAMES

const asUserSettings = (changes: Partial<ReaderSettings>): Partial<UserSettings> =>
  Object.fromEntries(Object.entries(changes).map(([name, value]) => [isName(name) ? NAMES[name] : name, value]))

/** How manga is read where nothing was chosen for its series. */
export const ReaderDefaults = () => {
  createPageTitle(() => [t('settings.reader'), t('settings.title')])
  const { settings, change } = createUserSettings()
  return (
    <>
      <PageHeader title={t('settings.reader')} lead={t('settings.readerLead')} />
      <div class="max-w-180">
        <Panel title={t('settings.readerPanel')}>
          <ReaderSettingsFields settings={readerDefaults(settings())} onChange={(changes) => change(asUserSettings(changes))} />
        </Panel>
      </div>
    </>
  )
}
