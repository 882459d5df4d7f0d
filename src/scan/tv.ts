/**
 * A top-level folder of a TV library as a series with its seasons and episodes.
 * The numbers come from the episode's file name where it tells them and from the season's folder otherwise (Kodi: "from
 * the file name in all cases"), but what lies in the folder of specials is a special. Seasons exist where episodes are.
 */

import { isBeyondSeason, readingOf } from '../domain/counted-through.ts'
import { episodeTitle, isDvdVideo } from '../domain/dvd-name.ts'
import { createEpisodeReader, type EpisodeName, UNNUMBERED } from '../domain/episode-name.ts'
import { findExtraName, isExtrasFolder } from '../domain/extra-name.ts'
import { flatSeasonPath } from '../domain/item-key.ts'
import { isVideoName, mediaTypeOf, stemOf } from '../domain/media-file.ts'
import { findPartName } from '../domain/movie-file.ts'
import { bracketedYearOf } from '../domain/name-year.ts'
import { episodeNfoPaths, SERIES_NFO_PATHS } from '../domain/nfo-name.ts'
import {
  BACKDROP_NAMES,
  ownPosterNames,
  POSTER_NAMES,
  SERIES_POSTER_NAMES,
  seasonBackdropNames,
  seasonPosterNames,
} from '../domain/picture-name.ts'
import { baseNameOf } from '../domain/relative-path.ts'
import type { ScannedFile, ScannedItem } from '../domain/scanned-item.ts'
import { parseSeasonName } from '../domain/season-name.ts'
import { dvdEpisodesOf } from './dvd.ts'
import { identityOf } from './entry-hash.ts'
import { extrasOf } from './extras.ts'
import { type FileEntry, type FolderEntry, filesBelow, type Warn } from './folder-tree.ts'
import { artworkOf, findFile, findPicture, newItem, nfoOf, sumOfSizes, thumbnailOf } from './item.ts'
import { groupParts } from './movie-releases.ts'

/** Where an episode lies below the series' folder. */
interface Surroundings {
  folder: FolderEntry
  /** The season that the folder's name tells; null for any other folder. */
  number: number | null
}

interface Episode {
  file: FileEntry
  /** What is played after the file: the pieces of a DVD, the other parts. */
  further: FileEntry[]
  siblings: FileEntry[]
  name: EpisodeName
  /** Null directly in the series' folder. */
  around: Surroundings | null
}

interface Season {
  path: string
  title: string
  number: number | null
  folder: FolderEntry | null
  episodes: Episode[]
}

const SPECIALS = 0

/** `S01E04 - The Trailer`: words between the number and the last one, so that it ends the episode's title. */
const TITLE_WITH_EXTRA_WORD = /\d[\s\-–]+\p{L}.*\s(?:trailer|sample)$/iu

/** `05 - Free Sample`, `Show - 06 - The Job-Interview`: a number without its season, and a title. */
const NUMBER_AND_TITLE = /(?:^|\s[-–]\s)\d{1,4}\s[-–]\s\p{L}/u

/**
 * Extras by name. Words like "-interview" may end an episode's title too, so they count only beside the episode that
 * they belong to, or in a name without numbers. `siblings`: the stems of what lies in the folder, in lower case.
 */
const isExtra = (file: FileEntry, name: EpisodeName, siblings: ReadonlySet<string>): boolean => {
  const stem = stemOf(file.name)
  const extra = findExtraName(stem)
  if (!extra) return false
  const isEpisode = name.airedAt !== null || (name.episodeNumber !== null && (name.seasonNumber !== null || NUMBER_AND_TITLE.test(stem)))
  if (!isEpisode) return true
  if (/^(?:Trailer|Sample)/.test(extra.label) && !TITLE_WITH_EXTRA_WORD.test(stem)) return true
  return siblings.has(extra.owner.toLowerCase())
}

/** Whether a name says by itself which episode of the series it is. */
const isEpisodeName = ({ seasonNumber, episodeNumber, airedAt }: EpisodeName): boolean =>
  airedAt !== null || (seasonNumber !== null && episodeNumber !== null)

/** No season: what the reader then tells of one is in the name itself. */
const NO_SEASON = -1

/**
 * `Show.S02E07.1080p-GRP/pDdWWgcjZN5Y.mkv`: releases hide the name of the one file in their folder (Jellyfin #1758).
 * What the file's own name tells goes first. The folder of `Show.1101.1080p/Show.1101.mkv` is of this episode and no season.
 */
const withNameOfFolder = (episodes: readonly Episode[], folder: FolderEntry, read: ReturnType<typeof createEpisodeReader>): Episode[] => {
  const [only] = episodes
  if (!only || episodes.length > 1 || only.name.seasonNumber !== null || only.name.airedAt !== null) return [...episodes]
  const name = read(folder.name, NO_SEASON)
  if (isEpisodeName(name)) return [{ ...only, name }]
  const isOfEpisode = only.around?.number === null && isBeyondSeason(name) && name.episodeNumber === only.name.episodeNumber
  return [isOfEpisode ? { ...only, around: null } : only]
}

/** All in one folder, which is a season's or not. */
const withReading = (episodes: readonly Episode[], isSeason: boolean): Episode[] => {
  const reading = readingOf(
    episodes.map(({ name }) => name),
    isSeason,
  )
  return episodes.map((episode) => ({ ...episode, name: episode.name.either?.[reading] ?? episode.name }))
}

/**
 * `S02E03 Part 1` and `S02E03 Part 2` are one episode (Jellyfin's documentation of shows, "Multiple Parts"; its issues
 * #6493 and #8750). In `Show Part 1` the part is the episode's number.
 */
const withParts = (episodes: readonly Episode[], read: ReturnType<typeof createEpisodeReader>): Episode[] => {
  const groups = groupParts(episodes.map(({ file }) => file)).groups.map((group) => group.toSorted((a, b) => a.number - b.number))
  const groupOf = new Map(groups.flatMap((group) => group.map(({ file }) => [file, group])))
  return episodes.flatMap((episode) => {
    const group = groupOf.get(episode.file)
    const whole = group && read(findPartName(stemOf(episode.file.name))?.name.trim() ?? '', episode.around?.number ?? null)
    if (!group || !whole || (whole.episodeNumber === null && whole.airedAt === null)) return [episode]
    const [first, ...further] = group.map(({ file }) => file)
    return first === episode.file ? [{ ...episode, further }] : []
  })
}

/** One for each disc: what its menus and pieces are called tells nothing. */
const dvdEpisode = (folder: FolderEntry, around: Surroundings | null, read: ReturnType<typeof createEpisodeReader>): Episode[] => {
  const [file, ...further] = dvdEpisodesOf(folder.files)
  if (!file) return []
  const told = read(episodeTitle(file.path), NO_SEASON)
  // `Disc 2` says which disc it is, and not which episode.
  return [{ file, further, siblings: folder.files, name: isEpisodeName(told) ? told : UNNUMBERED, around }]
}

const collectEpisodes = (series: FolderEntry): Episode[] => {
  const read = createEpisodeReader(series.name)
  const visit = (folder: FolderEntry, around: Surroundings | null): Episode[] => {
    const dvd = dvdEpisode(folder, around, read)
    const siblings = new Set(folder.files.map(({ name }) => stemOf(name).toLowerCase()))
    const found = folder.files
      .filter((file) => isVideoName(file.name) && (dvd.length === 0 || !isDvdVideo(file.name)))
      .map((file) => ({ file, further: [], siblings: folder.files, name: read(stemOf(file.name), around?.number ?? null), around }))
      .filter((episode) => !isExtra(episode.file, episode.name, siblings))
    // `Season 2 - 2011` and `Season 20 - 351 Bearings` (Jellyfin #13197) name a season and no episode of it.
    const isSeason = around?.folder === folder && around.number !== null
    const whole = withParts(withReading(found, around !== null && around.number !== null), read)
    const own = folder === series || isSeason ? whole : withNameOfFolder(whole, folder, read)
    const nested = folder.folders
      .filter((child) => !isExtrasFolder(child.name))
      // `Season 1/Disc 1` is still season 1; below any other folder there may be seasons yet.
      .flatMap((child) =>
        visit(child, around?.number == null ? { folder: child, number: parseSeasonName(child.name, series.name) } : around),
      )
    return [...own, ...dvd, ...nested]
  }
  return visit(series, null)
}

/** The season that an episode belongs to; null for one in a folder that is no season, whose name tells nothing either. */
const seasonNumberOf = ({ name, around }: Episode): number | null => {
  if (around?.number === SPECIALS) return SPECIALS
  if (name.seasonNumber !== null) return name.seasonNumber
  // Without season folders dated episodes go by year, and in a flat series all others are the first season (Jellyfin).
  const year = name.airedAt === null ? null : Number(name.airedAt.slice(0, 4))
  return around ? (around.number ?? year) : (year ?? 1)
}

const titleOfFlatSeason = (number: number): string => (number === SPECIALS ? 'Specials' : `Season ${number}`)

/** A folder whose own name is that of an episode holds one episode, not a season. */
const isSeasonLike = (folder: FolderEntry, seriesName: string): boolean =>
  !isEpisodeName(createEpisodeReader(seriesName)(folder.name, null))

/**
 * `Book 1 - Water/S01E01.mkv`: a folder that is no season by name is one if all of a season's episodes lie in it, and
 * no other season's.
 */
const findAdopted = (episodes: readonly Episode[], seriesName: string): Map<number, FolderEntry> => {
  const homes = new Map<number, Set<FolderEntry | null>>()
  const numbers = new Map<FolderEntry, Set<number | null>>()
  for (const episode of episodes) {
    const number = seasonNumberOf(episode)
    const folder = episode.around?.folder ?? null
    if (number !== null) homes.set(number, (homes.get(number) ?? new Set()).add(folder))
    if (folder) numbers.set(folder, (numbers.get(folder) ?? new Set()).add(number))
  }
  return new Map(
    [...homes].flatMap(([number, [folder, ...others]]) => {
      const isOnlyHome = folder && others.length === 0 && numbers.get(folder)?.size === 1
      return isOnlyHome && isSeasonLike(folder, seriesName) ? [[number, folder] as const] : []
    }),
  )
}

const groupSeasons = (series: FolderEntry, episodes: readonly Episode[]): Season[] => {
  const folderOf = new Map<number, FolderEntry>()
  for (const { around } of episodes) {
    if (around && around.number !== null && !folderOf.has(around.number)) folderOf.set(around.number, around.folder)
  }
  const adopted = findAdopted(episodes, series.name)
  const folderOfSeason = (number: number | null, around: Surroundings | null): FolderEntry | null => {
    if (around && around.number === number) return around.folder
    return number === null ? null : (folderOf.get(number) ?? adopted.get(number) ?? null)
  }
  const seasons = new Map<string, Season>()
  for (const episode of episodes) {
    const number = seasonNumberOf(episode)
    const { around } = episode
    const folder = folderOfSeason(number, around)
    const path = folder ? folder.path : flatSeasonPath(series.path, number ?? 1)
    const known = seasons.get(path)
    if (known) known.episodes.push(episode)
    else seasons.set(path, { path, title: folder ? folder.name : titleOfFlatSeason(number ?? 1), number, folder, episodes: [episode] })
  }
  return [...seasons.values()]
}

const ownPictureOf = ({ file, siblings }: Episode): FileEntry | undefined => findPicture(siblings, ownPosterNames(stemOf(file.name)))

const thumbnailOfEpisode = (episode: Episode): ScannedItem['thumbnail'] => {
  const picture = ownPictureOf(episode)
  return picture ? thumbnailOf('image', picture) : thumbnailOf('video', episode.file)
}

/** Of a season or a series: its own picture, or else that of its first episode. */
const thumbnailOfGroup = (picture: FileEntry | undefined, first: Episode | undefined): ScannedItem['thumbnail'] => {
  if (picture) return thumbnailOf('image', picture)
  return first ? thumbnailOfEpisode(first) : null
}

const episodeItem = (episode: Episode, season: Season): ScannedItem => {
  const { file, further, siblings, name } = episode
  const partLabel = (number: number) => (further.length > 0 ? `Part ${number}` : null)
  return newItem({
    itemType: 'tv_episode',
    path: file.path,
    parentPath: season.path,
    title: episodeTitle(file.path),
    seasonNumber: season.number,
    episodeNumber: name.episodeNumber,
    episodeNumberEnd: name.episodeNumberEnd,
    sortNumber: name.sortNumber,
    airedAt: name.airedAt,
    mediaKind: 'video',
    mimeType: mediaTypeOf(file.name).mimeType,
    size: sumOfSizes([file, ...further]),
    modifiedAt: Math.floor(file.mtimeMs),
    identity: identityOf(file),
    files: [
      { name: file.name, size: file.size, role: 'main', label: partLabel(1) },
      ...further.map(({ name: piece, size }, index) => ({ name: piece, size, role: 'part' as const, label: partLabel(index + 2) })),
    ],
    artwork: artworkOf('poster', ownPictureOf(episode)),
    thumbnail: thumbnailOfEpisode(episode),
    mainFile: file.path,
    nfo: nfoOf(findFile(siblings, episodeNfoPaths(file.name))),
  })
}

const posterOfSeries = (series: FolderEntry): FileEntry | undefined => findPicture(series.files, SERIES_POSTER_NAMES)

const seasonItem = (season: Season, series: FolderEntry): ScannedItem => {
  const { number, folder } = season
  const [first] = season.episodes
  const [posterNames, backdropNames] = number === null ? [[], []] : [seasonPosterNames(number), seasonBackdropNames(number)]
  const files = folder?.files ?? []
  const poster = findPicture(files, [...POSTER_NAMES, ...posterNames]) ?? findPicture(series.files, posterNames)
  const backdrop = findPicture(files, [...BACKDROP_NAMES, ...backdropNames]) ?? findPicture(series.files, backdropNames)
  const picture = poster ?? posterOfSeries(series)
  return newItem({
    itemType: 'tv_season',
    path: season.path,
    parentPath: series.path,
    title: season.title,
    seasonNumber: number,
    sortNumber: number,
    modifiedAt: Math.floor((folder ?? series).mtimeMs),
    identity: folder ? identityOf(folder) : null,
    artwork: [...artworkOf('poster', poster), ...artworkOf('backdrop', backdrop)],
    thumbnail: thumbnailOfGroup(picture, first),
  })
}

/** No series has so many; what lists them all at once must have an end. */
const MOST_EXTRAS = 500

/** Releases bring a sample for every episode: nobody looks for those. */
const isSample = ({ name, label }: ScannedFile): boolean => /^Sample(?: \d+)?$/.test(label ?? '') || /(?:^|\/)samples?\//i.test(name)

const seriesExtrasOf = (series: FolderEntry, seasons: readonly Season[]): ScannedFile[] => {
  const taken = seasons.flatMap(({ episodes }) => episodes.flatMap(({ file, further }) => [file, ...further]))
  return extrasOf(series, new Set(taken))
    .filter((extra) => !isDvdVideo(baseNameOf(extra.name)) && !isSample(extra))
    .slice(0, MOST_EXTRAS)
}

const seriesItem = (series: FolderEntry, seasons: readonly Season[]): ScannedItem => {
  const poster = posterOfSeries(series)
  const backdrop = findPicture(series.files, BACKDROP_NAMES)
  const picture = poster ?? backdrop
  const [first] = seasons.find((season) => season.number !== SPECIALS)?.episodes ?? seasons[0]?.episodes ?? []
  return newItem({
    itemType: 'tv_series',
    path: series.path,
    parentPath: null,
    title: series.name,
    year: bracketedYearOf(series.name),
    modifiedAt: Math.floor(series.mtimeMs),
    identity: identityOf(series),
    files: seriesExtrasOf(series, seasons),
    artwork: [...artworkOf('poster', poster), ...artworkOf('backdrop', backdrop)],
    thumbnail: thumbnailOfGroup(picture, first),
    nfo: nfoOf(findFile(series.files, SERIES_NFO_PATHS)),
  })
}

/** The series in one top-level folder, its seasons and their episodes; nothing where there is no video. */
export const readSeries = (series: FolderEntry, warn: Warn): ScannedItem[] => {
  const episodes = collectEpisodes(series)
  if (episodes.length === 0) {
    if (filesBelow(series).length > 0) warn(series.path, 'no_video', 'There is no video in this folder.')
    return []
  }
  const seasons = groupSeasons(series, episodes)
  const below = seasons.flatMap((season) => [seasonItem(season, series), ...season.episodes.map((episode) => episodeItem(episode, season))])
  return [seriesItem(series, seasons), ...below]
}
