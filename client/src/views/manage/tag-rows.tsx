import { Key } from '@solid-primitives/keyed'
import { A } from '@solidjs/router'
import { GitMerge, MoreHorizontal, Pencil, Trash2 } from 'lucide-solid'
import { createSignal, Match, Show, Switch } from 'solid-js'
import type { TagCategory, TagUsage } from '../../api/types.ts'
import { ICON_CLASS } from '../../components/icon-button.tsx'
import { late } from '../../components/late.tsx'
import { Menu } from '../../components/menu.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { TagAlias } from '../../components/tag-alias.tsx'
import { TagDot } from '../../components/tag-chip.tsx'
import { t } from '../../i18n/manage-tags.ts'
import type { createTagPages } from '../../primitives/create-tag-pages.ts'
import { libraryPath, searchPath } from '../../primitives/paths.ts'

const TagDialog = late(async () => (await import('./tag-dialogs.tsx')).TagDialog)
const TagDeleteDialog = late(async () => (await import('./tag-delete-dialog.tsx')).TagDeleteDialog)
const TagMergeDialog = late(async () => (await import('./tag-merge-dialog.tsx')).TagMergeDialog)

type Action = 'edit' | 'merge' | 'delete'

interface ActionMenuProps {
  name: string
  onAction: (action: Action) => void
}

/** What can be done with a tag or a category. */
export const ActionMenu = (props: ActionMenuProps) => (
  <Menu
    label={t('manageTags.actionsOf', props.name)}
    trigger={<MoreHorizontal size={18} />}
    triggerClass={`${ICON_CLASS} size-target-medium`}
    items={[
      { label: t('manageTags.edit'), icon: <Pencil size={16} aria-hidden="true" />, onSelect: () => props.onAction('edit') },
      { label: t('manageTags.merge'), icon: <GitMerge size={16} aria-hidden="true" />, onSelect: () => props.onAction('merge') },
      {
        label: t('manageTags.delete'),
        icon: <Trash2 size={16} aria-hidden="true" />,
        isDanger: true,
        onSelect: () => props.onAction('delete'),
      },
    ]}
  />
)

interface TagRowsProps {
  pages: ReturnType<typeof createTagPages>
  categories: readonly TagCategory[]
  /** Tags of several categories are listed. */
  isMixed?: boolean
}

/** The items that carry it: those of its library, or of all where several have some. */
const usesPath = ({ id, name, onlyLibraryId }: TagUsage): string =>
  onlyLibraryId === undefined ? searchPath(name) : `${libraryPath(onlyLibraryId)}?tags=${id}`

export const TagRows = (props: TagRowsProps) => {
  let list: HTMLUListElement | undefined
  const [chosen, setChosen] = createSignal<{ tag: TagUsage; action: Action }>()
  const close = () => setChosen(undefined)
  const subjectOf = (tag: TagUsage) => ({ what: 'tag' as const, id: tag.id, name: tag.name })
  return (
    <>
      <ul ref={list} class="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        <Key each={props.pages.tags()} by="id">
          {(tag) => (
            <li class="flex min-h-12 items-center gap-3 py-1 pr-2 pl-4">
              <TagDot category={{ id: tag().categoryId, color: tag().color }} />
              <span class="flex min-w-0 grow flex-col">
                <span class="truncate text-small font-semibold" title={tag().name}>
                  {tag().name}
                </span>
                <TagAlias alias={tag().alias} />
                <Show when={props.isMixed}>
                  <span class="truncate text-caption text-muted">{tag().categoryName}</span>
                </Show>
              </span>
              <Show
                when={tag().usage > 0}
                fallback={<span class="shrink-0 text-caption text-muted tabular-nums">{t('manageTags.usage', 0)}</span>}
              >
                <A
                  href={usesPath(tag())}
                  aria-label={`${t('manageTags.usage', tag().usage)}: ${tag().name}`}
                  class="min-h-finger shrink-0 content-center rounded-chip text-caption text-muted tabular-nums transition-colors hover:text-fg hover:underline"
                >
                  {t('manageTags.usage', tag().usage)}
                </A>
              </Show>
              <ActionMenu name={tag().name} onAction={(action) => setChosen({ tag: tag(), action })} />
            </li>
          )}
        </Key>
      </ul>
      <Show when={props.pages.query.hasNextPage}>
        <div class="mt-4 flex justify-center">
          <MoreButton list={() => list} isBusy={props.pages.query.isFetchingNextPage} onMore={() => void props.pages.query.fetchNextPage()}>
            {t('action.loadMore')}
          </MoreButton>
        </div>
      </Show>
      <Show when={chosen()} keyed>
        {({ tag, action }) => (
          <Switch>
            <Match when={action === 'edit'}>
              <TagDialog tag={tag} categoryId={tag.categoryId} categories={props.categories} onClose={close} />
            </Match>
            <Match when={action === 'merge'}>
              <TagMergeDialog subject={subjectOf(tag)} categories={props.categories} onClose={close} />
            </Match>
            <Match when={action === 'delete'}>
              <TagDeleteDialog subject={subjectOf(tag)} onClose={close} />
            </Match>
          </Switch>
        )}
      </Show>
    </>
  )
}
