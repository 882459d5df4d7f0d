/**
 * What took another item's place: a better encode of a film or an episode, a volume that was packed or scanned anew, a newer
 * version of a game. Its bytes say nothing, but a series has one season or volume of a number, a season one episode, a year
 * one film or series of a title, and a folder one game of a name (FEATURES.md, pain point 2). Nothing is decided where two
 * could be meant, on either side.
 *
 * `S01E02` says which episode it is, whatever else is in the name. Any other number counts in its folder and behind its words
 * alone: `Show II - 01`, `Show Annual 01` and `Disc 2/01` are not what `Show - 01` and `Disc 1/01` were.
 */

import { createEpisodeReader } from '../domain/episode-name.ts'
import { isBonusDisc, isExtraByWords, isExtrasOfSeason } from '../domain/extra-name.ts'
import { parseGameName } from '../domain/game-name.ts'
import { type ItemType, isContainer } from '../domain/item-type.ts'
import { isMarked } from '../domain/manga-name.ts'
import { stemOf } from '../domain/media-file.ts'
import { bracketedYearOf, nameBeforeYear, yearOfName } from '../domain/name-year.ts'
import { hasNumber, partWords, titlesAgree } from '../domain/part-name.ts'
import { baseNameOf, folderOf } from '../domain/relative-path.ts'
import { parseSeasonName, seriesPrefix } from '../domain/season-name.ts'

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

/** What is told by the name of its folder: its title, and the year of a film or a series. */
export const WHOLE_TYPES: readonly ItemType[] = ['movie', 'game', 'tv_series', 'manga_series']

/** Series, then seasons, then what has a file: what is above is settled first. */
export const LEVELS = [0, 1, 2] as const
export const levelOf = (type: ItemType): (typeof LEVELS)[number] => (type === 'tv_season' ? 1 : isContainer(type) ? 0 : 2)

const wordsOf = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * Equal for folders that hold the same film, whatever its release is called; null where no year makes sure of it, and for
 * what goes with a film in a folder of its own: `Alien (1979) Making of`.
 */
export const filmOf = (path: string): string | null => {
  const name = baseNameOf(path)
  const before = nameBeforeYear(name)
  const words = wordsOf(before)
  if (words === '') return null
  const [year, ...more] = wordsOf(name.slice(before.length)).split(' ')
  const behind = more.join(' ')
  return isExtraByWords(behind) || isBonusDisc(behind) ? null : `film ${words} ${year}`
}

/** The same for games beside each other, whatever version they are. */
const gameOf = (path: string): string | null => {
  const { words } = parseGameName(baseNameOf(path))
  return words === '' ? null : `game ${words} in ${folderOf(path)}`
}

/** Equal for folders with the same film or game; null for anything else. */
export const namedOf = ({ itemType, path }: Pick<SeriesPart, 'itemType' | 'path'>): string | null => {
  if (itemType === 'movie') return filmOf(path)
  return itemType === 'game' ? gameOf(path) : null
}

/** What goes with a series, and is another one with its title and year: `Show (2002) OVA`. */
const BESIDE_SERIES =
  /(?<![\p{L}\p{N}])(?:ova|oad|oav|ona|movie|film|special|extra|recap|short|spin[ ._-]?off|side[ ._-]?stor(?:y|ie)|gaiden|colou?r(?:ed)?)s?(?![\p{L}\p{N}])/iu

/** The same for a series. */
const wholeSeriesOf = (path: string): string | null => {
  const before = nameBeforeYear(path)
  const words = wordsOf(before)
  const beside = BESIDE_SERIES.exec(path.slice(before.length))?.[0].toLowerCase() ?? ''
  return words === '' ? null : `series ${words} ${yearOfName(path)} ${beside}`
}

/** Unequal for films, games and series that are others for certain; null for what is none of them. */
export const titleOfWhole = ({ itemType, path }: Pick<SeriesPart, 'itemType' | 'path'>): string | null => {
  if (itemType === 'movie' || itemType === 'game') return namedOf({ itemType, path })
  return WHOLE_TYPES.includes(itemType) ? wordsOf(nameBeforeYear(path)) || wordsOf(path) || null : null
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

/** What stands in brackets behind a title: `[Digital]`, `(Complete) [Group]`. */
const BEHIND_TITLE = /(?<=.)(?:[\s._]*[[(（【][^\])）】]*[\])）】])+$/u

/** As the name of the part begins, which need not tell the release that the folder tells. */
const seriesNameIn = (item: SeriesPart): string => {
  const series = seriesOf(item.path)
  const begins = [series, series.replace(BEHIND_TITLE, '')].find((name) => seriesPrefix(name)?.test(nameOf(item)))
  return begins ?? (nameBeforeYear(series) || series)
}

/** `S01E02`, `1x02`; but `102` is said to be this by nothing. */
const saysSeason = (item: SeriesPart): boolean => {
  const { seasonNumber, episodeNumber, either } = createEpisodeReader(seriesOf(item.path))(nameOf(item), null)
  return seasonNumber !== null && episodeNumber !== null && either === undefined && hasNumber(nameOf(item), episodeNumber)
}

const partOfEpisode = (item: SeriesPart, number: number): string => {
  const part = `episode ${item.sortNumber ?? number}-${item.episodeNumberEnd ?? number}`
  if (saysSeason(item)) return part
  const { count } = partWords(nameOf(item), seriesNameIn(item), number)
  return [part, count, folderInSeason(item.path)].filter(Boolean).join(' in ')
}

const partOfSeason = ({ path, seasonNumber }: SeriesPart): string | null => {
  const kind = isExtrasOfSeason(baseNameOf(path)) ? 'extras of season' : 'season'
  return seasonNumber === null ? null : `${kind} ${seasonNumber}`
}

const partOfVolume = (item: SeriesPart): string => {
  const number = item.volumeNumber ?? item.chapterNumber
  const count = number === null ? nameOf(item).toLowerCase() : partWords(nameOf(item), seriesNameIn(item), number).count
  return `volume ${item.volumeNumber} ${item.chapterNumber} ${count} in ${folderInSeries(item.path)}`
}

/** Equal for two of one series or season that are the same part of it, and for the same film, game or series; null for anything else. */
export const partOf = (item: SeriesPart): string | null => {
  if (WHOLE_TYPES.includes(item.itemType)) return namedOf(item) ?? (isContainer(item.itemType) ? wholeSeriesOf(item.path) : null)
  if (item.itemType === 'tv_season') return partOfSeason(item)
  if (item.itemType === 'manga_volume') return partOfVolume(item)
  if (item.itemType !== 'tv_episode') return null
  if (item.episodeNumber !== null) return partOfEpisode(item, item.episodeNumber)
  return item.airedAt === null ? `episode ${nameOf(item).toLowerCase()} in ${folderInSeries(item.path)}` : `aired ${item.airedAt}`
}

const numberOf = (item: SeriesPart): number | null =>
  item.itemType === 'tv_episode' ? item.episodeNumber : (item.volumeNumber ?? item.chapterNumber)

/** `S01E`, `1x`, and what stands before. */
const SEASON_OF_EPISODE = /^.*?(?:(?<![\p{L}\d])s\d{1,4}[\s._-]*e|(?<!\d)\d{1,2}x)(?=\d)/iu

/** What a part is called; nothing where it has no number. */
const titleOf = (item: SeriesPart): string => {
  const number = numberOf(item)
  return number === null ? '' : partWords(nameOf(item).replace(SEASON_OF_EPISODE, ''), seriesNameIn(item), number).title
}

const gameYearOf = ({ itemType, path }: SeriesPart): number | null => (itemType === 'game' ? parseGameName(baseNameOf(path)).year : null)

/** Whether the one came as the other went. */
interface Coming {
  isAtOnce: boolean
}

/** Of two games of one name, one may do without its year where it came as the other went; where both stood, it tells a remake. */
const yearsAgree = (item: SeriesPart, gone: SeriesPart, { isAtOnce }: Coming): boolean => {
  const [year, before] = [gameYearOf(item), gameYearOf(gone)]
  return year === before || (isAtOnce && (year === null || before === null))
}

/** Whether the number of a part makes sure of it, whatever it is called. */
const isSure = (item: SeriesPart): boolean => (item.itemType === 'tv_episode' ? saysSeason(item) : isMarked(nameOf(item)))

const mayFollow = (item: SeriesPart, gone: SeriesPart, coming: Coming): boolean => {
  const [title, before] = [item, gone].map((one) => (numberOf(one) === null || isSure(one) ? '' : titleOf(one)))
  return titlesAgree(title ?? '', before ?? '') && yearsAgree(item, gone, coming)
}

/** Null for what has no place that another could take. */
export const placeOf = (item: SeriesPart, parentId: number | null): string | null => {
  const part = partOf(item)
  if (part === null || WHOLE_TYPES.includes(item.itemType)) return part
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
export const pairSuccessors = <New extends Placed, Gone extends Placed>(
  found: Iterable<New>,
  gone: Iterable<Gone>,
  coming: Coming,
): [New, Gone][] => {
  const goneByPlace = byPlace(gone)
  return [...byPlace(found)].flatMap(([place, [successor, ...others]]): [New, Gone][] => {
    const [before, ...othersBefore] = goneByPlace.get(place) ?? []
    const isOnly = others.length === 0 && othersBefore.length === 0
    return successor && before && isOnly && mayFollow(successor.part, before.part, coming) ? [[successor, before]] : []
  })
}

const numbersOf = (item: SeriesPart): string =>
  item.itemType === 'tv_episode' ? `${item.seasonNumber} ${item.episodeNumber}` : `${item.volumeNumber} ${item.chapterNumber}`

/** `v01`, or an episode; but `Batman 001` is in every series of that title. */
const isCounted = (item: SeriesPart): boolean => numberOf(item) !== null && (item.itemType === 'tv_episode' || isMarked(nameOf(item)))

/** Whether most of the numbers of one series are those of the other as well, under no other titles. */
const shareParts = (found: readonly SeriesPart[], gone: readonly SeriesPart[]): boolean => {
  const byNumbers = Map.groupBy(found.filter(isCounted), numbersOf)
  const before = gone.filter(isCounted)
  const again = before.filter((item) => byNumbers.get(numbersOf(item))?.some((one) => titlesAgree(titleOf(one), titleOf(item))))
  return again.length * 2 > before.length
}

interface WholeSeries extends Placed {
  parts: readonly SeriesPart[]
}

/**
 * Which new series is a gone one that has got a year, or has it no longer: `Show` and `Show (2002)`, but a remake is called like
 * that, too. So they have most numbers in common, and `isOnly` says that the library knows no third one of the title.
 */
export const pairDated = <New extends WholeSeries, Gone extends WholeSeries>(
  found: readonly New[],
  gone: readonly Gone[],
  isOnly: (title: string, paths: readonly string[]) => boolean,
): [New, Gone][] => {
  const titled = <Whole extends WholeSeries>(wholes: readonly Whole[]) =>
    wholes.map((whole) => ({ whole, part: whole.part, place: titleOfWhole(whole.part) }))
  const isDated = ({ path }: SeriesPart): boolean => bracketedYearOf(path) !== null
  const isUndated = ({ path }: SeriesPart): boolean => yearOfName(path) === null
  return pairSuccessors(titled(found), titled(gone), { isAtOnce: true }).flatMap(([to, from]): [New, Gone][] => {
    const isOfOne = (isDated(to.part) && isUndated(from.part)) || (isUndated(to.part) && isDated(from.part))
    const isSame = isOfOne && isOnly(to.place ?? '', [to.part.path, from.part.path]) && shareParts(to.whole.parts, from.whole.parts)
    return isSame ? [[to.whole, from.whole]] : []
  })
}
