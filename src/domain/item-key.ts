/**
 * Item keys: `<item_type>:<libraryId>:<path relative to the library root>` (API.md, 2).
 * Paths keep the spelling on disk, byte for byte, with "/" between segments.
 */

import { type ItemType, isItemType } from './item-type.ts'
import { isRelativePath } from './relative-path.ts'

declare const brand: unique symbol
export type ItemKey = string & { readonly [brand]: 'ItemKey' }

interface ItemKeyParts {
  itemType: ItemType
  libraryId: number
  /** Relative to the library root; may end in a "#" segment that names no file. */
  path: string
}

/** The longest key that the API takes, in UTF-8 bytes. */
export const MAX_ITEM_KEY_BYTES = 4096

/** `path` is not checked. */
export const itemKey = (itemType: ItemType, libraryId: number, path: string): ItemKey => `${itemType}:${libraryId}:${path}` as ItemKey

/** The parts of a key, or undefined where the text is none (wrong type, library id, or a path that leaves the root). */
export const parseItemKey = (text: string): ItemKeyParts | undefined => {
  const match = /^([a-z_]+):([1-9][0-9]{0,14}):([^]+)$/.exec(text)
  const [, itemType = '', libraryId = '', path = ''] = match ?? []
  if (!isItemType(itemType) || !isRelativePath(path)) return undefined
  return { itemType, libraryId: Number(libraryId), path }
}

export const isItemKey = (text: string): text is ItemKey => parseItemKey(text) !== undefined

/** The path of a season that has no folder of its own: `<series path>/#season-<number>`. */
export const flatSeasonPath = (seriesPath: string, seasonNumber: number): string => `${seriesPath}/#season-${seasonNumber}`

/**
 * The path of a missing item whose place on disk another item has taken. "#" segments never name files,
 * so the spelling cannot collide with a real path. `since` (milliseconds) makes it another one where the same item is displaced
 * again: the copy that has changed places with it meanwhile keeps the place that it had then.
 */
export const displacedPath = (path: string, itemId: number, since: number): string => `${path}/#missing-${itemId}-${since}`
