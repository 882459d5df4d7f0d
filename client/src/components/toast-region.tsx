import { Toast, toaster } from '@kobalte/core/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-solid'
import { createEffect, onCleanup, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import { isServerReachable } from '../api/http.ts'
import { t } from '../i18n/translate.ts'

const TOAST_MS = 5000
/** That the server was away, once it is back. */
const READ_MS = 10_000
const MAX_TOASTS = 3

export interface ToastAction {
  label: string
  run: () => void
}

/** A toast takes the place of the one before that says the same, or is about the same subject; one that can be undone that of any other of these, for it is the last thing done. */
const ids: Record<string, number> = {}

/** Where whoever works with the keyboard came from: with a button that goes, they go back there. */
let origin: HTMLElement | undefined

const remember = ({ currentTarget, relatedTarget }: FocusEvent & { currentTarget: HTMLElement }) => {
  if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) origin = relatedTarget
}

const goBack = () => origin?.isConnected && origin.focus({ preventScroll: true })

/** Errors, and what is to last, stay until they are closed; that the server is away, until it has been back for a while. */
export type ToastKind = 'info' | 'error' | 'unreachable' | 'lasting'

export const showToast = (text: string, kind: ToastKind, action?: ToastAction, subject?: string) => {
  const places = [action && kind === 'info' ? '' : text, subject ?? []].flat()
  for (const place of places) toaster.dismiss(ids[place] ?? -1)
  const isError = kind === 'error' || kind === 'unreachable'
  const id = toaster.show((shown) => {
    createEffect(() => {
      if (kind !== 'unreachable' || !isServerReachable()) return
      // It may be back before anybody has read what it did not do.
      const timer = setTimeout(() => toaster.dismiss(shown.toastId), READ_MS)
      onCleanup(() => clearTimeout(timer))
    })
    return (
      // A list item that is a status is none: a list of them is broken for whoever hears it.
      <Toast
        as="div"
        toastId={shown.toastId}
        persistent={kind !== 'info'}
        // By itself everything interrupts what is being read out.
        priority={isError ? 'high' : 'low'}
        class="pointer-events-auto flex animate-rise items-center gap-3 rounded-card border border-line bg-raised py-2 pr-2 pl-4 text-small text-fg shadow-raised"
      >
        <Show when={isError} fallback={<CircleCheck size={18} class="shrink-0 text-success" aria-hidden="true" />}>
          <CircleAlert size={18} class="shrink-0 text-danger" aria-hidden="true" />
        </Show>
        {/* What the text has no room beside goes below it. */}
        <div class="flex min-w-0 grow flex-wrap items-center justify-end gap-x-3">
          <Toast.Title class="min-w-0 grow basis-40">{text}</Toast.Title>
          <Show when={action}>
            {(known) => (
              <button
                type="button"
                class="h-target-small shrink-0 rounded-card px-3 font-semibold text-accent transition-colors hover:bg-accent-soft"
                onClick={() => {
                  goBack()
                  toaster.dismiss(shown.toastId)
                  known().run()
                }}
              >
                {known().label}
              </button>
            )}
          </Show>
        </div>
        <Toast.CloseButton
          aria-label={t('action.close')}
          onClick={goBack}
          class="inline-flex size-target-small shrink-0 items-center justify-center rounded-card text-muted hover:text-fg"
        >
          <X size={16} />
        </Toast.CloseButton>
      </Toast>
    )
  })
  for (const place of places) ids[place] = id
}

export const ToastRegion = () => (
  <Portal>
    <Toast.Region duration={TOAST_MS} limit={MAX_TOASTS} pauseOnInteraction pauseOnPageIdle onFocusIn={remember}>
      <Toast.List
        as="div"
        class="pointer-events-none fixed inset-x-4 safe-bottom-20 z-70 flex flex-col gap-2 sm:left-auto sm:w-90 md:safe-bottom-4 in-[body:has([data-selection-bar])]:safe-bottom-38 md:in-[body:has([data-selection-bar])]:safe-bottom-23"
      />
    </Toast.Region>
  </Portal>
)
