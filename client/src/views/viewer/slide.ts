import type { MediaKind } from '../../../../src/domain/item-type.ts'
import { downloadUrl, fileUrl } from '../../api/files.ts'
import type { BrowseEntry } from '../../api/types.ts'
import { t } from '../../i18n/details.ts'
import { formatBytes, formatClock } from '../../primitives/format.ts'
import { thumbnailAt } from '../../primitives/picture-source.ts'

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
  durationSeconds: number | null
}

/** Picture formats that every browser decodes by itself; any other is shown as its thumbnail. */
const WEB_PICTURES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/apng', 'image/bmp'])

/** Above this many bytes a picture's large thumbnail stands in for the original. */
const MAX_ORIGINAL_BYTES = 25_000_000

const pictureUrl = (entry: BrowseEntry): string => {
  const isPlain = WEB_PICTURES.has(entry.mimeType ?? '') && (entry.size ?? 0) <= MAX_ORIGINAL_BYTES
  return isPlain || entry.thumbnailUrl === null ? fileUrl(entry.itemKey) : thumbnailAt(entry.thumbnailUrl, 'large')
}

export const slideOf = (entry: BrowseEntry): Slide => {
  const kind = entry.mediaKind ?? 'other'
  return {
    key: entry.itemKey,
    title: entry.title,
    kind,
    url: kind === 'image' ? pictureUrl(entry) : fileUrl(entry.itemKey),
    fallbackUrl: entry.thumbnailUrl && thumbnailAt(entry.thumbnailUrl, 'large'),
    thumbhash: entry.thumbhash,
    downloadUrl: downloadUrl(entry.itemKey),
    durationSeconds: entry.durationSeconds,
    facts: [
      entry.width && entry.height ? t('viewer.pixels', entry.width, entry.height) : '',
      entry.durationSeconds ? formatClock(entry.durationSeconds) : '',
      entry.size === null ? '' : formatBytes(entry.size),
    ].filter((fact) => fact !== ''),
  }
}
