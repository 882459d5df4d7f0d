/** What ffmpeg is told to make the pieces of a stream: always one fragment of MP4 a key frame, into a pipe. */

import type { MediaProbe, VideoStream } from '../domain/media-probe.ts'
import type { StreamPlan } from '../domain/playback.ts'
import { boxOf, MAX_KILOBITS, type VideoQuality } from '../domain/video-quality.ts'
import { INPUT_PATH, onlyFiles } from './ffmpeg.ts'
import type { FragmentClock } from './hls-fragments.ts'
import { MEDIA_FORMATS } from './probe.ts'
import { toneMapping } from './tone-mapping.ts'

export interface HlsSource {
  probe: MediaProbe
  plan: StreamPlan
  /** Seconds a piece of what is encoded. */
  pieceSeconds: number
  /** The widest picture that is encoded, in pixels. */
  maxWidth: number
  /** What the viewer wants the picture made smaller to. */
  quality?: VideoQuality | undefined
  /** Of what is encoded with a high dynamic range an ordinary picture is made. */
  isToneMapped?: boolean
}

/** Times that ffmpeg writes are moved by this, so that packets in front of the place sought are not below 0. */
const OUTPUT_OFFSET_SECONDS = 10
const AUDIO_RATE = 48_000
/** Samples that the AAC encoder puts in front of the sound. */
const AAC_PRIMING_SAMPLES = 1024

/** A key frame is sought from a little behind it: its time as we read it and as ffmpeg does may differ by a rounding. */
const SEEK_MARGIN_SECONDS = 0.02
/** ffmpeg seeks that much earlier where frames are reordered and the container seeks by decoding time (ffmpeg_opt.c). */
const REORDER_SEEK_SECONDS = 3 / 23

const DEFAULT_FRAME_RATE = 25
/** More than this is of no use to a player that could not play the file as it is. */
const MAX_FRAME_RATE = 60

const copiesVideo = ({ plan }: HlsSource): boolean => plan.video?.action === 'copy'

const seekSeconds = (source: HlsSource, startSeconds: number): number => {
  if (startSeconds === 0 || !copiesVideo(source)) return startSeconds
  const { format, video } = source.probe
  const seeksByDecodingTime = !format.split(',').includes('mp4') && video?.isReordered === true
  return startSeconds + SEEK_MARGIN_SECONDS + (seeksByDecodingTime ? REORDER_SEEK_SECONDS : 0)
}

/** How the clock of what ffmpeg writes is moved to that of the film, when it begins at `startSeconds`. */
export const clockOf = (source: HlsSource, startSeconds: number): FragmentClock => ({
  shiftSeconds: seekSeconds(source, startSeconds) - OUTPUT_OFFSET_SECONDS,
  audioDelaySeconds: source.plan.audio?.action === 'encode' ? AAC_PRIMING_SAMPLES / AUDIO_RATE : 0,
})

/** Even numbers, as 4:2:0 wants them. After a turn that the file asks for, "iw" is what is seen. */
const scaleTo = ({ maxWidth, quality }: HlsSource): string => {
  if (quality === undefined) return `scale=w='trunc(min(${maxWidth},iw)/2)*2':h=-2`
  const { longSide, shortSide } = boxOf(quality)
  const [width, height] = [`if(gte(iw,ih),${longSide},${shortSide})`, `if(gte(iw,ih),${shortSide},${longSide})`]
  return `scale=w='min(iw,${width})':h='min(ih,${height})':force_original_aspect_ratio=decrease:force_divisible_by=2`
}

const DEFAULT_MAX_KILOBITS = 8000

const filtersOf = (video: VideoStream, source: HlsSource): string => {
  const rate = Math.min(video.frameRate ?? DEFAULT_FRAME_RATE, MAX_FRAME_RATE)
  return [
    // A constant rate from the very start: a recording in which nothing moves for a minute has pieces all the same.
    ...(video.isInterlaced ? ['yadif=deint=interlaced'] : []),
    `fps=fps=${rate.toFixed(6)}:start_time=0`,
    scaleTo(source),
    ...(source.isToneMapped && video.transfer ? [toneMapping(video.transfer), 'format=yuv420p'] : []),
  ].join(',')
}

const videoOptions = (source: HlsSource): string[] => {
  const { probe, plan, pieceSeconds, quality } = source
  if (!plan.video || !probe.video) return ['-frag_duration', '1000000']
  const { index, action } = plan.video
  if (action === 'copy') return ['-map', `0:${index}`, '-c:v', 'copy', ...(probe.video.codec === 'hevc' ? ['-tag:v', 'hvc1'] : [])]
  const kilobits = quality === undefined ? DEFAULT_MAX_KILOBITS : MAX_KILOBITS[quality]
  // biome-ignore format: one option and its value a pair
  return [
    '-map', `0:${index}`, '-vf', filtersOf(probe.video, source),
    '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-maxrate', `${kilobits}k`, '-bufsize', `${kilobits * 2}k`, '-profile:v', 'high', '-pix_fmt', 'yuv420p',
    '-g', '9999', '-sc_threshold', '0', '-force_key_frames', `expr:gte(t,n_forced*${pieceSeconds})`,
  ]
}

const audioOptions = ({ probe, plan }: HlsSource): string[] => {
  if (!plan.audio) return []
  const { index, action } = plan.audio
  if (action === 'copy') {
    const { codec } = probe.audio.find((stream) => stream.index === index) ?? {}
    // Beside a copied picture the sound begins where that does; otherwise at the very second, not at the key frame before it.
    const prior = plan.video?.action === 'copy' ? [] : ['-copypriorss', '0']
    return ['-map', `0:${index}`, '-c:a', 'copy', ...(codec === 'aac' ? ['-bsf:a', 'aac_adtstoasc'] : []), ...prior]
  }
  // Gaps become silence, so that the sound never runs ahead; beside an encoded picture it starts with it.
  const start = plan.video?.action === 'copy' ? '' : ':first_pts=0'
  // biome-ignore format: one option and its value a pair
  return ['-map', `0:${index}`, '-c:a', 'aac', '-b:a', '192k', '-ac', '2', '-ar', String(AUDIO_RATE), '-af', `aresample=async=1000${start}`]
}

/** AC-3 is described from its first packet, so the head has to wait for it. */
const movFlags = (source: HlsSource): string =>
  [
    '+frag_keyframe+empty_moov+default_base_moof+frag_discont+negative_cts_offsets',
    ...(source.plan.audio?.action === 'copy' ? ['delay_moov'] : []),
  ].join('+')

/** Arguments of ffmpeg, which begins at the piece that starts at `startSeconds` and goes on to the end of the file. */
export const hlsArguments = (source: HlsSource, startSeconds: number): string[] => {
  const seek = seekSeconds(source, startSeconds)
  // biome-ignore format: one option and its value a pair
  return [
    '-nostdin', '-hide_banner', '-loglevel', 'error', ...onlyFiles(MEDIA_FORMATS),
    ...(copiesVideo(source) ? ['-noaccurate_seek'] : []), ...(seek > 0 ? ['-ss', seek.toFixed(6)] : []), '-i', INPUT_PATH,
    ...videoOptions(source), ...audioOptions(source), '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1', '-max_muxing_queue_size', '4096',
    '-output_ts_offset', String(OUTPUT_OFFSET_SECONDS), '-movflags', movFlags(source), '-f', 'mp4', 'pipe:1',
  ]
}
