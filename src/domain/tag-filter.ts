/**
 * What a filter by tags means (API.md, 5). Tags are ANDed, and none of the excluded ones may be there. On a level whose
 * entries hold others, an entry passes when it, or one single item below it, satisfies the whole filter: two episodes do
 * not add up, and an item that carries an excluded tag does not stand for its series, while another one may. A series is
 * untagged as long as it carries no tag itself and holds an item that carries none: its own tags speak for what it holds.
 */

import type { ItemType, LibraryType } from './item-type.ts'

export interface TagFilter {
  /** Tags that must all be there. */
  tags: readonly number[]
  /** Tags of which none may be there. */
  excludeTags: readonly number[]
  /** Only what carries no tag at all. */
  untagged?: boolean
}

/** More than anybody clicks; each one costs a look at every candidate. */
export const MAX_FILTER_TAGS = 50
/** Items that one request gives tags to or takes them from. */
export const MAX_BULK_ITEMS = 5000

/** Whose tags stand for an entry of a level beside its own, and whether a name search looks at their names as well. */
export interface FilterLevel {
  below: 'nothing' | 'children' | 'grandchildren'
  isNameBelow: boolean
}

/** Each entry is judged by its own tags alone. */
export const FLAT_LEVEL: FilterLevel = { below: 'nothing', isNameBelow: false }

const TOP_LEVELS: Readonly<Record<LibraryType, FilterLevel>> = {
  games: { below: 'children', isNameBelow: true },
  manga: { below: 'children', isNameBelow: true },
  tv: { below: 'grandchildren', isNameBelow: false },
  movies: FLAT_LEVEL,
  mixed: FLAT_LEVEL,
}

/** The rule of a level, by the type of what it is in; `parentType` is undefined at the top. */
export const filterLevel = (libraryType: LibraryType, parentType: ItemType | undefined): FilterLevel => {
  if (parentType === undefined) return TOP_LEVELS[libraryType]
  return parentType === 'tv_series' ? { below: 'children', isNameBelow: false } : FLAT_LEVEL
}

export const isTagFilter = ({ tags, excludeTags, untagged = false }: TagFilter): boolean => untagged || tags.length + excludeTags.length > 0
