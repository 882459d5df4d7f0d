/**
 * What took another item's place: a better encode of a film or an episode, a volume that was packed or scanned anew, a newer
 * version of a game. Its bytes say nothing, but a series has one season or volume of a number, a season one episode, a year
 * one film of a title, and a folder one game of a name (FEATURES.md, pain point 2). Nothing is decided where two could be meant, on either side.
 *
 * `S01E02` says which episode it is, whatever else is in the name. Any other number counts in its folder and behind its words
 * alone: `Show II - 01`, `Show Annual 01` and `Disc 2/01` are not what `Show - 01` and `Disc 1/01` were.
 */

import { createEpisodeReader } from '../domain/episode-name.ts'
import { isExtrasOfSeason } from '../domain/extra-name.ts'
import { parseGameName } from '../domain/game-name.ts'
import type { ItemType } from '../domain/item-type.ts'
import { isMarked } from '../domain/manga-name.ts'
import { stemOf } from '../domain/media-file.ts'
import { nameBeforeYear, yearOfName } from '../domain/name-year.ts'
import { hasNumber, partWords, titlesAgree } from '../domain/part-name.ts'
import { baseNameOf, folderOf } from '../domain/relative-path.ts'
import { parseSeasonName } from '../domain/season-name.ts'

/** What says which part of its series an item is. */
export interface SeriesPart {
  itemType: ItemType
  path: string
  seasonNumber: number | null
  episodeNumber: number | null
  episodeNumberEnd: number | null
  volumeNumber: number | null
  chapterNumber: number | null
  /** Tells halves apart. */
  sortNumber: number | null
  airedAt: string | null
}

export const SERIES_PART_COLUMNS = `season_number AS seasonNumber, episode_number AS episodeNumber, episode_number_end AS episodeNumberEnd,
  volume_number AS volumeNumber, chapter_number AS chapterNumber, sort_number AS sortNumber, aired_at AS airedAt`

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

const gameOf = (path: string): string | null => {
  const { words } = parseGameName(baseNameOf(path))
  return words === '' ? null : `game ${words} in ${folderOf(path)}`
}

/** What is told by the name of its folder. */
export const isToldByName = (itemType: ItemType): boolean => itemType === 'movie' || itemType === 'game'

/** Equal for folders with the same film, and for those beside each other with the same game; null for anything else. */
export const namedOf = ({ itemType, path }: Pick<SeriesPart, 'itemType' | 'path'>): string | null => {
  if (itemType === 'movie') return filmOf(path)
  return itemType === 'game' ? gameOf(path) : null
}

const seriesOf = (path: string): string => path.split('/', 1)[0] ?? ''

/** Below the folder of the series: a manga in several arcs may count the chapters of each from one. */
const folderInSeries = (path: string): string => folderOf(path).split('/').slice(1).join('/')

/** Below the folder of the season, which may be called anew with all that is in it. `Season 1 Bonus` holds no part of season 1. */
const folderInSeason = (path: string): string =>
  folderInSeries(path)
    .split('/')
    .filter((folder) => folder !== '' && (isExtrasOfSeason(folder) || parseSeasonName(folder, seriesOf(path)) === null))
    .join('/')

const nameOf = ({ path }: SeriesPart): string => stemOf(baseNameOf(path))

/** `S01E02`, `1x02`; but `102` is said to be this by nothing. */
const saysSeason = (item: SeriesPart): boolean => {
  const { seasonNumber, episodeNumber, either } = createEpisodeReader(seriesOf(item.path))(nameOf(item), null)
  return seasonNumber !== null && episodeNumber !== null && either === undefined && hasNumber(nameOf(item), episodeNumber)
}

const partOfEpisode = (item: SeriesPart, number: number): string => {
  const part = `episode ${item.sortNumber ?? number}-${item.episodeNumberEnd ?? number}`
  if (saysSeason(item)) return part
  const { count } = partWords(nameOf(item), seriesOf(item.path), number)
  return [part, count, folderInSeason(item.path)].filter(Boolean).join(' in ')
}

const partOfSeason = ({ path, seasonNumber }: SeriesPart): string | null => {
  const kind = isExtrasOfSeason(baseNameOf(path)) ? 'extras of season' : 'season'
  return seasonNumber === null ? null : `${kind} ${seasonNumber}`
}

const partOfVolume = (item: SeriesPart): string => {
  const number = item.volumeNumber ?? item.chapterNumber
  const count = number === null ? nameOf(item).toLowerCase() : partWords(nameOf(item), seriesOf(item.path), number).count
  return `volume ${item.volumeNumber} ${item.chapterNumber} ${count} in ${folderInSeries(item.path)}`
}

/** Equal for two of one series or season that are the same part of it, and for the same film or game; null for anything else. */
export const partOf = (item: SeriesPart): string | null => {
  if (isToldByName(item.itemType)) return namedOf(item)
  if (item.itemType === 'tv_season') return partOfSeason(item)
  if (item.itemType === 'manga_volume') return partOfVolume(item)
  if (item.itemType !== 'tv_episode') return null
  if (item.episodeNumber !== null) return partOfEpisode(item, item.episodeNumber)
  return item.airedAt === null ? `episode ${nameOf(item).toLowerCase()} in ${folderInSeries(item.path)}` : `aired ${item.airedAt}`
}

/** What a part is called whose number alone does not make sure of it. */
const titleOf = (item: SeriesPart): string => {
  const number = item.itemType === 'tv_episode' ? item.episodeNumber : (item.volumeNumber ?? item.chapterNumber)
  const isSure = number === null || (item.itemType === 'tv_episode' ? saysSeason(item) : isMarked(nameOf(item)))
  return isSure ? '' : partWords(nameOf(item), seriesOf(item.path), number).title
}

const gameYearOf = ({ itemType, path }: SeriesPart): number | null => (itemType === 'game' ? parseGameName(baseNameOf(path)).year : null)

/** Of two games of one name, one may do without its year. */
const yearsAgree = (item: SeriesPart, gone: SeriesPart): boolean => {
  const [year, before] = [gameYearOf(item), gameYearOf(gone)]
  return year === null || before === null || year === before
}

const mayFollow = (item: SeriesPart, gone: SeriesPart): boolean => titlesAgree(titleOf(item), titleOf(gone)) && yearsAgree(item, gone)

/** Null for what has no place that another could take. */
export const placeOf = (item: SeriesPart, parentId: number | null): string | null => {
  const part = partOf(item)
  if (part === null || isToldByName(item.itemType)) return part
  return parentId === null ? null : `${parentId} ${part}`
}

interface Placed {
  place: string | null
  part: SeriesPart
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
    const isOnly = others.length === 0 && othersBefore.length === 0
    return successor && before && isOnly && mayFollow(successor.part, before.part) ? [[successor, before]] : []
  })
}
