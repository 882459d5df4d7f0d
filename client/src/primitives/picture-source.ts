import { THUMBNAIL_SIZE_NAMES, THUMBNAIL_SIZES, type ThumbnailSize } from '../../../src/domain/thumbnail-size.ts'

/** A thumbnail or artwork in another width. Any other picture's address comes back unchanged. */
export const pictureAt = (url: string, size: ThumbnailSize): string => {
  const parsed = new URL(url, document.baseURI)
  if (!/\/api\/(thumbnails|artwork)$/.test(parsed.pathname)) return url
  parsed.searchParams.set('size', size)
  return parsed.pathname + parsed.search
}

/** All its widths for `srcset`. */
export const pictureSrcset = (url: string): string =>
  THUMBNAIL_SIZE_NAMES.map((size) => `${pictureAt(url, size)} ${THUMBNAIL_SIZES[size]}w`).join(', ')

/** A picture that is a tenth too narrow looks no worse, and the next wider one is four times as large. */
const NEAR_ENOUGH = 0.9

/** `sizes` of a picture that is this many CSS pixels wide. */
export const sizesOf = (width: number): string => `${Math.ceil(width * NEAR_ENOUGH)}px`
