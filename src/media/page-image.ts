/** A page of a volume as a browser can show it, as it is or smaller. */

import { NoFfmpegError } from './decode-error.ts'
import { sizeOfJpegXl } from './jpeg-xl.ts'
import { pictureOfBytes, toDecodeError } from './picture.ts'
import { shownTypeOf, sizeOfBitmap } from './picture-format.ts'
import { sizeOfSvg } from './svg.ts'

/** Pages are drawings and letters: sharper than thumbnails. */
const WEBP = { quality: 85, effort: 2 } as const
/** The format's limit. */
const MAX_WEBP_SIDE = 16_383
/** Behind the headers of a picture with a colour profile and some metadata. */
export const HEAD_BYTES = 64 * 1024

interface PageImage {
  bytes: Uint8Array
  mediaType: string
}

/** Pixels, after orientation, without another program where the head tells: a volume would take a minute to list. Throws `DecodeError`. */
export const sizeOfPage = async (bytes: Uint8Array): Promise<{ width: number; height: number }> => {
  const { width, height } = sizeOfBitmap(bytes) ?? sizeOfJpegXl(bytes) ?? sizeOfSvg(bytes) ?? (await pictureOfBytes(bytes, null))
  return { width, height }
}

/**
 * The page at most `width` pixels wide; as it lies in the archive where that is null, or no less than its own width,
 * and where a browser shows what cannot be decoded here for want of ffmpeg.
 * Throws `DecodeError`.
 */
export const pageImage = async (
  bytes: Uint8Array,
  { width, ffmpegPath }: { width: number | null; ffmpegPath: string | null },
): Promise<PageImage> => {
  const mediaType = shownTypeOf(bytes)
  if (mediaType && width === null) return { bytes, mediaType }
  try {
    const picture = await pictureOfBytes(bytes, ffmpegPath)
    if (mediaType && width !== null && picture.width <= width) return { bytes, mediaType }
    const smaller = picture
      .open()
      .resize({ width: Math.min(width ?? MAX_WEBP_SIDE, MAX_WEBP_SIDE), height: MAX_WEBP_SIDE, fit: 'inside', withoutEnlargement: true })
    return { bytes: await smaller.toColourspace('srgb').webp(WEBP).toBuffer(), mediaType: 'image/webp' }
  } catch (error) {
    if (mediaType && error instanceof NoFfmpegError) return { bytes, mediaType }
    throw toDecodeError(error)
  }
}
