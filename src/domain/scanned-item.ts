/**
 * What a scan finds on disk, before anything is compared with the index. Made by `scan/`, in the scanner's thread,
 * sent to the main thread as plain data, and applied by `services/scan-apply.ts`.
 */

import type { GamePlatform } from './game-file.ts'
import type { ItemType, MediaKind } from './item-type.ts'

export const FILE_ROLES = ['main', 'part', 'version', 'extra'] as const

/** One file (or `.app` folder) of an item. */
export interface ScannedFile {
  /** Relative to the item's own folder, "/" separated; for an item that is one file, its base name. */
  name: string
  /** Bytes; for a bundle folder the sum over its files. */
  size: number
  /** Games: which system it is for, and whether it is a file or a `.app` folder. */
  platform?: GamePlatform
  kind?: 'file' | 'app_bundle'
  /** What the file is to a movie, and how to call it ("Part 2", "2160p", "Trailer"); of a game, that it is an extra. */
  role?: (typeof FILE_ROLES)[number]
  label?: string | null
}

export const ARTWORK_KINDS = ['cover', 'widecover', 'poster', 'backdrop', 'screenshot'] as const

/** A picture that belongs to an item. */
export interface ScannedArtwork {
  kind: (typeof ARTWORK_KINDS)[number]
  /** Relative to the library root. */
  path: string
  /** Changes whenever the picture's bytes do: made of inode, size and modification time. URL-safe, at most 16 characters. */
  version: string
}

export interface ScannedItem {
  itemType: ItemType
  /** Relative to the library root, spelled as on disk; a season without a folder: `flatSeasonPath`. */
  path: string
  /** Path of the parent item, whose type follows from `PARENT_TYPE`; null at the top level. */
  parentPath: string | null
  /** The scan-time title (API.md, 5). */
  title: string
  /** `sortTitle(title)` and `searchKey(title)`: computed off the main thread. */
  sortTitle: string
  searchTitle: string
  /** What `sort=number` orders by: season, episode, volume or chapter number, else null. */
  sortNumber: number | null
  seasonNumber: number | null
  episodeNumber: number | null
  episodeNumberEnd: number | null
  volumeNumber: number | null
  chapterNumber: number | null
  /** From the name: `(1979)`. */
  year: number | null
  /** From the name, `YYYY-MM-DD`, for series that are named by date. */
  airedAt: string | null
  mediaKind: MediaKind | null
  mimeType: string | null
  /** Bytes of all files; null for containers. */
  size: number | null
  /** Milliseconds since the epoch, floored: of the main file, or of the folder where there is none. */
  modifiedAt: number
  /** When a picture or video of a mixed library was taken, by its name (domain/named-date.ts); milliseconds since the epoch. */
  namedAt: number | null
  /**
   * 53-bit hash of inode number and birth time of the item's own file or folder, negative: equal for a moved or renamed
   * one, different for another file that got the inode number again. Null where the file system tells no birth time or
   * keeps no numbers (inode-numbers.ts), or the item has no entry of its own on disk.
   */
  identity: number | null
  files: ScannedFile[]
  artwork: ScannedArtwork[]
  /**
   * What the thumbnail is made from: a picture, a video (a frame) or an archive or image folder (its first page).
   * Null where there is nothing to show. `path` is relative to the library root, `version` as in `ScannedArtwork`.
   */
  thumbnail: { kind: 'image' | 'video' | 'pages'; path: string; version: string } | null
  /** Relative to the library root: the file whose partial hash recognises the item when nothing else does. */
  mainFile: string | null
  /** The NFO file that a metadata refresh would read, relative to the library root, and its modification time. */
  nfo: { path: string; modifiedAt: number } | null
  pageCount: number | null
}

export const SCAN_WARNING_CODES = [
  'unreadable_folder',
  'unreadable_file',
  'undecodable_name',
  'loose_file',
  'nested_game',
  'nested_film',
  'nested_series',
  'series_extras',
  'no_video',
  'no_pages',
  'no_archive',
  'too_deep',
  'link_outside',
  'name_too_long',
  'bad_ignore_file',
  'unreadable_archive',
  'own_data',
  'unknown_trash',
] as const
export type ScanWarningCode = (typeof SCAN_WARNING_CODES)[number]

/** `path` is relative to the library root; undecodable bytes are shown as U+FFFD. `message` is for people, in English. */
export interface ScanWarning {
  path: string
  code: ScanWarningCode
  message: string
}

/**
 * A unit is what is read and compared as a whole: a folder's own files in a mixed library (path "" is the root),
 * a top-level entry of any other. Its signature is a hash over the names, sizes, modification times and inodes of
 * everything in it, and over the scanner's version: an equal signature means that nothing has to be looked at.
 */
export interface ScannedUnit {
  path: string
  /** Null where a part of the unit could not be read: it is looked at again next time. */
  signature: string | null
  items: ScannedItem[]
}
