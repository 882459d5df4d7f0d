/**
 * Opens pictures for sharp: by content, within limits, whatever their names say. Only a raw photograph is known by its
 * name: many are TIFF files, with a stamp-sized picture where others have theirs.
 */

import type { FileHandle } from 'node:fs/promises'
import type { Metadata, Sharp } from 'sharp'
import { isRawPhotographName } from '../domain/media-file.ts'
import { errorMessage } from '../domain/thrown-error.ts'
import { THUMBNAIL_SIZES } from '../domain/thumbnail-size.ts'
import { DecodeError, NoFfmpegError } from './decode-error.ts'
import { decodeHeic } from './heic.ts'
import { MediaError } from './inside.ts'
import { type PictureFormat, SNIFF_BYTES, sniffPicture } from './picture-format.ts'
import { previewOfRaw, turnedJpeg } from './raw-photograph.ts'
import { bytesAt } from './read-at.ts'
import { loadSharp, MAX_PIXELS, MAX_SHRUNK_PIXELS, OPTIONS } from './sharp.ts'
import { decodeStill, isStill, type StillFormat } from './still.ts'
import { drawSvg } from './svg.ts'

/** A strip of a web comic may be fifty times as high as wide: WebP ends at 16,383 pixels, and nobody sees more in a grid. */
export const MAX_HEIGHT_PER_WIDTH = 4

/** SECURITY, part 1 D. */
const TIMEOUT_SECONDS = 15
/** libxml's and librsvg's own limit. */
const MAX_SVG_BYTES = 10 * 1024 * 1024
const MAX_HEIC_BYTES = 256 * 1024 * 1024
/** Drawings have no pixels of their own: they are drawn as wide as the largest thumbnail. */
const LARGEST_WIDTH = THUMBNAIL_SIZES.large
/** Two pages side by side can still be read. */
const MAX_PAGE_WIDTH = 2560
const LARGEST_HEIGHT = LARGEST_WIDTH * MAX_HEIGHT_PER_WIDTH

export interface Picture {
  /** Turned upright, first frame only. Each call starts a new pipeline. */
  open: () => Sharp
  /** Pixels after orientation. */
  width: number
  height: number
}

const tooManyPixels = (limit: number, cause?: unknown): DecodeError =>
  new DecodeError('too_large', `The picture has more than ${limit / 1e6} megapixels.`, cause)

/** What sharp throws, in our words; `maxPixels` is the limit that it was given. */
export const toDecodeError = (error: unknown, maxPixels = MAX_PIXELS): DecodeError | MediaError => {
  if (error instanceof DecodeError || error instanceof MediaError) return error
  const message = errorMessage(error)
  if (/exceeds pixel limit/i.test(message)) return tooManyPixels(maxPixels, error)
  if (/too large|exceeds.*dimension/i.test(message)) return new DecodeError('too_large', 'The picture is too large.', error)
  if (/timeout/i.test(message)) return new DecodeError('timeout', 'The picture took too long to decode.', error)
  return new DecodeError('broken', 'The picture is damaged or incomplete.', error)
}

/** Pixels that something else decoded. */
export const pictureOfPixels = async (pixels: { data: Uint8Array; width: number; height: number }, channels: 3 | 4): Promise<Picture> => {
  const sharp = await loadSharp()
  const { data, width, height } = pixels
  const open = (): Sharp => sharp(data, { ...OPTIONS, raw: { width, height, channels } }).timeout({ seconds: TIMEOUT_SECONDS })
  return { open, width, height }
}

/** Of the colour spaces that have not three. */
const CHANNELS: Readonly<Record<string, number>> = { 'b-w': 1, grey16: 1, cmyk: 4 }

/**
 * Behind its colours a TIFF may have selections that somebody saved in Photoshop. sharp takes the last one for the transparency
 * as it makes a picture smaller, and leaves the others in its pixels.
 */
const hasSelections = ({ channels, space }: Metadata): boolean => channels > (CHANNELS[space] ?? 3) + 1

const openSharp = async (input: string | Uint8Array, limitInputPixels = MAX_PIXELS): Promise<Picture> => {
  const sharp = await loadSharp()
  const open = (): Sharp =>
    sharp(input, { ...OPTIONS, limitInputPixels })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
  const metadata = await open().metadata()
  const { width, height } = metadata.autoOrient
  if (metadata.isProgressive && width * height > MAX_PIXELS) throw tooManyPixels(MAX_PIXELS)
  if (!hasSelections(metadata)) return { open, width, height }
  return pictureOfPixels({ data: await open().removeAlpha().toColourspace('srgb').raw().toBuffer(), width, height }, 3)
}

/** Whoever opens a file makes a picture of a few megapixels of it. */
const openJpeg = async (path: string): Promise<Picture> => {
  try {
    return await openSharp(path, MAX_SHRUNK_PIXELS)
  } catch (error) {
    throw toDecodeError(error, MAX_SHRUNK_PIXELS)
  }
}

const openSvg = async (bytes: Uint8Array): Promise<Picture> => {
  if (bytes.length > MAX_SVG_BYTES) throw new DecodeError('too_large', 'The SVG file is too large.')
  const { drawn, width, height } = await drawSvg(bytes, { maxWidth: LARGEST_WIDTH, maxHeight: LARGEST_HEIGHT })
  return { ...(await pictureOfPixels(drawn, 4)), width, height }
}

const openHeic = async (bytes: Uint8Array): Promise<Picture> => {
  if (bytes.length > MAX_HEIC_BYTES) throw new DecodeError('too_large', 'The HEIC file is too large.')
  return pictureOfPixels(await decodeHeic(bytes, MAX_PIXELS), 4)
}

export interface PictureFile {
  handle: FileHandle
  /** Bytes. */
  size: number
  /** A name that leads to this very file. */
  stablePath: string
}

const readWhole = async (file: PictureFile, limit: number): Promise<Uint8Array> => {
  if (file.size > limit) throw new DecodeError('too_large', `${file.size} bytes are too many for this format.`)
  return bytesAt(file, 0, file.size)
}

const openStill = async (
  still: { input: number | Uint8Array; format: StillFormat },
  { ffmpegPath, maxWidth }: { ffmpegPath: string | null; maxWidth: number },
): Promise<Picture> => {
  if (ffmpegPath === null) throw new NoFfmpegError('Bitmaps and JPEG XL need ffmpeg.')
  const { png, width, height } = await decodeStill(still, { ffmpegPath, maxPixels: MAX_PIXELS, maxWidth })
  return { ...(await openSharp(png)), width, height }
}

const openRaw = async (file: PictureFile): Promise<Picture> => {
  const preview = await previewOfRaw(file, LARGEST_WIDTH)
  if (preview === undefined) throw new DecodeError('unsupported', 'The raw photograph holds no picture that is ready to be shown.')
  const { jpeg, orientation, fullSize } = preview
  const sharp = await loadSharp()
  const own = await sharp(jpeg, OPTIONS).metadata()
  const turn = own.orientation ?? orientation ?? 1
  const picture = await openSharp(own.orientation === undefined ? turnedJpeg(jpeg, turn) : jpeg)
  if (fullSize === undefined || fullSize.width * fullSize.height <= picture.width * picture.height) return picture
  const { width, height } = fullSize
  return { ...picture, ...(turn >= 5 ? { width: height, height: width } : { width, height }) }
}

const refusal = (size: number): DecodeError =>
  size === 0
    ? new DecodeError('broken', 'The file is empty.')
    : new DecodeError('unsupported', 'The file is no picture that can be decoded.')

const RAW_CONTAINERS: ReadonlySet<PictureFormat | undefined> = new Set(['tiff', undefined])

const openFormat = async (head: Uint8Array, file: PictureFile, { name, ffmpegPath }: PictureHelp): Promise<Picture> => {
  const format = sniffPicture(head)
  if (isRawPhotographName(name) && RAW_CONTAINERS.has(format) && file.size > 0) return openRaw(file)
  if (format === undefined) throw refusal(file.size)
  if (format === 'svg') return openSvg(await readWhole(file, MAX_SVG_BYTES))
  if (format === 'heic') return openHeic(await readWhole(file, MAX_HEIC_BYTES))
  if (isStill(format)) return openStill({ input: file.handle.fd, format }, { ffmpegPath, maxWidth: LARGEST_WIDTH })
  return format === 'jpeg' ? openJpeg(file.stablePath) : openSharp(file.stablePath)
}

interface PictureHelp {
  /** The file's, or its path. */
  name: string
  ffmpegPath: string | null
}

/** The caller keeps the file open until the last pipeline has ended. Throws `DecodeError`, or `MediaError` where it cannot be read now. */
export const pictureOfFile = async (file: PictureFile, help: PictureHelp): Promise<Picture> => {
  try {
    return await openFormat(await bytesAt(file, 0, SNIFF_BYTES), file, help)
  } catch (error) {
    throw toDecodeError(error)
  }
}

/** A page out of an archive. Throws `DecodeError`. */
export const pictureOfBytes = async (bytes: Uint8Array, ffmpegPath: string | null): Promise<Picture> => {
  const format = sniffPicture(bytes)
  try {
    if (format === undefined) throw refusal(bytes.length)
    if (isStill(format)) return await openStill({ input: bytes, format }, { ffmpegPath, maxWidth: MAX_PAGE_WIDTH })
    if (format === 'svg') return await openSvg(bytes)
    return await (format === 'heic' ? openHeic(bytes) : openSharp(bytes))
  } catch (error) {
    throw toDecodeError(error)
  }
}
