import { useParams } from '@solidjs/router'
import { Match, Suspense, Switch } from 'solid-js'
import { screen } from '../../components/screen.tsx'
import { SectionNav } from '../../components/section-nav.tsx'
import { t } from '../../i18n/settings.ts'
import { NotFound } from '../not-found.tsx'

const Profile = screen(() => import('./profile.tsx'), 'Profile')
const PlaybackSettings = screen(() => import('./playback-settings.tsx'), 'PlaybackSettings')
const ReaderDefaults = screen(() => import('./reader-defaults.tsx'), 'ReaderDefaults')
const Devices = screen(() => import('./devices.tsx'), 'Devices')
const Appearance = screen(() => import('./appearance.tsx'), 'Appearance')

const SECTIONS = ['profile', 'appearance', 'playback', 'reader', 'devices'] as const

export const Settings = () => {
  const params = useParams()
  const section = () => params.section ?? 'profile'
  return (
    <>
      <SectionNav
        label={t('settings.sections')}
        sections={SECTIONS.map((name) => ({ href: `/settings/${name}`, label: t(`settings.${name}`), isCurrent: section() === name }))}
      />
      <Suspense>
        <Switch fallback={<NotFound />}>
          <Match when={section() === 'profile'}>
            <Profile />
          </Match>
          <Match when={section() === 'appearance'}>
            <Appearance />
          </Match>
          <Match when={section() === 'playback'}>
            <PlaybackSettings />
          </Match>
          <Match when={section() === 'reader'}>
            <ReaderDefaults />
          </Match>
          <Match when={section() === 'devices'}>
            <Devices />
          </Match>
        </Switch>
      </Suspense>
    </>
  )
}
