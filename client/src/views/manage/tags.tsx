import { Key } from '@solid-primitives/keyed'
import { A } from '@solidjs/router'
import { Download, FileUp, FolderPlus, Tags } from 'lucide-solid'
import { createSignal, For, Match, Show, Switch } from 'solid-js'
import { exportUrl } from '../../api/tag-import.ts'
import { categoriesQuery } from '../../api/tags.ts'
import type { TagCategory } from '../../api/types.ts'
import { Button, FileLinkButton } from '../../components/button.tsx'
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
import { createPageTitle } from '../../primitives/page-title.ts'
import { TagMappings } from './tag-mappings.tsx'
import { ActionMenu, TagRows } from './tag-rows.tsx'

const CategoryDialog = late(async () => (await import('./tag-dialogs.tsx')).CategoryDialog)
const TagDeleteDialog = late(async () => (await import('./tag-delete-dialog.tsx')).TagDeleteDialog)
const TagMergeDialog = late(async () => (await import('./tag-merge-dialog.tsx')).TagMergeDialog)
const TagImportDialog = late(async () => (await import('./tag-import-dialog.tsx')).TagImportDialog)

type Open = { dialog: 'import' | 'new' } | { dialog: 'edit' | 'merge' | 'delete'; category: TagCategory }

const CategoryRow = (props: { category: TagCategory; onAction: (action: 'edit' | 'merge' | 'delete') => void }) => (
  <li class="flex min-h-14 items-center gap-2 pr-2 transition-colors hover:bg-raised">
    <A href={`/manage/tags/${props.category.id}`} class="flex min-h-14 min-w-0 grow items-center gap-3 py-2 pl-4">
      <TagDot category={props.category} />
      <span class="min-w-0 grow truncate font-semibold">{props.category.name}</span>
      <span class="shrink-0 text-caption text-muted tabular-nums">{t('manageTags.tags', props.category.tagCount)}</span>
    </A>
    <ActionMenu name={props.category.name} onAction={props.onAction} />
  </li>
)

const subjectOf = ({ id, name }: TagCategory) => ({ what: 'category' as const, id, name })

const Dialogs = (props: { open: Open; categories: readonly TagCategory[]; onClose: () => void }) => {
  const category = () => ('category' in props.open ? props.open.category : undefined)
  return (
    <Switch>
      <Match when={props.open.dialog === 'import'}>
        <TagImportDialog onClose={props.onClose} />
      </Match>
      <Match when={props.open.dialog === 'new' || props.open.dialog === 'edit'}>
        <CategoryDialog category={category()} count={props.categories.length} onClose={props.onClose} />
      </Match>
      <Match when={props.open.dialog === 'merge' && category()}>
        {(known) => <TagMergeDialog subject={subjectOf(known())} categories={props.categories} onClose={props.onClose} />}
      </Match>
      <Match when={props.open.dialog === 'delete' && category()}>
        {(known) => <TagDeleteDialog subject={subjectOf(known())} onClose={props.onClose} />}
      </Match>
    </Switch>
  )
}

/** Tags of any category that are called so. */
const FoundTags = (props: { q: string; categories: readonly TagCategory[] }) => {
  const pages = createTagPages(() => ({ q: props.q }))
  return (
    <QueryView query={pages.query} skeleton={<Skeleton class="h-40 w-full" />}>
      {() => (
        <Show when={pages.tags().length > 0} fallback={<p class="text-small text-muted">{t('manageTags.noMatch', props.q)}</p>}>
          <TagRows isMixed pages={pages} categories={props.categories} />
        </Show>
      )}
    </QueryView>
  )
}

export const ManageTags = () => {
  createPageTitle(() => [t('manageTags.title'), t('nav.manage')])
  const search = createSearchText('q')
  const { get } = createUrlState()
  const [open, setOpen] = createSignal<Open>()
  const categories = createQuery(() => categoriesQuery)
  const known = () => categories.data ?? []
  const q = () => get('q').trim()
  const NewCategory = () => (
    <Button variant="primary" onClick={() => setOpen({ dialog: 'new' })}>
      <FolderPlus size={18} aria-hidden="true" />
      {t('manageTags.newCategory')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('manageTags.title')}
        lead={t('manageTags.lead')}
        actions={
          <>
            <Button onClick={() => setOpen({ dialog: 'import' })}>
              <FileUp size={18} aria-hidden="true" />
              {t('importTags.open')}
            </Button>
            <FileLinkButton href={exportUrl()} download="">
              <Download size={18} aria-hidden="true" />
              {t('importTags.export')}
            </FileLinkButton>
            <NewCategory />
          </>
        }
      />
      <QueryView query={categories} skeleton={<For each={[1, 2, 3]}>{() => <Skeleton class="mb-2 h-14 w-full" />}</For>}>
        {(all) => (
          <Show
            when={all().length > 0}
            fallback={<EmptyState icon={<Tags size={28} />} heading={t('manageTags.emptyHeading')} text={t('manageTags.empty')} />}
          >
            <div class="flex flex-col gap-6">
              <div class="flex">
                <SearchField label={t('manageTags.search')} text={search.text()} onType={search.type} onClear={search.clear} />
              </div>
              <Show when={q() === ''} fallback={<FoundTags q={q()} categories={all()} />}>
                <ul
                  aria-label={t('manageTags.categories')}
                  class="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
                >
                  <Key each={all()} by="id">
                    {(category) => <CategoryRow category={category()} onAction={(dialog) => setOpen({ dialog, category: category() })} />}
                  </Key>
                </ul>
                <TagMappings />
              </Show>
            </div>
          </Show>
        )}
      </QueryView>
      <Show when={open()} keyed>
        {(shown) => <Dialogs open={shown} categories={known()} onClose={() => setOpen(undefined)} />}
      </Show>
    </>
  )
}
