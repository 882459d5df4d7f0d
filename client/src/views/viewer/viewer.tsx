import { Dialog } from '@kobalte/core/dialog'
import { FileXCorner } from 'lucide-solid'
import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { late } from '../../components/late.tsx'
import type { Played } from '../../components/player-help.tsx'
import { t } from '../../i18n/viewers.ts'
import { createCloseRequest } from '../../primitives/close-request.ts'
import { createSlideshow } from '../../primitives/create-slideshow.ts'
import { download } from '../../primitives/download.ts'
import { formatDate } from '../../primitives/format.ts'
import { createFullscreenEnd } from '../../primitives/fullscreen-end.ts'
import { listen } from '../../primitives/listen.ts'
import { onChange } from '../../primitives/on-change.ts'
import { ownsKey } from '../../primitives/own-keys.ts'
import { createCan } from '../../primitives/session.ts'
import { toggleFullscreen } from '../../primitives/video-actions.ts'
import { type ViewerAction, viewerAction } from '../../primitives/viewer-keys.ts'
import { createWakeLock } from '../../primitives/wake-lock.ts'
import { createPhotoStage, type PhotoStage, type StageBox } from './photo-stage.ts'
import type { Slide } from './slide.ts'
import { SlideBox } from './slide-box.tsx'
import { ViewerHeader } from './viewer-header.tsx'

const ViewerHelp = late(async () => (await import('./viewer-help.tsx')).ViewerHelp)

export type PanelPart = 'info' | 'tags' | 'edit'

interface ViewerProps {
  /** One past the last slide that can be reached now. */
  length: number
  slideAt: (index: number) => Slide | undefined
  index: number
  /** The whole list's length; null where nobody counted that far. */
  count: number | null
  canDownload: boolean
  onMove: (index: number) => void
  onClose: () => void
  /** What there is to know and to change, beside the picture. */
  panel?: (part: PanelPart, onClose: () => void) => JSX.Element
}

/** From the slide that is looked at to those that are drawn along with it. */
const NEAR = [-1, 0, 1]

/** What goes on for as long as its key is held down; anything else is done once for each press. */
const HELD_ON = new Set<ViewerAction>(['previous', 'next', 'zoomIn', 'zoomOut'])

/** Sound and what opens over the picture keep all of their keys. */
const isApart = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('audio, [data-popper-positioner]') !== null

const isCharacter = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean => key.length === 1 && !ctrlKey && !altKey && !metaKey

/** Pictures, videos and pages one at a time, over everything else. Always in the dark colours. */
export const Viewer = (props: ViewerProps) => {
  let frame: HTMLElement | undefined
  let host!: HTMLDivElement
  let stage: PhotoStage | undefined
  const [box, setBox] = createSignal<StageBox>()
  const [part, setPart] = createSignal<PanelPart>()
  const [isHelping, setHelping] = createSignal(false)
  const [played, setPlayed] = createSignal<Played>()
  const can = createCan()
  const slide = createMemo(() => props.slideAt(props.index))
  /** As it is known now, while it is the one that is looked at. */
  const slideIn = (shown: StageBox): Slide => {
    const now = slide()
    return now?.key === shown.slide.key ? now : shown.slide
  }
  const move = (target: number) => {
    if (target >= 0 && target < props.length && target !== props.index) props.onMove(target)
  }
  const slideshow = createSlideshow({
    key: () => slide()?.key,
    isTimed: () => !/video|audio/.test(slide()?.kind ?? ''),
    hasNext: () => props.index < props.length - 1,
    onNext: () => move(props.index + 1),
  })
  createWakeLock(slideshow.isRunning)

  onMount(() => {
    stage = createPhotoStage({
      host,
      index: props.index,
      count: () => props.length,
      slideAt: (index) => props.slideAt(index),
      onMove: move,
      onClose: () => props.onClose(),
      onBox: setBox,
    })
    onCleanup(() => stage?.destroy())
  })
  createEffect(
    on(
      [() => props.index, () => NEAR.map((step) => props.slideAt(props.index + step)?.key), () => props.length],
      ([index, keys], before) => {
        const [, key] = keys
        if (before && key !== undefined && key === before[1][1]) stage?.moveAlong(index - before[0])
        stage?.goTo(index)
        for (const step of NEAR) stage?.refresh(index + step)
      },
    ),
  )

  createCloseRequest(
    () => part() !== undefined,
    () => setPart(undefined),
  )
  /** What is typed for the tags, which were asked for, before their field is there to take it. */
  let typed: string | undefined
  onChange(
    () => `${part()} ${slide()?.key}`,
    () => {
      typed = undefined
    },
  )
  const onFocusIn = ({ target }: FocusEvent) => {
    if (target === frame) return
    // Whoever goes somewhere else has given them up.
    if (typed && isApart(target) && target instanceof HTMLInputElement) {
      target.value = typed
      target.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    typed = undefined
  }
  // What had the focus in a panel or a slide is gone with it, or with the picture it was about: the keys are heard by the viewer alone.
  onChange(
    () => [part(), box(), slide()?.key],
    () => {
      if (document.activeElement === document.body) frame?.focus({ preventScroll: true })
    },
  )
  const togglePart = (wanted: PanelPart) => {
    if (!props.panel) return
    const isOpen = part() !== undefined
    // Asked for once more, while the panel is still there, tags open once more.
    setPart(undefined)
    if (wanted === 'info') return void (isOpen || setPart(wanted))
    // Whoever changes something means what is looked at now.
    slideshow.stop()
    setPart(wanted)
  }
  const downloadSlide = () => {
    const url = slide()?.downloadUrl
    if (props.canDownload && url) download(url)
  }
  createFullscreenEnd()
  // The whole page, so that messages stay visible, and by its root: the body, as high as the screen, forgets how far it was scrolled.
  const fullscreen = () => void toggleFullscreen(document.documentElement).catch(() => undefined)
  const acts: Record<ViewerAction, () => void> = {
    previous: () => move(props.index - 1),
    next: () => move(props.index + 1),
    first: () => move(0),
    last: () => move(props.length - 1),
    slideshow: slideshow.toggle,
    zoomIn: () => stage?.zoomIn(),
    zoomOut: () => stage?.zoomOut(),
    zoomFit: () => stage?.zoomFit(),
    info: () => togglePart('info'),
    tags: () => {
      togglePart('tags')
      if (props.panel && can('tag')) typed = ''
    },
    edit: () => togglePart('edit'),
    download: downloadSlide,
    fullscreen,
    help: () => setHelping(true),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isHelping() || isApart(event.target)) return
    // Also Space and Enter on the button that was pressed last.
    if (typed !== undefined && (isCharacter(event) || ['Backspace', 'Enter'].includes(event.key))) {
      event.preventDefault()
      if (event.key === 'Backspace') typed = typed.slice(0, -1)
      else if (!event.repeat && event.key !== 'Enter') typed += event.key
      return
    }
    if (ownsKey(event.target, event.key)) return
    const action = viewerAction(event)
    if (action === undefined) return
    // The player under it takes Space for itself, and digits are its own but for the one that means zoom here.
    if (slide()?.kind === 'video' && ['slideshow', 'zoomIn', 'zoomOut', 'zoomFit'].includes(action)) return
    event.preventDefault()
    if (!event.repeat || HELD_ON.has(action)) acts[action]()
  }
  // What closes leaves the focus nowhere for a moment, and no press shall be lost meanwhile.
  const onLostKey = (event: KeyboardEvent) => {
    if (event.target === document.body) onKeyDown(event)
  }
  onMount(() => listen(document, { keydown: onLostKey }, { capture: true }))

  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || props.onClose()} preventScroll>
      <Dialog.Portal>
        <Dialog.Content
          ref={(element: HTMLElement) => {
            frame = element
            // Before the player below, which listens to the whole document.
            element.addEventListener('keydown', onKeyDown)
            element.addEventListener('focusin', onFocusIn)
          }}
          data-theme="dark"
          data-stage
          onEscapeKeyDown={(event) => {
            if (part() === undefined) return
            event.preventDefault()
            setPart(undefined)
          }}
          onOpenAutoFocus={(event) => {
            // Nothing is pressed by the first key; arrows and Escape work at once.
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          onCloseAutoFocus={(event) => event.preventDefault()}
          // Toasts and what a panel opens lie outside.
          onInteractOutside={(event) => event.preventDefault()}
          class="fixed inset-0 z-50 flex animate-fade flex-col bg-stage text-fg outline-none"
        >
          <ViewerHeader
            slide={slide()}
            title={<Dialog.Title class="truncate text-small font-semibold">{slide()?.title}</Dialog.Title>}
            counter={t('lightbox.counter', props.index + 1, props.count === null ? null : Math.max(props.count, props.length))}
            canDownload={props.canDownload}
            hasPanel={props.panel !== undefined}
            isInfoOpen={part() !== undefined}
            isRunning={slideshow.isRunning()}
            onSlideshow={slideshow.toggle}
            onInfo={() => togglePart('info')}
            onFullscreen={fullscreen}
            onHelp={() => setHelping(true)}
            onClose={() => props.onClose()}
            onPrevious={props.index > 0 ? acts.previous : undefined}
            onNext={props.index < props.length - 1 ? acts.next : undefined}
          />
          <Show when={slide()?.missingSince}>
            {(since) => (
              <p class="flex items-start gap-3 px-4 pb-3 text-small text-muted" role="note">
                <FileXCorner size={18} class="mt-0.5 shrink-0 text-warning" aria-hidden="true" />
                {t('item.missing', formatDate(since()))}
              </p>
            )}
          </Show>
          <div class="relative flex min-h-0 grow safe-pb-0 max-md:flex-col">
            <div ref={host} class="viewer-stage relative min-h-0 min-w-0 grow" />
            <Show when={part()}>
              {(open) => (
                <aside
                  aria-label={t('lightbox.info')}
                  onFocusIn={slideshow.stop}
                  class="z-1 w-80 shrink-0 overflow-y-auto border-line bg-surface max-md:h-3/5 max-md:w-full max-md:animate-sheet max-md:rounded-t-dialog max-md:border-t md:border-l"
                >
                  {props.panel?.(open(), () => setPart(undefined))}
                </aside>
              )}
            </Show>
          </div>
          <Show when={box()} keyed>
            {(shown) => (
              <SlideBox
                mount={shown.element}
                slide={slideIn(shown)}
                isBroken={shown.isBroken}
                canDownload={props.canDownload}
                onEnded={slideshow.onEnded}
                onUnplayable={slideshow.onUnplayable}
                onPlayed={setPlayed}
                onHelp={() => setHelping(true)}
                onReturn={() => stage?.loadAnew()}
              />
            )}
          </Show>
          <Show when={isHelping()}>
            <ViewerHelp
              slide={slide()}
              played={played()}
              hasOthers={props.length > 1}
              hasPanel={props.panel !== undefined}
              canDownload={props.canDownload}
              onClose={() => setHelping(false)}
            />
          </Show>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog>
  )
}
