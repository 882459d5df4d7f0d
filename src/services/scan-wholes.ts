/** Where what is lost lives on as a part of something else, or in parts: what people put on it is seen there from then on. */

import { itemKey } from '../domain/item-key.ts'
import { folderOf } from '../domain/relative-path.ts'
import type { ScannedFile } from '../domain/scanned-item.ts'
import type { IndexRow, ScanState } from './scan-state.ts'
import { filmOf } from './scan-successors.ts'

type Library = Pick<ScanState, 'query' | 'libraryId'>

/** An item that is lost or has moved, and the key of what has it, or some of it, now. */
export type PartOfWhole = readonly [lostId: number, wholeKey: string]

/** Films that have become versions of the same film, in one folder with it, or in that around them, which has another name now. */
const listFilms = async ({ query, libraryId }: Library, losses: readonly IndexRow[]): Promise<PartOfWhole[]> => {
  const films = losses.filter(({ itemType, size }) => itemType === 'movie' && size)
  if (films.length === 0) return []
  const rows = await query<{ id: number; itemKey: string; path: string; files: string }>(
    `SELECT id, item_key AS itemKey, path, files FROM media_items
      WHERE library_id = ? AND item_type = 'movie' AND missing_since IS NULL AND files LIKE '%"role":"version"%'`,
    [libraryId],
  )
  const lost = new Set(losses.map(({ id }) => id))
  const present = rows.filter(({ id }) => !lost.has(id))
  const versions = present.flatMap((row) => {
    const files: ScannedFile[] = JSON.parse(row.files)
    return files.filter(({ role }) => role === 'version').map(({ name, size }) => ({ ...row, film: filmOf(row.path), name, size }))
  })
  const bySize = Map.groupBy(versions, ({ size }) => size)
  return films.flatMap(({ id, path, mainFile, size }): PartOfWhole[] => {
    const film = filmOf(path)
    const isIt = (version: (typeof versions)[number]): boolean =>
      (film !== null && version.film === film) || `${folderOf(path)}/${version.name}` === mainFile
    const [holder, ...others] = new Set((bySize.get(size ?? 0) ?? []).filter(isIt).map(({ itemKey }) => itemKey))
    return holder !== undefined && others.length === 0 ? [[id, holder]] : []
  })
}

/** Seasons of which another one has all episodes: without a folder they are what the names of their episodes say. */
const listSeasons = (episodesNow: ScanState['episodesNow'], losses: readonly IndexRow[]): PartOfWhole[] =>
  losses.flatMap(({ id, itemType }): PartOfWhole[] => {
    const [season, ...others] = itemType === 'tv_season' ? (episodesNow.get(id) ?? []) : []
    return season !== undefined && others.length === 0 ? [[id, season]] : []
  })

/** Films of which the folders of the versions may be films of their own now. */
export const listDivided = (films: readonly IndexRow[]): PartOfWhole[] =>
  films.flatMap(({ id, itemType, libraryId, path, files }): PartOfWhole[] => {
    const own: ScannedFile[] = itemType === 'movie' && files !== null ? JSON.parse(files) : []
    const inFolders = own.filter(({ name, role }) => role !== 'extra' && name.includes('/'))
    const folders = new Set(inFolders.map(({ name }) => name.slice(0, name.indexOf('/'))))
    return [...folders].map((folder) => [id, itemKey(itemType, libraryId, `${path}/${folder}`)])
  })

/** Before the losses are marked missing. Without `episodesNow`, which only the scan that has found them knows, of films alone. */
export const listWholes = async (
  library: Library & { episodesNow?: ScanState['episodesNow'] },
  losses: readonly IndexRow[],
): Promise<PartOfWhole[]> => [
  ...listSeasons(library.episodesNow ?? new Map(), losses),
  ...(await listFilms(library, losses)),
  ...listDivided(losses),
]
