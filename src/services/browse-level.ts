/** The level of a library that a list or its facets are about, and which of its entries are on it. */

import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { type FilterLevel, filterLevel } from '../domain/tag-filter.ts'
import { AppError } from '../errors.ts'
import { all, type Clause } from './clause.ts'
import type { LibraryRow } from './library-cache.ts'
import { getVisibleItem, getVisibleLibrary, type MediaItemRow } from './visible.ts'

export interface LevelQuery {
  libraryId: number
  parentKey?: string
  /** Mixed libraries: one folder's own files; "" is the root. */
  path?: string
  /** Administrators: the missing items of the library, of every type. */
  missing?: boolean
}

export interface Level {
  library: LibraryRow
  parent: MediaItemRow | undefined
  /** The rows of the level as `m`, before any filter. */
  clause: Clause
  /** Where a whole level is shown: its number of entries is kept. */
  isWhole: boolean
  filter: FilterLevel
}

const FLAT: FilterLevel = { below: 'nothing', isNameBelow: false }

const levelClause = (library: LibraryRow, parent: MediaItemRow | undefined, query: LevelQuery): Clause => {
  if (query.missing) return { sql: 'm.library_id = ? AND m.missing_since IS NOT NULL', args: [library.id] }
  const level: Clause = parent
    ? { sql: 'm.library_id = ? AND m.parent_id = ?', args: [library.id, parent.id] }
    : { sql: 'm.library_id = ? AND m.parent_id IS NULL', args: [library.id] }
  const folder: Clause[] = query.path === undefined ? [] : [{ sql: 'm.unit = ?', args: [query.path] }]
  return all([level, { sql: 'm.missing_since IS NULL', args: [] }, ...folder])
}

/** Throws `not_found` for what this person may not see. */
export const getLevel = async (deps: Deps, viewer: Viewer, query: LevelQuery): Promise<Level> => {
  if (query.missing && viewer.role !== 'admin') throw new AppError('forbidden')
  const library = await getVisibleLibrary(deps, viewer, query.libraryId)
  const parent = query.parentKey === undefined ? undefined : await getVisibleItem(deps, viewer, query.parentKey)
  if (parent && parent.libraryId !== library.id) throw new AppError('not_found')
  return {
    library,
    parent,
    clause: levelClause(library, parent, query),
    isWhole: query.path === undefined && !query.missing,
    filter: query.missing ? FLAT : filterLevel(library.type, parent?.itemType),
  }
}

/** Every top-level item of a library that has nothing below: what is counted, and kept in memory, is about those. */
export const isFlat = (level: Level): boolean => level.isWhole && !level.parent && level.filter.below === 'nothing'
