/**
 * How a file is played in one browser: as it is, repacked, or encoded anew. The ladder is Jellyfin's and Stash's: direct,
 * remux (nothing is encoded), sound alone encoded, picture encoded. Text subtitles never force anything.
 */

import type { Capabilities } from './client-caps.ts'
import { languageName, parseLanguage } from './language-code.ts'
import { extensionOf } from './media-file.ts'
import type { AudioStream, MediaProbe, VideoStream } from './media-probe.ts'
import { preferredTrack } from './preferred-track.ts'

export type PlaybackMode = 'direct' | 'remux' | 'transcode'

/** What becomes of each part of the file; null where the file has no such part. */
export interface StreamPlan {
  video: { index: number; action: 'copy' | 'encode' } | null
  audio: { index: number; action: 'copy' | 'encode' } | null
}

export type PlaybackPlan = { mode: 'direct' } | ({ mode: 'remux' | 'transcode' } & StreamPlan)

/** The container by the name that browsers are asked for. Matroska and WebM, MP4 and QuickTime differ by the file's name alone. */
export const containerOf = (format: string, fileName: string): string => {
  const extension = extensionOf(fileName)
  if (format.split(',').includes('mp4')) return ['mov', 'qt'].includes(extension) ? 'mov' : 'mp4'
  if (format.split(',').includes('matroska')) return ['webm', 'weba'].includes(extension) ? 'webm' : 'mkv'
  return format.split(',')[0] ?? format
}

/** 8 bits, 4:2:0: what "H.264" means to a browser. */
const PLAIN_PIXELS: ReadonlySet<string> = new Set(['yuv420p', 'yuvj420p', 'nv12'])

const videoCapability = ({ codec, pixelFormat }: VideoStream): string =>
  codec === 'h264' && pixelFormat !== null && !PLAIN_PIXELS.has(pixelFormat) ? 'h264-10' : codec

const audioCapability = ({ codec }: AudioStream): string => (codec.startsWith('pcm_') ? 'pcm' : codec)

/** What fragments of MP4 can hold in every player that takes them at all. */
const COPIED_VIDEO: ReadonlySet<string> = new Set(['h264', 'hevc', 'av1', 'vp9'])
const COPIED_AUDIO: ReadonlySet<string> = new Set(['aac', 'ac3', 'eac3'])

/** The track that plays unless somebody chooses another. */
export const defaultAudio = (probe: MediaProbe): AudioStream | undefined => probe.audio.find(({ isDefault }) => isDefault) ?? probe.audio[0]

/** Most files mark these tracks by their titles alone. */
const ASIDE_TITLE = /\b(?:commentar(?:y|ies)|(?:audio)?kommentare?|audio ?description|audiodeskription|descriptive)\b/i

const isWhole = ({ title, isCommentary, isForVisuallyImpaired, isForHearingImpaired }: AudioStream): boolean =>
  !isCommentary && !isForVisuallyImpaired && !isForHearingImpaired && !ASIDE_TITLE.test(title ?? '')

/** BCP 47; null where the file does not tell. */
export const audioLanguage = ({ language }: AudioStream): string | null => (language === null ? null : parseLanguage(language))

/** The one to begin with for somebody who prefers a language; undefined where none of them is in it. */
export const preferredAudio = (streams: readonly AudioStream[], language: string | null): AudioStream | undefined =>
  preferredTrack(streams, language, (stream) => ({
    language: audioLanguage(stream),
    isWhole: isWhole(stream),
    isDefault: stream.isDefault,
  }))

interface PlaybackWish {
  fileName: string
  capabilities: Capabilities
  /** The sound track to hear; undefined where the file has none. */
  audio: AudioStream | undefined
  /** The picture is to be smaller than it is. */
  isReduced?: boolean
}

/**
 * The cheapest way that a browser can play the file: as it is, in another container, or with its picture or sound encoded
 * anew. A file with neither is played as it is.
 */
export const planPlayback = (probe: MediaProbe, { fileName, capabilities, audio, isReduced = false }: PlaybackWish): PlaybackPlan => {
  const { video } = probe
  const canVideo = video === null || (capabilities.has(videoCapability(video)) && !isReduced)
  const canAudio = audio === undefined || capabilities.has(audioCapability(audio))
  // A browser that plays a file by itself takes its first sound track.
  const isFirstAudio = audio?.index === probe.audio[0]?.index
  if (canVideo && canAudio && isFirstAudio && capabilities.has(containerOf(probe.format, fileName))) return { mode: 'direct' }
  if (video === null && audio === undefined) return { mode: 'direct' }
  const copiesVideo = video === null || (canVideo && COPIED_VIDEO.has(video.codec))
  const copiesAudio = audio === undefined || (canAudio && COPIED_AUDIO.has(audio.codec))
  return {
    mode: copiesVideo && copiesAudio ? 'remux' : 'transcode',
    video: video && { index: video.index, action: copiesVideo ? 'copy' : 'encode' },
    audio: audio ? { index: audio.index, action: copiesAudio ? 'copy' : 'encode' } : null,
  }
}

const LAYOUTS: Readonly<Record<number, string>> = { 1: 'Mono', 2: 'Stereo', 6: '5.1', 8: '7.1' }
const CODEC_NAMES: Readonly<Record<string, string>> = {
  aac: 'AAC',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  dts: 'DTS',
  truehd: 'TrueHD',
  mp3: 'MP3',
  flac: 'FLAC',
  opus: 'Opus',
  vorbis: 'Vorbis',
}

/** What a track is called: by its language, and by a title that says more. One that names the language needs no other name. */
const audioName = (stream: AudioStream): string => {
  const { title } = stream
  const tag = audioLanguage(stream)
  const language = tag === null ? null : languageName(tag)
  if (language === null || title === null) return language ?? title ?? 'Unknown language'
  return title.toLowerCase().includes(language.toLowerCase()) ? title : `${language} – ${title}`
}

/** `English (AC-3 5.1)`, `English – Commentary (AAC Stereo)`. */
export const audioLabel = (stream: AudioStream): string => {
  const { codec, channels } = stream
  const kind = [CODEC_NAMES[codec] ?? codec.toUpperCase(), LAYOUTS[channels] ?? `${channels} channels`].join(' ')
  return `${audioName(stream)} (${kind})`
}
