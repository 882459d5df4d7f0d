/** Subtitles of either origin as WebVTT. */

import type { Deps } from '../deps.ts'
import type { SubtitleFormat } from '../domain/subtitle-name.ts'
import { AppError } from '../errors.ts'
import { DecodeError } from '../media/decode-error.ts'
import type { OpenedFile } from '../media/inside.ts'
import { parseAss } from '../media/subtitles-ass.ts'
import { decodeSubtitles } from '../media/subtitles-charset.ts'
import { renderVtt } from '../media/subtitles-cues.ts'
import { type EmbeddedFormat, extractTrack } from '../media/subtitles-extract.ts'
import { parseTimedText } from '../media/subtitles-text.ts'
import { NO_FFMPEG } from './hls-runs.ts'

/** A film's subtitles have 100 kB, those of an animated series with every sign typeset some megabytes. */
const MAX_SIDECAR_BYTES = 16 * 1024 * 1024

const toVtt = (text: string, format: SubtitleFormat): string =>
  renderVtt(format === 'ass' || format === 'ssa' ? parseAss(text) : parseTimedText(text))

export interface EmbeddedTrack {
  /** Number of the stream in the file. */
  index: number
  format: EmbeddedFormat
}

/** Throws `unavailable` without ffmpeg, and where it cannot read the track. */
export const extractSubtitles = async (deps: Pick<Deps, 'config'>, opened: OpenedFile, track: EmbeddedTrack): Promise<string> => {
  const { ffmpegPath } = deps.config
  if (ffmpegPath === null) throw new AppError('unavailable', NO_FFMPEG)
  try {
    return toVtt(await extractTrack(ffmpegPath, opened.handle.fd, track), track.format)
  } catch (error) {
    if (error instanceof DecodeError) throw new AppError('unavailable', 'The subtitles cannot be read out of the video.', { cause: error })
    throw error
  }
}

/** Throws `too_large`. */
export const readSidecar = async (
  opened: OpenedFile,
  { format, language }: { format: SubtitleFormat; language: string | null },
): Promise<string> => {
  if (opened.size > MAX_SIDECAR_BYTES) throw new AppError('too_large', 'The subtitle file is too large.')
  return toVtt(decodeSubtitles(await opened.handle.readFile(), language), format)
}
