/** The folders of a mixed library, from the index: a folder is there because items are in it or below it. */

import type { Deps } from '../deps.ts'
import { thumbnailUrl } from '../domain/browse-entry.ts'
import { compareNatural } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { getVisibleLibrary } from './visible.ts'

interface MixedFolder extends Partial<FolderPicture> {
  name: string
  path: string
  /** Present items in it and below it. */
  itemCount: number
}

/** What stands for a folder: a picture of the first item in it that has one, or else of one below it. */
interface FolderPicture {
  thumbnailUrl: string | null
  /** Base64 of the thumbhash bytes. */
  thumbhash: string | null
}

/** Items that are looked at for a picture: a folder may be full of what has none. */
const MAX_LOOKED_AT = 50

/** A present item within `bounds` of the index that has a picture. */
const pictured = (bounds: string): string => `(SELECT id FROM (
    SELECT id, thumbnail_version, inspect_error FROM media_items INDEXED BY media_items_by_unit
    WHERE library_id = ?1 AND ${bounds} AND missing_since IS NULL ORDER BY unit, id LIMIT ${MAX_LOOKED_AT})
  WHERE thumbnail_version IS NOT NULL AND inspect_error IS NULL LIMIT 1)`

const findPictures = async (deps: Deps, libraryId: number, paths: readonly string[]): Promise<FolderPicture[]> => {
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT m.item_key AS itemKey, m.thumbnail_version AS version, m.thumbhash AS thumbhash FROM json_each(?2) AS folder
      LEFT JOIN media_items m ON m.id = coalesce(${pictured('unit = folder.value')},
        ${pictured(`unit >= folder.value || '/' AND unit < folder.value || '0'`)}) ORDER BY folder.key`,
    args: [libraryId, JSON.stringify(paths)],
  })
  return rows.map(({ itemKey, version, thumbhash }) => ({
    thumbnailUrl: itemKey === null ? null : `${deps.config.basePath}${thumbnailUrl(String(itemKey), String(version))}`,
    thumbhash: thumbhash === null ? null : String(thumbhash),
  }))
}

interface FoldersQuery {
  libraryId: number
  /** "" is the root. */
  path: string
  /** Whether each is to have its picture. */
  pictures?: boolean
}

/** The folders directly below `path`. */
export const listMixedFolders = async (deps: Deps, viewer: Viewer, { libraryId, path, pictures }: FoldersQuery): Promise<MixedFolder[]> => {
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
  const folders = rows
    .map(({ name, total }) => ({ name: String(name), path: `${prefix}${name}`, itemCount: Number(total) }))
    .sort((a, b) => compareNatural(a.name, b.name))
  if (!pictures) return folders
  const paths = folders.map((folder) => folder.path)
  const found = await findPictures(deps, libraryId, paths)
  return folders.map((folder, place) => ({ ...folder, ...found[place] }))
}
