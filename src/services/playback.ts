/** How an item is played in the asking browser, and what comes after it. */

import { eq } from 'drizzle-orm'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { parseCapabilities } from '../domain/client-caps.ts'
import { evenBoundaries, pieceAt } from '../domain/hls-playlist.ts'
import { mediaTypeOf } from '../domain/media-file.ts'
import type { AudioStream, Chapter, MediaProbe } from '../domain/media-probe.ts'
import type { Viewer } from '../domain/permissions.ts'
import {
  audioLabel,
  audioLanguage,
  containerOf,
  defaultAudio,
  type PlaybackMode,
  type PlaybackPlan,
  planPlayback,
  preferredAudio,
  type StreamPlan,
} from '../domain/playback.ts'
import { qualitiesBelow, type VideoQuality } from '../domain/video-quality.ts'
import { AppError } from '../errors.ts'
import { canToneMap, isHdr } from '../media/tone-mapping.ts'
import { COPIED_PIECE_SECONDS } from './copied-pieces.ts'
import { type HlsStream, NO_FFMPEG } from './hls-runs.ts'
import { fileVersion } from './media-probes.ts'
import { findNextItem, findPreviousEpisode } from './next-item.ts'
import { type Playable, type PlayableQuery, playableParameters, withPlayable } from './playable.ts'
import { hasPictureSubtitles, listSubtitleTracks, type SubtitleTrack } from './subtitles.ts'
import { getUserSettings } from './user-settings.ts'
import { previewsUrl } from './video-previews.ts'

interface PlaybackQuery extends PlayableQuery {
  /** Names of `domain/client-caps.ts`, divided by commas. */
  caps?: string
  /** Id of the sound track to hear. */
  audio?: string
  /** Seconds at which the viewer means to begin, so that nothing is made for the beginning first. */
  start?: number
  /** Lines that the picture is made smaller to; without it, it is as good as it can be. */
  quality?: VideoQuality
}

interface AudioTrack {
  id: string
  label: string
  /** BCP 47. */
  language: string | null
  codec: string
  channels: number
  isDefault: boolean
}

interface Playback {
  mode: PlaybackMode
  url: string
  mimeType: string | null
  durationSeconds: number | null
  /** What the file is, whatever is made of it; null where it cannot be looked into. */
  container: string | null
  /** ffmpeg's name; null without a picture too. */
  videoCodec: string | null
  audioTracks: AudioTrack[]
  /** Which of them plays; null without sound. */
  audioTrackId: string | null
  subtitleTracks: SubtitleTrack[]
  /** There are subtitles in the file that are pictures, which are none of the tracks. */
  hasPictureSubtitles: boolean
  /** In their order; none where the file has none. */
  chapters: Chapter[]
  /** Of the list of small pictures along the video; null where there are none. */
  previewsUrl: string | null
  /** What the picture can be made smaller to, in lines, best first; none where it is small, or nobody can. */
  qualities: VideoQuality[]
  /** Which of them plays; null as good as can be. */
  quality: VideoQuality | null
  /** Item key of what comes next. */
  next: string | null
  /** Item key of what came before. */
  previous: string | null
  /** Why the file is not made to fit this browser although it does not: there is no ffmpeg on the server. */
  obstacle: 'no_ffmpeg' | null
}

/** Every encoded one may be the one that somebody waits for. */
const ENCODED_PIECE_SECONDS = 2
/** A file may claim any length, and its list of pieces is as long: more than two days are a mistake, or made to keep us busy. */
const LONGEST_STREAM_SECONDS = 2 * 24 * 3600
/** Two cores encode 720 lines as fast as they are watched, and no more. */
const MAX_ENCODED_WIDTH = navigator.hardwareConcurrency > 2 ? 1920 : 1280
/** With tone mapping a picture of so many pixels takes as long as one of the above without (measured: 5.4 s and 4.6 s for 8 s of film). */
const MAX_TONE_MAPPED_WIDTH = Math.round((MAX_ENCODED_WIDTH * 2) / 3)
const HLS_TYPE = 'application/vnd.apple.mpegurl'

const audioId = ({ index }: AudioStream): string => `audio-${index}`

interface StreamWish {
  plan: StreamPlan
  /** Seconds. */
  start: number
  quality: VideoQuality | undefined
}

const isDivisible = (probe: MediaProbe | null): probe is MediaProbe =>
  probe !== null && !!probe.durationSeconds && probe.durationSeconds <= LONGEST_STREAM_SECONDS

const findAudio = (probe: MediaProbe | null, wanted: string): AudioStream => {
  const audio = probe?.audio.find((stream) => audioId(stream) === wanted)
  if (!audio) throw new AppError('not_found', 'The video has no such sound track.')
  return audio
}

/** Where nothing can be made of the file, the browser plays its first track whatever anybody prefers. */
const audibleTracks = ({ config }: Deps, probe: MediaProbe): readonly AudioStream[] =>
  isDivisible(probe) && config.ffmpegPath !== null ? probe.audio : probe.audio.slice(0, 1)

/** What plays unless a track is asked for: the one in the language of the account, or else the file's own. */
const findOwnAudio = async (deps: Deps, viewer: Viewer, probe: MediaProbe | null): Promise<AudioStream | undefined> => {
  if (!probe) return undefined
  const settings = await getUserSettings(deps, viewer)
  return preferredAudio(audibleTracks(deps, probe), settings.audioLanguage) ?? defaultAudio(probe)
}

const listQualities = ({ config }: Deps, probe: MediaProbe | null): VideoQuality[] =>
  isDivisible(probe) && probe.video && config.ffmpegPath !== null ? qualitiesBelow(probe.video, MAX_ENCODED_WIDTH) : []

/** Whoever asks for a larger picture than there is, as for the next episode, has it as it is. */
const chooseQuality = (deps: Deps, probe: MediaProbe | null, wanted: VideoQuality | undefined): VideoQuality | undefined =>
  listQualities(deps, probe).find((quality) => quality === wanted)

/** The pieces, with the picture encoded where copying it is not possible after all. */
const cutStream = async (
  deps: Deps,
  { opened }: Playable,
  probe: MediaProbe,
  { plan, quality }: StreamWish,
): Promise<Pick<HlsStream, 'source' | 'boundaries'>> => {
  const duration = probe.durationSeconds ?? 0
  const end = Math.min(duration, probe.video?.endSeconds ?? duration)
  const { ffmpegPath } = deps.config
  const isToneMapped = isHdr(probe.video?.transfer) && ffmpegPath !== null && (await canToneMap(ffmpegPath))
  const maxWidth = isToneMapped ? MAX_TONE_MAPPED_WIDTH : MAX_ENCODED_WIDTH
  const sourceOf = (own: StreamPlan, pieceSeconds: number) => ({ probe, plan: own, pieceSeconds, maxWidth, quality, isToneMapped })
  if (plan.video?.action === 'copy') {
    const boundaries = await deps.media.copiedPieces(opened, probe, end)
    if (boundaries) return { source: sourceOf(plan, COPIED_PIECE_SECONDS), boundaries }
  }
  const pieceSeconds = plan.video ? ENCODED_PIECE_SECONDS : COPIED_PIECE_SECONDS
  const video = plan.video && { ...plan.video, action: 'encode' as const }
  return { source: sourceOf({ ...plan, video }, pieceSeconds), boundaries: evenBoundaries(end, pieceSeconds) }
}

type Way = Pick<Playback, 'mode' | 'url' | 'mimeType' | 'obstacle'>

const directly = (deps: Deps, { item, name }: Playable, query: PlayableQuery): Way => ({
  mode: 'direct',
  url: `${deps.config.basePath}/api/files?${new URLSearchParams(playableParameters(query))}`,
  mimeType: query.file === undefined && item.mimeType !== null ? item.mimeType : mediaTypeOf(name).mimeType,
  obstacle: null,
})

const inPieces = async (deps: Deps, viewer: Viewer, playable: Playable, wish: StreamWish): Promise<Way> => {
  const { item, path, opened, probe } = playable
  if (!probe) throw new AppError('unavailable')
  const { source, boundaries } = await cutStream(deps, playable, probe, wish)
  const isCopied = [source.plan.video, source.plan.audio].every((stream) => stream?.action !== 'encode')
  const id = deps.hls.open({
    userId: viewer.userId,
    libraryId: item.libraryId,
    itemId: item.id,
    path,
    version: fileVersion(opened),
    source,
    boundaries,
    firstPiece: pieceAt(boundaries, wish.start),
  })
  return {
    mode: isCopied ? 'remux' : 'transcode',
    url: `${deps.config.basePath}/api/hls/${id}/index.m3u8`,
    mimeType: HLS_TYPE,
    obstacle: null,
  }
}

interface Hearing {
  query: PlaybackQuery
  audio: AudioStream | undefined
}

const findWay = async (deps: Deps, viewer: Viewer, playable: Playable, { query, audio }: Hearing): Promise<Way> => {
  const { probe, name } = playable
  const direct = directly(deps, playable, query)
  // Without a length there is no list of pieces; the browser may still know what to do.
  if (!isDivisible(probe)) return direct
  const quality = chooseQuality(deps, probe, query.quality)
  const wish = {
    fileName: name,
    capabilities: parseCapabilities(query.caps),
    audio,
    isReduced: quality !== undefined,
  }
  const plan: PlaybackPlan = planPlayback(probe, wish)
  if (plan.mode === 'direct') return direct
  if (deps.config.ffmpegPath !== null) return inPieces(deps, viewer, playable, { plan, start: query.start ?? 0, quality })
  if (query.audio !== undefined && audio !== defaultAudio(probe)) throw new AppError('unavailable', NO_FFMPEG)
  return { ...direct, obstacle: 'no_ffmpeg' }
}

const toTrack = (stream: AudioStream): AudioTrack => ({
  id: audioId(stream),
  label: audioLabel(stream),
  language: audioLanguage(stream),
  codec: stream.codec,
  channels: stream.channels,
  isDefault: stream.isDefault,
})

const keyOf = async (deps: Deps, id: number | undefined): Promise<string | null> => {
  if (id === undefined) return null
  const [item] = await deps.db.select({ itemKey: mediaItems.itemKey }).from(mediaItems).where(eq(mediaItems.id, id))
  return item?.itemKey ?? null
}

/** The episodes around this one in its series, specials last; nothing else stands in a row. */
const findNeighbours = async (deps: Deps, { id, itemType }: Playable['item']): Promise<Pick<Playback, 'next' | 'previous'>> => {
  if (itemType !== 'tv_episode') return { next: null, previous: null }
  const [next, previous] = await Promise.all([findNextItem(deps, id, { isWithSpecials: true }), findPreviousEpisode(deps, id)])
  return { next: await keyOf(deps, next), previous: await keyOf(deps, previous) }
}

/** Opens a stream where one is needed. Throws `not_found` for an unknown sound track, `unavailable` where that needs ffmpeg, or all of it is taken. */
export const getPlayback = (deps: Deps, viewer: Viewer, query: PlaybackQuery): Promise<Playback> =>
  withPlayable(deps, viewer, query, async (playable) => {
    const { item, probe } = playable
    const audio = query.audio === undefined ? await findOwnAudio(deps, viewer, probe) : findAudio(probe, query.audio)
    return {
      ...(await findWay(deps, viewer, playable, { query, audio })),
      durationSeconds: probe?.durationSeconds ?? item.durationSeconds,
      container: probe && containerOf(probe.format, playable.name),
      videoCodec: probe?.video?.codec ?? null,
      audioTracks: (probe?.audio ?? []).map(toTrack),
      audioTrackId: audio ? audioId(audio) : null,
      subtitleTracks: await listSubtitleTracks(deps, playable, query),
      hasPictureSubtitles: hasPictureSubtitles(playable),
      chapters: probe?.chapters ?? [],
      previewsUrl: previewsUrl(deps, playable, query),
      qualities: listQualities(deps, probe),
      quality: chooseQuality(deps, probe, query.quality) ?? null,
      ...(await findNeighbours(deps, item)),
    }
  })
