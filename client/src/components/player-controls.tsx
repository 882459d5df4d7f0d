import { Captions, CaptionsOff, CircleHelp, Settings2, SkipBack, SkipForward } from 'lucide-solid'
import { createEffect, createSignal, onCleanup, Show } from 'solid-js'
import { t } from '../i18n/viewers.ts'
import { formatClock } from '../primitives/format.ts'
import { VOLUME_STEP } from '../primitives/player-keys.ts'
import { createWheelSteps } from '../primitives/wheel-steps.ts'
import { IconButton } from './icon-button.tsx'
import { PlayerSettings, type PlayerSettingsProps } from './player-settings.tsx'

interface PlayerControlsProps extends Omit<PlayerSettingsProps, 'onClose'> {
  /** Seconds. */
  position: number
  duration: number
  /** Whether somebody is at work here: then it stays in sight. */
  onBusy: (isBusy: boolean) => void
  onHelp: () => void
  /** Of the whole, more or less. */
  onVolume: (by: number) => void
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

/** The bar below the picture. Targets are 44 pixels high; what phones have no room for, they have keys of their own for. */
export const PlayerControls = (props: PlayerControlsProps) => {
  const [isOpen, setOpen] = createSignal(false)
  const [isPointedAt, setPointedAt] = createSignal(false)
  createEffect(() => props.onBusy(isOpen() || isPointedAt()))
  onCleanup(() => props.onBusy(false))
  let settingsButton: HTMLButtonElement | undefined
  let volume!: HTMLSpanElement
  createWheelSteps(
    () => volume,
    (direction) => props.onVolume(direction === 'up' ? VOLUME_STEP : -VOLUME_STEP),
  )
  const close = () => {
    setOpen(false)
    settingsButton?.focus()
  }
  return (
    <div
      data-controls
      class="player-bar w-full"
      onPointerEnter={({ pointerType }) => setPointedAt(pointerType === 'mouse')}
      onPointerLeave={() => setPointedAt(false)}
    >
      <Show when={isOpen()}>
        <PlayerSettings {...props} onClose={close} />
      </Show>
      <media-time-range class="w-full" />
      <div class="flex items-center gap-1 px-2 pb-1 max-sm:gap-0 max-sm:px-1">
        <media-play-button notooltip="" />
        <Show when={props.onPrevious}>
          {(previous) => (
            <IconButton size="large" label={t('watch.previous')} onClick={() => previous()()} class="max-sm:hidden">
              <SkipBack size={20} />
            </IconButton>
          )}
        </Show>
        <Show when={props.onNext}>
          {(next) => (
            <IconButton size="large" label={t('watch.next')} onClick={() => next()()}>
              <SkipForward size={20} />
            </IconButton>
          )}
        </Show>
        <span ref={volume} class="flex items-center max-[21rem]:hidden">
          <media-mute-button notooltip="" />
          <media-volume-range class="max-sm:hidden" />
        </span>
        <span class="min-w-0 px-2 text-small tabular-nums max-sm:px-1 max-sm:text-caption">
          {formatClock(props.position)} {/* A recording may not say how long it is. */}
          <Show when={props.duration}>{(duration) => <span class="inline-block text-muted">/ {formatClock(duration())}</span>}</Show>
        </span>
        <span class="min-w-0 grow truncate text-small text-muted">
          <Show when={props.chapters.currentIndex() >= 0}>
            <span class="max-md:hidden">{props.chapters.nameOf(props.chapters.currentIndex())}</span>
          </Show>
        </span>
        <Show when={props.tracks.length > 0}>
          <IconButton
            size="large"
            label={t('watch.subtitles')}
            aria-pressed={props.subtitles.chosen() !== null}
            onClick={props.subtitles.toggle}
          >
            <Show when={props.subtitles.chosen() !== null} fallback={<CaptionsOff size={20} />}>
              <Captions size={20} />
            </Show>
          </IconButton>
        </Show>
        <IconButton size="large" label={t('watch.keys')} onClick={() => props.onHelp()} class="max-md:hidden">
          <CircleHelp size={20} />
        </IconButton>
        <IconButton
          ref={settingsButton}
          size="large"
          label={t('watch.settings')}
          aria-expanded={isOpen()}
          onClick={() => setOpen(!isOpen())}
        >
          <Settings2 size={20} />
        </IconButton>
        <media-pip-button notooltip="" class="max-sm:hidden" />
        <media-fullscreen-button notooltip="" />
      </div>
    </div>
  )
}
