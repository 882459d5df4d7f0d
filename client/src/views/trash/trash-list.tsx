import { Key } from '@solid-primitives/keyed'
import { RotateCcw, Trash2 } from 'lucide-solid'
import { type JSX, Show } from 'solid-js'
import type { TrashEntry } from '../../api/trash.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { ItemIcon } from '../../components/type-icon.tsx'
import { t as itemText } from '../../i18n/details.ts'
import { t } from '../../i18n/manage.ts'
import { createRowFocus, onePress } from '../../primitives/create-row-focus.ts'
import { createTrash } from '../../primitives/create-trash.ts'
import { formatAgo, formatBytes, formatDate } from '../../primitives/format.ts'

interface TrashRowProps {
  entry: TrashEntry
  /** Where it lay, if the list is of more than one library. */
  libraryName: string | undefined
  isBusy: boolean
  /** Another one is being dealt with. */
  isWaiting: boolean
  onRestore: () => void
  onDelete: () => void
}

const TrashRow = (props: TrashRowProps) => {
  const facts = () =>
    [
      props.libraryName,
      itemText('item.fileCount', props.entry.files),
      formatBytes(props.entry.bytes),
      t('trash.deletedBy', props.entry.deletedBy),
      formatAgo(props.entry.deletedAt),
    ].filter((fact) => fact !== undefined)
  return (
    <li class="flex flex-col gap-3 p-4 sm:flex-row sm:items-center sm:gap-4">
      <div class="flex min-w-0 grow items-center gap-3">
        <span class="flex size-10 shrink-0 items-center justify-center rounded-card bg-raised text-muted">
          <ItemIcon itemType={props.entry.itemType} mediaKind={null} size={20} />
        </span>
        <div class="min-w-0">
          <p class="truncate font-semibold" title={props.entry.folder} data-own-name>
            {props.entry.title}
          </p>
          <p class="text-caption text-muted tabular-nums">{facts().join(' · ')}</p>
          <Show when={props.entry.expiresAt}>
            {(date) => <p class="text-caption text-muted tabular-nums">{t('trash.expires', formatDate(date()))}</p>}
          </Show>
        </div>
      </div>
      <div class="flex shrink-0 items-center gap-2 sm:justify-end">
        <Button
          size="small"
          isBusy={props.isBusy}
          disabled={props.isWaiting}
          aria-label={t('trash.restoreOf', props.entry.title)}
          {...onePress(() => props.onRestore())}
        >
          <Show when={!props.isBusy}>
            <RotateCcw size={16} aria-hidden="true" />
          </Show>
          {t('trash.restore')}
        </Button>
        <ConfirmButton
          size="small"
          isCompact
          label={t('trash.deleteOf', props.entry.title)}
          armedLabel={t('trash.deleteForGood')}
          icon={<Trash2 size={16} aria-hidden="true" />}
          disabled={props.isBusy || props.isWaiting}
          onConfirm={() => props.onDelete()}
        />
      </div>
    </li>
  )
}

interface TrashListProps {
  /** Of all libraries without it. */
  libraryId?: number
  nameOf?: (libraryId: number) => string | undefined
  fallback: JSX.Element
}

export const TrashList = (props: TrashListProps) => {
  let box!: HTMLDivElement
  const trash = createTrash(() => props.libraryId)
  const keepPlace = createRowFocus({
    rows: trash.entries,
    isBusy: () => trash.busyId() !== undefined,
    list: () => box.querySelector('ul') ?? undefined,
    heading: () => box.querySelector('h2') ?? box.closest('section')?.querySelector('h2'),
  })
  const restore = (entry: TrashEntry) => {
    keepPlace(entry)
    trash.restore(entry)
  }
  const deleteForGood = (entry: TrashEntry) => {
    keepPlace(entry)
    trash.deleteForGood(entry)
  }
  return (
    <div ref={box}>
      <QueryView query={trash.query} skeleton={<Skeleton class="h-20 w-full" />}>
        {() => (
          <Show when={trash.entries().length > 0} fallback={props.fallback}>
            <ul
              aria-label={t('trash.title')}
              class="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface text-small"
            >
              <Key each={trash.entries()} by="id">
                {(entry) => (
                  <TrashRow
                    entry={entry()}
                    libraryName={props.nameOf?.(entry().libraryId)}
                    isBusy={trash.busyId() === entry().id}
                    isWaiting={trash.busyId() !== undefined && trash.busyId() !== entry().id}
                    onRestore={() => restore(entry())}
                    onDelete={() => deleteForGood(entry())}
                  />
                )}
              </Key>
            </ul>
            <Show when={trash.query.hasNextPage}>
              <MoreButton
                list={() => box.querySelector('ul')}
                size="small"
                variant="ghost"
                class="mt-2"
                isBusy={trash.query.isFetchingNextPage}
                onMore={() => void trash.query.fetchNextPage()}
              >
                {t('action.loadMore')}
              </MoreButton>
            </Show>
          </Show>
        )}
      </QueryView>
    </div>
  )
}
