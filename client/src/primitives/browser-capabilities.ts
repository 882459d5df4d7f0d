/** What this browser plays, found out by asking it and not by its name (Stash #2226, #4276). */

import type { Capability } from '../../../src/domain/client-caps.ts'

/** A type that stands for each capability; codecs in the container that they are streamed in. */
const PROBES: Record<Capability, string> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  ogg: 'video/ogg',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  aac: 'audio/aac',
  h264: 'video/mp4; codecs="avc1.640028"',
  'h264-10': 'video/mp4; codecs="avc1.6e0028"',
  hevc: 'video/mp4; codecs="hvc1.1.6.L120.90"',
  av1: 'video/mp4; codecs="av01.0.08M.08"',
  vp8: 'video/webm; codecs="vp8"',
  vp9: 'video/mp4; codecs="vp09.00.40.08"',
  theora: 'video/ogg; codecs="theora"',
  opus: 'audio/webm; codecs="opus"',
  vorbis: 'audio/webm; codecs="vorbis"',
  ac3: 'audio/mp4; codecs="ac-3"',
  eac3: 'audio/mp4; codecs="ec-3"',
  alac: 'audio/mp4; codecs="alac"',
  pcm: 'audio/wav; codecs="1"',
  dts: 'audio/mp4; codecs="dtsc"',
}

type CanPlay = (mimeType: string) => boolean

/** The names of what `canPlay` says yes to, divided by commas. */
export const capabilitiesOf = (canPlay: CanPlay): string =>
  Object.entries(PROBES)
    .filter(([, mimeType]) => canPlay(mimeType))
    .map(([name]) => name)
    .join(',')

const HLS_TYPE = 'application/vnd.apple.mpegurl'

const canPlayType: CanPlay = (mimeType) => document.createElement('video').canPlayType(mimeType) !== ''
const canStream: CanPlay = (mimeType) => 'MediaSource' in window && MediaSource.isTypeSupported(mimeType)

export const browserCapabilities = (): string => capabilitiesOf((mimeType) => canPlayType(mimeType) || canStream(mimeType))

/** Safari plays lists of pieces by itself, and on iPhones nothing else can. */
export const playsHlsByItself = (): boolean => canPlayType(HLS_TYPE)
