import { Tags } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import type { Item } from '../../api/types.ts'
import { Dialog } from '../../components/dialog.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { ItemTags, TagsButton } from '../../components/item-tags.tsx'
import { t } from '../../i18n/tagging.ts'
import { createCan } from '../../primitives/session.ts'

/** The tags of a volume, which has no page of its own: whoever may changes them, and everybody sees them. */
export const VolumeTags = (props: { volume: Item }) => {
  const can = createCan()
  const [isOpen, setOpen] = createSignal(false)
  const title = () => t('tags.of', props.volume.title)
  return (
    <Show when={!can('tag')} fallback={<TagsButton item={props.volume} />}>
      <Show when={props.volume.tags.length > 0}>
        <IconButton label={title()} onClick={() => setOpen(true)}>
          <Tags size={18} class="text-accent" />
        </IconButton>
        <Show when={isOpen()}>
          <Dialog title={title()} isSheet isOverStage onClose={() => setOpen(false)}>
            <ItemTags item={props.volume} />
          </Dialog>
        </Show>
      </Show>
    </Show>
  )
}
