import { Minus, Plus } from 'lucide-solid'
import { onMount, Show } from 'solid-js'
import type { Playback } from '../api/playback.ts'
import { t } from '../i18n/viewers.ts'
import { createCloseRequest } from '../primitives/close-request.ts'
import type { Chapters } from '../primitives/create-chapters.ts'
import { formatClock } from '../primitives/format.ts'
import { listen } from '../primitives/listen.ts'
import { DELAY_STEP_SECONDS } from '../primitives/player-keys.ts'
import type { Subtitles } from '../primitives/subtitle-choice.ts'
import { SUBTITLE_SIZES, type SubtitleSize } from '../primitives/subtitle-size.ts'
import { trackName } from '../primitives/track-name.ts'
import { IconButton } from './icon-button.tsx'
import { Select } from './select.tsx'

export interface PlayerSettingsProps {
  speed: number
  onSpeed: (speed: number) => void
  tracks: Playback['subtitleTracks']
  hasPictureSubtitles: boolean
  subtitles: Subtitles
  sounds: Playback['audioTracks']
  soundId: string | null
  onSound: (id: string) => void
  chapters: Chapters
  qualities: Playback['qualities']
  quality: Playback['quality']
  onQuality: (quality: Playback['quality']) => void
  onClose: () => void
}

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3]
const NONE = ''

/** Speed, sound and subtitles, above the bar. */
export const PlayerSettings = (props: PlayerSettingsProps) => {
  let panel!: HTMLFieldSetElement
  const speeds = () => [...new Set([...SPEEDS, props.speed])].sort((a, b) => a - b)
  const onPointerDown = (event: PointerEvent) => {
    // The bar's own button closes it by itself.
    if (event.target instanceof Node && !panel.parentElement?.contains(event.target)) props.onClose()
  }
  // Before what is around the settings hears of it, and wherever the focus is; a dialog over them comes first.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || document.querySelector('[data-overlay]')) return
    event.preventDefault()
    props.onClose()
  }
  createCloseRequest(
    () => true,
    () => props.onClose(),
  )
  onMount(() => {
    panel.querySelector('select')?.focus()
    listen(document, { pointerdown: onPointerDown })
    listen(document, { keydown: onKeyDown }, { capture: true })
  })
  return (
    <fieldset
      ref={panel}
      class="absolute right-2 bottom-full flex max-h-[60dvh] w-72 max-w-[calc(100%-16px)] animate-rise flex-col gap-3 overflow-y-auto rounded-card border border-line bg-surface p-4 text-left shadow-raised"
    >
      <legend class="sr-only">{t('watch.settings')}</legend>
      <Select
        label={t('watch.speed')}
        value={String(props.speed)}
        options={speeds().map((speed) => ({ value: String(speed), label: speed === 1 ? t('watch.normalSpeed') : `${speed}×` }))}
        onSelect={(speed) => props.onSpeed(Number(speed))}
      />
      <Show when={props.chapters.list().length > 0}>
        <Select
          label={t('watch.chapter')}
          value={String(props.chapters.currentIndex())}
          options={props.chapters.list().map(({ startSeconds }, index) => ({
            value: String(index),
            label: `${formatClock(startSeconds)} ${props.chapters.nameOf(index)}`,
          }))}
          onSelect={(index) => props.chapters.goTo(Number(index))}
        />
      </Show>
      <Show when={props.qualities.length > 0}>
        <Select
          label={t('watch.quality')}
          value={String(props.quality ?? NONE)}
          options={[
            { value: NONE, label: t('watch.bestQuality') },
            ...props.qualities.map((quality) => ({ value: String(quality), label: t('watch.lines', quality) })),
          ]}
          onSelect={(value) => props.onQuality(props.qualities.find((quality) => String(quality) === value) ?? null)}
        />
      </Show>
      <Show when={props.sounds.length > 1}>
        <Select
          label={t('watch.sound')}
          value={props.soundId ?? NONE}
          options={props.sounds.map((sound) => ({ value: sound.id, label: trackName(sound) }))}
          onSelect={props.onSound}
        />
      </Show>
      <Show when={props.hasPictureSubtitles || props.tracks.length === 0}>
        <p class="text-small text-muted">{t(props.hasPictureSubtitles ? 'watch.pictureSubtitles' : 'watch.noSubtitles')}</p>
      </Show>
      <Show when={props.tracks.length > 0}>
        <Select
          label={t('watch.subtitles')}
          value={props.subtitles.chosen() ?? NONE}
          options={[{ value: NONE, label: t('watch.off') }, ...props.tracks.map((track) => ({ value: track.id, label: trackName(track) }))]}
          onSelect={(id) => props.subtitles.choose(id === NONE ? null : id)}
        />
        <Select<SubtitleSize>
          label={t('watch.subtitleSize')}
          value={props.subtitles.size()}
          options={SUBTITLE_SIZES.map((size) => ({ value: size, label: t(`library.sizes.${size}`) }))}
          onSelect={props.subtitles.setSize}
        />
        <div class="flex items-center justify-between gap-2">
          <span class="text-small font-semibold">{t('watch.delay')}</span>
          <div class="flex items-center gap-1">
            <IconButton label={t('watch.earlier')} onClick={() => props.subtitles.shift(-DELAY_STEP_SECONDS)}>
              <Minus size={16} />
            </IconButton>
            <span class="w-14 text-center text-small tabular-nums" aria-live="polite">
              {t('watch.delaySeconds', props.subtitles.delay())}
            </span>
            <IconButton label={t('watch.later')} onClick={() => props.subtitles.shift(DELAY_STEP_SECONDS)}>
              <Plus size={16} />
            </IconButton>
          </div>
        </div>
      </Show>
    </fieldset>
  )
}
