/**
 * What took another item's place: a better encode of a film or an episode, a volume that was packed or scanned anew. Its
 * bytes say nothing, but a series has one season or volume of a number, a season one episode, and a year one film of a title
 * (FEATURES.md, pain point 2). Nothing is decided where two could be meant, on either side.
 */

import type { ItemType } from '../domain/item-type.ts'
import { stemOf } from '../domain/media-file.ts'
import { nameBeforeYear, yearOfName } from '../domain/name-year.ts'
import { baseNameOf, folderOf } from '../domain/relative-path.ts'

/** What says which part of its series an item is. */
export interface SeriesPart {
  itemType: ItemType
  path: string
  seasonNumber: number | null
  episodeNumber: number | null
  episodeNumberEnd: number | null
  volumeNumber: number | null
  chapterNumber: number | null
  airedAt: string | null
}

export const SERIES_PART_COLUMNS = `season_number AS seasonNumber, episode_number AS episodeNumber, episode_number_end AS episodeNumberEnd,
  volume_number AS volumeNumber, chapter_number AS chapterNumber, aired_at AS airedAt`

/** What is told by its number in its series. */
export const PART_TYPES: readonly ItemType[] = ['tv_season', 'tv_episode', 'manga_volume']

/** Equal for folders that hold the same film, whatever its release is called; null where no year makes sure of it. */
export const filmOf = (path: string): string | null => {
  const name = baseNameOf(path)
  const words = nameBeforeYear(name)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words === '' ? null : `film ${words} ${yearOfName(name)}`
}

/** Below the folder of the series: a manga in several arcs may count the chapters of each from one. */
const folderInSeries = (path: string): string => folderOf(path).split('/').slice(1).join('/')

/** Equal for two of one series or season that are the same part of it, and for the same film; null for anything else. */
export const partOf = (item: SeriesPart): string | null => {
  if (item.itemType === 'movie') return filmOf(item.path)
  if (!PART_TYPES.includes(item.itemType)) return null
  if (item.itemType === 'tv_season') return item.seasonNumber === null ? null : `season ${item.seasonNumber}`
  if (item.episodeNumber !== null) return `${item.itemType} ${item.episodeNumber}-${item.episodeNumberEnd ?? item.episodeNumber}`
  if (item.itemType === 'tv_episode' && item.airedAt !== null) return `aired ${item.airedAt}`
  const number = item.volumeNumber !== null || item.chapterNumber !== null ? `${item.volumeNumber} ${item.chapterNumber}` : null
  return `${item.itemType} ${number ?? stemOf(baseNameOf(item.path)).toLowerCase()} in ${folderInSeries(item.path)}`
}

/** Null for what has no place that another could take. */
export const placeOf = (item: SeriesPart, parentId: number | null): string | null => {
  const part = partOf(item)
  if (part === null || item.itemType === 'movie') return part
  return parentId === null ? null : `${parentId} ${part}`
}

interface Placed {
  place: string | null
}

const byPlace = <Item extends Placed>(items: Iterable<Item>): Map<string, Item[]> => {
  const groups = Map.groupBy(items, ({ place }) => place ?? '')
  groups.delete('')
  return groups
}

/** Which new one stands where a gone one stood, and is the only one that does. */
export const pairSuccessors = <New extends Placed, Gone extends Placed>(found: Iterable<New>, gone: Iterable<Gone>): [New, Gone][] => {
  const goneByPlace = byPlace(gone)
  return [...byPlace(found)].flatMap(([place, [successor, ...others]]): [New, Gone][] => {
    const [before, ...othersBefore] = goneByPlace.get(place) ?? []
    return successor && before && others.length === 0 && othersBefore.length === 0 ? [[successor, before]] : []
  })
}
