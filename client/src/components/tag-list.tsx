import { For, Show } from 'solid-js'
import type { Tag } from '../api/types.ts'
import { t } from '../i18n/details.ts'

export const TagList = (props: { tags: readonly Tag[] }) => (
  <Show when={props.tags.length > 0}>
    <ul class="flex flex-wrap gap-2" aria-label={t('item.tags')}>
      <For each={props.tags}>
        {(tag) => (
          <li class="rounded-chip bg-accent-soft px-2 py-1 text-caption text-accent" title={tag.categoryName}>
            {tag.name}
          </li>
        )}
      </For>
    </ul>
  </Show>
)
