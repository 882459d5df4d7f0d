/**
 * What has moved to another library of the same type: the item goes along, with everything that it carries, whichever of
 * the two libraries is scanned first (FEATURES.md, pain point 2). The one that was found there, and that nobody has
 * touched, is what is missing from the old library from then on, as with copies within one (scan-twins.ts).
 *
 * A copy in another library may be there to stay, as on a backup disk, and a folder that is away has not been deleted.
 * So the same inode or the same partial content hash decides, where the copy was found after the old library had last been
 * looked through with the file in it: a hard link may have lain there all the time.
 */

import { isLeftOfCopySql } from './left-of-copy.ts'
import { type Hashing, MAIN_SIZE } from './scan-prints.ts'
import { INDEX_COLUMNS, type IndexRow, type ScanState } from './scan-state.ts'
import type { TwinPair } from './scan-statements.ts'
import { type Library, listAsLarge, listRows, type TwinReach, type TwinRow } from './scan-twin-rows.ts'
import { exchange, findTwins, readTwins, type TwinSearch } from './scan-twins.ts'

/** Not what lies in the trash: whoever brings it back wants what was on it. Nor what is left of a copy, which lives on already. */
const IS_GONE = `item.missing_since IS NOT NULL AND NOT (${isLeftOfCopySql('item')})
  AND NOT EXISTS (SELECT 1 FROM deletions WHERE library_id = item.library_id AND at = item.missing_since)`

const isSameInode = (lost: IndexRow, twin: Pick<IndexRow, 'identity'>): boolean => lost.identity !== null && lost.identity === twin.identity

export const listOthers = async ({ query, libraryId }: Pick<Library, 'query' | 'libraryId'>): Promise<number[]> => {
  const rows = await query<{ id: number }>(
    'SELECT other.id FROM libraries own JOIN libraries other ON other.type = own.type AND other.id <> own.id WHERE own.id = ?',
    [libraryId],
  )
  return rows.map(({ id }) => id)
}

/**
 * Answers when the library of an item that is gone was last looked through while it was there; never where nobody knows. What went
 * missing while no scan ran was held back by the last one, and applied: that one has not seen it either.
 */
export const readSightings = async ({ query }: Pick<Library, 'query'>): Promise<(lost: IndexRow) => number> => {
  const scans = await query<{ libraryId: number; startedAt: number; finishedAt: number; isWhole: number }>(
    `SELECT library_id AS libraryId, started_at AS startedAt, coalesce(finished_at, 9e15) AS finishedAt, status = 'done' AND paths IS NULL AS isWhole
      FROM scans WHERE started_at IS NOT NULL ORDER BY id DESC`,
    [],
  )
  const byLibrary = Map.groupBy(scans, ({ libraryId }) => libraryId)
  const lastBefore = (libraryId: number, missingSince: number | null): number => {
    const own = byLibrary.get(libraryId) ?? []
    const [last, before] = own.filter(({ isWhole, finishedAt }) => isWhole === 1 && (missingSince === null || finishedAt < missingSince))
    const isApplied = missingSince !== null && !own.some((scan) => scan.startedAt <= missingSince && missingSince <= scan.finishedAt)
    return (isApplied ? before : last)?.startedAt ?? Number.NEGATIVE_INFINITY
  }
  const known = new Map<string, number>()
  return ({ libraryId, missingSince }) =>
    known.getOrInsertComputed(`${libraryId} ${missingSince}`, () => lastBefore(libraryId, missingSince))
}

/** Within libraries other than that of the lost item. */
export const reachOf = async (library: Pick<Library, 'query'>, libraryIds: readonly number[]): Promise<TwinReach> => {
  const lastSeenAt = await readSightings(library)
  // Where nobody knows when it was last seen, only the inode says that it has moved.
  const isLater: TwinReach['mayBe'] = (lost, twin) =>
    Number.isFinite(lastSeenAt(lost)) ? twin.foundAt >= lastSeenAt(lost) : isSameInode(lost, twin)
  return {
    libraryIds,
    mayBe: (lost, twin) => lost.libraryId !== twin.libraryId && isLater(lost, twin),
  }
}

/** Libraries in which something is under way that may know an item by its place, and since when what was found is safe from it. */
const readUnrest = async ({ query }: Library): Promise<Map<number, number>> => {
  const rows = await query<{ libraryId: number; since: number }>(
    `SELECT library_id AS libraryId, started_at AS since FROM scans WHERE status = 'running'
      UNION ALL SELECT library_id, 9e15 FROM deletions WHERE state IN ('moving', 'restoring')
      UNION ALL SELECT DISTINCT scans.library_id, 9e15 FROM scan_losses JOIN scans ON scans.id = scan_losses.scan_id AND scans.status = 'held'
        AND NOT EXISTS (SELECT 1 FROM scans later WHERE later.library_id = scans.library_id AND later.id > scans.id AND later.status = 'done' AND later.paths IS NULL)`,
    [],
  )
  const since = new Map<number, number>()
  for (const row of rows) since.set(row.libraryId, Math.max(row.since, since.get(row.libraryId) ?? 0))
  return since
}

/** Where `isByInode`, only what was moved for certain, however much it is. */
interface ElsewhereSearch extends TwinSearch, Pick<Hashing, 'hashElsewhere'> {
  isByInode: boolean
}

/** The missing items of these ids, with the missing containers above them. */
export const listGone = async (library: Library, ids: readonly number[]): Promise<IndexRow[]> => {
  const rows: IndexRow[] = await listRows(library, ids, IS_GONE)
  const parents = [...new Set(rows.flatMap(({ parentId }) => parentId ?? []))]
  return parents.length === 0 ? rows : [...rows, ...(await listGone(library, parents))]
}

/** The missing items in these series and seasons. */
export const listGoneIn = ({ query }: Pick<Library, 'query'>, parents: readonly number[]): Promise<IndexRow[]> =>
  query(`SELECT ${INDEX_COLUMNS} FROM media_items AS item WHERE parent_id IN (SELECT value FROM json_each(?)) AND ${IS_GONE}`, [
    JSON.stringify(parents),
  ])

/** What is gone from other libraries already, and is one of these files: they were on the way from there. */
const listPassedThrough = async (library: Library, others: readonly number[], losses: readonly IndexRow[]): Promise<IndexRow[]> => {
  const gone = await library.query<{ id: number }>(
    `SELECT id FROM media_items AS item INDEXED BY media_items_missing WHERE library_id IN (SELECT value FROM json_each(?))
      AND missing_since IS NOT NULL AND identity IN (SELECT value FROM json_each(?)) AND ${IS_GONE}`,
    [JSON.stringify(others), JSON.stringify(losses.flatMap(({ identity }) => identity ?? []))],
  )
  return gone.length === 0
    ? []
    : listGone(
        library,
        gone.map(({ id }) => id),
      )
}

/** Lets items that this library has lost live on where other libraries have found them. */
export const joinElsewhere = async (
  library: Library,
  losses: readonly IndexRow[],
  { isByInode, hashElsewhere, ...search }: ElsewhereSearch,
): Promise<TwinPair[]> => {
  if (losses.length === 0) return []
  const others = await listOthers(library)
  if (others.length === 0) return []
  if (!isByInode)
    for (const libraryId of others)
      await readTwins({ ...library, libraryId }, losses, {
        // A disk that is away or hangs is no fault of this library.
        hashFiles: (paths) => hashElsewhere(libraryId, paths).catch(() => paths.map(() => null)),
        isElsewhere: true,
      })
  const passedThrough = isByInode ? await listPassedThrough(library, others, losses) : []
  const unrest = await readUnrest(library)
  const isSettled = ({ libraryId, foundAt }: TwinRow): boolean => foundAt >= (unrest.get(libraryId) ?? 0)
  const pairs = await findTwins(
    library,
    isByInode ? [...losses, ...passedThrough].map((row) => ({ ...row, contentHash: null })) : losses,
    { ...search, isStanding: (row) => (row.libraryId === library.libraryId ? search.isStanding(row) : isSettled(row)) },
    // A copy within the library comes before one elsewhere: where there are both, nothing is decided here.
    await reachOf(library, [library.libraryId, ...others]),
  )
  return exchange(library, pairs, search)
}

/** When the last scan of this library began that has looked for what others had lost. */
const lastLook = async ({ query, libraryId, scanId }: ScanState): Promise<number> => {
  const [previous] = await query<{ status: string; startedAt: number | null }>(
    `SELECT status, started_at AS startedAt FROM scans WHERE library_id = ? AND id < ? AND status <> 'queued' ORDER BY id DESC LIMIT 1`,
    [libraryId, scanId],
  )
  return previous?.status === 'done' || previous?.status === 'held' ? (previous.startedAt ?? 0) : 0
}

/** When the last scan of all this library began that was not cut off; 0 where none was. */
const lastWholeLook = async ({ query, libraryId, scanId }: ScanState): Promise<number> => {
  const [last] = await query<{ startedAt: number }>(
    `SELECT coalesce(max(started_at), 0) AS startedAt FROM scans WHERE library_id = ? AND id < ? AND status IN ('done', 'held') AND paths IS NULL`,
    [libraryId, scanId],
  )
  return last?.startedAt ?? 0
}

/** Films that other libraries have lost since then: what a scan has found that was cut off is no news to this one. */
export const listGoneFilms = async (state: ScanState): Promise<IndexRow[]> => {
  const since = await lastWholeLook(state)
  if (since === 0) return []
  return state.query(
    `SELECT ${INDEX_COLUMNS} FROM media_items AS item INDEXED BY media_items_missing
      WHERE library_id IN (SELECT value FROM json_each(?)) AND missing_since IS NOT NULL AND missing_since >= ? AND item_type = 'movie' AND ${IS_GONE}`,
    [JSON.stringify(await listOthers(state)), since],
  )
}

/**
 * Tells whether such a film was lost, or what this library holds was found, after the last scan of all or some of it that was not cut
 * off. That one has brought the two together else, and somebody may have taken off since what it gave.
 */
export const readNews = async ({ query, libraryId, scanId }: ScanState): Promise<TwinReach['mayBe']> => {
  const [last] = await query<{ startedAt: number; finishedAt: number }>(
    `SELECT started_at AS startedAt, finished_at AS finishedAt FROM scans WHERE library_id = ? AND id < ? AND status IN ('done', 'held') ORDER BY id DESC LIMIT 1`,
    [libraryId, scanId],
  )
  return (lost, { foundAt }) => last === undefined || (lost.missingSince ?? 0) >= last.startedAt || foundAt >= last.finishedAt
}

/** Lets items that other libraries have lost live on where this one has found them. */
export const joinFromElsewhere = async (
  state: ScanState,
  { hashFiles, ...search }: TwinSearch & Pick<Hashing, 'hashFiles'>,
): Promise<TwinPair[]> => {
  const { query, libraryId, counters } = state
  const others = await listOthers(state)
  if (others.length === 0) return []
  const last = await lastLook(state)
  const isSomeNew = counters.added + counters.restored + counters.moved > 0
  const gone = await query<{ id: number; size: number; missingSince: number }>(
    `SELECT id, ${MAIN_SIZE} AS size, missing_since AS missingSince FROM media_items AS item INDEXED BY media_items_missing
      WHERE library_id IN (SELECT value FROM json_each(?)) AND missing_since IS NOT NULL AND missing_since >= ? AND size > 0
        AND (content_hash IS NOT NULL OR identity IS NOT NULL) AND ${IS_GONE}`,
    [JSON.stringify(others), isSomeNew ? 0 : last],
  )
  if (gone.length === 0) return []
  // What was gone at the last look already can only be what was added since.
  const isOldNews = last > 0 && counters.restored + counters.moved === 0 && gone.every(({ missingSince }) => missingSince < last)
  const reach = { ...(await reachOf(state, [libraryId])), after: isOldNews ? state.lastId : 0 }
  const sizes = new Set((await listAsLarge(state, gone, reach)).map(({ size }) => size))
  const ids = gone.filter(({ size }) => sizes.has(size)).map(({ id }) => id)
  if (ids.length === 0) return []
  search.checkpoint()
  await readTwins(state, await listGone(state, ids), { hashFiles, isElsewhere: true })
  search.checkpoint()
  // Asked again: what was gone may have come back while files were read.
  const pairs = await findTwins(state, await listGone(state, ids), search, reach)
  return exchange(state, pairs, search)
}
