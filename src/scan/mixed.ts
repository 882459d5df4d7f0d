/**
 * One folder's own files of a mixed library: every file is an item, titled with its whole name (the contract, 5). No
 * film, album or series is inferred from what lies together (Jellyfin #12647).
 */

import { mediaTypesInTurn } from '../domain/media-file.ts'
import { searchKey } from '../domain/name-key.ts'
import { namedDate } from '../domain/named-date.ts'
import { sortTitlesInTurn } from '../domain/natural-sort.ts'
import type { ScannedArtwork, ScannedFile, ScannedItem } from '../domain/scanned-item.ts'
import { identityOf, versionOf } from './entry-hash.ts'
import type { FileEntry } from './folder-tree.ts'

/** Shared by all mixed items: their path says all that `files` could. */
const NO_FILES: ScannedFile[] = []
const NO_ARTWORK: ScannedArtwork[] = []

/** What is told of a name; the names of a folder come in their order, so that each is much like the one before. */
const sortTitle = sortTitlesInTurn()
const mediaTypeOf = mediaTypesInTurn()

/** Written out in full, since a scan makes a hundred thousand of these. */
const mixedItem = (file: FileEntry, now: number): ScannedItem => {
  const { name, path } = file
  const { kind, mimeType, thumbnail } = mediaTypeOf(name)
  const modifiedAt = Math.floor(file.mtimeMs)
  return {
    itemType: 'mixed_file',
    path,
    parentPath: null,
    title: name,
    sortTitle: sortTitle(name),
    searchTitle: searchKey(name),
    sortNumber: null,
    seasonNumber: null,
    episodeNumber: null,
    episodeNumberEnd: null,
    volumeNumber: null,
    chapterNumber: null,
    year: null,
    airedAt: null,
    mediaKind: kind,
    mimeType,
    size: file.size,
    modifiedAt,
    namedAt: kind === 'image' || kind === 'video' ? namedDate(name, modifiedAt, now) : null,
    identity: identityOf(file),
    files: NO_FILES,
    artwork: NO_ARTWORK,
    thumbnail: thumbnail === null || file.size === 0 ? null : { kind: thumbnail, path, version: versionOf(file) },
    mainFile: path,
    nfo: null,
    pageCount: null,
  }
}

/** One item for each file, in their order. */
export const readMixed = (files: readonly FileEntry[]): ScannedItem[] => {
  const now = Date.now()
  return files.map((file) => mixedItem(file, now))
}
