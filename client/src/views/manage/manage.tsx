import { useParams } from '@solidjs/router'
import { Match, Show, Suspense, Switch } from 'solid-js'
import { ApiProblem } from '../../api/http.ts'
import { ErrorCard } from '../../components/error-card.tsx'
import { screen } from '../../components/screen.tsx'
import { SectionNav } from '../../components/section-nav.tsx'
import { t as jobsText } from '../../i18n/ai-fields.ts'
import { t } from '../../i18n/manage.ts'
import { createCan, createIsAdmin } from '../../primitives/session.ts'
import { NotFound } from '../not-found.tsx'
import { DiskNotice } from './disk-notice.tsx'

const ManageLibraries = screen(() => import('./libraries.tsx'), 'ManageLibraries')
const ManageLibrary = screen(() => import('./library.tsx'), 'ManageLibrary')
const ManageUsers = screen(() => import('./users.tsx'), 'ManageUsers')
const ManageUser = screen(() => import('./user.tsx'), 'ManageUser')
const ManageAiTagging = screen(() => import('./ai-tagging.tsx'), 'ManageAiTagging')
const ManageAiLibrary = screen(() => import('./ai-tagging-library.tsx'), 'ManageAiLibrary')
const ManageJobs = screen(() => import('./jobs.tsx'), 'ManageJobs')
const ManageTags = screen(() => import('./tags.tsx'), 'ManageTags')
const ManageTagCategory = screen(() => import('./tag-category.tsx'), 'ManageTagCategory')
const ManageSystem = screen(() => import('./system.tsx'), 'ManageSystem')

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
