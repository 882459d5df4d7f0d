/** Library types and the item types that each of them indexes (API.md, 2 and 4). */

export const LIBRARY_TYPES = ['games', 'movies', 'tv', 'manga', 'mixed'] as const
export type LibraryType = (typeof LIBRARY_TYPES)[number]

export const ITEM_TYPES = [
  'game',
  'game_series',
  'movie',
  'tv_series',
  'tv_season',
  'tv_episode',
  'manga_series',
  'manga_volume',
  'mixed_file',
] as const
export type ItemType = (typeof ITEM_TYPES)[number]

export const MEDIA_KINDS = ['image', 'video', 'audio', 'document', 'archive', 'other'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** The type of an item's parent; undefined where items of this type stand at the top level. */
export const PARENT_TYPE: Partial<Record<ItemType, ItemType>> = {
  game: 'game_series',
  tv_season: 'tv_series',
  tv_episode: 'tv_season',
  manga_volume: 'manga_series',
}

/** Item types that only group others: they have no file of their own to open. */
export const isContainer = (type: ItemType): boolean =>
  type === 'game_series' || type === 'tv_series' || type === 'tv_season' || type === 'manga_series'

/** What a library shows at its top level, and whose parts are in it. */
export const isSeries = (type: ItemType): boolean => isContainer(type) && PARENT_TYPE[type] === undefined

export const isLibraryType = (value: string): value is LibraryType => LIBRARY_TYPES.some((type) => type === value)
export const isItemType = (value: string): value is ItemType => ITEM_TYPES.some((type) => type === value)
