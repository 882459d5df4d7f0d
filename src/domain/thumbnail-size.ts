/** Thumbnail widths in pixels (API.md, 6). */
export const THUMBNAIL_SIZES = { small: 320, medium: 640, large: 1280 } as const
export type ThumbnailSize = keyof typeof THUMBNAIL_SIZES
export const THUMBNAIL_SIZE_NAMES = ['small', 'medium', 'large'] as const satisfies readonly ThumbnailSize[]
