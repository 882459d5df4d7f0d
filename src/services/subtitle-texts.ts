/** Subtitles of either origin as WebVTT. */

import type { Deps, SubtitleAsker } from '../deps.ts'
import { AppError } from '../errors.ts'
import { DecodeError } from '../media/decode-error.ts'
import { MediaError, type OpenedFile } from '../media/inside.ts'
import { bytesAt } from '../media/read-at.ts'
import type { SubtitleSource } from '../media/subtitles.ts'
import { type EmbeddedFormat, extractTrack } from '../media/subtitles-extract.ts'
import { NO_FFMPEG } from './hls-runs.ts'

/** A film's subtitles have 100 kB, those of an animated series with every sign typeset some megabytes. */
const MAX_SIDECAR_BYTES = 16 * 1024 * 1024

export interface EmbeddedTrack {
  /** Number of the stream in the file. */
  index: number
  format: EmbeddedFormat
}

/** Throws `unavailable` without ffmpeg, and where it cannot read the track. */
export const extractSubtitles = async (
  { config: { ffmpegPath }, subtitles }: Pick<Deps, 'config' | 'subtitles'>,
  opened: OpenedFile,
  { index, format, ...asker }: EmbeddedTrack & SubtitleAsker,
): Promise<string> => {
  if (ffmpegPath === null) throw new AppError('unavailable', NO_FFMPEG)
  try {
    const bytes = await extractTrack(ffmpegPath, opened.handle.fd, { index, format, signal: asker.signal })
    return await subtitles.asVtt(bytes, { format, language: null }, asker)
  } catch (error) {
    if (error instanceof DecodeError || error instanceof MediaError)
      throw new AppError('unavailable', 'The subtitles cannot be read out of the video.', { cause: error })
    throw error
  }
}

/** No more of it than it had when it was opened. Throws `too_large`. */
export const readSidecar = async (
  { subtitles, places }: Pick<Deps, 'subtitles' | 'places'>,
  opened: OpenedFile,
  { format, language, frameRate = null, ...asker }: SubtitleSource & SubtitleAsker,
): Promise<string> => {
  if (opened.size > MAX_SIDECAR_BYTES) throw new AppError('too_large', 'The subtitle file is too large.')
  return places.inSidecarOf({ userId: asker.userId, device: opened.device })(
    async () => subtitles.asVtt(await bytesAt(opened, 0, opened.size), { format, language, frameRate }, asker),
    asker.signal,
  )
}
