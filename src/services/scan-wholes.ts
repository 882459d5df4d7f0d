/** Where what is lost lives on as a part of something else, or in parts: what people put on it is seen there from then on. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { itemKey } from '../domain/item-key.ts'
import { folderOf } from '../domain/relative-path.ts'
import type { ScannedFile } from '../domain/scanned-item.ts'
import type { IndexRow, ScanState } from './scan-state.ts'
import { filmOf } from './scan-successors.ts'

/** So that requests get their turn in between. */
const FILMS_A_QUERY = 2000

type Library = Pick<ScanState, 'query' | 'libraryId'>

/** An item that is lost or has moved, and the key of what has it, or some of it, now. */
export type PartOfWhole = readonly [lostId: number, wholeKey: string]

interface FilmFile extends Pick<IndexRow, 'id' | 'itemKey'> {
  film: string | null
  name: string
}

/** The files of these sizes that the films of a library have, but for extras. */
const listFilmFiles = async ({ query, libraryId }: Library, sizes: ReadonlySet<number>): Promise<Map<number, FilmFile[]>> => {
  const found = new Map<number, FilmFile[]>()
  for (let [title, after] = ['', 0], isDone = false; !isDone; ) {
    const rows = await query<Pick<IndexRow, 'id' | 'itemKey' | 'path' | 'files'> & { title: string }>(
      `SELECT id, item_key AS itemKey, path, files, sort_title AS title FROM media_items INDEXED BY media_items_by_title
        WHERE library_id = ? AND parent_id IS NULL AND missing_since IS NULL AND (sort_title, id) > (?, ?) ORDER BY sort_title, id LIMIT ?`,
      [libraryId, title, after, FILMS_A_QUERY],
    )
    for (const { id, itemKey, path, files } of rows) {
      const own: ScannedFile[] = JSON.parse(files ?? '[]')
      for (const { name, size, role } of own)
        if (role !== 'extra' && sizes.has(size)) found.getOrInsertComputed(size, () => []).push({ id, itemKey, film: filmOf(path), name })
    }
    const last = rows.at(-1)
    title = last?.title ?? title
    after = last?.id ?? after
    isDone = rows.length < FILMS_A_QUERY
    // A database of our own answers without ever leaving the thread.
    await nextTurn()
  }
  return found
}

/** Films of which the file is one of the same film now, beside others or in place of them, or of that around it, which has another name now. */
const listFilms = async (library: Library, losses: readonly IndexRow[]): Promise<PartOfWhole[]> => {
  const films = losses.filter(({ itemType, size }) => itemType === 'movie' && size)
  if (films.length === 0) return []
  const bySize = await listFilmFiles(library, new Set(films.flatMap(({ size }) => size ?? [])))
  const lost = new Set(losses.map(({ id }) => id))
  return films.flatMap(({ id, path, mainFile, size }): PartOfWhole[] => {
    const film = filmOf(path)
    const isIt = (file: FilmFile): boolean =>
      !lost.has(file.id) && ((film !== null && file.film === film) || `${folderOf(path)}/${file.name}` === mainFile)
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
