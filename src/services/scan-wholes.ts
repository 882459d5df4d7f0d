/** Where what is lost lives on as a part of something else, or in parts: what people put on it is seen there from then on. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { flatSeasonPath, itemKey } from '../domain/item-key.ts'
import { type ItemType, isSeries } from '../domain/item-type.ts'
import { folderOf } from '../domain/relative-path.ts'
import type { ScannedFile } from '../domain/scanned-item.ts'
import { slicesOf } from '../domain/slices.ts'
import { listGone, listGoneFilms, listGoneIn, listOthers, reachOf, readNews, readSightings } from './scan-between.ts'
import type { IndexRow, ScanState } from './scan-state.ts'
import type { TwinPair } from './scan-statements.ts'
import { filmOf } from './scan-successors.ts'
import { FOUND_AT, type TwinReach, type TwinRow } from './scan-twin-rows.ts'

/** So that requests get their turn in between. */
const FILMS_A_QUERY = 2000
const SERIES_A_QUERY = 1000

type Library = Pick<ScanState, 'query' | 'libraryId'>

/** An item that is lost or has moved, and the key of what has it, or some of it, now; of seasons and series, how many of their children. */
export type PartOfWhole = readonly [lostId: number, wholeKey: string, children?: number]

interface FilmFile extends Pick<TwinRow, 'id' | 'libraryId' | 'itemKey' | 'identity' | 'foundAt'> {
  film: string | null
  name: string
  size: number
  isOneOfSeveral: boolean
}

interface FilmReach extends Pick<TwinReach, 'libraryIds'> {
  mayBe: (lost: IndexRow, file: FilmFile) => boolean
}

type FilmRow = Pick<TwinRow, 'id' | 'libraryId' | 'itemKey' | 'identity' | 'foundAt' | 'path' | 'files'> & { title: string }

/** The files that the films of a library have, but for extras, where they are as large as one of these. */
const listFilmFiles = async ({ query }: Library, libraryId: number, sizes: ReadonlySet<number | null>): Promise<FilmFile[]> => {
  const found: FilmFile[] = []
  for (let [title, after] = ['', 0], isDone = false; !isDone; ) {
    const rows = await query<FilmRow>(
      `SELECT id, library_id AS libraryId, item_key AS itemKey, identity, ${FOUND_AT} AS foundAt, path, files, sort_title AS title FROM media_items INDEXED BY media_items_by_title
        WHERE library_id = ? AND parent_id IS NULL AND missing_since IS NULL AND (sort_title, id) > (?, ?) ORDER BY sort_title, id LIMIT ?`,
      [libraryId, title, after, FILMS_A_QUERY],
    )
    for (const { path, files, ...row } of rows) {
      const own: ScannedFile[] = JSON.parse(files ?? '[]')
      const films = own.filter(({ role }) => role !== 'extra')
      for (const { name, size } of films.filter((file) => sizes.has(file.size)))
        found.push({ ...row, film: filmOf(path), name, size, isOneOfSeveral: films.length > 1 })
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
const listFilms = async (
  library: Library,
  losses: readonly IndexRow[],
  { libraryIds, mayBe }: FilmReach = { libraryIds: [library.libraryId], mayBe: () => true },
): Promise<PartOfWhole[]> => {
  const films = losses.filter(({ itemType, size }) => itemType === 'movie' && size)
  if (films.length === 0) return []
  const sizes = new Set(films.map(({ size }) => size))
  /** By what a lost film tells of itself: in a library of films of one size, each has to look at few of them. */
  const files = new Map<string, FilmFile[]>()
  for (const libraryId of libraryIds)
    for (const file of await listFilmFiles(library, libraryId, sizes))
      for (const key of [`${file.size} ${file.film}`, `${file.size}/${file.name}`]) files.getOrInsertComputed(key, () => []).push(file)
  const lost = new Set(losses.map(({ id }) => id))
  return films.flatMap((row): PartOfWhole[] => {
    const film = filmOf(row.path)
    const around = `${folderOf(row.path)}/`
    const keys = [
      ...(film === null ? [] : [`${row.size} ${film}`]),
      ...(row.mainFile?.startsWith(around) ? [`${row.size}/${row.mainFile.slice(around.length)}`] : []),
    ]
    const isIt = (file: FilmFile): boolean => !lost.has(file.id) && mayBe(row, file)
    const [holder, ...others] = new Set(keys.flatMap((key) => files.get(key)?.filter(isIt) ?? []).map(({ itemKey }) => itemKey))
    return holder !== undefined && others.length === 0 ? [[row.id, holder]] : []
  })
}

/** The same in other libraries, beside other files: where it is all of the film it may be a copy (scan-between.ts). */
const listFilmsBetween = async (
  library: Library,
  losses: readonly IndexRow[],
  { libraryIds, mayBe: isWanted = () => true }: Pick<FilmReach, 'libraryIds'> & Partial<FilmReach>,
): Promise<PartOfWhole[]> => {
  if (libraryIds.length === 0 || !losses.some(({ itemType }) => itemType === 'movie')) return []
  const { mayBe } = await reachOf(library, libraryIds)
  return listFilms(library, losses, {
    libraryIds,
    mayBe: (lost, file) => file.isOneOfSeveral && mayBe(lost, file) && isWanted(lost, file),
  })
}

/** Films that other libraries have lost since the last look, and of which this scan has found the files beside others. */
export const listArrived = async (state: ScanState): Promise<PartOfWhole[]> =>
  listFilmsBetween(state, await listGoneFilms(state), { libraryIds: [state.libraryId], mayBe: await readNews(state) })

/** By the type of a series, what is in it. */
const PARTS: Readonly<Partial<Record<ItemType, ItemType>>> = { tv_series: 'tv_season', manga_series: 'manga_volume', game_series: 'game' }

/** Of each of these seasons, the series. */
const readSeries = async ({ query }: Library, seasons: readonly PartOfWhole[]): Promise<Map<string, string>> => {
  if (seasons.length === 0) return new Map()
  const rows = await query<{ season: string; series: string }>(
    `SELECT season.item_key AS season, series.item_key AS series FROM media_items season JOIN media_items series ON series.id = season.parent_id
      WHERE season.item_key IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(seasons.map(([, key]) => key))],
  )
  return new Map(rows.map(({ season, series }) => [season, series]))
}

type Counts = ReadonlyMap<number, ReadonlyMap<string, number>>

/** What lay in this series or season has a key that begins so. */
const childrenOf = ({ itemType, libraryId, path, seasonNumber }: IndexRow): { prefix: string; season: number | null } => {
  const inSeries = PARTS[itemType]
  if (inSeries !== undefined) return { prefix: itemKey(inSeries, libraryId, `${path}/`), season: null }
  const isFlat = seasonNumber !== null && path === flatSeasonPath(folderOf(path), seasonNumber)
  return { prefix: itemKey('tv_episode', libraryId, `${isFlat ? folderOf(path) : path}/`), season: isFlat ? seasonNumber : null }
}

/** When the first scan began that was cut off, or held its losses back, since one came to its end; undefined where none did. */
const findUnended = async ({ query, libraryId }: Library): Promise<number | undefined> => {
  const [first] = await query<{ since: number | null }>(
    `SELECT min(started_at) AS since FROM scans WHERE library_id = ?1 AND status <> 'done' AND finished_at IS NOT NULL AND started_at >=
      (SELECT max(finished_at) FROM scans WHERE library_id = ?1 AND status = 'done' AND paths IS NULL)`,
    [libraryId],
  )
  return first?.since ?? undefined
}

/**
 * What scans have moved out of these series and seasons since then, as `ScanState.childrenNow` has it of one scan. What had this place
 * before, under the name of then, has taken its own children along: they were never in this one, which is younger than they are.
 */
const readMovedOut = async (library: Library, emptied: readonly IndexRow[], since: number): Promise<Counts> => {
  const moved = new Map<number, Map<string, number>>()
  for (const slice of slicesOf(emptied, SERIES_A_QUERY)) {
    const places = slice.map((row) => ({ id: row.id, key: row.itemKey, ...childrenOf(row) }))
    const rows = await library.query<{ id: number; itemKey: string; total: number }>(
      // The sign behind "/" is "0".
      `SELECT lost.value ->> 'id' AS id, whole.item_key AS itemKey, count(DISTINCT child.id) AS total FROM json_each(?1) AS lost
        CROSS JOIN former_keys former ON former.item_key > lost.value ->> 'prefix' AND former.item_key < rtrim(lost.value ->> 'prefix', '/') || '0'
        CROSS JOIN media_items child ON child.id = former.item_id AND child.missing_since IS NULL AND child.updated_at >= ?2
          AND child.season_number IS coalesce(lost.value ->> 'season', child.season_number)
        CROSS JOIN media_items whole ON whole.id = child.parent_id AND whole.id <> lost.value ->> 'id'
          AND NOT (child.id < lost.value ->> 'id' AND EXISTS (SELECT 1 FROM former_keys WHERE item_key = lost.value ->> 'key' AND item_id = whole.id))
        GROUP BY 1, 2`,
      [JSON.stringify(places), since],
    )
    for (const { id, itemKey, total } of rows) moved.getOrInsertComputed(id, () => new Map()).set(itemKey, total)
    await nextTurn()
  }
  return moved
}

const isEmptied = ({ itemType }: IndexRow): boolean => itemType === 'tv_season' || isSeries(itemType)

/**
 * Seasons and series of which one other has most of what they held, and none but it has any: their files were put there, or a
 * season without a folder is what the names of its episodes say.
 */
const listHolders = async (library: Library, losses: readonly IndexRow[], found: Counts): Promise<PartOfWhole[]> => {
  if (found.size === 0) return []
  const lostIn = Map.groupBy(losses, ({ parentId }) => parentId)
  /** `joined`: where the children are that have become parts themselves. */
  const holdersOf = (isOf: (type: ItemType) => boolean, joined: ReadonlyMap<number, string | undefined>): PartOfWhole[] =>
    losses.flatMap(({ id, itemType }): PartOfWhole[] => {
      if (!isOf(itemType)) return []
      const counts = new Map(found.get(id))
      const lost = lostIn.get(id) ?? []
      const holders = lost.flatMap((child) => joined.get(child.id) ?? [])
      for (const key of holders) counts.set(key, (counts.get(key) ?? 0) + 1)
      const [only, ...others] = counts
      return only && others.length === 0 && only[1] > lost.length - holders.length ? [[id, ...only]] : []
    })
  const seasons = holdersOf((type) => type === 'tv_season', new Map())
  const seriesOf = await readSeries(library, seasons)
  return [...seasons, ...holdersOf(isSeries, new Map(seasons.map(([id, key]) => [id, seriesOf.get(key)])))]
}

const listEmptied = async (
  library: Library,
  childrenNow: ScanState['childrenNow'],
  losses: readonly IndexRow[],
): Promise<PartOfWhole[]> => {
  const emptied = losses.filter(isEmptied)
  const since = emptied.length === 0 ? undefined : await findUnended(library)
  const movedOut: Counts = since === undefined ? new Map() : await readMovedOut(library, emptied, since)
  const ids = new Set([...childrenNow.keys(), ...movedOut.keys()])
  const found = new Map([...ids].map((id) => [id, new Map([...(childrenNow.get(id) ?? []), ...(movedOut.get(id) ?? [])])] as const))
  return listHolders(library, losses, found)
}

/** The same that other libraries have lost before this scan has found what they held. */
export const listArrivedSeries = async (state: ScanState, arrived: readonly TwinPair[]): Promise<PartOfWhole[]> => {
  const emptied = (await listGone(state, [...new Set(arrived.flatMap(({ lost }) => lost.parentId ?? []))])).filter(isEmptied)
  if (emptied.length === 0) return []
  const lastSeenAt = await readSightings(state)
  const since = emptied.reduce((first, row) => Math.min(first, lastSeenAt(row)), Number.MAX_SAFE_INTEGER)
  const ids = emptied.map(({ id }) => id)
  const losses = new Map([...emptied, ...(await listGoneIn(state, ids))].map((row) => [row.id, row]))
  return listHolders(state, [...losses.values()], await readMovedOut(state, emptied, Math.max(since, 0)))
}

/** Chapters of which the folder around them holds as many pages now, and has become a volume since: theirs were put there. */
const listPacked = async ({ query }: Library, losses: readonly IndexRow[]): Promise<PartOfWhole[]> => {
  const chapters = losses.filter(({ itemType, path }) => itemType === 'manga_volume' && path.includes('/'))
  if (chapters.length === 0) return []
  const pairs = chapters.map(({ id, libraryId, path }) => [id, itemKey('manga_volume', libraryId, folderOf(path))])
  const rows = await query<{ id: number; itemKey: string }>(
    `SELECT id, itemKey FROM (SELECT part.id, whole.item_key AS itemKey, whole.page_count AS pages, sum(coalesce(part.page_count, 1)) OVER (PARTITION BY whole.id) AS needed
      FROM json_each(?) AS pair CROSS JOIN media_items part ON part.id = pair.value ->> 0
        CROSS JOIN media_items whole ON whole.item_key = pair.value ->> 1 AND whole.missing_since IS NULL AND whole.added_at > part.added_at)
      WHERE pages >= needed`,
    [JSON.stringify(pairs)],
  )
  return rows.map(({ id, itemKey }) => [id, itemKey])
}

/** Films of which the folders of the versions may be films of their own now. */
export const listDivided = (films: readonly IndexRow[]): PartOfWhole[] =>
  films.flatMap(({ id, itemType, libraryId, path, files }): PartOfWhole[] => {
    const own: ScannedFile[] = itemType === 'movie' && files !== null ? JSON.parse(files) : []
    const inFolders = own.filter(({ name, role }) => role !== 'extra' && name.includes('/'))
    const folders = new Set(inFolders.map(({ name }) => name.slice(0, name.indexOf('/'))))
    return [...folders].map((folder) => [id, itemKey(itemType, libraryId, `${path}/${folder}`)])
  })

/** Before the losses are marked missing. `childrenNow`: of the scan that has found them. */
export const listWholes = async (
  library: Library & { childrenNow?: ScanState['childrenNow'] },
  losses: readonly IndexRow[],
): Promise<PartOfWhole[]> => {
  const films = await listFilms(library, losses)
  const within = new Set(films.map(([id]) => id))
  const elsewhere = losses.filter(({ id }) => !within.has(id))
  return [
    ...(await listEmptied(library, library.childrenNow ?? new Map(), losses)),
    ...films,
    ...(await listFilmsBetween(library, elsewhere, { libraryIds: await listOthers(library) })),
    ...(await listPacked(library, losses)),
    ...listDivided(losses),
  ]
}
