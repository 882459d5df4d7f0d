/**
 * A top-level folder of a movies library as items: one folder is one film, always. A folder without a video of its own
 * whose subfolders hold films is a collection, and each of those is a film. A video that lies loose in one that is plainly
 * a collection changes nothing about that.
 */

import { findExtraName, isExtrasFolder } from '../domain/extra-name.ts'
import { isDiscImageName, isVideoName, mediaTypeOf, stemOf } from '../domain/media-file.ts'
import { fitOfName } from '../domain/movie-file.ts'
import { bracketedYearOf, yearOfName } from '../domain/name-year.ts'
import { movieNfoPaths } from '../domain/nfo-name.ts'
import { isOtherFilm } from '../domain/other-film.ts'
import { BACKDROP_NAMES, ownBackdropNames, ownPosterNames, POSTER_NAMES } from '../domain/picture-name.ts'
import type { ScannedFile, ScannedItem } from '../domain/scanned-item.ts'
import { identityOf } from './entry-hash.ts'
import { extrasOf } from './extras.ts'
import { type FileEntry, type FolderEntry, filesBelow, relativeTo, type Warn } from './folder-tree.ts'
import { artworkOf, findFile, findFileAt, findPicture, newItem, nfoOf, sumOfSizes, thumbnailOf } from './item.ts'
import { discReleaseOf, partFoldersOf, type Release, releasesOf } from './movie-releases.ts'

const isMovieVideo = (file: FileEntry): boolean => isVideoName(file.name)

const withoutSeparators = (name: string): string => name.toLowerCase().replace(/[\s._-]+/g, ' ')

/** A file named like an extra is one, unless it has the folder's own name: `Trailer (2020)/Trailer.mkv`, `The Other (1972)/The-Other.mkv`. */
const isExtraOf = (file: FileEntry, folder: FolderEntry): boolean => {
  const stem = withoutSeparators(stemOf(file.name))
  const name = withoutSeparators(folder.name)
  return findExtraName(stemOf(file.name)) !== undefined && stem !== name && !name.startsWith(`${stem} (`)
}

/** The videos of the film itself in a folder; images of discs only where nothing else can be played. */
const ownVideosOf = (folder: FolderEntry): FileEntry[] => {
  const videos = folder.files.filter((file) => isMovieVideo(file) && !isExtraOf(file, folder))
  return videos.length > 0 ? videos : folder.files.filter((file) => isDiscImageName(file.name))
}

/** The film that lies in a folder directly, or as a disc, or as numbered parts in subfolders; by release. */
const ownReleasesOf = (folder: FolderEntry): Release[] => {
  const disc = discReleaseOf(folder)
  if (disc) return [disc]
  const videos = ownVideosOf(folder)
  return videos.length > 0 ? releasesOf(videos, folder.name) : partFoldersOf(folder, ownVideosOf)
}

const nestedFoldersOf = (folder: FolderEntry): FolderEntry[] => folder.folders.filter((child) => !isExtrasFolder(child.name))

const filesOf = (folder: FolderEntry, releases: readonly Release[]): ScannedFile[] => {
  const toFile = (file: FileEntry, role: ScannedFile['role'], label: string | null): ScannedFile => ({
    name: relativeTo(folder, file.path),
    size: file.size,
    role,
    label,
  })
  const [main, ...versions] = releases
  if (!main) return []
  const mainLabel = main.partLabels[0] ?? (versions.length > 0 ? main.label : null)
  return [
    ...main.files.slice(0, 1).map((file) => toFile(file, 'main', mainLabel)),
    ...versions.flatMap(({ files, label, partLabels }) =>
      files.map((file, index) => toFile(file, 'version', [label, partLabels[index]].filter(Boolean).join(', ') || null)),
    ),
    ...main.files.slice(1).map((file, index) => toFile(file, 'part', main.partLabels[index + 1] ?? null)),
  ]
}

const movieOf = (folder: FolderEntry, releases: readonly Release[]): ScannedItem[] => {
  const [main] = releases[0]?.files ?? []
  if (!main) return []
  const taken = new Set(releases.flatMap((release) => [...release.files, ...release.hidden]))
  const files = [...filesOf(folder, releases), ...extrasOf(folder, taken)]
  const stem = stemOf(main.name)
  const poster = findPicture(folder.files, [...ownPosterNames(stem), ...ownPosterNames(folder.name), ...POSTER_NAMES])
  const backdrop = findPicture(folder.files, [...ownBackdropNames(stem), ...BACKDROP_NAMES])
  const picture = poster ?? backdrop
  const { kind, mimeType, thumbnail } = mediaTypeOf(main.name)
  return [
    newItem({
      itemType: 'movie',
      path: folder.path,
      parentPath: null,
      title: folder.name,
      year: yearOfName(folder.name) ?? bracketedYearOf(stem),
      mediaKind: 'video',
      mimeType: kind === 'video' ? mimeType : null,
      size: sumOfSizes(files),
      modifiedAt: Math.floor(main.mtimeMs),
      identity: identityOf(folder),
      files,
      artwork: [...artworkOf('poster', poster), ...artworkOf('backdrop', backdrop)],
      thumbnail: picture ? thumbnailOf('image', picture) : thumbnail === 'video' ? thumbnailOf('video', main) : null,
      mainFile: main.path,
      nfo: nfoOf(findFileAt(folder, movieNfoPaths({ folderName: folder.name, mainFile: relativeTo(folder, main.path) }))),
    }),
  ]
}

/**
 * `Alien (1979)/Alien.1979.1080p.BluRay/alien.mkv`: a film whose video lies in the folder that it was released with.
 * A folder named like a film, or with a film's NFO, is no collection of one.
 */
const isWrapper = (folder: FolderEntry): boolean =>
  bracketedYearOf(folder.name) !== null || findFile(folder.files, ['movie.nfo']) !== undefined

/** The folders below a film's that are films of their own by their names, but those that hold the film itself: its parts. */
const otherFilmsIn = (folder: FolderEntry, releases: readonly Release[]): FolderEntry[] => {
  const own = new Set(releases.flatMap(({ files }) => files))
  const isOther = (child: FolderEntry): boolean =>
    isOtherFilm(child.name, folder.name) && ownReleasesOf(child).some(({ files }) => files.some((file) => !own.has(file)))
  const below = (around: FolderEntry): FolderEntry[] =>
    nestedFoldersOf(around).flatMap((child) => (isOther(child) ? [child] : below(child)))
  return below(folder)
}

/** A folder without a year around two films that have one; of the `videos` in it none has its name. */
const isCollection = (folder: FolderEntry, films: readonly FolderEntry[], videos: readonly FileEntry[]): boolean => {
  const [first] = films
  return (
    first !== undefined &&
    films.some(({ name }) => isOtherFilm(name, first.name)) &&
    yearOfName(folder.name) === null &&
    !isWrapper(folder) &&
    videos.length > 0 &&
    videos.every(({ name }) => fitOfName(stemOf(name), folder.name) < 2)
  )
}

const NESTED_FILM =
  'This folder looks like a film of its own, but the folder around it is a film already, and has its videos as extras. Move it out of there.'
const LOOSE_IN_COLLECTION = 'Films of a collection need their own folder, as the others have one. Move this into one.'

const findMovies = (folder: FolderEntry, warn: Warn): ScannedItem[] => {
  const releases = ownReleasesOf(folder)
  const nested = nestedFoldersOf(folder)
  if (releases.length > 0) {
    const others = otherFilmsIn(folder, releases)
    const loose = releases.flatMap(({ files }) => files).filter((file) => folder.files.includes(file))
    if (!isCollection(folder, others, loose)) {
      for (const { path } of others) warn(path, 'nested_film', NESTED_FILM)
      return movieOf(folder, releases)
    }
    for (const { path } of loose) warn(path, 'loose_file', LOOSE_IN_COLLECTION)
  }
  const holders = nested.filter((child) => ownReleasesOf(child).length > 0)
  const [only] = holders
  if (only && holders.length === 1 && isWrapper(folder)) return movieOf(folder, ownReleasesOf(only))
  return nested.flatMap((child) => findMovies(child, warn))
}

/** The film or films in one top-level folder. */
export const readMovies = (folder: FolderEntry, warn: Warn): ScannedItem[] => {
  const movies = findMovies(folder, warn)
  if (movies.length === 0 && filesBelow(folder).length > 0) warn(folder.path, 'no_video', 'There is no video in this folder.')
  return movies
}

/** Whether a file in the library's root is a film that misses its folder. */
export const isLooseMovie = (name: string): boolean => isVideoName(name) || isDiscImageName(name)
