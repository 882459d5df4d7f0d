import type { MediaKind } from '../../../../src/domain/item-type.ts'
import { THUMBNAIL_SIZE_NAMES, THUMBNAIL_SIZES } from '../../../../src/domain/thumbnail-size.ts'
import { downloadUrl, fileUrl } from '../../api/files.ts'
import type { BrowseEntry } from '../../api/types.ts'
import { t } from '../../i18n/viewers.ts'
import { formatBytes, formatClock } from '../../primitives/format.ts'
import { pictureAt } from '../../primitives/picture-source.ts'

/** One thing to look at in the viewer. */
export interface Slide {
  key: string
  title: string
  kind: MediaKind
  /** What an `img`, `video` or `audio` element loads. */
  url: string
  /** Shown where `url` cannot be decoded, and as a video's poster. */
  fallbackUrl: string | null
  thumbhash: string | null
  downloadUrl: string | null
  facts: string[]
  /** Since when the file has been gone; there is nothing of it to play or to download. */
  missingSince?: string | null
  durationSeconds: number | null
  /** Pixels; without them the picture is measured as it arrives. */
  width?: number | null
  height?: number | null
  /** The same picture in the widths that there are, the original last. */
  srcset?: string | undefined
  /** The small picture that the grid has loaded already. */
  smallUrl?: string | null
}

/** Picture formats that every browser decodes by itself; any other is shown as its thumbnail. */
const WEB_PICTURES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/apng', 'image/bmp'])
/** These may move, and their thumbnails do not. */
const MOVING_PICTURES = new Set(['image/gif', 'image/apng', 'image/webp', 'image/avif'])

/** Above this many bytes a picture's large thumbnail stands in for the original. */
const MAX_ORIGINAL_BYTES = 25_000_000

/** Lists leave out what is missing: only an item that was asked for by itself says so. */
type SlideEntry = BrowseEntry & { missingSince?: string | null }

const isGone = ({ missingSince }: SlideEntry): boolean => (missingSince ?? null) !== null

const isPlain = (entry: BrowseEntry): boolean => WEB_PICTURES.has(entry.mimeType ?? '') && (entry.size ?? 0) <= MAX_ORIGINAL_BYTES

const pictureUrl = (entry: SlideEntry): string =>
  entry.thumbnailUrl === null || (isPlain(entry) && !isGone(entry)) ? fileUrl(entry.itemKey) : pictureAt(entry.thumbnailUrl, 'large')

/** Thumbnails narrower than the picture, and the picture itself for whoever looks closer. */
const srcsetOf = (entry: SlideEntry): string | undefined => {
  const { thumbnailUrl, width } = entry
  if (thumbnailUrl === null || width === null || MOVING_PICTURES.has(entry.mimeType ?? '') || isGone(entry)) return undefined
  const smaller = THUMBNAIL_SIZE_NAMES.filter((size) => THUMBNAIL_SIZES[size] < width).map(
    (size) => `${pictureAt(thumbnailUrl, size)} ${THUMBNAIL_SIZES[size]}w`,
  )
  return [...smaller, ...(isPlain(entry) ? [`${fileUrl(entry.itemKey)} ${width}w`] : [])].join(', ')
}

/** Of a file that is gone only its thumbnails may be left. */
const kindOf = (entry: SlideEntry): MediaKind => {
  const kind = entry.mediaKind ?? 'other'
  return isGone(entry) && !(kind === 'image' && entry.thumbnailUrl) ? 'other' : kind
}

export const slideOf = (entry: SlideEntry): Slide => {
  const kind = kindOf(entry)
  return {
    key: entry.itemKey,
    title: entry.title,
    kind,
    url: kind === 'image' ? pictureUrl(entry) : fileUrl(entry.itemKey),
    fallbackUrl: entry.thumbnailUrl && pictureAt(entry.thumbnailUrl, 'large'),
    thumbhash: entry.thumbhash,
    downloadUrl: isGone(entry) ? null : downloadUrl(entry.itemKey),
    missingSince: entry.missingSince ?? null,
    durationSeconds: entry.durationSeconds,
    width: entry.width,
    height: entry.height,
    srcset: kind === 'image' ? srcsetOf(entry) : undefined,
    smallUrl: entry.thumbnailUrl,
    facts: [
      entry.width && entry.height ? t('lightbox.pixels', entry.width, entry.height) : '',
      entry.durationSeconds ? formatClock(entry.durationSeconds) : '',
      entry.size === null ? '' : formatBytes(entry.size),
    ].filter((fact) => fact !== ''),
  }
}
