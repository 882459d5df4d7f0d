import { Plus, Tags } from 'lucide-solid'
import { createSignal, Match, Show, Switch } from 'solid-js'
import { categoriesQuery } from '../../api/tags.ts'
import type { TagCategory } from '../../api/types.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { late } from '../../components/late.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TagDot } from '../../components/tag-chip.tsx'
import { t } from '../../i18n/manage-tags.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createSearchText } from '../../primitives/create-search-text.ts'
import { createTagPages } from '../../primitives/create-tag-pages.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { createCrumbs } from '../../primitives/crumbs.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { ActionMenu, TagRows } from './tag-rows.tsx'

const CategoryDialog = late(async () => (await import('./tag-dialogs.tsx')).CategoryDialog)
const TagDialog = late(async () => (await import('./tag-dialogs.tsx')).TagDialog)
const TagDeleteDialog = late(async () => (await import('./tag-delete-dialog.tsx')).TagDeleteDialog)
const TagMergeDialog = late(async () => (await import('./tag-merge-dialog.tsx')).TagMergeDialog)

type Action = 'edit' | 'merge' | 'delete' | 'newTag'

const CategoryPage = (props: { category: TagCategory; categories: readonly TagCategory[] }) => {
  const search = createSearchText('q')
  const { get } = createUrlState()
  const [action, setAction] = createSignal<Action>()
  const close = () => setAction(undefined)
  const q = () => get('q').trim()
  const pages = createTagPages(() => ({ categoryId: props.category.id, ...(q() === '' ? {} : { q: q() }) }))
  const subject = () => ({ what: 'category' as const, id: props.category.id, name: props.category.name })
  return (
    <>
      <PageHeader
        title={props.category.name}
        lead={
          <span class="inline-flex items-center gap-2">
            <TagDot category={props.category} />
            {t('manageTags.tags', props.category.tagCount)}
          </span>
        }
        actions={
          <>
            <ActionMenu name={props.category.name} onAction={setAction} />
            <Button variant="primary" onClick={() => setAction('newTag')}>
              <Plus size={18} aria-hidden="true" />
              {t('manageTags.newTag')}
            </Button>
          </>
        }
      />
      <QueryView query={pages.query} skeleton={<Skeleton class="h-80 w-full" />}>
        {() => (
          <Show
            when={pages.total() > 0 || q() !== ''}
            fallback={<EmptyState icon={<Tags size={28} />} heading={t('manageTags.noTagsHeading')} text={t('manageTags.noTags')} />}
          >
            <div class="flex flex-col gap-4">
              <div class="flex">
                <SearchField
                  label={t('manageTags.searchIn', props.category.name)}
                  text={search.text()}
                  onType={search.type}
                  onClear={search.clear}
                />
              </div>
              <Show when={pages.total() > 0} fallback={<p class="text-small text-muted">{t('manageTags.noMatch', q())}</p>}>
                <TagRows pages={pages} categories={props.categories} />
              </Show>
            </div>
          </Show>
        )}
      </QueryView>
      <Show when={action()}>
        {(shown) => (
          <Switch>
            <Match when={shown() === 'newTag'}>
              <TagDialog categoryId={props.category.id} categories={props.categories} onClose={close} />
            </Match>
            <Match when={shown() === 'edit'}>
              <CategoryDialog category={props.category} count={props.categories.length} onClose={close} />
            </Match>
            <Match when={shown() === 'merge'}>
              <TagMergeDialog
                subject={subject()}
                categories={props.categories}
                onClose={close}
                hrefAfter={({ id }) => `/manage/tags/${id}`}
              />
            </Match>
            <Match when={shown() === 'delete'}>
              <TagDeleteDialog subject={subject()} onClose={close} hrefAfter="/manage/tags" />
            </Match>
          </Switch>
        )}
      </Show>
    </>
  )
}

/** The tags of one category. */
export const ManageTagCategory = (props: { categoryId: number }) => {
  const categories = createQuery(() => categoriesQuery)
  const category = () => categories.data?.find(({ id }) => id === props.categoryId)
  createPageTitle(() => [category()?.name, t('manageTags.title')])
  createCrumbs(() => [{ label: t('manageTags.title'), href: '/manage/tags' }])
  return (
    <QueryView isScreen query={categories} skeleton={<Skeleton class="h-80 w-full" />}>
      {(all) => (
        <Show when={category()} fallback={<EmptyState isScreen icon={<Tags size={28} />} heading={t('manageTags.unknownHeading')} />}>
          {(known) => <CategoryPage category={known()} categories={all()} />}
        </Show>
      )}
    </QueryView>
  )
}
