import { CheckCheck, Tags, X } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { t } from '../i18n/tagging.ts'
import { createBulkTags } from '../primitives/create-bulk-tags.ts'
import type { createEntryPages } from '../primitives/create-entry-pages.ts'
import type { Selection } from '../primitives/create-selection.ts'
import { IconButton } from './icon-button.tsx'
import { TagSelector } from './tag-selector.tsx'

/** A tab holds no more with ease; how many they are is said beside the button. */
const MOST_SELECTED = 20_000

/** What can be done to the selected entries, in a bar at the bottom of the window. */
export const EntrySelection = (props: { selection: Selection; pages: ReturnType<typeof createEntryPages> }) => {
  const count = () => props.selection.entries().length
  const [isGathering, setGathering] = createSignal(false)
  /** Also of the pages that nobody has scrolled to. */
  const selectAll = async () => {
    setGathering(true)
    while (props.pages.hasMore() && props.selection.isActive() && props.pages.entries().length < MOST_SELECTED) {
      if ((await props.pages.query.fetchNextPage({ cancelRefetch: false })).isError) break
    }
    setGathering(false)
    if (props.selection.isActive()) props.selection.addAll()
  }
  return (
    <div class="fixed inset-x-4 safe-bottom-20 z-20 mx-auto flex max-w-100 animate-rise items-center gap-3 rounded-card border border-line bg-raised py-2 pr-2 pl-4 shadow-raised md:bottom-6">
      <p class="grow text-small tabular-nums" aria-live="polite">
        {t('filters.selected', count())}
      </p>
      <IconButton label={t('filters.selectAll')} isBusy={isGathering()} onClick={() => void selectAll()}>
        <CheckCheck size={20} />
      </IconButton>
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
