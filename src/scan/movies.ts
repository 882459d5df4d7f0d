/**
 * A top-level folder of a movies library as items: one folder is one film, always. A folder without a video of its own
 * whose subfolders hold films is a collection, and each of those is a film. A video that lies loose in one that is plainly
 * a collection changes nothing about that.
 */

import { isBesideFilm, isBonusDisc, isExtraOf, isExtrasFolder, mayHoldFilms } from '../domain/extra-name.ts'
import { isDiscImageName, isVideoName, mediaTypeOf, stemOf } from '../domain/media-file.ts'
import { findPartName, fitOfName, isEditionWord, isVersionName, ownNamesOf, versionLabel } from '../domain/movie-file.ts'
import { bracketedYearOf, yearOfName } from '../domain/name-year.ts'
import { movieNfoPaths } from '../domain/nfo-name.ts'
import { isOtherFilm, isSameFilm, otherFilmsAmong } from '../domain/other-film.ts'
import { BACKDROP_NAMES, ownBackdropNames, ownPosterNames, POSTER_NAMES, thumbName } from '../domain/picture-name.ts'
import type { ScannedFile, ScannedItem } from '../domain/scanned-item.ts'
import { isAside } from '../domain/special-name.ts'
import { identityOf } from './entry-hash.ts'
import { extrasOf } from './extras.ts'
import { type FileEntry, type FolderEntry, filesBelow, relativeTo, type Warn } from './folder-tree.ts'
import { artworkOf, findFile, findFileAt, findPicture, newItem, nfoOf, sumOfSizes, thumbnailOf } from './item.ts'
import { discReleaseOf, inOrder, partFoldersOf, partOfFolder, type Release, releasesOf } from './movie-releases.ts'

/** The videos of the film itself in a folder; menus and images of discs only where nothing else can be played. */
const ownVideosOf = (folder: FolderEntry): FileEntry[] => {
  const videos = folder.files.filter(({ name }) => isVideoName(name) && !isExtraOf(stemOf(name), folder.name))
  const films = videos.filter(({ name }) => !isAside(stemOf(name), true) && !isBesideFilm(stemOf(name), folder.name))
  const own = films.length > 0 ? films : videos
  return own.length > 0 ? own : folder.files.filter((file) => isDiscImageName(file.name))
}

const nestedFoldersOf = (folder: FolderEntry): FolderEntry[] => folder.folders.filter((child) => !isExtrasFolder(child.name))

/** Where the film itself may lie. */
const filmFoldersOf = (folder: FolderEntry): FolderEntry[] => nestedFoldersOf(folder).filter((child) => !isBonusDisc(child.name))

/** The film that lies in a folder directly, or as a disc, or as numbered parts in subfolders; by release. */
const ownReleasesOf = (folder: FolderEntry, filmName = folder.name): Release[] => {
  const disc = discReleaseOf(folder)
  if (disc) return [disc]
  const videos = ownVideosOf(folder)
  return videos.length > 0 ? releasesOf(videos, filmName) : partFoldersOf(filmFoldersOf(folder), ownVideosOf)
}

const fileOf = (folder: FolderEntry, file: FileEntry, role: ScannedFile['role'], label: string | null): ScannedFile => ({
  name: relativeTo(folder, file.path),
  size: file.size,
  role,
  label,
})

const labelOf = (...labels: (string | null | undefined)[]): string | null => labels.filter(Boolean).join(', ') || null

const filesOf = (folder: FolderEntry, releases: readonly Release[]): ScannedFile[] => {
  const [main, ...versions] = releases
  if (!main) return []
  const mainLabel = main.partLabels[0] ?? (versions.length > 0 ? main.label : null)
  return [
    ...main.files.slice(0, 1).map((file) => fileOf(folder, file, 'main', mainLabel)),
    ...versions.flatMap(({ files, label, partLabels }) =>
      files.map((file, index) => fileOf(folder, file, 'version', labelOf(label, partLabels[index]))),
    ),
    ...main.files.slice(1).map((file, index) => fileOf(folder, file, 'part', main.partLabels[index + 1] ?? null)),
  ]
}

/** A disc of extras is one extra, without its menus; but for the film's `own` files. */
const bonusDiscsOf = (folder: FolderEntry, own: ReadonlySet<FileEntry>): { name: string; release: Release }[] =>
  folder.folders
    .filter(({ name }) => isExtrasFolder(name) || isBonusDisc(name))
    .flatMap((child) => {
      const release = discReleaseOf(child)
      return release && !release.files.some((file) => own.has(file)) ? [{ name: child.name, release }] : []
    })

/** The folders of a film's folder that its releases lie in, that of the main one first, with a video of each. */
const innerPlacesOf = (folder: FolderEntry, releases: readonly Release[]): { pictures: FileEntry[]; video: FileEntry }[] => {
  const byPath = new Map(folder.folders.map((child) => [child.path, child]))
  const found = new Map<FolderEntry, FileEntry>()
  for (const video of releases.flatMap(({ files }) => files)) {
    const [name = ''] = relativeTo(folder, video.path).split('/')
    const child = byPath.get(`${folder.path}/${name}`)
    if (child && !found.has(child)) found.set(child, video)
  }
  return [...found].map(([child, video]) => ({ pictures: child.files, video }))
}

const movieOf = (folder: FolderEntry, releases: readonly Release[]): ScannedItem[] => {
  const [main] = releases[0]?.files ?? []
  if (!main) return []
  const discs = bonusDiscsOf(folder, new Set(releases.flatMap((release) => release.files)))
  const taken = new Set([...releases, ...discs.map(({ release }) => release)].flatMap((release) => [...release.files, ...release.hidden]))
  const ofDiscs = discs.flatMap(({ name, release }) =>
    release.files.map((file, index) => fileOf(folder, file, 'extra', labelOf(name, release.partLabels[index]))),
  )
  const own = filesOf(folder, releases)
  const files = [...own, ...extrasOf(folder, taken), ...ofDiscs]
  const stem = stemOf(main.name)
  const places = [{ pictures: folder.files, video: main }, ...innerPlacesOf(folder, releases)]
  const pictureOf = (ownNames: (stem: string) => string[], names: readonly string[]): FileEntry | undefined => {
    for (const { pictures, video } of places) {
      const found = findPicture(pictures, [...[...ownNamesOf(stemOf(video.name)), folder.name].flatMap(ownNames), ...names])
      if (found) return found
    }
    return undefined
  }
  const poster = pictureOf(ownPosterNames, POSTER_NAMES)
  const backdrop = pictureOf(ownBackdropNames, [...BACKDROP_NAMES, ...[...ownNamesOf(stem), folder.name].map(thumbName)])
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
      nfo: nfoOf(findFileAt(folder, movieNfoPaths({ folderName: folder.name, videos: own.map(({ name }) => name) }))),
    }),
  ]
}

/**
 * `Alien/4K/Alien.mkv`, `Alien/Alien 4K/Alien.mkv`. But `Piranha/Piranha 3D/Piranha 3D.mkv` may well be another film, and what has
 * versions in folders of its own is the film itself.
 */
const isRelease = (child: FolderEntry, folder: FolderEntry): boolean => {
  const releases = ownReleasesOf(child)
  const stems = releases.flatMap(({ files }) => files.map(({ name }) => stemOf(name)))
  const words = (versionLabel(child.name, folder.name) ?? '').toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const isTitled = fitOfName(child.name, folder.name) === 1 && words.some(isEditionWord)
  return (
    stems.length > 0 &&
    !isTitled &&
    isSameFilm(child.name, folder.name) &&
    stems.every((stem) => fitOfName(stem, folder.name) > 0 && isSameFilm(stem, folder.name)) &&
    versionsBeside(child, releases).length === 0
  )
}

/** All films below are called after this folder, and the folders between tell of versions alone. */
const holdsItsVersions = (folder: FolderEntry): boolean =>
  filmsBelow(folder).every((child) => isRelease(child, folder) || !filesBelow(child).some(({ name }) => isLooseMovie(name))) &&
  otherFilmsIn(folder, []).length === 0

/**
 * `Alien (1979)/Alien.1979.1080p.BluRay/alien.mkv`: a film whose video lies in the folder that it was released with.
 * A folder named like a film, or with a film's NFO, is no collection of one.
 */
const isWrapper = (folder: FolderEntry): boolean =>
  bracketedYearOf(folder.name) !== null || findFile(folder.files, ['movie.nfo']) !== undefined || holdsItsVersions(folder)

/** A word, if any, and its number: `Day 2`, `Night (01)`. But `5.1` is sound. */
const COUNTED = /^(.*?)[^\p{L}\p{N}]*(?<![\p{L}\p{N}]|\d\.)\d{1,2}[)\]]?$/su
/** Versions have numbers, too, and formats: `v 2`, `Mpeg-4`, `H.264`, and `16-9`, which is a shape. */
const OF_VERSION = /(?<![\p{L}\p{N}])(?:v|ver|mpeg|h)$|^\d{1,2}$/iu

/** What a folder counts: the `Day` of `Day 2`. Undefined where it tells a version, as `HDR 10` and `Cut 2` do. */
const countedWordOf = (name: string, filmName: string): string | undefined => {
  const label = versionLabel(name, filmName) ?? ''
  const part = findPartName(label)
  const word = part ? part.name + part.word : COUNTED.exec(label)?.[1]
  if (word === undefined || (word !== '' && isVersionName(word)) || OF_VERSION.test(word)) return undefined
  return word.toLowerCase()
}

/** `Day 1` and `Day 2`, `Part One` and `Part Two`: what is counted comes one after the other. */
const areCounted = (holders: readonly FolderEntry[], folder: FolderEntry): boolean => {
  const words = new Set(holders.map(({ name }) => countedWordOf(name, folder.name)))
  return words.size === 1 && !words.has(undefined)
}

/** The folder says so, or all that it holds where it does not say otherwise. */
const isVersion = (child: FolderEntry, folder: FolderEntry, isCounted: boolean): boolean => {
  const files = ownReleasesOf(child).flatMap((release) => release.files)
  return (
    isSameFilm(child.name, folder.name) ||
    (!isOtherFilm(child.name, folder.name) && !isCounted && files.every(({ name }) => isSameFilm(stemOf(name), folder.name)))
  )
}

/** Called as their folders, the best first. */
const releasesIn = (holders: readonly FolderEntry[], folder: FolderEntry): Release[] => {
  const releases = holders.flatMap((child) => {
    const name = versionLabel(child.name, folder.name)
    const inChild = ownReleasesOf(child, folder.name)
    return inChild.map((release) => ({ ...release, label: inChild.length > 1 ? labelOf(name, release.label) : (name ?? release.label) }))
  })
  return inOrder(releases, folder.name)
}

/**
 * Versions in folders beside the film itself: `4K/Alien.mkv` and `German/Alien.mkv` beside `Alien.mkv`. What is counted is none, nor is
 * the folder that holds the film, such as that of its disc.
 */
const versionsBeside = (folder: FolderEntry, releases: readonly Release[]): Release[] => {
  const own = new Set(releases.flatMap(({ files }) => files))
  const isCounted = ({ name }: FolderEntry): boolean => partOfFolder(name) !== undefined || countedWordOf(name, folder.name) !== undefined
  const holders = filmFoldersOf(folder).filter((child) => ownReleasesOf(child).length > 0 && !isCounted(child))
  return releasesIn(
    holders.filter((child) => isVersion(child, folder, false)),
    folder,
  ).filter(({ files }) => !files.some((file) => own.has(file)))
}

/**
 * A film in the folder that it was released with, or in several: `Alien (1979)/1080p/Alien.mkv` beside `Alien (1979)/4K/Alien.mkv`.
 * Where all that these hold are other films, they are versions of none.
 */
const wrappedReleasesOf = (folder: FolderEntry): Release[] => {
  const withFilm = isWrapper(folder) ? nestedFoldersOf(folder).filter((child) => ownReleasesOf(child).length > 0) : []
  const films = withFilm.filter(({ name }) => !isBonusDisc(name))
  // A disc of extras goes with a film: where there is none it is all that there is of it.
  const holders = films.length > 0 ? films : withFilm
  const [only, ...others] = holders
  if (only && others.length === 0) return ownReleasesOf(only)
  const isCounted = areCounted(holders, folder)
  if (!holders.every((child) => isVersion(child, folder, isCounted))) return []
  const releases = releasesIn(holders, folder)
  const names = releases.flatMap(({ files }) => files.map((file) => file.name))
  // A bare year is no reason to divide what the folder says is one film.
  const told = names.filter((name) => bracketedYearOf(stemOf(name)) !== null)
  return names.length === otherFilmsAmong(told, folder.name).length ? [] : releases
}

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
const LOOSE_IN_FILM =
  'This looks like a film of its own, but one folder is one film, so it is listed as a version of that. Move it into a folder of its own, or into one called Extras if it goes with the film.'

/** The film in this folder, with warnings of what in it looks like another one. */
const filmOf = (folder: FolderEntry, releases: readonly Release[], warn: Warn, others = otherFilmsIn(folder, releases)): ScannedItem[] => {
  for (const { path } of others) warn(path, 'nested_film', NESTED_FILM)
  const files = [...new Set([...folder.files, ...releases.flatMap((release) => release.files)])]
  const names = files.map(({ name }) => name)
  const strangers = new Set(otherFilmsAmong(names, folder.name))
  for (const { name, path } of files) if (strangers.has(name)) warn(path, 'loose_file', LOOSE_IN_FILM)
  return movieOf(folder, releases)
}

/** The folders of one that is no film itself: what in `Shorts` has a year is no extra of any. */
const filmsBelow = (folder: FolderEntry): FolderEntry[] =>
  folder.folders.flatMap((child) => {
    if (!isExtrasFolder(child.name)) return [child]
    return mayHoldFilms(child.name) ? child.folders.filter(({ name }) => bracketedYearOf(name) !== null) : []
  })

const findMovies = (folder: FolderEntry, warn: Warn): ScannedItem[] => {
  const releases = ownReleasesOf(folder)
  if (releases.length > 0) {
    const others = otherFilmsIn(folder, releases)
    const loose = releases.flatMap(({ files }) => files).filter((file) => folder.files.includes(file))
    if (!isCollection(folder, others, loose)) return filmOf(folder, [...releases, ...versionsBeside(folder, releases)], warn, others)
    for (const { path } of loose) warn(path, 'loose_file', LOOSE_IN_COLLECTION)
  }
  const wrapped = wrappedReleasesOf(folder)
  if (wrapped.length > 0) return filmOf(folder, wrapped, warn)
  return filmsBelow(folder).flatMap((child) => findMovies(child, warn))
}

/** The film or films in one top-level folder. */
export const readMovies = (folder: FolderEntry, warn: Warn): ScannedItem[] => {
  const movies = findMovies(folder, warn)
  if (movies.length === 0 && filesBelow(folder).length > 0) warn(folder.path, 'no_video', 'There is no video in this folder.')
  return movies
}

/** Whether a file in the library's root is a film that misses its folder. */
export const isLooseMovie = (name: string): boolean => isVideoName(name) || isDiscImageName(name)
