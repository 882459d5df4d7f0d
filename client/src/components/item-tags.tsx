import { Tag as TagIcon } from 'lucide-solid'
import { For, Show } from 'solid-js'
import type { Item } from '../api/types.ts'
import { t } from '../i18n/tagging.ts'
import { createItemTags } from '../primitives/create-item-tags.ts'
import { createCan } from '../primitives/session.ts'
import { TagChip } from './tag-chip.tsx'
import { TagSelector } from './tag-selector.tsx'

/** The tags of an item's page: each leads to everything that carries it, and the button changes them. */
export const ItemTags = (props: { item: Pick<Item, 'itemKey' | 'libraryId' | 'title' | 'tags'> }) => {
  const can = createCan()
  return (
    <div class="flex flex-wrap items-center gap-2">
      <Show when={props.item.tags.length > 0}>
        <ul class="contents" aria-label={t('tags.edit')}>
          <For each={props.item.tags}>
            {(tag) => (
              <li>
                <TagChip tag={tag} libraryId={props.item.libraryId} />
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={can('tag')}>
        <TagSelector
          label={props.item.tags.length === 0 ? t('tags.add') : t('tags.edit')}
          title={t('tags.of', props.item.title)}
          target={(isOpen) => createItemTags(() => props.item, isOpen)}
          triggerClass={`inline-flex h-target-small items-center gap-2 rounded-chip px-2 text-small text-muted transition-colors hover:bg-raised hover:text-fg data-[expanded]:bg-raised data-[expanded]:text-fg ${props.item.tags.length === 0 ? '-ml-2' : ''}`}
          trigger={
            <>
              <TagIcon size={16} aria-hidden="true" />
              {props.item.tags.length === 0 ? t('tags.add') : t('tags.edit')}
            </>
          }
        />
      </Show>
    </div>
  )
}
