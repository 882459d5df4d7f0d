import { Dialog } from '@kobalte/core/dialog'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-solid'
import { createEffect, createMemo, Show } from 'solid-js'
import { IconButton } from '../../components/icon-button.tsx'
import { t } from '../../i18n/details.ts'
import type { Slide } from './slide.ts'
import { SlideStage } from './slide-stage.tsx'
import { createSwipe } from './swipe.ts'

interface ViewerProps {
  /** How many slides can be reached now. */
  length: number
  slideAt: (index: number) => Slide | undefined
  index: number
  /** The whole list's length; more than `length` while pages are still to come. */
  count: number
  canDownload: boolean
  onMove: (index: number) => void
  onClose: () => void
}

const preload = (slide: Slide | undefined) => {
  if (slide?.kind === 'image') new Image().src = slide.url
}

/** Pictures, videos and pages one at a time, over everything else. Always in the dark colours. */
export const Viewer = (props: ViewerProps) => {
  const slide = createMemo(() => props.slideAt(props.index))
  const hasPrevious = () => props.index > 0
  const hasNext = () => props.index < props.length - 1
  const move = (step: number) => {
    const target = props.index + step
    if (target >= 0 && target < props.length) props.onMove(target)
  }
  const swipe = createSwipe(move)

  createEffect(() => {
    preload(props.slideAt(props.index + 1))
    preload(props.slideAt(props.index - 1))
  })

  const onKeyDown = (event: KeyboardEvent) => {
    // A focused player or slider keeps its own arrow keys.
    if (
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      (event.target instanceof HTMLElement && event.target.matches('video, audio, input'))
    )
      return
    const steps: Partial<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -props.index,
      End: props.length - 1 - props.index,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    move(step)
  }

  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || props.onClose()} preventScroll>
      <Dialog.Portal>
        <Dialog.Content
          data-theme="dark"
          data-stage
          onKeyDown={onKeyDown}
          onOpenAutoFocus={(event) => {
            // Nothing is pressed by the first key; arrows and Escape work at once.
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          onCloseAutoFocus={(event) => event.preventDefault()}
          class="fixed inset-0 z-50 flex animate-fade flex-col bg-stage text-fg outline-none"
        >
          <header class="flex h-14 shrink-0 items-center gap-3 pr-2 pl-4">
            <div class="min-w-0 grow">
              <Dialog.Title class="truncate text-small font-semibold">{slide()?.title}</Dialog.Title>
              <p class="truncate text-caption text-muted tabular-nums">{slide()?.facts.join(' · ')}</p>
            </div>
            <span class="shrink-0 text-caption text-muted tabular-nums" aria-live="polite">
              {t('viewer.counter', props.index + 1, Math.max(props.count, props.length))}
            </span>
            <Show when={props.canDownload && slide()?.downloadUrl}>
              {(url) => (
                <a
                  href={url()}
                  download=""
                  rel="external"
                  aria-label={t('action.download')}
                  title={t('action.download')}
                  class="inline-flex size-11 shrink-0 items-center justify-center rounded-card text-muted hover:bg-raised hover:text-fg"
                >
                  <Download size={20} />
                </a>
              )}
            </Show>
            <Dialog.CloseButton
              aria-label={t('viewer.close')}
              title={t('viewer.close')}
              class="inline-flex size-11 shrink-0 items-center justify-center rounded-card text-muted hover:bg-raised hover:text-fg"
            >
              <X size={22} />
            </Dialog.CloseButton>
          </header>
          <div
            class="relative min-h-0 grow pb-[env(safe-area-inset-bottom)]"
            onTouchStart={swipe.onTouchStart}
            onTouchEnd={swipe.onTouchEnd}
          >
            <Show when={slide()?.key} keyed>
              <Show when={slide()}>{(shown) => <SlideStage slide={shown()} canDownload={props.canDownload} />}</Show>
            </Show>
            <IconButton
              size="large"
              label={t('viewer.previous')}
              disabled={!hasPrevious()}
              onClick={() => move(-1)}
              class="absolute top-1/2 left-2 -translate-y-1/2 rounded-pill bg-scrim text-fg max-sm:hidden"
            >
              <ChevronLeft size={24} />
            </IconButton>
            <IconButton
              size="large"
              label={t('viewer.next')}
              disabled={!hasNext()}
              onClick={() => move(1)}
              class="absolute top-1/2 right-2 -translate-y-1/2 rounded-pill bg-scrim text-fg max-sm:hidden"
            >
              <ChevronRight size={24} />
            </IconButton>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog>
  )
}
