import { Dialog as KobalteDialog } from '@kobalte/core/dialog'
import { X } from 'lucide-solid'
import { type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { createCloseRequest } from '../primitives/close-request.ts'
import { isFocusLost } from '../primitives/create-row-focus.ts'
import { createReturnFocus } from '../primitives/return-focus.ts'

interface DialogProps {
  title: string
  lead?: JSX.Element
  onClose: () => void
  children: JSX.Element
  width?: 'narrow' | 'wide'
  /** It stays at the bottom edge on tablets too, and opens without a keyboard: nothing has to be typed first. */
  isSheet?: boolean
  /** Opening it was a step in the history, and Back closes it. */
  isInAddress?: boolean
  /** Opened by what fills the screen itself: a viewer or a player. */
  isOverStage?: boolean
}

// A field for a file is hidden behind its button.
const FIELDS = 'input:checked, input:not([type=radio], [type=file]), select, textarea'

/** A modal dialog, open for as long as it is there; on phones it rises from the bottom edge. */
export const Dialog = (props: DialogProps) => {
  const focus = createReturnFocus()
  createCloseRequest(
    () => true,
    () => props.onClose(),
    props.isInAddress,
  )
  /** Its first field, or the dialog itself, so that no button stands ready to be pressed. */
  const takeFocus = (event: Event) => {
    focus.remember()
    const content = event.currentTarget
    if (!(content instanceof HTMLElement)) return
    event.preventDefault()
    const field = props.isSheet ? null : content.querySelector<HTMLElement>(FIELDS)
    // A dialog below lets go of the focus only once this has run.
    queueMicrotask(() => (field ?? content).focus())
    /** Not while a dialog above has the keys: what is below one is hidden from whoever goes by them. */
    const keepKeys = () => isFocusLost() && !content.closest('[aria-hidden=true]') && content.focus()
    // What was pressed in it may have gone; the keys stay in it. Only then, as a dialog above gives the focus back first.
    new MutationObserver(() => setTimeout(keepKeys)).observe(content, { childList: true, subtree: true })
  }
  return (
    <KobalteDialog open onOpenChange={(isOpen) => isOpen || props.onClose()} preventScroll>
      <KobalteDialog.Portal mount={document.querySelector(':fullscreen:not(:root)') ?? document.body}>
        <KobalteDialog.Overlay data-overlay class={`fixed inset-0 animate-fade bg-scrim ${props.isOverStage ? 'z-60' : 'z-40'}`} />
        <div
          data-theme={props.isOverStage ? 'dark' : undefined}
          class={`fixed inset-0 flex items-end text-fg justify-center ${props.isOverStage ? 'z-60' : 'z-40'} ${props.isSheet ? '' : 'sm:items-center sm:p-4'}`}
        >
          <KobalteDialog.Content
            onOpenAutoFocus={takeFocus}
            onCloseAutoFocus={focus.giveBack}
            class={`flex max-h-[92dvh] outline-none w-full animate-sheet flex-col overflow-hidden rounded-t-dialog border border-line bg-surface shadow-raised ${props.isSheet ? '' : 'sm:animate-rise sm:rounded-dialog'} ${props.width === 'wide' ? 'sm:max-w-180' : 'sm:max-w-120'}`}
          >
            <div class="flex items-start justify-between gap-4 px-6 pt-5 pb-2">
              <div class="min-w-0">
                <KobalteDialog.Title class="text-h3 font-semibold">{props.title}</KobalteDialog.Title>
                <Show when={props.lead}>
                  <KobalteDialog.Description class="mt-1 text-small text-muted">{props.lead}</KobalteDialog.Description>
                </Show>
              </div>
              <KobalteDialog.CloseButton
                aria-label={t('action.close')}
                title={t('action.close')}
                class="-my-1 -mr-2 inline-flex size-target-small pointer-coarse:-my-2.5 shrink-0 items-center justify-center rounded-card text-muted transition-colors hover:bg-raised hover:text-fg"
              >
                <X size={20} />
              </KobalteDialog.CloseButton>
            </div>
            {/* Room for the ring around a field that is the first in it. */}
            <div class="min-h-0 overflow-y-auto px-6 pt-1 scroll-pb-24 safe-pb-6">{props.children}</div>
          </KobalteDialog.Content>
        </div>
      </KobalteDialog.Portal>
    </KobalteDialog>
  )
}
