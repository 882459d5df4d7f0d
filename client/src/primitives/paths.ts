/**
 * Addresses of the screens. A segment that names an item is the item's path, percent-encoded as one segment: paths hold
 * "/", "#", "?" and "%". The router hands segments out still encoded, hence `decodeSegment`.
 */

import { type ItemKey, itemKey, parseItemKey } from '../../../src/domain/item-key.ts'
import type { ItemType } from '../../../src/domain/item-type.ts'
import type { BrowseEntry } from '../api/types.ts'

/** Undefined where the text is no valid percent-encoding, as in a hand-edited address. */
export const decodeSegment = (segment: string | undefined): string | undefined => {
  if (segment === undefined) return undefined
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** The key that a screen's address stands for. */
export const keyOfSegment = (type: ItemType, library: string | undefined, segment: string | undefined): ItemKey | undefined => {
  const path = decodeSegment(segment)
  const libraryId = Number(library)
  return path !== undefined && Number.isInteger(libraryId) && libraryId > 0 ? itemKey(type, libraryId, path) : undefined
}

const pathSegment = (key: string): string => encodeURIComponent(parseItemKey(key)?.path ?? key)

export const SEARCH_PATH = '/search'
export const searchPath = (q: string) => `${SEARCH_PATH}?${new URLSearchParams({ q })}`
export const libraryPath = (libraryId: number) => `/l/${libraryId}`
export const watchPath = (key: string) => `/watch/${encodeURIComponent(key)}`
export const readPath = (key: string) => `/read/${encodeURIComponent(key)}`
export const mangaSeriesPath = (libraryId: number, seriesKey: string) => `/l/${libraryId}/b/${pathSegment(seriesKey)}`
export const gameSeriesPath = (libraryId: number, seriesKey: string) => `/l/${libraryId}/gs/${pathSegment(seriesKey)}`
export const seriesPath = (libraryId: number, seriesKey: string) => `/l/${libraryId}/s/${pathSegment(seriesKey)}`

/** A season without a number of its own is addressed by its title. */
export const seasonSegment = (season: Pick<BrowseEntry, 'seasonNumber' | 'title'>): string =>
  season.seasonNumber === null ? encodeURIComponent(season.title) : String(season.seasonNumber)

export const seasonPath = (seriesAddress: string, season: Pick<BrowseEntry, 'seasonNumber' | 'title'>) =>
  `${seriesAddress}/season/${seasonSegment(season)}`

type Addressed = Pick<BrowseEntry, 'itemKey' | 'itemType' | 'libraryId' | 'parentKey' | 'seasonNumber' | 'title'>

/** The screen that shows this entry. */
export const entryPath = (entry: Addressed): string => {
  const library = libraryPath(entry.libraryId)
  switch (entry.itemType) {
    case 'game':
      return `${library}/g/${pathSegment(entry.itemKey)}`
    case 'game_series':
      return `${library}/gs/${pathSegment(entry.itemKey)}`
    case 'movie':
      return `${library}/m/${pathSegment(entry.itemKey)}`
    case 'tv_series':
      return `${library}/s/${pathSegment(entry.itemKey)}`
    case 'tv_season':
      return seasonPath(`${library}/s/${pathSegment(entry.parentKey ?? entry.itemKey)}`, entry)
    case 'tv_episode':
      return watchPath(entry.itemKey)
    case 'manga_series':
      return `${library}/b/${pathSegment(entry.itemKey)}`
    case 'manga_volume':
      return readPath(entry.itemKey)
    case 'mixed_file':
      return `${library}?item=${encodeURIComponent(entry.itemKey)}`
    default:
      return entry.itemType satisfies never
  }
}

/** For links to what opens over its library: who closes it goes back to where the link was (url-layer.ts). */
export const openedState = ({ itemType }: Pick<Addressed, 'itemType'>): { opened: string } | undefined =>
  itemType === 'mixed_file' ? { opened: 'item' } : undefined

/** Where one goes on with what was begun. */
export const continuePath = (entry: Addressed): string => (entry.itemType === 'movie' ? watchPath(entry.itemKey) : entryPath(entry))

/** A path of this client to return to after signing in; anything that could leave it is dropped. */
export const safeNextPath = (next: string | undefined): string =>
  next?.startsWith('/') && !next.startsWith('//') && !next.includes('\\') ? next : '/'

/** The router's `location` carries the base path and its `navigate` adds it: what is kept for later goes without. */
export const withoutBase = (pathname: string, base: string): string =>
  pathname === base || pathname.startsWith(`${base}/`) ? pathname.slice(base.length) || '/' : pathname
