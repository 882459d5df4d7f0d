import { ChevronLeft, ChevronRight, CircleHelp, Download, Info, Maximize, Pause, Play, X } from 'lucide-solid'
import { type JSX, Show } from 'solid-js'
import { ICON_CLASS, IconButton } from '../../components/icon-button.tsx'
import { t } from '../../i18n/viewers.ts'
import type { Slide } from './slide.ts'

interface ViewerHeaderProps {
  slide: Slide | undefined
  title: JSX.Element
  counter: string
  canDownload: boolean
  hasPanel: boolean
  isInfoOpen: boolean
  isRunning: boolean
  onSlideshow: () => void
  onInfo: () => void
  onFullscreen: () => void
  onHelp: () => void
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** Title, place and what can be done, above the picture and never over it. */
export const ViewerHeader = (props: ViewerHeaderProps) => (
  <div class="flex min-h-14 shrink-0 flex-wrap items-center justify-end gap-x-1 safe-px-2">
    <div class="min-w-24 flex-1 pl-2">
      {props.title}
      <p class="truncate text-caption text-muted tabular-nums">
        <span aria-live="polite">{props.counter}</span>
        <span class="max-sm:hidden">{props.slide?.facts.map((fact) => ` · ${fact}`).join('')}</span>
      </p>
    </div>
    <IconButton
      size="large"
      label={t('lightbox.previous')}
      disabled={!props.onPrevious}
      onClick={() => props.onPrevious?.()}
      class="max-sm:hidden"
    >
      <ChevronLeft size={22} />
    </IconButton>
    <IconButton size="large" label={t('lightbox.next')} disabled={!props.onNext} onClick={() => props.onNext?.()} class="max-sm:hidden">
      <ChevronRight size={22} />
    </IconButton>
    <IconButton
      size="large"
      label={props.isRunning ? t('lightbox.stopSlideshow') : t('lightbox.slideshow')}
      aria-pressed={props.isRunning}
      onClick={() => props.onSlideshow()}
    >
      <Show when={props.isRunning} fallback={<Play size={20} />}>
        <Pause size={20} />
      </Show>
    </IconButton>
    <Show when={props.hasPanel}>
      <IconButton size="large" label={t('lightbox.info')} aria-pressed={props.isInfoOpen} onClick={() => props.onInfo()}>
        <Info size={20} />
      </IconButton>
    </Show>
    <Show when={props.canDownload && props.slide?.downloadUrl}>
      {(url) => (
        <a
          href={url()}
          download=""
          rel="external"
          aria-label={t('action.download')}
          title={t('action.download')}
          class={`${ICON_CLASS} size-11`}
        >
          <Download size={20} />
        </a>
      )}
    </Show>
    <Show when={document.fullscreenEnabled}>
      <IconButton size="large" label={t('watch.fullscreen')} onClick={() => props.onFullscreen()} class="max-sm:hidden">
        <Maximize size={20} />
      </IconButton>
    </Show>
    <IconButton size="large" label={t('lightbox.keys')} onClick={() => props.onHelp()} class="max-md:hidden">
      <CircleHelp size={20} />
    </IconButton>
    <IconButton size="large" label={t('lightbox.close')} onClick={() => props.onClose()}>
      <X size={22} />
    </IconButton>
  </div>
)
