import { keepPreviousData } from '@tanstack/solid-query'
import { type Accessor, batch, createMemo, createSignal } from 'solid-js'
import { VIDEO_QUALITIES, type VideoQuality } from '../../../src/domain/video-quality.ts'
import { getPlayback } from '../api/playback.ts'
import { queryKeys } from '../api/query-keys.ts'
import { browserCapabilities } from './browser-capabilities.ts'
import { createQuery } from './create-query.ts'
import { createDeviceChoice } from './device-choice.ts'
import { createTrackLanguage } from './track-language.ts'

interface PlaybackOptions {
  itemKey: Accessor<string>
  /** One of the item's files; undefined for its main one. */
  file?: Accessor<string | undefined>
  /** Seconds; where it is likely to begin. */
  startAt?: number | undefined
  /** Not asked for until then: the answer may open a stream on the server. */
  isEnabled?: Accessor<boolean>
  /** Short clips one after the other are not worth an encoder each: they come as they are. */
  isWhole?: boolean
}

const QUALITY_CHOICES = ['best', ...VIDEO_QUALITIES.map((quality) => `${quality}` as const)] as const

/** How this browser is to play a video, and the choice of its sound track and the size of its picture. */
export const createPlayback = ({ itemKey, file, startAt = 0, isEnabled = () => true, isWhole = false }: PlaybackOptions) => {
  const [wish, setWish] = createSignal<{ caps: string; audio?: string | undefined; start: number }>({
    caps: browserCapabilities(),
    start: startAt,
  })
  const keepLanguage = createTrackLanguage('audioLanguage')
  /** Whoever saves data on this device saves it with every video. */
  const [qualityName, setQualityName] = createDeviceChoice('videoQuality', QUALITY_CHOICES, 'best')
  const quality = (): VideoQuality | undefined => (isWhole ? undefined : VIDEO_QUALITIES.find((known) => String(known) === qualityName()))
  const query = createQuery(() => {
    const wanted = { itemKey: itemKey(), file: file?.(), ...wish(), audio: wish().audio, quality: quality() }
    return {
      queryKey: queryKeys.playback(wanted),
      queryFn: ({ signal }) => getPlayback(wanted, signal),
      placeholderData: keepPreviousData,
      enabled: isEnabled(),
      // The answer opens a stream on the server: it is asked for once, and anew by the next visit.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }
  })
  // The same answer stays the same value: a player must not begin anew because somebody asked whether it is loading.
  const playback = createMemo(() => (query.isSuccess ? query.data : undefined))
  return {
    itemKey,
    query,
    playback,
    chooseAudio: (audio: string, position: number) => {
      const track = playback()?.audioTracks.find(({ id }) => id === audio)
      if (track) keepLanguage(track)
      setWish({ ...wish(), audio, start: position })
    },
    chooseQuality: (chosen: VideoQuality | null, position: number) =>
      batch(() => {
        setQualityName(chosen === null ? 'best' : `${chosen}`)
        setWish({ ...wish(), start: position })
      }),
    /**
     * The browser said that it could, and cannot: everything is encoded from now on. False where that has been tried
     * already, or where the server has no means to.
     */
    distrust: (position: number): boolean => {
      const known = playback()
      if (wish().caps === '' || known === undefined || known.obstacle !== null) return false
      setWish({ ...wish(), caps: '', start: position })
      return true
    },
  }
}

export type PlaybackControl = ReturnType<typeof createPlayback>
