/**
 * A top-level folder of a games library as items. The specification: with an archive directly inside it is a game, with
 * none but with game subfolders a series of those games. The contract: a game's own game subfolders are warnings.
 */

import {
  continuedBy,
  findGameFileType,
  GAME_PLATFORMS,
  isAppBundleName,
  isBonusFolder,
  isGameExtrasFolder,
  isOwnGame,
  isRedistributable,
  isSharedProgram,
  isSupplement,
  isSupplementFolder,
} from '../domain/game-file.ts'
import { isPictureName } from '../domain/media-file.ts'
import { bracketedYearOf } from '../domain/name-year.ts'
import { compareNatural } from '../domain/natural-sort.ts'
import { GAME_COVER_NAMES, GAME_WIDE_COVER_NAMES } from '../domain/picture-name.ts'
import type { ScannedFile, ScannedItem } from '../domain/scanned-item.ts'
import { newestScreenshots, SCREENSHOTS_FOLDER } from '../domain/screenshot.ts'
import { identityOf } from './entry-hash.ts'
import { type BundleEntry, type FileEntry, type FolderEntry, inNaturalOrder, relativeTo, type Warn } from './folder-tree.ts'
import { artworkOf, findPicture, newItem, subfolder, sumOfSizes, thumbnailOf } from './item.ts'

const hasArchive = (folder: FolderEntry): boolean =>
  folder.bundles.length > 0 || folder.files.some((file) => findGameFileType(file.name)?.strength === 'archive')

const hasInstaller = (folder: FolderEntry): boolean => folder.files.some((file) => findGameFileType(file.name) !== undefined)

const hasOwnGame = (folder: FolderEntry): boolean => hasArchive(folder) || folder.files.some(({ name }) => isOwnGame(name))

const isGameFolder = (folder: FolderEntry): boolean => !isGameExtrasFolder(folder.name) && (hasArchive(folder) || hasInstaller(folder))

const byPlatform = (a: ScannedFile, b: ScannedFile): number =>
  GAME_PLATFORMS.indexOf(a.platform ?? 'windows') - GAME_PLATFORMS.indexOf(b.platform ?? 'windows') ||
  Number(isSupplement(a.name)) - Number(isSupplement(b.name)) ||
  compareNatural(a.name, b.name)

/** The further volumes of split archives, without which nobody can unpack them; the first comes before. */
const continuationsOf = (folder: FolderEntry, files: readonly ScannedFile[]): ScannedFile[] => {
  const platforms = new Map(files.map(({ name, platform }) => [name.toLowerCase(), platform]))
  return folder.files.flatMap(({ name, size }): ScannedFile[] => {
    const platform = platforms.get(continuedBy(name) ?? '')
    return platform ? [{ name, size, platform, kind: 'file' }] : []
  })
}

const gameFilesOf = (folder: FolderEntry): ScannedFile[] => {
  const files = folder.files.flatMap(({ name, size }): ScannedFile[] => {
    const type = findGameFileType(name)
    return type ? [{ name, size, platform: type.platform, kind: 'file' }] : []
  })
  const bundles = folder.bundles.map(({ name, size }): ScannedFile => ({ name, size, platform: 'macos', kind: 'app_bundle' }))
  const whole = [...files, ...bundles].toSorted(byPlatform)
  const continuations = continuationsOf(folder, files).toSorted(byPlatform)
  return GAME_PLATFORMS.flatMap((platform) => [whole, continuations].flatMap((part) => part.filter((file) => file.platform === platform)))
}

type Entry = FileEntry | BundleEntry

const entriesBelow = (folder: FolderEntry): Entry[] => [
  ...inNaturalOrder<Entry>([...folder.files, ...folder.bundles]),
  ...inNaturalOrder(folder.folders).flatMap(entriesBelow),
]

/** More than this are the data of a game that lies there unpacked, and nothing that came with it. */
const MOST_EXTRAS = 500

/** The data of an installer are large; what is smaller tells of it, or is a part of a game that lies there unpacked. */
const LEAST_DATA = 1024 * 1024

/** Repacks name the data of their installer as they like: `fg-01.bin`, `data-2.cab`. Who takes the installer alone has nothing. */
const dataOf = (folder: FolderEntry, files: readonly ScannedFile[]): FileEntry[] => {
  const listed = new Set(files.map(({ name }) => name))
  const isData = ({ name, size }: FileEntry): boolean => size >= LEAST_DATA && !listed.has(name) && !isPictureName(name)
  return hasArchive(folder) ? [] : folder.files.filter(isData)
}

/** What an emulator opens where a game has several discs. */
const playlistsOf = (folder: FolderEntry): FileEntry[] => folder.files.filter(({ name }) => /\.m3u8?$/i.test(name))

/** Manuals, patches, music: what lies in folders for that. Pictures of the game are seen elsewhere. */
const extrasOf = (folder: FolderEntry, files: readonly ScannedFile[]): ScannedFile[] => {
  const isOfExtras = (child: FolderEntry): boolean => isGameExtrasFolder(child.name) || (isBonusFolder(child.name) && !hasArchive(child))
  const inFolders = inNaturalOrder(folder.folders)
    .filter((child) => isOfExtras(child) && child.name.toLowerCase() !== SCREENSHOTS_FOLDER)
    .flatMap(entriesBelow)
  const inFolder = [...inNaturalOrder(playlistsOf(folder)), ...inNaturalOrder(dataOf(folder, files))]
  return [...inFolder, ...inFolders].slice(0, MOST_EXTRAS).map((entry) => ({
    name: relativeTo(folder, entry.path),
    size: entry.size,
    kind: 'largestFile' in entry ? 'app_bundle' : 'file',
    role: 'extra',
  }))
}

const screenshotsOf = (folder: FolderEntry): FileEntry[] => {
  const pictures = (subfolder(folder, SCREENSHOTS_FOLDER)?.files ?? []).filter((file) => isPictureName(file.name) && file.size > 0)
  const inOrder = pictures.toSorted((a, b) => compareNatural(a.name, b.name))
  return newestScreenshots(inOrder, ({ name }) => name)
}

const picturesOf = (folder: FolderEntry): Pick<ScannedItem, 'artwork' | 'thumbnail'> => {
  const cover = findPicture(folder.files, GAME_COVER_NAMES)
  const wideCover = findPicture(folder.files, GAME_WIDE_COVER_NAMES)
  const screenshots = screenshotsOf(folder).flatMap((file) => artworkOf('screenshot', file))
  return {
    artwork: [...artworkOf('cover', cover), ...artworkOf('widecover', wideCover), ...screenshots],
    thumbnail: cover ? thumbnailOf('image', cover) : null,
  }
}

/** The largest of this file and what lies in the folder, but for what may be there or not. */
const largestOf = (folder: FolderEntry, file: Entry): Entry => {
  const isOfGame = ({ name }: Entry): boolean => !isSupplement(name) && !isPictureName(name) && !isRedistributable(name)
  const isBeside = ({ name }: FolderEntry): boolean =>
    isGameExtrasFolder(name) || isBonusFolder(name) || isRedistributable(name) || isSupplementFolder(name, [folder.name])
  const own: Entry[] = [...folder.files, ...folder.bundles]
  const largest = own.filter(isOfGame).reduce((larger, entry) => (entry.size > larger.size ? entry : larger), file)
  return folder.folders.filter((child) => !isBeside(child)).reduce((larger, child) => largestOf(child, larger), largest)
}

const mainOf = (folder: FolderEntry, first: ScannedFile | undefined): Entry | undefined => {
  const entries: Entry[] = [...folder.files, ...folder.bundles]
  const named = entries.find((entry) => entry.name === first?.name)
  if (!named || !isSharedProgram(named.name)) return named
  return largestOf(folder, named)
}

const gameOf = (folder: FolderEntry, parentPath: string | null): ScannedItem => {
  const files = gameFilesOf(folder)
  const [first] = files
  const main = mainOf(folder, first)
  return newItem({
    itemType: 'game',
    path: folder.path,
    parentPath,
    title: folder.name,
    year: bracketedYearOf(folder.name),
    size: sumOfSizes(files),
    modifiedAt: Math.floor(main?.mtimeMs ?? folder.mtimeMs),
    identity: identityOf(folder),
    files: [...files, ...extrasOf(folder, files)],
    mainFile: main && 'largestFile' in main ? main.largestFile : (main?.path ?? null),
    ...picturesOf(folder),
  })
}

const NESTED_IN_GAME =
  'This folder holds a game, but the folder around it is a game already. Move the files into one folder, or the outer ones away.'
const LOOSE_IN_SERIES =
  'This file lies beside folders of games, which makes a series of them, and belongs to none. Move it into a folder of its own.'
const NESTED_TOO_DEEP = 'The archives in here are nested too deep: a game lies in the library or in a series.'
const EXTRAS_OF_NO_GAME =
  'A folder of this name holds what came with a game, and here it lies in none. Move it into its game, or name it otherwise if it is one.'

const NO_ARCHIVE = 'There is no archive of a game in this folder.'

const hasArchiveBelow = (folder: FolderEntry): boolean => hasArchive(folder) || folder.folders.some(hasArchiveBelow)

/** Manuals come as archives too, and nobody looks for a game in there. */
const isManual = (folder: FolderEntry): boolean => /^manuals?$/i.test(folder.name)

const findGames = (folder: FolderEntry, warn: Warn): ScannedItem[] => {
  const games = folder.folders.filter(isGameFolder)
  // lgogdownloader puts the goodies of an installer, mostly archives, into `extras` beside it: they make no series of it, and
  // neither do installers of what the game needs.
  const names = [folder.name, ...folder.files.map(({ name }) => name)]
  const isPartOf = (child: FolderEntry): boolean => isBonusFolder(child.name) || isSupplementFolder(child.name, names) || !hasOwnGame(child)
  if (hasArchive(folder) || (hasInstaller(folder) && games.every(isPartOf))) {
    for (const nested of games.filter(hasOwnGame)) warn(nested.path, 'nested_game', NESTED_IN_GAME)
    return [gameOf(folder, null)]
  }
  if (games.length > 0) for (const { name, path } of folder.files) if (isOwnGame(name)) warn(path, 'loose_file', LOOSE_IN_SERIES)
  for (const child of folder.folders) {
    if (isGameExtrasFolder(child.name)) {
      if (!isManual(child) && hasArchiveBelow(child)) warn(child.path, 'series_extras', EXTRAS_OF_NO_GAME)
    } else if (!isGameFolder(child) && hasArchiveBelow(child)) warn(child.path, 'nested_game', NESTED_TOO_DEEP)
    for (const grandchild of isGameFolder(child) ? child.folders : []) {
      if (isGameFolder(grandchild) && hasArchive(grandchild)) warn(grandchild.path, 'nested_game', NESTED_IN_GAME)
    }
  }
  if (games.length === 0) return []
  const series = newItem({
    itemType: 'game_series',
    path: folder.path,
    parentPath: null,
    title: folder.name,
    modifiedAt: Math.floor(folder.mtimeMs),
    identity: identityOf(folder),
    ...picturesOf(folder),
  })
  return [series, ...games.map((game) => gameOf(game, folder.path))]
}

/** The game, or the series and its games, in one top-level folder; nothing where there is no archive. */
export const readGames = (folder: FolderEntry, warn: Warn): ScannedItem[] => {
  let isTold = false
  const items = findGames(folder, (...warning) => {
    isTold = true
    warn(...warning)
  })
  if (items.length === 0 && !isTold && entriesBelow(folder).length > 0) warn(folder.path, 'no_archive', NO_ARCHIVE)
  return items
}

/** Whether a file or folder in the library's root is a game that misses its folder. */
export const isLooseGame = (name: string): boolean => isAppBundleName(name) || findGameFileType(name) !== undefined
