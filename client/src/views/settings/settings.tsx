import { useParams } from '@solidjs/router'
import { lazy, Match, Suspense, Switch } from 'solid-js'
import { SectionNav } from '../../components/section-nav.tsx'
import { t } from '../../i18n/settings.ts'
import { NotFound } from '../not-found.tsx'

const Profile = lazy(() => import('./profile.tsx').then(({ Profile }) => ({ default: Profile })))
const PlaybackSettings = lazy(() => import('./playback-settings.tsx').then(({ PlaybackSettings }) => ({ default: PlaybackSettings })))
const ReaderDefaults = lazy(() => import('./reader-defaults.tsx').then(({ ReaderDefaults }) => ({ default: ReaderDefaults })))
const Devices = lazy(() => import('./devices.tsx').then(({ Devices }) => ({ default: Devices })))
const Appearance = lazy(() => import('./appearance.tsx').then(({ Appearance }) => ({ default: Appearance })))

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
