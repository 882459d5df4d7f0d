/** What is in a video or sound file, by ffprobe, under the same limits as every look at a hostile file. */

import { z } from 'zod'
import type { AudioStream, Chapter, MediaProbe, SubtitleStream, VideoStream } from '../domain/media-probe.ts'
import { DecodeError } from './decode-error.ts'
import { INPUT_PATH, onlyFiles } from './ffmpeg.ts'
import { lastLineOf, runProgram, withLimits } from './program.ts'
import { VIDEO_FORMATS } from './video-frame.ts'

/** Sound files too; still no playlists, which name other files and addresses, and no pictures by pattern. */
export const MEDIA_FORMATS = [
  ...VIDEO_FORMATS,
  ...[
    'mp3',
    'flac',
    'wav',
    'w64',
    'aac',
    'ac3',
    'eac3',
    'dts',
    'dtshd',
    'truehd',
    'aiff',
    'caf',
    'amr',
    'au',
    'ape',
    'wv',
    'tta',
    'mpc',
    'mpc8',
  ],
] as const

const PROBE_TIMEOUT_MS = 30_000
/** A file with a thousand streams is none that anybody plays. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024
/** A film has some twenty. */
const MAX_CHAPTERS = 500
const MAX_TITLE_LENGTH = 200
/** Behind whatever people wait for. */
const NICENESS = 5

const ENTRIES = [
  'format=format_name,start_time,duration',
  'stream=index,codec_type,codec_name,pix_fmt,color_transfer,width,height,avg_frame_rate,r_frame_rate,field_order,has_b_frames,channels,start_time,duration',
  'stream_tags=language,title,DURATION',
  'stream_disposition=default,forced,comment,hearing_impaired,visual_impaired,attached_pic',
  'chapter=start_time',
  'chapter_tags=title',
].join(':')

const flag = z.number().optional()
const streamShape = z.object({
  index: z.number(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  pix_fmt: z.string().optional(),
  color_transfer: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  avg_frame_rate: z.string().optional(),
  r_frame_rate: z.string().optional(),
  field_order: z.string().optional(),
  has_b_frames: z.number().optional(),
  channels: z.number().optional(),
  start_time: z.string().optional(),
  duration: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
  disposition: z
    .object({ default: flag, forced: flag, comment: flag, hearing_impaired: flag, visual_impaired: flag, attached_pic: flag })
    .optional(),
})
type Stream = z.infer<typeof streamShape>

const chapterShape = z.object({
  start_time: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
})

const answerShape = z.object({
  streams: z.array(streamShape),
  chapters: z.array(chapterShape).default([]),
  format: z.object({ format_name: z.string(), start_time: z.string().optional(), duration: z.string().optional() }),
})

const numberOf = (text: string | undefined): number | null => {
  const number = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}

/** `24000/1001`; `0/0` where it is not known. */
const ratioOf = (text: string | undefined): number | null => {
  const [above = 0, below = 0] = (text ?? '').split('/').map(Number)
  const ratio = above / below
  return Number.isFinite(ratio) && ratio > 0 ? ratio : null
}

/** Matroska keeps the length of a stream in a tag: `00:01:00.006000000`. */
const clockOf = (text: string | undefined): number | null => {
  const [, hours, minutes, seconds] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text ?? '') ?? []
  return hours === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const tagOf = ({ tags = {} }: Pick<Stream, 'tags'>, name: string): string | null => {
  const key = Object.keys(tags).find((candidate) => candidate.toLowerCase() === name)
  return (key === undefined ? undefined : tags[key]?.trim()) || null
}

const MAX_FRAME_RATE = 240

const toVideo = (stream: Stream, startSeconds: number): VideoStream => {
  const frameRate = ratioOf(stream.avg_frame_rate) ?? ratioOf(stream.r_frame_rate)
  const length = numberOf(stream.duration)
  const end = length === null ? clockOf(tagOf(stream, 'duration') ?? undefined) : length + (numberOf(stream.start_time) ?? 0)
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    pixelFormat: stream.pix_fmt ?? null,
    width: stream.width ?? 0,
    height: stream.height ?? 0,
    frameRate: frameRate !== null && frameRate <= MAX_FRAME_RATE ? frameRate : null,
    endSeconds: end === null ? null : end - startSeconds,
    transfer: stream.color_transfer ?? null,
    isInterlaced: !['progressive', 'unknown', undefined].includes(stream.field_order),
    isReordered: (stream.has_b_frames ?? 0) > 0,
  }
}

const toAudio = (stream: Stream): AudioStream => ({
  index: stream.index,
  codec: stream.codec_name ?? 'unknown',
  channels: stream.channels ?? 0,
  language: tagOf(stream, 'language'),
  title: tagOf(stream, 'title'),
  isDefault: stream.disposition?.default === 1,
  isCommentary: stream.disposition?.comment === 1,
  isForVisuallyImpaired: stream.disposition?.visual_impaired === 1,
  isForHearingImpaired: stream.disposition?.hearing_impaired === 1,
})

const toSubtitles = (stream: Stream): SubtitleStream => ({
  index: stream.index,
  codec: stream.codec_name ?? 'unknown',
  language: tagOf(stream, 'language'),
  title: tagOf(stream, 'title'),
  isDefault: stream.disposition?.default === 1,
  isForced: stream.disposition?.forced === 1,
  isForHearingImpaired: stream.disposition?.hearing_impaired === 1,
})

/** Of several that begin at once, as the editions of a Matroska file do, the first; none from behind the end. */
const toChapters = (
  chapters: readonly z.infer<typeof chapterShape>[],
  { startSeconds, durationSeconds }: Pick<MediaProbe, 'startSeconds' | 'durationSeconds'>,
): Chapter[] => {
  const byStart = new Map<number, Chapter>()
  for (const chapter of chapters) {
    const start = numberOf(chapter.start_time)
    if (start === null) continue
    const from = Math.max(0, start - startSeconds)
    if (durationSeconds !== null && from >= durationSeconds) continue
    const title = tagOf(chapter, 'title')?.slice(0, MAX_TITLE_LENGTH) ?? null
    if (!byStart.has(from)) byStart.set(from, { startSeconds: from, title })
  }
  return [...byStart.values()].toSorted((a, b) => a.startSeconds - b.startSeconds).slice(0, MAX_CHAPTERS)
}

const toProbe = ({ streams, format, chapters }: z.infer<typeof answerShape>): MediaProbe => {
  const ofType = (type: string): Stream[] => streams.filter((stream) => stream.codec_type === type)
  const startSeconds = numberOf(format.start_time) ?? 0
  const durationSeconds = numberOf(format.duration)
  const video = ofType('video').find((stream) => stream.disposition?.attached_pic !== 1)
  return {
    format: format.format_name,
    durationSeconds,
    startSeconds,
    video: video ? toVideo(video, startSeconds) : null,
    audio: ofType('audio').map(toAudio),
    subtitles: ofType('subtitle').map(toSubtitles),
    chapters: toChapters(chapters, { startSeconds, durationSeconds }),
  }
}

/**
 * `fd`: descriptor of the opened file. Throws `DecodeError`: `unsupported` for what is no media file of a known format; and
 * `MediaError` where ffprobe was ended from outside.
 */
export const probeMedia = async (ffprobePath: string, fd: number): Promise<MediaProbe> => {
  const command = withLimits(
    [ffprobePath, '-v', 'error', ...onlyFiles(MEDIA_FORMATS), '-print_format', 'json', '-show_entries', ENTRIES, '-i', INPUT_PATH],
    { niceness: NICENESS },
  )
  const { output, log, exitCode } = await runProgram(command, {
    stdin: 'ignore',
    files: [fd],
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: PROBE_TIMEOUT_MS,
  })
  if (exitCode !== 0) throw new DecodeError('unsupported', lastLineOf(log) || 'ffprobe cannot read the file.')
  return toProbe(answerShape.parse(JSON.parse(new TextDecoder().decode(output))))
}
