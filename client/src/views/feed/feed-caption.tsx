import { For, Show } from 'solid-js'
import { assignmentsQuery } from '../../api/tags.ts'
import type { BrowseEntry } from '../../api/types.ts'
import { TagChip } from '../../components/tag-chip.tsx'
import { t } from '../../i18n/feed.ts'
import { createQuery } from '../../primitives/create-query.ts'

/** More of them would cover the picture; all stand in its details. */
const TAGS_SHOWN = 6

interface FeedCaptionProps {
  entry: BrowseEntry
  titleId: string
  /** Names of tags are asked for what is looked at alone, and there alone they lead anywhere. */
  isCurrent: boolean
}

/** What it is and what it carries, over the bottom of the picture. */
export const FeedCaption = (props: FeedCaptionProps) => {
  const query = createQuery(() => ({
    ...assignmentsQuery(props.entry.itemKey),
    enabled: props.isCurrent && props.entry.tagIds.length > 0,
  }))
  // What is not asked for any more is still known.
  const tags = () => (props.entry.tagIds.length > 0 ? (query.data ?? []) : [])
  return (
    <div class="feed-shade pointer-events-none absolute inset-x-0 bottom-0 flex flex-col gap-2 safe-px-4 pt-16 safe-pb-8">
      <h2 id={props.titleId} class="mr-16 truncate text-body font-semibold">
        {props.entry.title}
      </h2>
      <Show when={tags().length > 0}>
        <ul class="mr-16 flex max-w-160 flex-wrap gap-2" aria-label={t('lightbox.tags')} inert={!props.isCurrent}>
          <For each={tags().slice(0, TAGS_SHOWN)}>
            {(tag) => (
              <li class="pointer-events-auto">
                <TagChip tag={tag} libraryId={props.entry.libraryId} />
              </li>
            )}
          </For>
          <Show when={tags().length > TAGS_SHOWN}>
            <li class="text-caption leading-7 tabular-nums">{t('feed.moreTags', tags().length - TAGS_SHOWN)}</li>
          </Show>
        </ul>
      </Show>
    </div>
  )
}
