/** The parts that all readers make their items from. */

import { extensionOf, stemOf } from '../domain/media-file.ts'
import { searchKey } from '../domain/name-key.ts'
import { sortTitle } from '../domain/natural-sort.ts'
import { pictureRank } from '../domain/picture-name.ts'
import type { ScannedArtwork, ScannedItem } from '../domain/scanned-item.ts'
import { versionOf } from './entry-hash.ts'
import type { FileEntry, FolderEntry } from './folder-tree.ts'

type RequiredFields = Pick<ScannedItem, 'itemType' | 'path' | 'parentPath' | 'title' | 'modifiedAt' | 'identity'>

/** An item with the given fields; the others say "does not apply". */
export const newItem = (fields: RequiredFields & Partial<ScannedItem>): ScannedItem => ({
  sortNumber: null,
  seasonNumber: null,
  episodeNumber: null,
  episodeNumberEnd: null,
  volumeNumber: null,
  chapterNumber: null,
  year: null,
  airedAt: null,
  mediaKind: null,
  mimeType: null,
  size: null,
  namedAt: null,
  files: [],
  artwork: [],
  thumbnail: null,
  mainFile: null,
  nfo: null,
  pageCount: null,
  ...fields,
  sortTitle: sortTitle(fields.title),
  searchTitle: searchKey(fields.title),
})

/** Bytes. */
export const sumOfSizes = (files: readonly { size: number }[]): number => files.reduce((sum, file) => sum + file.size, 0)

/** Made once for each folder: every episode asks its folder for a dozen names. */
const cached = (make: (files: readonly FileEntry[]) => Map<string, FileEntry>): typeof make => {
  const made = new WeakMap<readonly FileEntry[], Map<string, FileEntry>>()
  return (files) => made.getOrInsertComputed(files, make)
}

/** The best picture by name without extension; of `Cover.JPG` and `cover.jpg` the latter, which is what this program writes. Empty files are left out: a broken download must not hide a good picture. */
const picturesByStem = cached((files) => {
  const best = new Map<string, FileEntry>()
  const ranks = new Map<string, number>()
  for (const file of files) {
    const rank = pictureRank(extensionOf(file.name))
    if (rank === undefined || file.size === 0) continue
    const stem = stemOf(file.name).toLowerCase()
    if (rank > (ranks.get(stem) ?? Number.POSITIVE_INFINITY)) continue
    best.set(stem, file)
    ranks.set(stem, rank)
  }
  return best
})

const filesByName = cached((files) => new Map(files.toReversed().map((file) => [file.name.toLowerCase(), file])))

const firstOf = (index: ReadonlyMap<string, FileEntry>, names: readonly string[]): FileEntry | undefined => {
  if (index.size === 0) return undefined
  for (const name of names) {
    const file = index.get(name.toLowerCase())
    if (file) return file
  }
  return undefined
}

/** The picture with the first of these names (without extension, in any case) that there is. */
export const findPicture = (files: readonly FileEntry[], names: readonly string[]): FileEntry | undefined =>
  firstOf(picturesByStem(files), names)

/** The file with the first of these names (in any case) that there is. */
export const findFile = (files: readonly FileEntry[], names: readonly string[]): FileEntry | undefined => firstOf(filesByName(files), names)

/** The picture as an item's artwork; none where there is no picture. */
export const artworkOf = (kind: ScannedArtwork['kind'], file: FileEntry | undefined): ScannedArtwork[] =>
  file ? [{ kind, path: file.path, version: versionOf(file) }] : []

type Thumbnail = NonNullable<ScannedItem['thumbnail']>

/** The file that the thumbnail is made from; its version changes with the file. */
export const thumbnailOf = (kind: Thumbnail['kind'], file: FileEntry): Thumbnail => ({ kind, path: file.path, version: versionOf(file) })

/** The NFO file with its time in whole milliseconds since the epoch; null where there is none. */
export const nfoOf = (file: FileEntry | undefined): ScannedItem['nfo'] =>
  file ? { path: file.path, modifiedAt: Math.floor(file.mtimeMs) } : null

/** The subfolder of this name, in any case. */
export const subfolder = (folder: FolderEntry, name: string): FolderEntry | undefined =>
  folder.folders.find((child) => child.name.toLowerCase() === name.toLowerCase())

/** The file at the first of these paths (relative to the folder, in any case) that there is. */
export const findFileAt = (folder: FolderEntry, paths: readonly string[]): FileEntry | undefined => {
  for (const path of paths) {
    const parts = path.split('/')
    const holder = parts.slice(0, -1).reduce<FolderEntry | undefined>((at, name) => at && subfolder(at, name), folder)
    const file = holder && findFile(holder.files, parts.slice(-1))
    if (file) return file
  }
  return undefined
}
