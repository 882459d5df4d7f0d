/** Opens pictures for sharp: by content, within limits, whatever their names say. */

import type { FileHandle } from 'node:fs/promises'
import type { Sharp, SharpConstructor, SharpOptions } from 'sharp'
import { THUMBNAIL_SIZES } from '../domain/thumbnail-size.ts'
import { DecodeError } from './decode-error.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { decodeHeic } from './heic.ts'
import { SNIFF_BYTES, sniffPicture } from './picture-format.ts'

/** A strip of a web comic may be fifty times as high as wide: WebP ends at 16,383 pixels, and nobody sees more in a grid. */
export const MAX_HEIGHT_PER_WIDTH = 4

/** SECURITY, part 1 D: 100 megapixels, 15 seconds. */
const MAX_PIXELS = 100_000_000
const TIMEOUT_SECONDS = 15
/** libxml's and librsvg's own limit. */
const MAX_SVG_BYTES = 10 * 1024 * 1024
const MAX_HEIC_BYTES = 256 * 1024 * 1024
/** Drawings have no pixels of their own: they are drawn as wide as the largest thumbnail. */
const LARGEST_WIDTH = THUMBNAIL_SIZES.large
const LARGEST_HEIGHT = LARGEST_WIDTH * MAX_HEIGHT_PER_WIDTH
/** librsvg's unit: at 72 dots an inch one unit is one pixel. */
const SVG_DENSITY = 72
/** sharp takes no more. */
const MAX_SVG_DENSITY = 100_000

export interface Picture {
  /** Turned upright, first frame only. Each call starts a new pipeline. */
  open: () => Sharp
  /** Pixels after orientation. */
  width: number
  height: number
}

const OPTIONS: SharpOptions = { failOn: 'none', limitInputPixels: MAX_PIXELS, sequentialRead: true }

/** sharp loads libvips, which takes 60 ms and 16 MiB: only a thread that decodes pictures pays for it. */
export const loadSharp = async (): Promise<SharpConstructor> => {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

/** What sharp throws, in our words. */
export const toDecodeError = (error: unknown): DecodeError => {
  if (error instanceof DecodeError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (/exceeds pixel limit|too large|exceeds.*dimension/i.test(message)) return new DecodeError('too_large', message, error)
  return new DecodeError(/timeout/i.test(message) ? 'timeout' : 'broken', message, error)
}

const openSharp = async (input: string | Uint8Array, options: SharpOptions = {}): Promise<Picture> => {
  const sharp = await loadSharp()
  const open = (): Sharp =>
    sharp(input, { ...OPTIONS, ...options })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
  const { autoOrient } = await open().metadata()
  return { open, width: autoOrient.width, height: autoOrient.height }
}

/** Pixels that something else decoded. */
export const pictureOfPixels = async (pixels: { data: Uint8Array; width: number; height: number }, channels: 3 | 4): Promise<Picture> => {
  const sharp = await loadSharp()
  const { data, width, height } = pixels
  const open = (): Sharp => sharp(data, { ...OPTIONS, raw: { width, height, channels } }).timeout({ seconds: TIMEOUT_SECONDS })
  return { open, width, height }
}

/** From bytes and never from a file: then librsvg has no folder to look for other files in. */
const openSvg = async (bytes: Uint8Array): Promise<Picture> => {
  if (bytes.length > MAX_SVG_BYTES) throw new DecodeError('too_large', 'The SVG file is too large.')
  const plain = await openSharp(bytes)
  const scale = Math.min(LARGEST_WIDTH / plain.width, LARGEST_HEIGHT / plain.height)
  const density = Math.min(MAX_SVG_DENSITY, Math.max(1, SVG_DENSITY * scale))
  return { ...plain, open: (await openSharp(bytes, { density })).open }
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

const readHead = async (file: PictureFile): Promise<Uint8Array> => {
  const head = new Uint8Array(Math.min(SNIFF_BYTES, file.size))
  const { bytesRead } = await file.handle.read(head, 0, head.length, 0)
  return head.subarray(0, bytesRead)
}

const readWhole = async (file: PictureFile, limit: number): Promise<Uint8Array> => {
  if (file.size > limit) throw new DecodeError('too_large', `${file.size} bytes are too many for this format.`)
  const bytes = new Uint8Array(file.size)
  const { bytesRead } = await file.handle.read(bytes, 0, bytes.length, 0)
  return bytes.subarray(0, bytesRead)
}

/** Width and height out of a BITMAPINFOHEADER or one of its successors; a negative height means "top row first". */
const bitmapSize = (head: Uint8Array): { width: number; height: number } => {
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  if (head.length < 26) throw new DecodeError('broken', 'The bitmap ends in its header.')
  if (view.getUint32(14, true) === 12) return { width: view.getUint16(18, true), height: view.getUint16(20, true) }
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
}

/** libvips as sharp brings it reads no bitmaps, ffmpeg does. */
const openBmp = async (file: PictureFile, head: Uint8Array, ffmpegPath: string | null): Promise<Picture> => {
  if (ffmpegPath === null) throw new DecodeError('unsupported', 'Bitmaps need ffmpeg.')
  const { width, height } = bitmapSize(head)
  if (width * height > MAX_PIXELS) throw new DecodeError('too_large', `${width} x ${height} pixels are too many.`)
  const { output } = await runFfmpeg({
    ffmpegPath,
    fd: file.handle.fd,
    formats: ['bmp_pipe'],
    inputOptions: ['-f', 'bmp_pipe', '-max_pixels', String(MAX_PIXELS)],
    outputOptions: ['-frames:v', '1', '-vf', `scale=w='min(${LARGEST_WIDTH},iw)':h=-1`, '-c:v', 'png', '-f', 'image2pipe'],
  })
  if (output.length === 0) throw new DecodeError('broken', 'The bitmap cannot be decoded.')
  return { ...(await openSharp(output)), width, height }
}

const refusal = (size: number): DecodeError =>
  size === 0
    ? new DecodeError('broken', 'The file is empty.')
    : new DecodeError('unsupported', 'The file is no picture that can be decoded.')

const openFormat = async (head: Uint8Array, file: PictureFile, ffmpegPath: string | null): Promise<Picture> => {
  const format = sniffPicture(head)
  if (format === undefined) throw refusal(file.size)
  if (format === 'svg') return openSvg(await readWhole(file, MAX_SVG_BYTES))
  if (format === 'heic') return openHeic(await readWhole(file, MAX_HEIC_BYTES))
  if (format === 'bmp') return openBmp(file, head, ffmpegPath)
  return openSharp(file.stablePath)
}

/** The caller keeps the file open until the last pipeline has ended. Throws `DecodeError`. */
export const pictureOfFile = async (file: PictureFile, ffmpegPath: string | null): Promise<Picture> => {
  try {
    return await openFormat(await readHead(file), file, ffmpegPath)
  } catch (error) {
    throw toDecodeError(error)
  }
}

/** A page out of an archive. Throws `DecodeError`. */
export const pictureOfBytes = async (bytes: Uint8Array): Promise<Picture> => {
  const format = sniffPicture(bytes)
  try {
    if (format === undefined || format === 'bmp') throw refusal(bytes.length)
    if (format === 'svg') return await openSvg(bytes)
    return await (format === 'heic' ? openHeic(bytes) : openSharp(bytes))
  } catch (error) {
    throw toDecodeError(error)
  }
}
