import { Popover } from '@kobalte/core/popover'
import { createSignal, type JSX, Show } from 'solid-js'
import { isServerReachable } from '../api/http.ts'
import { t } from '../i18n/translate.ts'
import { createCloseRequest } from '../primitives/close-request.ts'
import type { TagTarget } from '../primitives/create-item-tags.ts'
import { late } from './late.tsx'

const load = async () => (await import('./tag-selector-panel.tsx')).TagSelectorPanel
const TagSelectorPanel = late(load)
/** Whoever only passes over the button has not asked for it. */
const warm = () => load().catch(() => undefined)

interface TagSelectorProps {
  /** `isOpen` is what it may ask the server by. */
  target: (isOpen: () => boolean) => TagTarget
  /** The accessible name of the button. */
  label: string
  trigger: JSX.Element
  triggerClass: string
  title: string
}

/** What the field, the most used tags and some of the others take. Pixels. */
const ROOM = 420

/** Above the button where there is more room than below, and too little there. By itself it stays below: it opens with no list to be measured by. */
const placementAt = (button: HTMLElement) => {
  const { top, bottom } = button.getBoundingClientRect()
  const below = window.innerHeight - bottom
  return below < ROOM && top > below ? 'top-start' : 'bottom-start'
}

/** Where the button lies, and lay when it was asked: tags that come before it push it aside, and what hangs on it stays under the pointer. */
const hangAt = (button: HTMLElement) => {
  const base = button.offsetParent ?? document.body
  const [from, at] = [base.getBoundingClientRect(), button.getBoundingClientRect()]
  return () => {
    const now = base.getBoundingClientRect()
    return { x: now.x + at.x - from.x, y: now.y + at.y - from.y, width: at.width, height: at.height }
  }
}

/** A button that opens the tags of something. It stays open on choosing; Escape closes it and nothing around it. */
export const TagSelector = (props: TagSelectorProps) => {
  const [isOpen, setOpen] = createSignal(false)
  const target = props.target(isOpen)
  let trigger!: HTMLButtonElement
  const [theme, setTheme] = createSignal<string>()
  const [place, setPlace] = createSignal<ReturnType<typeof hangAt>>()
  const [placement, setPlacement] = createSignal<ReturnType<typeof placementAt>>('bottom-start')
  const change = (next: boolean) => {
    // Over a dark stage it is dark too, whatever the page around is.
    setTheme(trigger.closest<HTMLElement>('[data-theme]')?.dataset.theme)
    if (next) {
      // A key opens it too, and the button may lie below the window: what hangs on it would as well.
      trigger.scrollIntoView({ block: 'nearest' })
      setPlacement(placementAt(trigger))
      setPlace(() => hangAt(trigger))
    }
    setOpen(next)
    if (!next) target.finish()
  }
  createCloseRequest(isOpen, () => change(false))
  return (
    <Popover open={isOpen()} onOpenChange={change} gutter={4} placement={placement()} getAnchorRect={() => place()?.()} fitViewport>
      <Popover.Trigger
        ref={trigger}
        aria-label={props.label}
        title={props.label}
        class={props.triggerClass}
        onPointerEnter={warm}
        onFocus={warm}
      >
        {props.trigger}
      </Popover.Trigger>
      {/* A dialog hides everything outside of it from screen readers: inside one the selector opens inside. */}
      <Popover.Portal mount={trigger.closest<HTMLElement>('[role=dialog]') ?? document.body}>
        <Popover.Content
          data-theme={theme()}
          onOpenAutoFocus={(event) => {
            // The field takes the focus by itself, once it is there.
            event.preventDefault()
          }}
          // Until then what has just closed, as the help of the keys, may still give it back to where it had been; who goes on from the button leaves.
          onFocusOutside={(event) =>
            TagSelectorPanel.isThere() || event.detail.originalEvent.relatedTarget === trigger || event.preventDefault()
          }
          // Keys that mean something to what is around the selector are typed here.
          onKeyDown={(event) => event.stopPropagation()}
          class="z-60 flex max-h-[min(32.5rem,var(--kb-popper-content-available-height))] w-90 max-w-[calc(100vw-16px)] animate-fade flex-col overflow-hidden rounded-card border border-line bg-raised text-fg shadow-raised outline-none"
        >
          <Popover.Title class="shrink-0 truncate px-4 pt-3 text-small font-semibold">{props.title}</Popover.Title>
          <Show when={isOpen()}>
            <Show when={!TagSelectorPanel.isThere()}>
              <div class="flex items-center justify-between gap-3 px-4 py-3 text-small text-muted" role="status">
                <Show when={!isServerReachable()} fallback={t('app.loading')}>
                  {t('app.unreachable')}
                  <button type="button" onClick={TagSelectorPanel.preload} class="min-h-finger shrink-0 text-accent underline">
                    {t('action.retry')}
                  </button>
                </Show>
              </div>
            </Show>
            <TagSelectorPanel target={target} />
          </Show>
        </Popover.Content>
      </Popover.Portal>
    </Popover>
  )
}
