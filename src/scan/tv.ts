/**
 * A top-level folder of a TV library as a series with its seasons and episodes.
 * The numbers come from the episode's file name where it tells them and from the season's folder otherwise (Kodi: "from
 * the file name in all cases"), but what lies in the folder of specials is a special. Seasons exist where episodes are.
 */

import { discOrder } from '../domain/disc-order.ts'
import { episodeTitle, isBluRayStream } from '../domain/dvd-name.ts'
import { createEpisodeReader } from '../domain/episode-name.ts'
import { flatSeasonPath } from '../domain/item-key.ts'
import { isVideoName, mediaTypeOf, stemOf } from '../domain/media-file.ts'
import { bracketedYearOf } from '../domain/name-year.ts'
import { nestedSeries } from '../domain/nested-series.ts'
import { episodeNfoPaths, SERIES_NFO_PATHS } from '../domain/nfo-name.ts'
import {
  BACKDROP_NAMES,
  episodePictureNames,
  POSTER_NAMES,
  SERIES_POSTER_NAMES,
  seasonBackdropNames,
  seasonPosterNames,
} from '../domain/picture-name.ts'
import type { ScannedFile, ScannedItem } from '../domain/scanned-item.ts'
import { hiddenOnDiscs } from './dvd.ts'
import { identityOf } from './entry-hash.ts'
import { extrasOf } from './extras.ts'
import { type FileEntry, type FolderEntry, filesBelow, relativeTo, type Warn } from './folder-tree.ts'
import { artworkOf, findFile, findPicture, newItem, nfoOf, sumOfSizes, thumbnailOf } from './item.ts'
import { collectEpisodes, type Episode, isEpisodeName, SPECIALS, type Surroundings } from './tv-episodes.ts'

interface Season {
  path: string
  title: string
  number: number | null
  folder: FolderEntry | null
  episodes: Episode[]
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

const inDiscOrder = ({ folder, episodes, ...season }: Season): Season => {
  const numbers = discOrder(
    episodes.map(({ file: { path, name: fileName }, name }) => ({
      path: folder && path.startsWith(`${folder.path}/`) ? relativeTo(folder, path) : fileName,
      title: stemOf(fileName),
      sortNumber: name.sortNumber,
      isTold: name.seasonNumber !== null || name.airedAt !== null,
    })),
  )
  return {
    ...season,
    folder,
    episodes: episodes.map((episode, index) => ({ ...episode, name: { ...episode.name, sortNumber: numbers[index] ?? null } })),
  }
}

const ownPictureOf = ({ file, siblings }: Episode): FileEntry | undefined => findPicture(siblings, episodePictureNames(stemOf(file.name)))

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

/** What a Blu-ray calls its streams tells nothing. */
const ofDisc = (extra: ScannedFile, series: FolderEntry): ScannedFile =>
  isBluRayStream(extra.name) ? { ...extra, label: `${episodeTitle(`${series.path}/${extra.name}`)}, ${extra.label}` } : extra

const seriesExtrasOf = (series: FolderEntry, seasons: readonly Season[]): ScannedFile[] => {
  const taken = seasons.flatMap(({ episodes }) => episodes.flatMap(({ file, further }) => [file, ...further]))
  return extrasOf(series, new Set([...taken, ...hiddenOnDiscs(filesBelow(series))]))
    .filter((extra) => !isSample(extra))
    .slice(0, MOST_EXTRAS)
    .map((extra) => ofDisc(extra, series))
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

const NESTED_SERIES =
  'This folder looks like a series of its own, but it lies in one folder with others, and that is listed as one series. Move it out of there.'

const foldersWithVideos = (folder: FolderEntry): string[] => [
  ...(folder.files.some(({ name }) => isVideoName(name)) ? [folder.path] : []),
  ...folder.folders.flatMap(foldersWithVideos),
]

/** The series in one top-level folder, its seasons and their episodes; nothing where there is no video. */
export const readSeries = (series: FolderEntry, warn: Warn): ScannedItem[] => {
  const episodes = collectEpisodes(series)
  if (episodes.length === 0) {
    if (filesBelow(series).length > 0) warn(series.path, 'no_video', 'There is no video in this folder.')
    return []
  }
  const folders = series.folders.flatMap(foldersWithVideos).map((path) => relativeTo(series, path))
  for (const path of nestedSeries(folders, series.name)) warn(`${series.path}/${path}`, 'nested_series', NESTED_SERIES)
  const seasons = groupSeasons(series, episodes).map(inDiscOrder)
  const below = seasons.flatMap((season) => [seasonItem(season, series), ...season.episodes.map((episode) => episodeItem(episode, season))])
  return [seriesItem(series, seasons), ...below]
}
