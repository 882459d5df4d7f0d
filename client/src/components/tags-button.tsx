import { Tags } from 'lucide-solid'
import { Show } from 'solid-js'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/tagging.ts'
import { createItemTags } from '../primitives/create-item-tags.ts'
import { createCan } from '../primitives/session.ts'
import { ICON_CLASS } from './icon-button.tsx'
import { late } from './late.tsx'
import { TagSelector } from './tag-selector.tsx'

const SeenTags = late(async () => (await import('./seen-tags.tsx')).SeenTags)

/** The tags of an item behind a button, for rows of lists and for the viewers: whoever may changes them, and everybody sees them. */
export const TagsButton = (props: { item: Pick<BrowseEntry, 'itemKey' | 'libraryId' | 'title' | 'tagIds'>; isOverStage?: boolean }) => {
  const can = createCan()
  return (
    <Show
      when={can('tag')}
      fallback={
        <Show when={props.item.tagIds.length > 0}>
          <SeenTags item={props.item} isOverStage={props.isOverStage} />
        </Show>
      }
    >
      <TagSelector
        label={t('tags.of', props.item.title)}
        title={t('tags.of', props.item.title)}
        target={(isOpen) => createItemTags(() => props.item, isOpen)}
        triggerClass={`${ICON_CLASS} size-target-large data-[expanded]:bg-raised data-[expanded]:text-fg`}
        trigger={<Tags size={18} class={props.item.tagIds.length > 0 ? 'text-accent' : ''} aria-hidden="true" />}
      />
    </Show>
  )
}
