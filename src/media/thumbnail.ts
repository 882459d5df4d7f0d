/** Thumbnails: WebP in three widths from one decoding, and a thumbhash to show until they are there. */

import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { temporaryName } from '../domain/temporary-name.ts'
import { THUMBNAIL_SIZES, type ThumbnailSize } from '../domain/thumbnail-size.ts'
import { MAX_HEIGHT_PER_WIDTH, type Picture, pictureOfPixels, toDecodeError } from './picture.ts'

/**
 * Measured on photographs: effort 2 takes two fifths of the time of the default (4) for a twentieth more bytes. In large ones
 * effort 1 spares another quarter of the time for a twentieth more at most; in small ones it would cost a tenth and more of them.
 */
const EFFORT = { small: 2, medium: 2, large: 1 } as const satisfies Record<ThumbnailSize, number>
const WEBP = { quality: 78, smartSubsample: false } as const

/** The format's limit (README of thumbhash). */
const THUMBHASH_SIDE = 100

interface ThumbnailTarget {
  size: ThumbnailSize
  /** Absolute. */
  file: string
}

/** Scaled down to fit, never up: a picture that is smaller keeps its size. */
const shrink = (pipeline: Sharp, width: number): Sharp =>
  pipeline.resize({ width, height: width * MAX_HEIGHT_PER_WIDTH, fit: 'inside', withoutEnlargement: true })

/** One decoding (for JPEG and WebP at the smallest scale that will do), then plain sRGB pixels. */
const decode = async (pipeline: Sharp, width: number): Promise<Picture> => {
  const { data, info } = await shrink(pipeline, width).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return pictureOfPixels({ data, width: info.width, height: info.height }, info.channels === 4 ? 4 : 3)
}

/** Base64 of the thumbhash. */
const thumbhashOf = async (picture: Picture): Promise<string> => {
  const { data, info } = await picture
    .open()
    .resize({ width: THUMBHASH_SIDE, height: THUMBHASH_SIDE, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

/** Without fsync: a thumbnail that a power cut takes away is made again. */
const write = async (file: string, bytes: Uint8Array): Promise<void> => {
  const temporary = join(dirname(file), temporaryName())
  try {
    await writeFile(temporary, bytes, { flag: 'wx' })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Writes the thumbnails into folders that exist, each smaller one made from the next larger. Answers the thumbhash.
 * Throws `DecodeError`, and what writing throws.
 */
export const makeThumbnails = async (source: Picture, targets: readonly ThumbnailTarget[]): Promise<string> => {
  const largestFirst = [...targets].sort((a, b) => THUMBNAIL_SIZES[b.size] - THUMBNAIL_SIZES[a.size])
  let picture = source
  for (const { size, file } of largestFirst) {
    picture = await decode(picture.open(), THUMBNAIL_SIZES[size]).catch((error: unknown) => {
      throw toDecodeError(error)
    })
    await write(
      file,
      await picture
        .open()
        .webp({ ...WEBP, effort: EFFORT[size] })
        .toBuffer(),
    )
  }
  return thumbhashOf(largestFirst.length > 0 ? picture : await decode(source.open(), THUMBNAIL_SIZES.small))
}
