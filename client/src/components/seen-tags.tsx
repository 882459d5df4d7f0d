import { Tags } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { assignmentsQuery } from '../api/tags.ts'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/tagging.ts'
import { createQuery } from '../primitives/create-query.ts'
import { problemText } from '../primitives/problem-text.ts'
import { Dialog } from './dialog.tsx'
import { FormError } from './form-error.tsx'
import { IconButton } from './icon-button.tsx'
import { ItemTags } from './item-tags.tsx'

/** The tags of an item that has no page of its own, for whoever may not change them. Lists tell no more of them than their ids. */
export const SeenTags = (props: { item: Pick<BrowseEntry, 'itemKey' | 'libraryId' | 'title'>; isOverStage?: boolean }) => {
  const [isOpen, setOpen] = createSignal(false)
  const query = createQuery(() => ({ ...assignmentsQuery(props.item.itemKey), enabled: isOpen() }))
  const title = () => t('tags.of', props.item.title)
  return (
    <>
      <IconButton label={title()} onClick={() => setOpen(true)}>
        <Tags size={18} class="text-accent" />
      </IconButton>
      <Show when={isOpen()}>
        <Dialog title={title()} isSheet={props.isOverStage} isOverStage={props.isOverStage} onClose={() => setOpen(false)}>
          <Show when={query.data} fallback={<FormError text={query.error ? problemText(query.error) : undefined} />}>
            {(tags) => <ItemTags item={{ ...props.item, tags: tags() }} />}
          </Show>
        </Dialog>
      </Show>
    </>
  )
}
