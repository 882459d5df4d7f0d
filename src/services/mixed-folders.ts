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
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT unit, count(*) AS total FROM media_items WHERE library_id = ? AND missing_since IS NULL AND unit >= ? AND (? = '' OR unit < ?) AND unit <> ''
      GROUP BY unit`,
    args: [libraryId, prefix, path, `${path}0`],
  })
  const counts = new Map<string, number>()
  for (const row of rows) {
    const name = String(row.unit).slice(prefix.length).split('/', 1)[0] ?? ''
    counts.set(name, (counts.get(name) ?? 0) + Number(row.total))
  }
  return [...counts]
    .map(([name, itemCount]) => ({ name, path: `${prefix}${name}`, itemCount }))
    .sort((a, b) => compareNatural(a.name, b.name))
}
