import { THUMBNAIL_SIZE_NAMES, THUMBNAIL_SIZES, type ThumbnailSize } from '../../../src/domain/thumbnail-size.ts'

/** The same thumbnail in another width. Any other picture's address comes back unchanged. */
export const thumbnailAt = (url: string, size: ThumbnailSize): string => {
  const parsed = new URL(url, document.baseURI)
  if (!parsed.pathname.endsWith('/api/thumbnails')) return url
  parsed.searchParams.set('size', size)
  return parsed.pathname + parsed.search
}

/** All widths of a thumbnail for `srcset`; undefined for artwork, which has one width. */
export const thumbnailSrcset = (url: string): string | undefined =>
  new URL(url, document.baseURI).pathname.endsWith('/api/thumbnails')
    ? THUMBNAIL_SIZE_NAMES.map((size) => `${thumbnailAt(url, size)} ${THUMBNAIL_SIZES[size]}w`).join(', ')
    : undefined
