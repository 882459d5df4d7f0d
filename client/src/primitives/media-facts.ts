/** What is in a video file, in the words of those who collect them. */

import type { Playback } from '../api/playback.ts'
import type { VideoFile } from '../api/types.ts'

/** By ffmpeg's names; others are said as they are, in capitals. */
const CODEC_NAMES: Readonly<Record<string, string>> = {
  h264: 'H.264',
  hevc: 'HEVC',
  mpeg4: 'MPEG-4',
  mpeg2video: 'MPEG-2',
  mpeg1video: 'MPEG-1',
  vc1: 'VC-1',
  msmpeg4v3: 'DivX 3',
  theora: 'Theora',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  truehd: 'TrueHD',
  opus: 'Opus',
  vorbis: 'Vorbis',
}

const codecName = (codec: string): string => CODEC_NAMES[codec] ?? codec.replace(/^pcm_.*/, 'PCM').toUpperCase()

const codecNames = (...codecs: (string | null | undefined)[]): string =>
  codecs.flatMap((codec) => (codec ? codecName(codec) : [])).join(' / ')

/** `HEVC / AAC`, `3840 × 1600`, `HDR`. */
export const mediaFacts = (media: VideoFile['media']): string[] => {
  if (media === null) return []
  const size = media.width !== null && media.height !== null ? `${media.width} × ${media.height}` : ''
  const range = media.videoRange === 'HDR' ? 'HDR' : ''
  return [codecNames(media.videoCodec, media.audioCodec), size, range].filter((fact) => fact !== '')
}

type FileFormat = Pick<Playback, 'container' | 'videoCodec' | 'audioTrackId'> & { audioTracks: { id: string; codec: string }[] }

/** `MKV · H.264 / AAC`, with the sound track that is heard; empty where nobody could look into the file. */
export const formatFacts = ({ container, videoCodec, audioTracks, audioTrackId }: FileFormat): string => {
  const heard = audioTracks.find(({ id }) => id === audioTrackId)
  return [container?.toUpperCase(), codecNames(videoCodec, heard?.codec)].filter(Boolean).join(' · ')
}
