import { Sparkles } from 'lucide-solid'
import { createSignal, lazy, Show, Suspense } from 'solid-js'
import { t } from '../i18n/ai-fields.ts'
import { createCan } from '../primitives/session.ts'
import type { AiItem } from './ai-fields.tsx'
import { Dialog } from './dialog.tsx'
import { IconButton } from './icon-button.tsx'

const AiFields = lazy(() => import('./ai-fields.tsx').then(({ AiFields }) => ({ default: AiFields })))

/** The AI panel of an item that has no page of its own: an episode in its list, a volume in the reader. */
export const AiFieldsButton = (props: { item: AiItem & { title: string }; isOverStage?: boolean }) => {
  const can = createCan()
  const [isOpen, setOpen] = createSignal(false)
  return (
    <Show when={can('useAi')}>
      <IconButton label={t('aiFields.of', props.item.title)} onClick={() => setOpen(true)}>
        <Sparkles size={18} />
      </IconButton>
      <Show when={isOpen()}>
        <Dialog
          title={t('aiFields.of', props.item.title)}
          isOpen
          width="wide"
          isOverStage={props.isOverStage ?? false}
          onClose={() => setOpen(false)}
        >
          <Suspense>
            <AiFields item={props.item} />
          </Suspense>
        </Dialog>
      </Show>
    </Show>
  )
}
