import { useParams } from '@solidjs/router'
import { lazy, Match, Suspense, Switch } from 'solid-js'
import { SectionNav } from '../../components/section-nav.tsx'
import { t } from '../../i18n/settings.ts'
import { NotFound } from '../not-found.tsx'

const Profile = lazy(() => import('./profile.tsx').then(({ Profile }) => ({ default: Profile })))
const Appearance = lazy(() => import('./appearance.tsx').then(({ Appearance }) => ({ default: Appearance })))

export const Settings = () => {
  const params = useParams()
  const section = () => params.section ?? 'profile'
  return (
    <>
      <SectionNav
        label={t('settings.sections')}
        sections={[
          { href: '/settings/profile', label: t('settings.profile'), isCurrent: section() === 'profile' },
          { href: '/settings/appearance', label: t('settings.appearance'), isCurrent: section() === 'appearance' },
        ]}
      />
      <Suspense>
        <Switch fallback={<NotFound />}>
          <Match when={section() === 'profile'}>
            <Profile />
          </Match>
          <Match when={section() === 'appearance'}>
            <Appearance />
          </Match>
        </Switch>
      </Suspense>
    </>
  )
}
