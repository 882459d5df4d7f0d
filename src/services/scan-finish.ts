/** The end of a scan: what waited is placed, what is gone is marked missing, or held back when it is too much. */

import type { InStatement } from '@libsql/client'
import { inLineWith, isAtOrBelow } from '../domain/relative-path.ts'
import { slicesOf } from '../domain/slices.ts'
import { joinElsewhere, joinFromElsewhere } from './scan-between.ts'
import { inheritAll } from './scan-inheritance.ts'
import { BATCH_ROWS, placeWaiting } from './scan-placing.ts'
import type { Hashing } from './scan-prints.ts'
import type { IndexRow, ScanState } from './scan-state.ts'
import { keepLosses, markMissingStatements, recountLibrary, setSignatures, type TwinPair } from './scan-statements.ts'
import { joinTwins, readTwins, type TwinSearch } from './scan-twins.ts'
import { listArrived, listArrivedSeries, listWholes } from './scan-wholes.ts'

/** More losses than both of these hold a scan back until an administrator applies them (API.md, 4). */
const HELD_ABOVE_ITEMS = 25
const HELD_ABOVE_SHARE = 0.2

export interface FinishInput extends Hashing {
  /** The folders that were looked through; null is the whole library. Of anything else this scan says nothing. */
  paths: readonly string[] | null
  /** Paths that could not be read. */
  unreadable: readonly string[]
  /** Folders that hold the data of a server, as only this look has told, perhaps: nobody is to see more of it meanwhile. */
  ownData: readonly string[]
  /** Throws where the scan is to stop: asked wherever the next scan would find its way on. */
  checkpoint: () => void
}

/** `others`: the libraries from or to which something has moved. */
export type FinishOutcome = { others: ReadonlySet<number> } & ({ status: 'done' } | { status: 'held'; losses: number })

/** These folders have been looked through again: what is still there is no loss, and what is not is missing by now, or kept by that scan. */
const dropOlderLosses = (libraryId: number, scanId: number, paths: readonly string[]): InStatement => ({
  sql: `DELETE FROM scan_losses WHERE scan_id IN (SELECT id FROM scans WHERE library_id = ?1 AND id < ?2)
    AND EXISTS (SELECT 1 FROM media_items m, json_each(?3) folder WHERE m.id = item_id
      AND (m.path = folder.value OR substr(m.path, 1, length(folder.value) + 1) = folder.value || '/'))`,
  args: [libraryId, scanId, JSON.stringify(paths)],
})

export const createFinish = (state: ScanState): ((input: FinishInput) => Promise<FinishOutcome>) => {
  const {
    query,
    libraryId,
    scanId,
    write,
    isFirstScan,
    counters,
    seenUnits,
    waitingSignatures,
    gone,
    findChildIn,
    collectGone,
    isLeftOut,
    touchesLeftOut,
  } = state

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

  const presentCount = async (): Promise<number> => {
    const [row] = await query<{ total: number }>(
      'SELECT count(*) AS total FROM media_items INDEXED BY media_items_by_title WHERE library_id = ? AND missing_since IS NULL',
      [libraryId],
    )
    return row?.total ?? 0
  }

  /** Parts that live on in another library: what they were in has not become what the rest of it was put into here. */
  const findPartsElsewhere = async (pairs: readonly TwinPair[]): Promise<void> => {
    const parents = new Map(pairs.flatMap(({ lost }) => (lost.parentId === null ? [] : [[lost.id, lost.parentId] as const])))
    for (const ids of slicesOf([...parents.keys()], BATCH_ROWS)) {
      const rows = await query<{ id: number; parentKey: string }>(
        `SELECT child.id AS id, parent.item_key AS parentKey FROM media_items child JOIN media_items parent ON parent.id = child.parent_id
          WHERE child.id IN (SELECT value FROM json_each(?))`,
        [JSON.stringify(ids)],
      )
      for (const { id, parentKey } of rows) {
        const before = parents.get(id)
        if (before !== undefined) findChildIn(before, parentKey)
      }
    }
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
    const letGo = async (pairs: readonly TwinPair[]): Promise<void> => {
      for (const { lost, twin } of pairs) {
        gone.delete(lost.id)
        others.add(twin.libraryId)
      }
      counters.moved += pairs.length
      await findPartsElsewhere(pairs)
    }
    const markMissing = async (losses: readonly IndexRow[]): Promise<void> => {
      const now = Date.now()
      const wholes = await listWholes(state, losses)
      for (const part of slicesOf(losses, BATCH_ROWS)) {
        checkpoint()
        await write.batch(markMissingStatements(stillLost(part), now, wholes), 'background')
      }
      counters.missing += losses.length
    }
    const listLost = (): IndexRow[] => [...gone.values()].filter((row) => row.missingSince === null && !isLeftOut(row.path))

    checkpoint()
    // A library that had nothing has lost nothing, and its rows were counted as they came.
    if (!isFirstScan) await collectGoneUnits(paths)
    checkpoint()
    for (const row of gone.values()) if (isShielded(row.path)) gone.delete(row.id)
    const displaced = await placeWaiting(state, { hashFiles, hashElsewhere })
    // Also where nothing has changed: a scan that was killed may have changed something, and not come so far.
    if (!isFirstScan) await write.batches([[recountLibrary(libraryId)]])
    const arrived = await joinFromElsewhere(state, { ...search, hashFiles })
    for (const { lost } of arrived) others.add(lost.libraryId)
    counters.moved += arrived.length
    counters.added -= await countAdded(arrived)
    const parts = [...(await listArrived(state)), ...(await listArrivedSeries(state, arrived))]
    if (parts.length > 0) await write.batch(inheritAll(parts), 'background')
    const moved = await joinElsewhere(state, [...listLost(), ...displaced], { ...search, hashElsewhere, isByInode: true })
    await letGo(moved)
    const movedIds = new Set(moved.map(({ lost }) => lost.id))
    const alone = displaced.filter(({ id }) => !movedIds.has(id))
    const countMissing = (rows: readonly IndexRow[]): number => rows.filter(({ missingSince }) => missingSince === null).length
    counters.missing += countMissing(alone)
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
    const copied = await joinElsewhere(state, [...unknown, ...alone], { ...search, hashElsewhere, isByInode: false })
    await letGo(copied)
    const copiedIds = new Set(copied.map(({ lost }) => lost.id))
    counters.missing -= countMissing(alone.filter(({ id }) => copiedIds.has(id)))
    const losses = unknown.filter(({ id }) => gone.has(id))
    // Marking clears the signatures of units that lost something; the others are kept only after it, lest a crash between the two hides a loss.
    const lossUnits = new Set(losses.map((row) => row.unit))
    await markMissing(losses)
    const signatures = [...waitingSignatures].filter(([unit]) => !lossUnits.has(unit) && !isShielded(unit) && !touchesLeftOut(unit))
    if (signatures.length > 0) await write.batch([setSignatures(libraryId, signatures)], 'background')
    return { status: 'done', others }
  }
}
