/** The end of a scan: what waited is placed, what is gone is marked missing, or held back when it is too much. */

import type { InStatement, ResultSet } from '@libsql/client'
import { inLineWith, isAtOrBelow } from '../domain/relative-path.ts'
import { slicesOf } from '../domain/slices.ts'
import { byDepth, keyOf, parentKeyOf, toColumnBatch, type UnitItem } from '../scan/column-batch.ts'
import { isReplaced, joinElsewhere, joinFromElsewhere, listOusted } from './scan-between.ts'
import { matchMoved, type UnplacedItem } from './scan-match.ts'
import { upsertStatement } from './scan-rows.ts'
import { INDEX_COLUMNS, type IndexRow, type ScanState } from './scan-state.ts'
import {
  displace,
  displacedPlace,
  isLeftOfCopy,
  keepLosses,
  markMissingStatements,
  park,
  recountChildren,
  recountLibrary,
  setKeys,
  setSignatures,
  type TwinPair,
  touchAbove,
} from './scan-statements.ts'
import { pairSuccessors, placeOf } from './scan-successors.ts'
import { joinTwins, readTwins, type TwinSearch } from './scan-twins.ts'

/** More losses than both of these hold a scan back until an administrator applies them (API.md, 4). */
const HELD_ABOVE_ITEMS = 25
const HELD_ABOVE_SHARE = 0.2

/** Rows a statement, so that one transaction stays short. */
const BATCH_ROWS = 2000

export interface FinishInput {
  /** The folders that were looked through; null is the whole library. Of anything else this scan says nothing. */
  paths: readonly string[] | null
  /** Paths that could not be read. */
  unreadable: readonly string[]
  /** Folders that hold the data of a server, as only this look has told, perhaps: nobody is to see more of it meanwhile. */
  ownData: readonly string[]
  /** Partial content hashes of files, paths relative to the root, in the order asked. */
  hashFiles: (paths: string[]) => Promise<(string | null)[]>
  /** The same of another library's. */
  hashElsewhere: (libraryId: number, paths: string[]) => Promise<(string | null)[]>
  /** Throws where the scan is to stop: asked wherever the next scan would find its way on. */
  checkpoint: () => void
}

/** `others`: the libraries from or to which something has moved. */
export type FinishOutcome = { others: ReadonlySet<number> } & ({ status: 'done' } | { status: 'held'; losses: number })

type Contestable = IndexRow & { isContested: boolean }
type Recognised = ReadonlyMap<UnplacedItem, Contestable>

interface KnownPlaces {
  /** By key. */
  occupants: ReadonlyMap<string, IndexRow>
  parents: ReadonlyMap<string, IndexRow>
}

/** These folders have been looked through again: what is still there is no loss, and what is not is missing by now, or kept by that scan. */
const dropOlderLosses = (libraryId: number, scanId: number, paths: readonly string[]): InStatement => ({
  sql: `DELETE FROM scan_losses WHERE scan_id IN (SELECT id FROM scans WHERE library_id = ?1 AND id < ?2)
    AND EXISTS (SELECT 1 FROM media_items m, json_each(?3) folder WHERE m.id = item_id
      AND (m.path = folder.value OR substr(m.path, 1, length(folder.value) + 1) = folder.value || '/'))`,
  args: [libraryId, scanId, JSON.stringify(paths)],
})

const isSeason = ([{ itemType }]: readonly [UnplacedItem, UnitItem]): boolean => itemType === 'tv_season'

export const createFinish = (state: ScanState): ((input: FinishInput) => Promise<FinishOutcome>) => {
  const { libraryId, scanId, write, counters, seenUnits, waiting, waitingSignatures, gone } = state
  const { query, rowsByKey, collectGone, countChanges, recountByKey, isLeftOut, touchesLeftOut } = state

  /** Units that were in the index and that the walk did not come across: what they held is gone, or moved. */
  const collectGoneUnits = async (paths: FinishInput['paths']): Promise<void> => {
    const isLookedAt = (unit: string): boolean => paths === null || paths.some((folder) => isAtOrBelow(unit, folder))
    const rows = await query<{ path: string; signature: string }>('SELECT path, signature FROM scan_units WHERE library_id = ?', [
      libraryId,
    ])
    const vanished = rows.filter(({ path }) => !seenUnits.has(path) && isLookedAt(path))
    if (vanished.length === 0) return
    // A folder that gets its old name back is the same to its signature, but its items are elsewhere by then.
    const signed = vanished.filter(({ signature }) => signature !== '').map(({ path }) => [path, ''] as const)
    for (const part of slicesOf(signed, BATCH_ROWS)) await write.batch([setSignatures(libraryId, part)], 'background')
    await collectGone(
      vanished.map(({ path }) => path),
      new Set(),
    )
  }

  /** Items that were missing before this scan and that a waiting row may turn out to be. */
  const collectLongGone = async (): Promise<void> => {
    const rows = await query<IndexRow>(`SELECT ${INDEX_COLUMNS} FROM media_items WHERE library_id = ? AND missing_since IS NOT NULL`, [
      libraryId,
    ])
    for (const row of rows) if (!gone.has(row.id)) gone.set(row.id, row)
  }

  /** When what lies in the trash went: whoever brings it back wants what was on it. */
  const listDeletionTimes = async (): Promise<Set<number | null>> => {
    const rows = await query<{ at: number }>('SELECT at FROM deletions WHERE library_id = ?', [libraryId])
    return new Set(rows.map(({ at }) => at))
  }

  const describeWaiting = async (
    hashFiles: FinishInput['hashFiles'],
    candidates: readonly IndexRow[],
  ): Promise<Map<UnplacedItem, UnitItem>> => {
    const hashedSizes = new Set(candidates.filter((row) => row.contentHash !== null).map((row) => row.size))
    const identities = new Set(candidates.map((row) => row.identity))
    const isByContent = ({ item }: UnitItem) => item.mainFile !== null && hashedSizes.has(item.size)
    const wanted = waiting.filter((row) => isByContent(row) && (row.item.identity === null || !identities.has(row.item.identity)))
    const hashes = wanted.length > 0 ? await hashFiles(wanted.map(({ item }) => item.mainFile ?? '')) : []
    const hashOf = new Map(wanted.map((row, index) => [row, hashes[index] ?? null]))
    return new Map(
      waiting.map((row) => {
        const { itemType, path, size, modifiedAt, identity } = row.item
        const contentHash = hashOf.get(row) ?? null
        const keys = { itemKey: keyOf(libraryId, row.item), parentKey: parentKeyOf(libraryId, row.item) }
        return [{ itemType, path, size, modifiedAt, identity, contentHash, ...keys }, row]
      }),
    )
  }

  /** What nobody recognises by itself, in the places of what is gone: of what went just now, or else of what went long ago. */
  const findSuccessors = (
    unplaced: readonly (readonly [UnplacedItem, UnitItem])[],
    pool: readonly Contestable[],
    { recognised, occupants, parents }: KnownPlaces & { recognised: Recognised },
  ): [UnplacedItem, Contestable][] => {
    const taken = new Set([...recognised.values()].map(({ id }) => id))
    const recognisedByKey = new Map([...recognised].map(([to, from]) => [to.itemKey, from.id]))
    const parentIdOf = (key: string | null): number | null => {
      if (key === null) return null
      const standing = parents.get(key)?.id
      return recognisedByKey.get(key) ?? (standing === undefined || taken.has(standing) ? null : standing)
    }
    const found = unplaced
      .filter(([to]) => !recognised.has(to) && !occupants.has(to.itemKey))
      .map(([to, { item }]) => ({ to, place: placeOf(item, parentIdOf(to.parentKey)) }))
    const lost = pool
      .filter((row) => !taken.has(row.id) && !row.isContested)
      .map((row) => ({ row, missingSince: row.missingSince, place: placeOf(row, row.parentId) }))
    const fresh = pairSuccessors(
      found,
      lost.filter(({ missingSince }) => missingSince === null),
    )
    const settled = new Set(fresh.map(([{ to }]) => to))
    const late = pairSuccessors(
      found.filter(({ to }) => !settled.has(to)),
      lost.filter(({ row, missingSince }) => missingSince !== null && !isLeftOfCopy(row)),
    )
    return [...fresh, ...late].map(([{ to }, { row }]) => [to, row])
  }

  /** Places everything that waited: moved items keep their rows and get new keys, the rest is new. Answers whom it has ousted, where they are now. */
  const placeWaiting = async ({ hashFiles, hashElsewhere }: Pick<FinishInput, 'hashFiles' | 'hashElsewhere'>): Promise<IndexRow[]> => {
    if (waiting.length === 0) return []
    await collectLongGone()
    const occupants = await rowsByKey(waiting.map(({ item }) => keyOf(libraryId, item)))
    const parents = await rowsByKey([...new Set(waiting.flatMap(({ item }) => parentKeyOf(libraryId, item) ?? []))])
    const deletionTimes = await listDeletionTimes()
    const candidates = new Map([...gone, ...[...occupants.values()].map((row) => [row.id, row] as const)])
    const described = await describeWaiting(hashFiles, [...candidates.values()])
    const replaced = waiting.flatMap(({ item }) => {
      const occupant = occupants.get(keyOf(libraryId, item))
      return isReplaced(item, occupant) ? [{ occupant, file: item }] : []
    })
    const ousted = await listOusted(state, replaced, { hashFiles, hashElsewhere })
    // From here to the batch nothing is awaited: see `leaveOut` of scan-state.ts.
    const placed = waiting.filter(({ item }) => !isLeftOut(item.path))
    const pool = [...candidates.values()]
      .filter(({ path, missingSince }) => !isLeftOut(path) && !deletionTimes.has(missingSince))
      .map((row) => ({ ...row, isContested: occupants.has(row.itemKey) && !ousted.has(row.id) }))
    const unplaced = [...described].filter(([{ path }]) => !isLeftOut(path))
    const recognised = matchMoved(
      unplaced.map(([to]) => to),
      pool,
    )
    const known = { occupants, parents }
    // Seasons first: their episodes are looked for in them.
    const seasons = findSuccessors(unplaced.filter(isSeason), pool, { ...known, recognised })
    const withSeasons = new Map([...recognised, ...seasons])
    const parts = findSuccessors(
      unplaced.filter((one) => !isSeason(one)),
      pool,
      { ...known, recognised: withSeasons },
    )
    const moves = [...withSeasons, ...parts].filter(([to, from]) => to.itemKey !== from.itemKey)
    const movedIds = new Set(moves.map(([, from]) => from.id))
    const taken = new Set(moves.map(([to]) => to.itemKey))
    const displaced = unplaced.flatMap(([{ itemKey }]) => {
      const occupant = occupants.get(itemKey)
      return occupant && !movedIds.has(occupant.id) && (taken.has(itemKey) || ousted.has(occupant.id)) ? [occupant] : []
    })
    const displacedIds = new Set(displaced.map(({ id }) => id))
    const before = new Map([...occupants].filter(([, row]) => !movedIds.has(row.id) && !displacedIds.has(row.id)))
    for (const [to, from] of moves) before.set(to.itemKey, from)
    for (const { id } of [...occupants.values(), ...moves.map(([, from]) => from)]) gone.delete(id)

    const now = Date.now()
    const keep = (group: readonly UnitItem[]) => upsertStatement(libraryId, toColumnBatch(libraryId, group), { now, isNew: false })
    const parking = [...moves.map(([, from]) => from), ...displaced]
    const newKeys = moves.map(([to, from]) => ({ from, itemKey: to.itemKey }))
    const keying = parking.length > 0 ? [park(parking), setKeys(newKeys), ...displace(displaced, now)] : []
    const groups = byDepth(placed)
    const touch = touchAbove(libraryId, placed, { known: before, now })
    const kept: ResultSet[] = []
    if (placed.length <= BATCH_ROWS) {
      kept.push(...(await write.batch([...keying, ...groups.map(keep), ...touch], 'background')).slice(keying.length))
    } else {
      await write.batch(keying, 'background')
      for (const part of groups.flatMap((group) => [...slicesOf(group, BATCH_ROWS)])) {
        const left = part.filter(({ item }) => !isLeftOut(item.path))
        if (left.length > 0) kept.push(...(await write.batch([keep(left)], 'background')))
      }
      if (touch.length > 0) await write.batch(touch, 'background')
    }
    counters.missing += displaced.filter((row) => row.missingSince === null && !ousted.has(row.id)).length
    counters.moved += moves.length
    countChanges(kept, before, taken)
    await recountParents(placed)
    // Also of what has stayed in its place: a new season may have taken it over.
    const left = [...new Set([...occupants.values(), ...moves.map(([, from]) => from)].flatMap(({ parentId }) => parentId ?? []))]
    if (left.length > 0) await write.batch([recountChildren(left)], 'background')
    return displaced.filter(({ id }) => ousted.has(id)).map((row) => ({ ...row, ...displacedPlace(row, now) }))
  }

  const recountParents = async (rows: readonly UnitItem[]): Promise<void> => {
    const keys = rows.flatMap(({ item }) => [keyOf(libraryId, item), parentKeyOf(libraryId, item)]).filter((key) => key !== null)
    await recountByKey([...new Set(keys)])
  }

  const presentCount = async (): Promise<number> => {
    const [row] = await query<{ total: number }>(
      'SELECT count(*) AS total FROM media_items INDEXED BY media_items_by_title WHERE library_id = ? AND missing_since IS NULL',
      [libraryId],
    )
    return row?.total ?? 0
  }

  /** How many of these were found by this scan. */
  const countAdded = async (pairs: readonly TwinPair[]): Promise<number> => {
    const [row] = await query<{ total: number }>(
      `SELECT count(*) AS total FROM media_items WHERE id IN (SELECT value FROM json_each(?)) AND added_at >= (SELECT started_at FROM scans WHERE id = ?)`,
      [JSON.stringify(pairs.map(({ twin }) => twin.id)), scanId],
    )
    return row?.total ?? 0
  }

  /** Asked again before each batch: an item that somebody deletes meanwhile has no row any more, or is missing by that. */
  const stillLost = (rows: readonly IndexRow[]): number[] => rows.filter(({ path }) => !isLeftOut(path)).map(({ id }) => id)

  return async ({ paths, unreadable, ownData, hashFiles: readHashes, hashElsewhere, checkpoint }) => {
    const hashFiles: FinishInput['hashFiles'] = async (files) => {
      const hashes = await readHashes(files)
      checkpoint()
      return hashes
    }
    /** Nothing at, below or above an unreadable place may be called missing: it may well be there. */
    const isShielded = inLineWith(unreadable)
    const search: TwinSearch = {
      isStanding: ({ id, path }) => !gone.has(id) && !isLeftOut(path) && !isShielded(path),
      isLeftOut: (row) => row.libraryId === libraryId && isLeftOut(row.path),
      checkpoint,
    }
    const others = new Set<number>()
    /** They live on in another library. */
    const letGo = (pairs: readonly TwinPair[]): void => {
      for (const { lost, twin } of pairs) {
        gone.delete(lost.id)
        others.add(twin.libraryId)
      }
      counters.moved += pairs.length
    }
    const markMissing = async (losses: readonly IndexRow[]): Promise<void> => {
      const now = Date.now()
      for (const part of slicesOf(losses, BATCH_ROWS)) {
        checkpoint()
        await write.batch(markMissingStatements(stillLost(part), now), 'background')
      }
      counters.missing += losses.length
    }
    const listLost = (): IndexRow[] => [...gone.values()].filter((row) => row.missingSince === null && !isLeftOut(row.path))

    checkpoint()
    await collectGoneUnits(paths)
    checkpoint()
    for (const row of gone.values()) if (isShielded(row.path)) gone.delete(row.id)
    const ousted = await placeWaiting({ hashFiles, hashElsewhere })
    // Also where nothing has changed: a scan that was killed may have changed something, and not come so far.
    await write.batch([recountLibrary(libraryId)], 'background')
    const arrived = await joinFromElsewhere(state, { ...search, hashFiles })
    for (const { lost } of arrived) others.add(lost.libraryId)
    counters.moved += arrived.length
    counters.added -= await countAdded(arrived)
    const moved = await joinElsewhere(state, [...listLost(), ...ousted], { ...search, hashFiles: hashElsewhere, isByInode: true })
    letGo(moved)
    const movedIds = new Set(moved.map(({ lost }) => lost.id))
    counters.missing += ousted.filter(({ id, missingSince }) => missingSince === null && !movedIds.has(id)).length
    const lost = listLost()
    const present = await presentCount()
    if (paths === null) counters.found = present - lost.length
    await readTwins(state, lost, { hashFiles })
    if (paths !== null) await write.batch([dropOlderLosses(libraryId, scanId, paths)], 'background')
    // What this scan has added does not make a loss smaller, nor what it has got from elsewhere.
    const before = present - counters.added - counters.restored - arrived.length
    const isOwnData = ({ path }: IndexRow): boolean => ownData.some((folder) => isAtOrBelow(path, folder))
    const doubtful = lost.filter((row) => !isOwnData(row))
    if (doubtful.length > HELD_ABOVE_ITEMS && doubtful.length > HELD_ABOVE_SHARE * before) {
      await markMissing(lost.filter(isOwnData))
      for (const part of slicesOf(doubtful, BATCH_ROWS)) {
        await write.batch([keepLosses(scanId, stillLost(part))], 'background')
      }
      return { status: 'held', losses: doubtful.length, others }
    }
    const joined = await joinTwins(state, lost, search)
    counters.moved += joined.size
    const unknown = lost.filter(({ id }) => !joined.has(id))
    letGo(await joinElsewhere(state, unknown, { ...search, hashFiles: hashElsewhere, isByInode: false }))
    const losses = unknown.filter(({ id }) => gone.has(id))
    // Marking clears the signatures of units that lost something; the others are kept only after it, lest a crash between the two hides a loss.
    const lossUnits = new Set(losses.map((row) => row.unit))
    await markMissing(losses)
    const signatures = [...waitingSignatures].filter(([unit]) => !lossUnits.has(unit) && !isShielded(unit) && !touchesLeftOut(unit))
    if (signatures.length > 0) await write.batch([setSignatures(libraryId, signatures)], 'background')
    return { status: 'done', others }
  }
}
