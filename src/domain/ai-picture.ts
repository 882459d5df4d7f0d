/** Which pictures stand for an item when a model looks at it, and when its text is read (API.md, 9). */

import type { AiActivity } from './ai-activity.ts'
import type { ItemType } from './item-type.ts'
import type { ScannedArtwork } from './scanned-item.ts'

/** Where pictures come from: a picture, some frames of a video, every page of a volume, or the page that is its cover. */
export interface AiPictureSource {
  kind: 'image' | 'video' | 'pages' | 'cover'
  /** Relative to the library root. */
  path: string
}

interface PicturedItem {
  itemType: ItemType
  path: string
  artwork: ScannedArtwork[] | null
  thumbnailKind: 'image' | 'video' | 'pages' | null
  thumbnailPath: string | null
}

/** A model tells a game from its cover and a few screenshots; each further one costs tokens. */
const MAX_SCREENSHOTS_SHOWN = 3

const ofKind = ({ artwork }: PicturedItem, ...kinds: ScannedArtwork['kind'][]): AiPictureSource[] =>
  artwork === null || artwork.length === 0
    ? []
    : kinds.flatMap((kind) => artwork.filter((picture) => picture.kind === kind)).map(({ path }) => ({ kind: 'image', path }))

const ofThumbnail = ({ thumbnailKind, thumbnailPath }: PicturedItem): AiPictureSource[] => {
  if (thumbnailKind === null || thumbnailPath === null) return []
  return [{ kind: thumbnailKind === 'pages' ? 'cover' : thumbnailKind, path: thumbnailPath }]
}

const ofGame = (item: PicturedItem): AiPictureSource[] => {
  const [cover = ofKind(item, 'widecover')[0]] = ofKind(item, 'cover')
  return [...(cover ? [cover] : []), ...ofKind(item, 'screenshot')]
}

/**
 * In the order in which they are looked at; none for an item that has nothing to show. `extraction` reads every
 * screenshot and every page, the other activities look at what tells the item.
 */
export const aiPictures = (item: PicturedItem, activity: AiActivity): AiPictureSource[] => {
  const isRead = activity === 'extraction'
  if (item.itemType === 'game') {
    const pictures = ofGame(item)
    if (pictures.length > 0) return isRead ? pictures : pictures.slice(0, 1 + MAX_SCREENSHOTS_SHOWN)
  }
  if (item.itemType === 'manga_volume' && item.thumbnailKind === 'pages') return [{ kind: isRead ? 'pages' : 'cover', path: item.path }]
  const [poster] = ofKind(item, 'poster', 'cover', 'widecover')
  return poster && item.itemType !== 'tv_episode' && item.itemType !== 'mixed_file' ? [poster] : ofThumbnail(item)
}
