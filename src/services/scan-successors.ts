/**
 * What took another item's place in its series: a better encode of an episode, a volume that was packed or scanned anew.
 * Its bytes and its name say nothing, but a season has one episode of a number and a series one volume (FEATURES.md, pain
 * point 2). Nothing is decided where two could be meant, on either side.
 */

import type { ItemType } from '../domain/item-type.ts'
import { stemOf } from '../domain/media-file.ts'
import { baseNameOf } from '../domain/relative-path.ts'

/** What says which part of its series an item is. */
export interface SeriesPart {
  itemType: ItemType
  path: string
  episodeNumber: number | null
  episodeNumberEnd: number | null
  volumeNumber: number | null
  chapterNumber: number | null
  airedAt: string | null
}

export const SERIES_PART_COLUMNS = `episode_number AS episodeNumber, episode_number_end AS episodeNumberEnd,
  volume_number AS volumeNumber, chapter_number AS chapterNumber, aired_at AS airedAt`

export const PART_TYPES: readonly ItemType[] = ['tv_episode', 'manga_volume']

/** Equal for two of one season, or of one manga, that are the same part of it; null for what is no part of a series. */
export const partOf = (item: SeriesPart): string | null => {
  if (!PART_TYPES.includes(item.itemType)) return null
  if (item.episodeNumber !== null) return `${item.itemType} ${item.episodeNumber}-${item.episodeNumberEnd ?? item.episodeNumber}`
  if (item.itemType === 'tv_episode' && item.airedAt !== null) return `aired ${item.airedAt}`
  if (item.volumeNumber !== null || item.chapterNumber !== null) return `volume ${item.volumeNumber} ${item.chapterNumber}`
  return `${item.itemType} ${stemOf(baseNameOf(item.path)).toLowerCase()}`
}

interface Placed {
  parentId: number | null
  part: string | null
}

const byPlace = <Item extends Placed>(items: Iterable<Item>): Map<string, Item[]> => {
  const placed = [...items].filter(({ parentId, part }) => parentId !== null && part !== null)
  return Map.groupBy(placed, ({ parentId, part }) => `${parentId} ${part}`)
}

/** Which new one stands where a gone one stood, and is the only one that does. */
export const pairSuccessors = <New extends Placed, Gone extends Placed>(found: Iterable<New>, gone: Iterable<Gone>): [New, Gone][] => {
  const goneByPlace = byPlace(gone)
  return [...byPlace(found)].flatMap(([place, [successor, ...others]]): [New, Gone][] => {
    const [before, ...othersBefore] = goneByPlace.get(place) ?? []
    return successor && before && others.length === 0 && othersBefore.length === 0 ? [[successor, before]] : []
  })
}
