/** The level of a library that a list or its facets are about, and which of its entries are on it. */

import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { type FilterLevel, FLAT_LEVEL, filterLevel } from '../domain/tag-filter.ts'
import { AppError } from '../errors.ts'
import { all, type Clause } from './clause.ts'
import { isInTrashSql } from './deletion-journal.ts'
import { isLeftOfCopySql } from './left-of-copy.ts'
import type { LibraryRow } from './library-cache.ts'
import { getKnownItem, getVisibleLibrary, type MediaItemRow } from './visible.ts'

export interface LevelQuery {
  libraryId: number
  parentKey?: string
  /** Mixed libraries: one folder's own files; "" is the root. */
  path?: string
  /** With `path`: also the files of all folders below it. */
  below?: boolean
  /** Administrators: the missing items of the library, of every type. */
  missing?: boolean
}

export interface Level {
  library: LibraryRow
  parent: MediaItemRow | undefined
  /** The table that the level is read from as `m`. */
  table: Clause
  /** The rows of the level as `m`, before any filter. */
  clause: Clause
  /** A folder with all that is below it: the part of `clause` that holds for it alone. */
  below: Clause | undefined
  /** Where a whole level is shown: its number of entries is kept. */
  isWhole: boolean
  filter: FilterLevel
}

/** "0" is the character after "/". What stands between the folder and its "/" in the index are others whose names begin like its own. */
const belowClause = (path: string): Clause => ({
  sql: 'm.unit >= ? AND m.unit < ? AND (m.unit = ? OR m.unit >= ?)',
  args: [path, `${path}0`, path, `${path}/`],
})

const folderClause = ({ path, below }: LevelQuery): Clause | undefined => {
  if (path === undefined || (below && path === '')) return undefined
  return below ? belowClause(path) : { sql: 'm.unit = ?', args: [path] }
}

/** A folder's files are few; the planner, which cannot know, would rather walk the whole library in order. */
const tableOf = (folder: Clause | undefined): Clause => ({
  sql: folder ? 'media_items m INDEXED BY media_items_by_unit' : 'media_items m',
  args: [],
})

const levelClause = (
  library: LibraryRow,
  parent: MediaItemRow | undefined,
  { missing, folder }: { missing: boolean | undefined; folder: Clause | undefined },
): Clause => {
  if (missing) {
    const isLost = `m.missing_since IS NOT NULL AND NOT (${isLeftOfCopySql('m')}) AND NOT (${isInTrashSql('m')})`
    return { sql: `m.library_id = ? AND ${isLost}`, args: [library.id] }
  }
  const level: Clause = parent
    ? { sql: 'm.library_id = ? AND m.parent_id = ?', args: [library.id, parent.id] }
    : { sql: 'm.library_id = ? AND m.parent_id IS NULL', args: [library.id] }
  return all([level, { sql: 'm.missing_since IS NULL', args: [] }, ...(folder ? [folder] : [])])
}

/** Throws `not_found` for what this person may not see, and `invalid_request` for a folder of a library that has none. */
export const getLevel = async (deps: Deps, viewer: Viewer, query: LevelQuery): Promise<Level> => {
  if (query.missing && viewer.role !== 'admin') throw new AppError('forbidden')
  const library = await getVisibleLibrary(deps, viewer, query.libraryId)
  if (query.path !== undefined && library.type !== 'mixed') throw new AppError('invalid_request', 'Only mixed libraries have folders.')
  const parent = query.parentKey === undefined ? undefined : await getKnownItem(deps, viewer, query.parentKey)
  if (parent && parent.libraryId !== library.id) throw new AppError('not_found')
  const folder = query.missing ? undefined : folderClause(query)
  return {
    library,
    parent,
    table: tableOf(folder),
    clause: levelClause(library, parent, { missing: query.missing, folder }),
    below: query.below ? folder : undefined,
    isWhole: folder === undefined && !query.missing,
    filter: query.missing ? FLAT_LEVEL : filterLevel(library.type, parent?.itemType),
  }
}

/** Every top-level item of a library that has nothing below: what is counted, and kept in memory, is about those. */
export const isFlat = (level: Level): boolean => level.isWhole && !level.parent && level.filter.below === 'nothing'

/** Those, or the part of them that is in one folder and below it. */
export const isSelectable = (level: Level): boolean => isFlat(level) || (level.below !== undefined && !level.parent)
