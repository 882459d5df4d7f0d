import { createEffect, For, type JSX, onCleanup, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { createArmed } from '../primitives/create-armed.ts'
import { Button, type ButtonSize } from './button.tsx'

interface ConfirmButtonProps {
  label: string
  /** What the second click does: "Delete 3 files". */
  armedLabel: string
  icon: JSX.Element
  size?: ButtonSize
  isBusy?: boolean
  /** On a small place: the icon alone, until it is armed. */
  isCompact?: boolean
  disabled?: boolean
  prepare?: () => Promise<boolean>
  onConfirm: () => void
  class?: string
}

/** A button that has to be pressed twice. It keeps the width of the longer text, so that nothing moves under the finger, and its place, where more is said above it. */
export const ConfirmButton = (props: ConfirmButtonProps) => {
  let button: HTMLSpanElement | undefined
  const placeInPage = () => (button?.getBoundingClientRect().top ?? 0) + window.scrollY
  const prepare = async () => {
    const before = placeInPage()
    const isReady = (await props.prepare?.()) ?? true
    // Somebody may have gone to another page meanwhile.
    if (button?.isConnected) window.scrollBy(0, placeInPage() - before)
    return isReady
  }
  const armed = createArmed({ onConfirm: () => props.onConfirm(), prepare })
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that is held down presses again and again.
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
    if (event.key !== 'Escape' || !armed.isArmed()) return
    event.stopPropagation()
    // Nor is it a wish to close what this button is in.
    event.preventDefault()
    armed.disarm()
  }
  createEffect(() => {
    if (!armed.isArmed() || !button) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === false) armed.disarm()
    })
    observer.observe(button)
    onCleanup(() => observer.disconnect())
  })
  return (
    <span ref={button} class={`inline-flex max-w-full ${props.class ?? ''}`}>
      <Button
        size={props.size ?? 'medium'}
        variant={armed.isArmed() ? 'danger' : 'secondary'}
        isBusy={props.isBusy}
        disabled={props.disabled}
        aria-label={props.isCompact && !armed.isArmed() ? props.label : undefined}
        title={props.isCompact ? props.label : undefined}
        class={`h-auto! max-w-full py-1 whitespace-normal! ${props.isCompact ? 'min-h-target-small' : 'min-h-target-large'}`}
        onClick={armed.press}
        onKeyDown={onKeyDown}
        onBlur={armed.disarm}
      >
        <Show
          when={!props.isCompact}
          fallback={
            <>
              <Show when={!props.isBusy}>{props.icon}</Show>
              <Show when={armed.isArmed()}>
                <span>{t('action.confirm', props.armedLabel)}</span>
              </Show>
            </>
          }
        >
          <span class="grid items-center">
            <For each={[props.label, t('action.confirm', props.armedLabel)]}>
              {(text, place) => (
                <span
                  class={`flex items-center justify-center gap-2 [grid-area:1/1] ${armed.isArmed() === (place() === 1) ? '' : 'invisible'}`}
                >
                  <Show when={!props.isBusy}>{props.icon}</Show>
                  {text}
                </span>
              )}
            </For>
          </span>
        </Show>
      </Button>
      <span class="sr-only" aria-live="assertive">
        {armed.isArmed() ? t('action.confirm', props.armedLabel) : ''}
      </span>
    </span>
  )
}
