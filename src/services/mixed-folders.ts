/** The folders of a mixed library, from the index: a folder is there because items are in it or below it. */

import type { Deps } from '../deps.ts'
import { compareNatural } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { getVisibleLibrary } from './visible.ts'

export interface MixedFolder {
  name: string
  path: string
  /** Present items in it and below it. */
  itemCount: number
}

/** The folders directly below `path` ("" is the root). */
export const listMixedFolders = async (
  deps: Deps,
  viewer: Viewer,
  { libraryId, path }: { libraryId: number; path: string },
): Promise<MixedFolder[]> => {
  const library = await getVisibleLibrary(deps, viewer, libraryId)
  if (library.type !== 'mixed') throw new AppError('invalid_request', 'Only mixed libraries have folders.')
  const prefix = path === '' ? '' : `${path}/`
  // "0" is the character after "/": together they bound everything below the folder, in the order of the index.
  const below = `unit >= ?2 AND (?3 = '' OR unit < ?4) AND unit <> ''`
  // One index has all that is asked but who is missing: those are few, and taken off again.
  const { rows } = await deps.db.$client.execute({
    sql: `WITH units(unit, items) AS (
        SELECT unit, count(*) FROM media_items INDEXED BY media_items_by_unit WHERE library_id = ?1 AND ${below} GROUP BY unit
        UNION ALL SELECT unit, -count(*) FROM media_items INDEXED BY media_items_missing
          WHERE library_id = ?1 AND missing_since IS NOT NULL AND ${below} GROUP BY unit),
      inside(rest, items) AS (SELECT substr(unit, length(?2) + 1), items FROM units)
      SELECT substr(rest, 1, instr(rest || '/', '/') - 1) AS name, sum(items) AS total FROM inside GROUP BY name HAVING total > 0`,
    args: [libraryId, prefix, path, `${path}0`],
  })
  return rows
    .map(({ name, total }) => ({ name: String(name), path: `${prefix}${name}`, itemCount: Number(total) }))
    .sort((a, b) => compareNatural(a.name, b.name))
}
