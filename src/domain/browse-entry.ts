/** The card of an item in a list (API.md, 5), rendered as JSON text so that an index row can keep it. */

import type { GamePlatform } from './game-file.ts'
import { type ItemType, isContainer, type MediaKind } from './item-type.ts'
import type { ScannedArtwork } from './scanned-item.ts'

/** Seconds for videos, a page counted from 0 for manga. */
export interface Progress {
  positionSeconds: number | null
  durationSeconds: number | null
  page: number | null
  completed: boolean
  /** Of a film in several parts, the one that the position is in, where that is not the first. */
  file?: string | null
}

export interface BrowseEntry {
  itemKey: string
  itemType: ItemType
  title: string
  parentKey: string | null
  libraryId: number
  coverUrl: string | null
  thumbnailUrl: string | null
  year: number | null
  rating: number | null
  childCount: number | null
  gameCount: number | null
  seasonNumber: number | null
  episodeNumber: number | null
  episodeNumberEnd: number | null
  mediaKind: MediaKind | null
  mimeType: string | null
  /** Bytes. */
  size: number | null
  /** Pixels. */
  width: number | null
  height: number | null
  durationSeconds: number | null
  hasExtractedText: boolean
  /** ISO 8601, UTC. */
  addedAt: string
  tagIds: number[]
  /** Base64 of the thumbhash bytes. */
  thumbhash: string | null
  /** Of episodes alone, which are told apart by it, and where it is known. */
  plot?: string
  /** Of seasons, episodes and volumes, in lists of all sorts alone. */
  seriesTitle?: string
  /** Of games alone: those of its files, in the order of `GAME_PLATFORMS`. */
  platforms?: GamePlatform[]
  /** Of volumes alone, once it is known. */
  pageCount?: number | null
  /** Of lists that are sorted by a date which an entry does not tell otherwise. */
  sortDate?: string
  progress: Progress | null
}

/** A picture's key, version and kind: enough for its URL. */
export interface PictureSource {
  itemKey: string
  artwork: readonly ScannedArtwork[]
  thumbnailVersion: string | null
}

/** Root-relative and without BASE_PATH, which is put in front when an answer is sent (`withBasePath`). */
export const thumbnailUrl = (itemKey: string, version: string | null): string | null =>
  version === null ? null : `/api/thumbnails?itemKey=${encodeURIComponent(itemKey)}&size=small&v=${encodeURIComponent(version)}`

export const artworkUrl = (itemKey: string, artwork: ScannedArtwork | undefined): string | null =>
  artwork ? `/api/artwork?itemKey=${encodeURIComponent(itemKey)}&kind=${artwork.kind}&v=${encodeURIComponent(artwork.version)}` : null

/** What stands for an item in a grid: a game's cover, everything else's poster. */
const coverOf = (artwork: readonly ScannedArtwork[]): ScannedArtwork | undefined =>
  artwork.find(({ kind }) => kind === 'cover') ?? artwork.find(({ kind }) => kind === 'poster')

interface EntrySource extends PictureSource {
  itemType: ItemType
  title: string
  parentKey: string | null
  libraryId: number
  year: number | null
  rating: number | null
  childCount: number
  seasonNumber: number | null
  episodeNumber: number | null
  episodeNumberEnd: number | null
  mediaKind: MediaKind | null
  mimeType: string | null
  size: number | null
  width: number | null
  height: number | null
  durationSeconds: number | null
  hasExtractedText: boolean
  /** Milliseconds since the epoch. */
  addedAt: number
  tagIds: number[]
  thumbhash: string | null
  plot: string | null
  platforms: GamePlatform[] | null
  pageCount: number | null
  /** Whose pictures stand in where the item has none of its own: a series shows its first game, season or volume. */
  fallback: PictureSource | null
}

/** The entry as it is for everybody who has not begun the item. */
const toEntry = (source: EntrySource): BrowseEntry => {
  const own = coverOf(source.artwork)
  const fallbackCover = source.fallback ? coverOf(source.fallback.artwork) : undefined
  return {
    itemKey: source.itemKey,
    itemType: source.itemType,
    title: source.title,
    parentKey: source.parentKey,
    libraryId: source.libraryId,
    coverUrl: artworkUrl(source.itemKey, own) ?? (source.fallback ? artworkUrl(source.fallback.itemKey, fallbackCover) : null),
    thumbnailUrl:
      thumbnailUrl(source.itemKey, source.thumbnailVersion) ??
      (source.fallback ? thumbnailUrl(source.fallback.itemKey, source.fallback.thumbnailVersion) : null),
    year: source.year,
    rating: source.rating,
    childCount: isContainer(source.itemType) ? source.childCount : null,
    gameCount: source.itemType === 'game_series' ? source.childCount : null,
    seasonNumber: source.seasonNumber,
    episodeNumber: source.episodeNumber,
    episodeNumberEnd: source.episodeNumberEnd,
    mediaKind: source.mediaKind,
    mimeType: source.mimeType,
    size: source.size,
    width: source.width,
    height: source.height,
    durationSeconds: source.durationSeconds,
    hasExtractedText: source.hasExtractedText,
    addedAt: new Date(source.addedAt).toISOString(),
    tagIds: source.tagIds,
    thumbhash: source.thumbhash,
    ...(source.itemType === 'tv_episode' && source.plot !== null && { plot: source.plot }),
    ...(source.platforms !== null && { platforms: source.platforms }),
    ...(source.itemType === 'manga_volume' && source.pageCount !== null && { pageCount: source.pageCount }),
    progress: null,
  }
}

/** As JSON may say it too (RFC 8259, 7): one letter beyond Latin makes the text of a whole page twice as wide in memory. */
const inAscii = (json: string): string =>
  json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The text that `media_items.entry` keeps. Its last member is the progress, so that a person's own can be put there. */
export const renderEntry = (source: EntrySource): string => inAscii(JSON.stringify(toEntry(source)))

/** How a kept text ends, for who has not begun the item. */
export const NO_PROGRESS = 'null}'

/** A kept text with the progress of one person, as JSON text. */
export const withProgress = (entry: string, progress: string | null): string =>
  progress === null ? entry : `${entry.slice(0, -NO_PROGRESS.length)}${progress}}`

/**
 * Puts the base path in front of the URLs of an answer: of every member named `url` or `…Url`. A text inside JSON cannot
 * contain this sequence, because its quotes are escaped there.
 */
export const withBasePath = (json: string, basePath: string): string =>
  basePath === '' ? json : json.replaceAll('rl":"/api/', `rl":"${basePath}/api/`)
