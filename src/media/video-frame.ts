/** A frame that stands for a video, and the video's size and length, by ffmpeg alone: starting it is most of the time. */

import { THUMBNAIL_SIZES } from '../domain/thumbnail-size.ts'
import { PREVIEW_SIZE } from '../domain/video-preview.ts'
import { DecodeError } from './decode-error.ts'
import { FFMPEG_TIMEOUT_MS, runFfmpeg, SMALLEST_MEDIA_BYTES, shownSizeOf } from './ffmpeg.ts'
import { canToneMap, isHdr, toneMapping } from './tone-mapping.ts'

/** Containers and bare streams that hold video; no playlists, which name other files and addresses. */
// biome-ignore format: by kinship
export const VIDEO_FORMATS = [
  'mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2', 'matroska', 'webm', 'avi', 'mpegts', 'mpeg', 'mpegvideo', 'm4v', 'flv', 'asf', 'ogg', 'rm', 'wtv',
  'mxf', 'dv', 'nsv', 'nuv', 'pva', 'ty', 'flic', 'mjpeg', 'yuv4mpegpipe', 'ivf', 'bink', 'h264', 'hevc', 'av1', 'obu', 'vc1', 'dirac', 'amv',
] as const

export interface VideoFrame {
  /** RGB, 8 bits a channel, turned the way the video is shown, with square pixels. */
  data: Uint8Array
  width: number
  height: number
  /** The video's own, as shown: turned, with square pixels. */
  videoWidth: number
  videoHeight: number
  /** Null where the container does not tell. */
  durationSeconds: number | null
}

interface Grab {
  frame: (VideoFrame & { transfer: string | undefined }) | null
  durationSeconds: number | null
  log: string
}

interface VideoSource {
  fd: number
  /** Bytes. */
  size: number
}

const FRAME_WIDTH = THUMBNAIL_SIZES.large
/** 8K with room to spare. */
const MAX_PIXELS = 100_000_000

/** Bilinear: a picture made smaller by it differs from one by the bicubic default by noise alone (42 dB), and takes 2 of 45 ms less. */
const SCALE = `scale=w='max(2,min(${FRAME_WIDTH},iw*sar))':h='max(2,ow/dar)':flags=bilinear`

const TRANSFER = /color_trc:([\w-]+)/

const secondsOf = (log: string): number | null => {
  const [, hours, minutes, seconds] = /^ {2}Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?),/m.exec(log) ?? []
  return hours === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** A binary PPM as ffmpeg writes it: `P6`, width, height, 255, each on a line or divided by a space, then the pixels. */
const readPpm = (bytes: Uint8Array): { data: Uint8Array; width: number; height: number } | null => {
  const match = /^P6\s(\d+)\s(\d+)\s255\s/.exec(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 32)).toString('latin1'))
  if (!match) return null
  const [width, height] = [Number(match[1]), Number(match[2])]
  const data = bytes.subarray(match[0].length)
  return data.length < width * height * 3 ? null : { data: data.subarray(0, width * height * 3), width, height }
}

interface GrabOptions {
  atSeconds: number
  /** Decodes from the key frame before to the very place: slow, for videos with few key frames. */
  isExact?: boolean
  /** Of a picture that is tone mapped. */
  transfer?: string | undefined
  timeoutMs: number
}

const grab = async (ffmpegPath: string, { fd }: VideoSource, options: GrabOptions): Promise<Grab> => {
  const { atSeconds, isExact = false, transfer, timeoutMs } = options
  const keyFrames = isExact ? [] : ['-skip_frame', 'nokey', '-noaccurate_seek']
  // A bare stream (`.h264` of a camera) has no times to seek by: ffmpeg finds not even its beginning then.
  const seeking = atSeconds === 0 ? [] : ['-ss', atSeconds.toFixed(3)]
  // Without new time stamps the frame, which lies before the place sought, would be dropped as too early.
  const filters = ['showinfo=checksum=0', 'setpts=PTS-STARTPTS', SCALE, ...(transfer === undefined ? [] : [toneMapping(transfer)])]
  const { output, log } = await runFfmpeg({
    ffmpegPath,
    input: fd,
    formats: VIDEO_FORMATS,
    inputOptions: ['-max_pixels', String(MAX_PIXELS), ...keyFrames, ...seeking],
    // "V" leaves out covers that are stored as a video stream.
    // biome-ignore format: one option and its value a pair
    outputOptions: ['-map', '0:V:0', '-frames:v', '1', '-vf', filters.join(','), '-pix_fmt', 'rgb24', '-c:v', 'ppm', '-f', 'image2pipe'],
    timeoutMs,
  })
  const durationSeconds = secondsOf(log)
  const picture = readPpm(output)
  if (!picture) return { frame: null, durationSeconds, log }
  const shown = shownSizeOf(log) ?? picture
  const frame = { ...picture, videoWidth: shown.width, videoHeight: shown.height, durationSeconds, transfer: TRANSFER.exec(log)?.[1] }
  return { frame, durationSeconds, log }
}

/** About as many samples tell enough of a picture's contrast. */
const SAMPLES = 20_000

/**
 * How much there is to see: the standard deviation of the luma (ITU-R BT.601), 0 for one flat colour, 127 at most.
 * `pixels` is RGB, 8 bits a channel.
 */
export const contrastOf = (pixels: Uint8Array): number => {
  const step = Math.max(1, Math.floor(pixels.length / 3 / SAMPLES)) * 3
  let [count, sum, sumOfSquares] = [0, 0, 0]
  for (let at = 0; at + 2 < pixels.length; at += step) {
    const luma = 0.299 * (pixels[at] ?? 0) + 0.587 * (pixels[at + 1] ?? 0) + 0.114 * (pixels[at + 2] ?? 0)
    count += 1
    sum += luma
    sumOfSquares += luma * luma
  }
  return count === 0 ? 0 : Math.sqrt(Math.max(0, sumOfSquares / count - (sum / count) ** 2))
}

/** Below it a frame is black, white, a fade or a bare title. */
const ENOUGH_CONTRAST = 18

/** A tenth into a video of this many bytes, were it of 8 Mbit/s: spares asking for the length first. */
const GUESSED_BYTES_PER_SECOND = 1_000_000
const guessTenth = (size: number): number => Math.min(600, size / GUESSED_BYTES_PER_SECOND / 10)

/** The places to look at, in order; exact ones last, as they cost more. */
const placesIn = (durationSeconds: number | null): { atSeconds: number; isExact: boolean }[] => {
  if (durationSeconds === null) return [{ atSeconds: 0, isExact: false }]
  const places = [0.1, 0.3, 0.55, 0.8].map((part) => ({ atSeconds: durationSeconds * part, isExact: false }))
  // A video without a key frame at all, as some broadcasts, still has a first picture.
  return [...places, { atSeconds: durationSeconds * 0.33, isExact: true }, { atSeconds: 0, isExact: true }]
}

const refusal = (log: string): DecodeError => {
  if (/not on whitelist/i.test(log)) return new DecodeError('unsupported', 'The file is no video of a known format.')
  if (/matches no streams/i.test(log)) return new DecodeError('unsupported', 'The file holds no video stream.')
  if (/exceeds the maximum|Picture size .* is invalid|Cannot allocate memory/i.test(log))
    return new DecodeError('too_large', 'The video is too large.')
  return new DecodeError('broken', 'No frame of the video can be decoded.')
}

const noneIfRefused = (error: unknown): Pick<Grab, 'frame'> => {
  if (error instanceof DecodeError) return { frame: null }
  throw error
}

/** Throws `DecodeError`, or `MediaError` where ffmpeg was ended from outside. Takes 30 seconds at most, however many places are looked at. */
export const videoFrame = async (ffmpegPath: string, source: VideoSource): Promise<VideoFrame> => {
  if (source.size < SMALLEST_MEDIA_BYTES) throw new DecodeError('broken', 'The file is too small to hold a video.')
  const deadline = performance.now() + FFMPEG_TIMEOUT_MS
  const look = (place: Omit<GrabOptions, 'timeoutMs'>): Promise<Grab> =>
    grab(ffmpegPath, source, { ...place, timeoutMs: Math.max(1, deadline - performance.now()) })

  const guess = guessTenth(source.size)
  const first = await look({ atSeconds: guess })
  let best = first.frame && { frame: first.frame, atSeconds: guess, isExact: false, contrast: contrastOf(first.frame.data) }
  // A file that is not even opened (no streams were told of) is not opened the second time either.
  if (!best && first.durationSeconds === null && !first.log.includes('Input #0')) throw refusal(first.log)
  for (const place of placesIn(first.durationSeconds)) {
    if (best && (best.contrast >= ENOUGH_CONTRAST || performance.now() > deadline - 1000)) break
    const looking = look(place)
    const { frame } = await (best ? looking.catch(noneIfRefused) : looking)
    const contrast = frame ? contrastOf(frame.data) : 0
    if (frame && (!best || contrast > best.contrast)) best = { frame, ...place, contrast }
  }
  if (!best) throw refusal(first.log)
  const { transfer } = best.frame
  if (!isHdr(transfer)) return best.frame
  const toned = await look({ ...best, transfer }).catch(noneIfRefused)
  return toned.frame ?? best.frame
}

/** The length where the container does not tell it, guessed from the bytes. */
const guessSeconds = (size: number): number => guessTenth(size) * 10

/**
 * Frames from these places of the video, 0 its beginning and 1 its end, in order; places that cannot be decoded are left
 * out. Throws `DecodeError` where there is none at all. Takes 30 seconds at most.
 */
export const videoFrames = async (ffmpegPath: string, source: VideoSource, places: readonly number[]): Promise<VideoFrame[]> => {
  const deadline = performance.now() + FFMPEG_TIMEOUT_MS
  const first = await videoFrame(ffmpegPath, source)
  const duration = first.durationSeconds ?? guessSeconds(source.size)
  const frames: VideoFrame[] = []
  for (const place of places) {
    const timeoutMs = deadline - performance.now()
    if (timeoutMs < 1000) break
    const { frame } = await grab(ffmpegPath, source, { atSeconds: duration * place, timeoutMs }).catch(noneIfRefused)
    if (frame) frames.push(frame)
  }
  return frames.length > 0 ? frames : [first]
}

const PREVIEW_TIMEOUT_MS = 10_000
const { width: WIDTH, height: HEIGHT } = PREVIEW_SIZE
/** Even numbers of pixels, on black where the shape is another one. */
const PREVIEW = [
  `scale=w='max(2,2*trunc(min(${WIDTH},${HEIGHT}*dar)/2))':h='max(2,2*trunc(min(${HEIGHT},${WIDTH}/dar)/2))':flags=bilinear`,
  'setsar=1',
]
const ON_BLACK = `pad=${WIDTH}:${HEIGHT}:-1:-1`

export interface PreviewPlace {
  atSeconds: number
  /** ffmpeg's name of the video's transfer characteristics, where that is known. */
  transfer?: string | null | undefined
  signal: AbortSignal
}

/** A JPEG of `PREVIEW_SIZE` of the key frame at a place or before it. Throws `DecodeError`, and `MediaError` as `runFfmpeg`. */
export const previewFrame = async (
  ffmpegPath: string,
  { fd }: { fd: number },
  { atSeconds, transfer, signal }: PreviewPlace,
): Promise<Uint8Array> => {
  const toned = transfer && isHdr(transfer) && (await canToneMap(ffmpegPath)) ? [toneMapping(transfer)] : []
  const filters = ['setpts=PTS-STARTPTS', ...PREVIEW, ...toned, ON_BLACK]
  const { output, log } = await runFfmpeg({
    ffmpegPath,
    input: fd,
    formats: VIDEO_FORMATS,
    inputOptions: ['-max_pixels', String(MAX_PIXELS), '-skip_frame', 'nokey', '-noaccurate_seek', '-ss', atSeconds.toFixed(3)],
    // biome-ignore format: one option and its value a pair
    outputOptions: [
      '-map', '0:V:0', '-frames:v', '1', '-vf', filters.join(','), '-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg', '-q:v', '6', '-f', 'image2pipe',
    ],
    timeoutMs: PREVIEW_TIMEOUT_MS,
    signal,
  })
  if (output.length === 0) throw refusal(log)
  return output
}
