/** Which subtitles are shown, how large, and how much earlier or later than their file says. */

import { type Accessor, createEffect, createSignal, on, onMount } from 'solid-js'
import type { Playback } from '../api/playback.ts'
import { userSettingsQuery } from '../api/user-settings.ts'
import { locale } from '../i18n/language.ts'
import { createQuery } from './create-query.ts'
import { listen } from './listen.ts'
import { anySubtitles, preferredSubtitles } from './preferred-subtitles.ts'
import { shiftCues } from './subtitle-delay.ts'
import { createSubtitleSize } from './subtitle-size.ts'
import { createTrackLanguage } from './track-language.ts'

interface AppleVideo extends HTMLVideoElement {
  webkitDisplayingFullscreen?: boolean
}

interface SubtitleOptions {
  video: () => HTMLVideoElement
  tracks: Accessor<Playback['subtitleTracks']>
}

export const createSubtitles = ({ video, tracks }: SubtitleOptions) => {
  const settings = createQuery(() => userSettingsQuery)
  const keepLanguage = createTrackLanguage('subtitleLanguage')
  const [size, setSize] = createSubtitleSize()
  const [delay, setDelay] = createSignal(0)
  /** Undefined until something was chosen: then the language of the account decides. */
  const [wanted, setWanted] = createSignal<string | null>()
  const byLanguage = () => (settings.data ? (preferredSubtitles(tracks(), settings.data.subtitleLanguage) ?? null) : null)
  const chosen = (): string | null => {
    const known = wanted()
    return known === undefined ? byLanguage() : known
  }
  let lastChosen: string | undefined

  const choose = (id: string | null) => {
    lastChosen = id ?? chosen() ?? lastChosen
    setWanted(id)
    keepLanguage(tracks().find((known) => known.id === id))
  }

  const listElements = () => [...video().textTracks].filter(({ kind }) => kind === 'subtitles')
  const show = () => {
    for (const [index, track] of listElements().entries()) {
      const isShown = tracks()[index]?.id === chosen() && chosen() !== null
      const mode = isShown ? 'showing' : 'disabled'
      if (track.mode !== mode) track.mode = mode
      if (isShown) shiftCues(track, delay())
    }
  }
  createEffect(on([chosen, tracks, delay], show))

  const onChange = () => {
    const list = listElements()
    const index = list.findIndex(({ mode }) => mode === 'showing')
    const id = tracks()[index]?.id ?? null
    if (list.length !== tracks().length || id === chosen()) return
    // iPhones have a menu of their own while the video fills the screen. Elsewhere a change that is not ours is the
    // browser's own selection, which turns on the first track as soon as any is shown.
    if ((video() as AppleVideo).webkitDisplayingFullscreen) choose(id)
    else show()
  }
  onMount(() => {
    listen(video().textTracks, { change: onChange })
    // Where it cannot be had they stand where the browser puts them.
    import('./cue-places.ts').then(({ lift }) => lift(video())).catch(() => undefined)
  })

  return {
    chosen,
    choose,
    /** Off, or on again with what was shown last. */
    toggle: () => choose(chosen() === null ? (lastChosen ?? byLanguage() ?? anySubtitles(tracks(), locale()) ?? null) : null),
    size,
    setSize,
    delay,
    /** Seconds, rounded to tenths so that sums of them stay readable. */
    shift: (by: number) => setDelay(Math.round((delay() + by) * 10) / 10),
    /** Cues arrive after their track was chosen. */
    onTrackLoad: show,
  }
}

export type Subtitles = ReturnType<typeof createSubtitles>
