import { type InferResponseType, parseResponse } from 'hono/client'
import type { VideoQuality } from '../../../src/domain/video-quality.ts'
import { api } from './client.ts'
import { playedUrl } from './files.ts'

export type Playback = InferResponseType<typeof api.playback.$get, 200>

export interface PlaybackQuery {
  itemKey: string
  file: string | undefined
  /** What this browser can play: names of `domain/client-caps.ts`, divided by commas. */
  caps: string
  /** The sound track to hear; undefined leaves the choice to the server. */
  audio: string | undefined
  /** Lines that the picture is made smaller to; undefined as good as can be. */
  quality: VideoQuality | undefined
  /** Seconds. */
  start: number
}

export const getPlayback = async (
  { itemKey, file, caps, audio, quality, start }: PlaybackQuery,
  signal?: AbortSignal,
): Promise<Playback> => {
  const playback = await parseResponse(
    api.playback.$get(
      {
        query: {
          itemKey,
          caps,
          ...(file && { file }),
          ...(audio && { audio }),
          ...(quality && { quality: String(quality) }),
          // Milliseconds: of a tiny number `String` makes `1e-7`.
          ...(start > 0 && { start: start.toFixed(3) }),
        },
      },
      { init: { signal } },
    ),
  )
  return playback.mode === 'direct' ? { ...playback, url: playedUrl(playback.url) } : playback
}
