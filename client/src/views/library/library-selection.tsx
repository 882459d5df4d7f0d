import { Tags, X } from 'lucide-solid'
import { Show } from 'solid-js'
import { IconButton } from '../../components/icon-button.tsx'
import { TagSelector } from '../../components/tag-selector.tsx'
import { t } from '../../i18n/filters.ts'
import { createBulkTags } from '../../primitives/create-bulk-tags.ts'
import type { Selection } from '../../primitives/create-selection.ts'

/** What can be done to the selected entries, in a bar at the bottom of the window. */
export const LibrarySelection = (props: { selection: Selection }) => {
  const count = () => props.selection.entries().length
  return (
    <div class="fixed inset-x-4 safe-bottom-20 z-20 mx-auto flex max-w-100 animate-rise items-center gap-3 rounded-card border border-line bg-raised py-2 pr-2 pl-4 shadow-raised md:bottom-6">
      <p class="grow text-small tabular-nums" aria-live="polite">
        {t('filters.selected', count())}
      </p>
      <Show when={count() > 0}>
        <TagSelector
          label={t('tags.edit')}
          title={t('tags.ofMany', count())}
          target={() => createBulkTags(props.selection.entries)}
          triggerClass="inline-flex h-target-large items-center gap-2 rounded-card bg-accent px-4 text-small font-semibold text-on-accent transition-colors hover:bg-accent-strong"
          trigger={
            <>
              <Tags size={18} aria-hidden="true" />
              {t('tags.edit')}
            </>
          }
        />
      </Show>
      <IconButton label={t('action.done')} onClick={props.selection.stop}>
        <X size={20} />
      </IconButton>
    </div>
  )
}
