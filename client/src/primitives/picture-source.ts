import { THUMBNAIL_SIZE_NAMES, THUMBNAIL_SIZES, type ThumbnailSize } from '../../../src/domain/thumbnail-size.ts'

/** The same thumbnail in another width. Any other picture's address comes back unchanged. */
export const thumbnailAt = (url: string, size: ThumbnailSize): string => {
  const parsed = new URL(url, document.baseURI)
  if (!parsed.pathname.endsWith('/api/thumbnails')) return url
  parsed.searchParams.set('size', size)
  return parsed.pathname + parsed.search
}

/** All widths of a thumbnail for `srcset`; undefined for artwork, which has one width. */
export const thumbnailSrcset = (url: string): string | undefined => {
  const parsed = new URL(url, document.baseURI)
  if (!parsed.pathname.endsWith('/api/thumbnails')) return undefined
  const widths = THUMBNAIL_SIZE_NAMES.map((size) => {
    parsed.searchParams.set('size', size)
    return `${parsed.pathname}${parsed.search} ${THUMBNAIL_SIZES[size]}w`
  })
  return widths.join(', ')
}

/** A picture that is a tenth too narrow looks no worse, and the next wider one is four times as large. */
const NEAR_ENOUGH = 0.9

/** `sizes` of a picture that is this many CSS pixels wide. */
export const sizesOf = (width: number): string => `${Math.ceil(width * NEAR_ENOUGH)}px`
