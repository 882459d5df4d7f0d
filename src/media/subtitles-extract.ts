/** Text subtitles that lie inside a video, by ffmpeg. It has to read the whole file for them. */

import { DecodeError } from './decode-error.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { MEDIA_FORMATS } from './probe.ts'
import { lastLineOf } from './program.ts'

/** 100 GB of a disk that reads 400 MB a second; whoever waits longer has gone. */
const EXTRACT_TIMEOUT_MS = 240_000

export type EmbeddedFormat = 'ass' | 'srt'

/** By ffmpeg's codec names. */
const FORMATS: Readonly<Record<string, EmbeddedFormat>> = {
  ass: 'ass',
  ssa: 'ass',
  subrip: 'srt',
  srt: 'srt',
  mov_text: 'srt',
  webvtt: 'srt',
  text: 'srt',
}

/** PGS, VobSub, DVB and XSUB. */
const PICTURES: ReadonlySet<string> = new Set(['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', 'xsub'])

/** Whether a track is made of pictures, which are no text. */
export const isPictureTrack = (codec: string): boolean => PICTURES.has(codec)

/** The form that a track is read in; undefined for tracks that are no text. */
export const embeddedFormat = (codec: string): EmbeddedFormat | undefined => FORMATS[codec]

/** The track as a file of that form, in UTF-8. Throws `DecodeError`. */
export const extractTrack = async (
  ffmpegPath: string,
  fd: number,
  { index, format, signal }: { index: number; format: EmbeddedFormat; signal?: AbortSignal },
): Promise<Uint8Array> => {
  const { output, log, exitCode } = await runFfmpeg({
    ffmpegPath,
    input: fd,
    formats: MEDIA_FORMATS,
    inputOptions: [],
    outputOptions: ['-map', `0:${index}`, '-c:s', format, '-f', format],
    timeoutMs: EXTRACT_TIMEOUT_MS,
    signal,
  })
  // A film that breaks off has subtitles up to there; a track without a line is read well, and is empty.
  if (output.length === 0 && exitCode !== 0) throw new DecodeError('unsupported', lastLineOf(log) || 'ffmpeg cannot read the track.')
  return output
}
