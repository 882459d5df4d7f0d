/**
 * A top-level folder of a movies library as items: one folder is one film, always. A folder without a video of its own
 * whose subfolders hold films is a collection, and each of those is a film.
 */

import { findExtraName, isExtrasFolder } from '../domain/extra-name.ts'
import { isDiscImageName, isVideoName, mediaTypeOf, stemOf } from '../domain/media-file.ts'
import { bracketedYearOf, yearOfName } from '../domain/name-year.ts'
import { movieNfoPaths } from '../domain/nfo-name.ts'
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

const findMovies = (folder: FolderEntry): ScannedItem[] => {
  const releases = ownReleasesOf(folder)
  if (releases.length > 0) return movieOf(folder, releases)
  const nested = nestedFoldersOf(folder)
  const holders = nested.filter((child) => ownReleasesOf(child).length > 0)
  const [only] = holders
  if (only && holders.length === 1 && isWrapper(folder)) return movieOf(folder, ownReleasesOf(only))
  return nested.flatMap(findMovies)
}

/** The film or films in one top-level folder. */
export const readMovies = (folder: FolderEntry, warn: Warn): ScannedItem[] => {
  const movies = findMovies(folder)
  if (movies.length === 0 && filesBelow(folder).length > 0) warn(folder.path, 'no_video', 'There is no video in this folder.')
  return movies
}

/** Whether a file in the library's root is a film that misses its folder. */
export const isLooseMovie = (name: string): boolean => isVideoName(name) || isDiscImageName(name)
