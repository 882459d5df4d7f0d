import { useParams } from '@solidjs/router'
import { lazy, Match, Show, Suspense, Switch } from 'solid-js'
import { ApiProblem } from '../../api/http.ts'
import { ErrorCard } from '../../components/error-card.tsx'
import { SectionNav } from '../../components/section-nav.tsx'
import { t as jobsText } from '../../i18n/ai-fields.ts'
import { t } from '../../i18n/manage.ts'
import { createCan, createIsAdmin } from '../../primitives/session.ts'
import { NotFound } from '../not-found.tsx'
import { DiskNotice } from './disk-notice.tsx'

const ManageLibraries = lazy(() => import('./libraries.tsx').then(({ ManageLibraries }) => ({ default: ManageLibraries })))
const ManageLibrary = lazy(() => import('./library.tsx').then(({ ManageLibrary }) => ({ default: ManageLibrary })))
const ManageUsers = lazy(() => import('./users.tsx').then(({ ManageUsers }) => ({ default: ManageUsers })))
const ManageUser = lazy(() => import('./user.tsx').then(({ ManageUser }) => ({ default: ManageUser })))
const ManageAiTagging = lazy(() => import('./ai-tagging.tsx').then(({ ManageAiTagging }) => ({ default: ManageAiTagging })))
const ManageAiLibrary = lazy(() => import('./ai-tagging-library.tsx').then(({ ManageAiLibrary }) => ({ default: ManageAiLibrary })))
const ManageJobs = lazy(() => import('./jobs.tsx').then(({ ManageJobs }) => ({ default: ManageJobs })))
const ManageTags = lazy(() => import('./tags.tsx').then(({ ManageTags }) => ({ default: ManageTags })))
const ManageTagCategory = lazy(() => import('./tag-category.tsx').then(({ ManageTagCategory }) => ({ default: ManageTagCategory })))
const ManageSystem = lazy(() => import('./system.tsx').then(({ ManageSystem }) => ({ default: ManageSystem })))

/** The administrators' screens; the server refuses everybody else whatever this shows. */
export const Manage = () => {
  const params = useParams()
  const isAdmin = createIsAdmin()
  const can = createCan()
  const section = () => params.section ?? (isAdmin() ? 'libraries' : 'tags')
  /** Tags are managed by whoever has that permission, too. */
  const isAllowed = () => isAdmin() || (section() === 'tags' && can('manageTags'))
  return (
    <Show when={isAllowed()} fallback={<ErrorCard isScreen error={new ApiProblem(403, 'forbidden', '')} />}>
      <SectionNav
        label={t('manage.sections')}
        sections={[
          { href: '/manage/libraries', label: t('manage.libraries'), isCurrent: section() === 'libraries' },
          { href: '/manage/users', label: t('manage.users'), isCurrent: section() === 'users' },
          { href: '/manage/ai-tagging', label: t('manage.aiTagging'), isCurrent: section() === 'ai-tagging' },
          { href: '/manage/jobs', label: jobsText('aiJobs.title'), isCurrent: section() === 'jobs' },
          { href: '/manage/tags', label: t('manage.tags'), isCurrent: section() === 'tags' },
          { href: '/manage/system', label: t('manage.system'), isCurrent: section() === 'system' },
        ].filter(({ href }) => isAdmin() || href === '/manage/tags')}
      />
      <Show when={isAdmin()}>
        <DiskNotice />
      </Show>
      <Suspense>
        <Switch fallback={<NotFound />}>
          {/* Keyed: what is typed, open or still saved for one user, library or category is nothing of the next one's. */}
          <Match when={section() === 'libraries' && params.id} keyed>
            {(id) => <ManageLibrary libraryId={Number(id)} />}
          </Match>
          <Match when={section() === 'libraries'}>
            <ManageLibraries />
          </Match>
          <Match when={section() === 'users' && params.id} keyed>
            {(id) => <ManageUser userId={Number(id)} />}
          </Match>
          <Match when={section() === 'users'}>
            <ManageUsers />
          </Match>
          <Match when={section() === 'ai-tagging' && params.id} keyed>
            {(id) => <ManageAiLibrary libraryId={Number(id)} />}
          </Match>
          <Match when={section() === 'ai-tagging'}>
            <ManageAiTagging />
          </Match>
          <Match when={section() === 'jobs' && !params.id}>
            <ManageJobs />
          </Match>
          <Match when={section() === 'tags' && params.id} keyed>
            {(id) => <ManageTagCategory categoryId={Number(id)} />}
          </Match>
          <Match when={section() === 'tags'}>
            <ManageTags />
          </Match>
          <Match when={section() === 'system' && !params.id}>
            <ManageSystem />
          </Match>
        </Switch>
      </Suspense>
    </Show>
  )
}
