import { Sparkles } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { t } from '../i18n/ai-fields.ts'
import { createCan } from '../primitives/session.ts'
import type { AiItem } from './ai-fields.tsx'
import { Dialog } from './dialog.tsx'
import { IconButton } from './icon-button.tsx'
import { late } from './late.tsx'

const AiFields = late(async () => (await import('./ai-fields.tsx')).AiFields)

/**
 * The AI panel of an item that has no page of its own: an episode in its list, a volume in the reader. Whoever may not use AI
 * has it where there is a text to read.
 */
export const AiFieldsButton = (props: { item: AiItem & { title: string }; isOverStage?: boolean }) => {
  const can = createCan()
  const [isOpen, setOpen] = createSignal(false)
  const isOffered = () => can('useAi') || props.item.hasExtractedText || Boolean(props.item.description)
  return (
    <Show when={isOffered() || isOpen()}>
      <IconButton label={t('aiFields.of', props.item.title)} onClick={() => setOpen(true)}>
        <Sparkles size={18} />
      </IconButton>
      <Show when={isOpen()}>
        <Dialog
          title={t('aiFields.of', props.item.title)}
          width="wide"
          isOverStage={props.isOverStage ?? false}
          onClose={() => setOpen(false)}
        >
          <AiFields item={props.item} />
        </Dialog>
      </Show>
    </Show>
  )
}
