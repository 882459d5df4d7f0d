/** The parts that all readers make their items from. */

import { extensionOf, stemOf } from '../domain/media-file.ts'
import { searchTitle, sortTitle } from '../domain/natural-sort.ts'
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
  files: [],
  artwork: [],
  thumbnail: null,
  mainFile: null,
  nfo: null,
  pageCount: null,
  ...fields,
  sortTitle: sortTitle(fields.title),
  searchTitle: searchTitle(fields.title),
})

export const sumOfSizes = (files: readonly { size: number }[]): number => files.reduce((sum, file) => sum + file.size, 0)

/**
 * The picture with the first of these names (without extension, in any case) that there is. Empty files are passed
 * over: an interrupted download must not hide a good picture.
 */
export const findPicture = (files: readonly FileEntry[], names: readonly string[]): FileEntry | undefined => {
  const wanted = new Map(names.toReversed().map((name, index) => [name.toLowerCase(), names.length - index]))
  let best: FileEntry | undefined
  let bestRank = Number.POSITIVE_INFINITY
  for (const file of files) {
    const extensionRank = pictureRank(extensionOf(file.name))
    if (extensionRank === undefined || file.size === 0) continue
    const place = wanted.get(stemOf(file.name).toLowerCase())
    if (place === undefined) continue
    const rank = place * 100 + extensionRank
    if (rank < bestRank) [best, bestRank] = [file, rank]
  }
  return best
}

export const artworkOf = (kind: ScannedArtwork['kind'], file: FileEntry | undefined): ScannedArtwork[] =>
  file ? [{ kind, path: file.path, version: versionOf(file) }] : []

type Thumbnail = NonNullable<ScannedItem['thumbnail']>

export const thumbnailOf = (kind: Thumbnail['kind'], file: FileEntry): Thumbnail => ({ kind, path: file.path, version: versionOf(file) })

/** The file with one of these names, the first that there is, in any case. */
export const findFile = (files: readonly FileEntry[], names: readonly string[]): FileEntry | undefined => {
  for (const name of names) {
    const lower = name.toLowerCase()
    const file = files.find((candidate) => candidate.name.toLowerCase() === lower)
    if (file) return file
  }
  return undefined
}

export const nfoOf = (file: FileEntry | undefined): ScannedItem['nfo'] =>
  file ? { path: file.path, modifiedAt: Math.floor(file.mtimeMs) } : null

export const subfolder = (folder: FolderEntry, name: string): FolderEntry | undefined =>
  folder.folders.find((child) => child.name.toLowerCase() === name.toLowerCase())
